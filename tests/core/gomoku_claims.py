"""Positions of play at Gomoku, and every win that is claimed in them replayed against all defences.

    python tests/core/gomoku_claims.py --positions 100000 [--seed N] [--rule NAME] [--player uct|alphabeta]

Games of a player with itself under every rule, on boards of many sizes, begun at random and now and then gone on
with at random. At each position the claims are those of a search's lines (`proof` 1 is a win of the side to move by
that move, -1 one of the enemy after it) and of the search of fours for either side. A claim stands if its side, by what searches of the positions to come claim in
turn, makes a five whatever legal moves the other side plays; a plain board judges (tests/units/replay.cpp).
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import _tengen_units as units
from gomoku_boards import RULES, show, vertex

from tengen.engine._core import GomokuAlphaBeta, GomokuMcts, GomokuState

SIZES = [(15, 15)] * 8 + [(20, 20), (19, 19), (9, 9), (7, 7), (6, 11), (12, 5)]
"""Widths and heights of the boards, drawn."""
PLAYOUTS = (60, 200, 600)
"""Of a game's searches, drawn."""
FOURS = 20_000
"""Positions of a search of fours in a replay."""
DEEPER, OTHERS, CANDIDATES = (4, 32, 256), 3, 24
"""How many times the playouts of the claim a replay searches for the next move, until it claims the win again; so often
without the moves that took the visits of the searches before and proved nothing; so many moves it tries one by one."""


class Lost(Exception):
    """A claim that a replay could not hold."""


@dataclass
class Tally:
    """What was tried and what came of it."""

    positions: int = 0
    claims: int = 0
    fours: int = 0
    wrong: list[str] = field(default_factory=list)


class Searcher:
    """A player's search with little memory; alpha-beta looks at more nodes than a tree search has playouts."""

    def __init__(self, player: str, seed: int) -> None:
        self.is_alphabeta = player == "alphabeta"
        self._search: Any = GomokuAlphaBeta("lines") if self.is_alphabeta else GomokuMcts("tactical")
        if not self.is_alphabeta:
            self._search.set("seed", seed)
        self._search.set("memory_mb", 32)

    def lines(self, state: GomokuState, playouts: int, avoid: Sequence[int] = (), count: int = 0) -> list[Any]:
        """Search anew; the lines found, best first. count: how many moves alpha-beta searches, 0: one."""
        self._search.clear()
        if self.is_alphabeta:
            self._search.set("lines", max(1, count))
            playouts *= 8
        self._search.run(state, playouts=playouts, avoid=list(avoid))
        return list(self._search.info(count).lines)


class Court:
    """Replays claims on boards of one size and rule."""

    def __init__(self, state: GomokuState, playouts: int, tally: Tally, player: str = "uct") -> None:
        rule = RULES.index(state.rule)
        self.replay = units.Replay(state.width, state.height, rule, FOURS)
        self.search, self.playouts, self.tally = Searcher(player, 7), playouts, tally
        self.is_trying = False
        self.won: set[int] = set()
        """Keys of positions that were shown to be won by the side to move, and lost by it."""

    def loses(self, state: GomokuState) -> None:
        """Replay that the side to move loses, whatever it plays. Raises Lost."""
        if state.winner == 1 - state.to_move:
            return
        if state.is_terminal():
            raise Lost(f"the game is over\n{show(state)}")
        wrong = self.replay.wrong
        defences = self.replay.defences(state.stones(), state.to_move)
        if self.replay.wrong > wrong:
            raise Lost(f"fours, after {self.replay.refuted}\n{show(state)}")
        for move in defences:
            after = state.copy()
            after.play(move)
            self.wins(after)

    def wins(self, state: GomokuState) -> None:
        """Replay that the side to move wins. Raises Lost."""
        if state.state_key in self.won:
            return
        if state.is_terminal():
            raise Lost(f"the game is over\n{show(state)}")
        move, stands = self.replay.fours(state.stones(), state.to_move)
        if move >= 0 and not stands:
            raise Lost(f"fours {vertex(state, move)}, after {self.replay.refuted}\n{show(state)}")
        if move < 0:
            after = state.copy()
            after.play(self.claimed(state))
            self.loses(after)
        self.won.add(state.state_key)

    def claimed(self, state: GomokuState) -> int:
        """The move by which a search claims to win. Raises Lost if none does."""
        for times in DEEPER:
            tried: list[int] = []
            while len(tried) <= OTHERS and len(tried) < len(state.legal_moves()):
                best = self.search.lines(state, self.playouts * times, tried)[0]
                if best.proof == 1:
                    return best.move
                tried.append(best.move)
        if not self.is_trying:
            self.is_trying = True
            try:
                return self.one_by_one(state)
            finally:
                self.is_trying = False
        raise Lost(f"no win is claimed any more for {'XO'[state.to_move]}\n{show(state)}")

    def one_by_one(self, state: GomokuState) -> int:
        """The first of the candidates of a search that wins in a replay. Raises Lost if none does."""
        for line in self.search.lines(state, self.playouts, count=CANDIDATES):
            after = state.copy()
            after.play(line.move)
            try:
                self.loses(after)
            except Lost:
                continue
            return line.move
        raise Lost(f"no win is claimed any more for {'XO'[state.to_move]}\n{show(state)}")

    def judge_fours(self, state: GomokuState, colour: int) -> None:
        """Try what the search of fours claims for a side, as if it were to move."""
        if state.to_move == colour or not state.winning_moves(1 - colour):
            move, stands = self.replay.fours(state.stones(), colour)
            self.tally.claims += move >= 0
            if move >= 0 and not stands:
                claim = f"{state.rule} {'XO'[colour]} {vertex(state, move)} by fours, after {self.replay.refuted}"
                self.tally.wrong.append(f"{claim}\n{show(state)}")

    def judge(self, state: GomokuState, move: int, proof: int) -> None:
        """Try one claim of a line of a search."""
        self.tally.claims += 1
        after = state.copy()
        after.play(move)
        try:
            if proof > 0:
                self.loses(after)
            else:
                self.wins(after)
        except Lost as lost:
            claim = (
                f"{state.rule} {'XO'[state.to_move]} {vertex(state, move)} proof {proof} at {self.playouts} playouts"
            )
            self.tally.wrong.append(f"{claim}\n{show(state)}\n{lost}")


def claims(search: Searcher, state: GomokuState, playouts: int) -> list[tuple[int, int]]:
    """The moves that a search proves to win or to lose, best first."""
    return [(line.move, line.proof) for line in search.lines(state, playouts) if line.proof]


def play(choose: random.Random, rule: str, tally: Tally, most: int, player: str) -> None:
    """Judge the positions of one game, `most` at most."""
    width, height = choose.choice(SIZES)
    playouts = choose.choice(PLAYOUTS)
    state = GomokuState(width, height, rule)
    court, search = Court(state, playouts, tally, player), Searcher(player, choose.randrange(1, 1000))
    for _ in range(choose.randrange(1, 9)):
        row, column = (min(n - 1, max(0, round(choose.gauss(n / 2, n / 6)))) for n in (height, width))
        if state.is_legal(row * width + column):
            state.play(row * width + column)
    wild = choose.choice((0.0, 0.1, 0.5))
    while not state.is_terminal() and most > 0:
        lines = search.lines(state, playouts, count=choose.choice((1, 6)) if search.is_alphabeta else 0)
        tally.positions += 1
        most -= 1
        for colour in (0, 1):
            court.judge_fours(state, colour)
        for line in lines:
            if line.proof:
                court.judge(state, line.move, line.proof)
        state.play(choose.choice(lines[:6]).move if choose.random() < wild else lines[0].move)
    tally.fours += court.replay.claims


def run(positions: int, seed: int, rules: tuple[str, ...] = RULES, player: str = "uct") -> Iterator[Tally]:
    """Judge so many positions, the rules in turn; the tally after every game."""
    tally, game = Tally(), 0
    while tally.positions < positions:
        rule = rules[game % len(rules)]
        play(random.Random(f"{seed} {game}"), rule, tally, positions - tally.positions, player)
        game += 1
        yield tally


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rule", choices=RULES, help="one rule in place of all")
    parser.add_argument("--player", choices=("uct", "alphabeta"), default="uct")
    args = parser.parse_args()
    said = begun = time.monotonic()
    seen = 0
    tally = Tally()
    for tally in run(args.positions, args.seed, (args.rule,) if args.rule else RULES, args.player):
        for text in tally.wrong[seen:]:
            print(text, flush=True)
        seen = len(tally.wrong)
        if time.monotonic() - said > 20:
            said = time.monotonic()
            print(f"{tally.positions} positions, {tally.claims} claims, {seen} wrong", flush=True)
    print(f"{tally.positions} positions, {tally.claims} claims and {tally.fours} wins by fours on the way, {seen} wrong, "
          f"{time.monotonic() - begun:.0f} s")  # fmt: skip
    return 1 if seen else 0


if __name__ == "__main__":
    sys.exit(main())
