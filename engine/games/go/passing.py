"""Passing in Go, and moves while the board is being settled.

Two regimes. Where dead stones are taken off by agreement (friendly passes, territory scoring) a pass is judged with
the dead stones removed; elsewhere (Tromp-Taylor, clean-up) by the board as it stands, so dead stones are captured
first, where there is time for it. A pass that would turn a won game into a lost one is never made, nor a move that
would by the count of a territory where passing wins; and when nothing is left to gain we pass. No move that the search
hardly looked at is played in place of its best one, unless the opponent's search after it says that it is as good.

`PassRule` lists all reasons for a pass. By none but those that end all do we pass while a move saves or captures a
chain that the count needs (stakes.py): as the board stands every chain, by agreement a chain that is not judged dead
or that could still be joined to one that is not.
"""

from __future__ import annotations

from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, cast

from tengen.engine.games.base import BLACK
from tengen.engine.games.go.board import Board, Chain
from tengen.engine.games.go.count import count_after, dame, margin_at_worst, outcome
from tengen.engine.games.go.rules import GoRules
from tengen.engine.games.go.stakes import Stake, stakes
from tengen.engine.games.hooks import Choice, View
from tengen.engine.info import Info, Line

if TYPE_CHECKING:
    from tengen.engine._core import GoState

HOPELESS = 0.1
"""Win probability below which a lost game is not prolonged."""
EQUALLY_GOOD = 0.05
"""A move whose win probability is so little below the best one may be played instead of it."""
SEEN = 10
"""Visits from which the search's figure of a move says something."""
MOST_ASKED = 3
"""Moves about which the opponent's search is asked, at most."""
LOSS = 1.0
"""Points that playing must cost, against passing, before a pass is preferred to a move that settles something."""
CALM = 0.12
"""Share of undecided cells below which the board is taken as nearly finished."""


class PassRule(Enum):
    """Why a pass may be made."""

    ENDS_WON = "passes: this ends the game, and the count is won"
    ENDLESS = "passes: the game goes on far beyond its end"
    ONLY_EYES = "passes: nothing but own eyes is left to fill"
    KEEPS_COUNT = "passes: by the count, the move that was searched would cost the game"
    STAYS_WON = "passes: nothing is left to gain, and the game stays won"
    STAYS_LOST = "passes: nothing is left to gain, and the game is lost"

    @property
    def ends_all(self) -> bool:
        """Whether it holds although a chain could be saved or captured."""
        return self in (PassRule.ENDS_WON, PassRule.ENDLESS, PassRule.KEEPS_COUNT)


class Ending:
    """One decision near the end of a game."""

    def __init__(self, view: View, rules: GoRules, wanted: Line) -> None:
        self.view, self.rules, self.wanted = view, rules, wanted
        self.state = cast("GoState", view.state)
        self.me: int = self.state.to_move
        self.sign = 1 if self.me == BLACK else -1
        self.pass_move: int = self.state.pass_move
        self.as_it_stands = view.cleanup or not rules.removes_dead
        self.info = self._seen(view.info)
        self.lines = [line for line in self.info.lines if line.move != self.pass_move]
        self.best = max(self.lines, key=lambda line: line.visits, default=wanted)
        last = view.table.moves[-1] if view.table.moves else (self.me, -1)
        self.has_opponent_passed = last == (1 - self.me, self.pass_move)
        self._wins: dict[int, float] = {}
        self._questions = 0

    def _seen(self, info: Info) -> Info:
        """What the search found; a search that proved a pass looked at nothing else, and it proved it of the board as
        it stands: where dead stones are taken off, or to be captured, another is asked as if nobody had passed."""
        is_final = self.as_it_stands and not self.view.cleanup
        if is_final or [line.move for line in info.lines] != [self.pass_move] or info.lines[0].proof is None:
            return info
        fresh = self.state.copy()
        fresh.setup(self.state.stones(), self.me)
        found = self.view.explore(fresh)
        return found if any(line.move != self.pass_move for line in found.lines) else info

    @cached_property
    def board(self) -> Board:
        """The position with what the search believes of it."""
        return Board(self.view.state, [self.sign * value for value in self.info.ownership])

    @cached_property
    def judged(self) -> Board | None:
        """The position as judged; None without the time for it."""
        status = self.view.judge()
        return None if status is None else Board(self.view.state, status.ownership)

    @cached_property
    def useful(self) -> set[int]:
        """Moves that may gain something."""
        return self._worth_playing(self.board)

    def _is_as_good(self, move: int) -> bool:
        """Whether the move is not clearly worse than the best one."""
        return self._win(move) >= self.best.expected - 2 * EQUALLY_GOOD

    def _win(self, move: int) -> float:
        """The win probability of a move: as searched; what the search hardly saw is asked about by itself."""
        if move not in self._wins:
            known = (line.expected for line in self.lines if line.move == move and line.visits >= SEEN)
            found = next(known, None)
            self._wins[move] = self._asked(move) if found is None else found
        return self._wins[move]

    def _asked(self, move: int) -> float:
        """What the opponent's search after the move says for us; unasked it is bad, without time good for clean-up."""
        if move == self.best.move:
            return self.best.expected
        self._questions += 1
        if self._questions > MOST_ASKED:
            return 0.0
        after = self.state.copy()
        after.play(move)
        info = self.view.explore(after)
        if info.visits == 0:
            return self.best.expected if self.view.cleanup else 0.0
        return 1.0 - info.expected

    def choice(self) -> Choice:
        """The move to play, and the rule of a pass."""
        plain = self.best if self.wanted.move == self.pass_move else self.wanted
        if not self.lines:
            return self._passing(PassRule.ENDS_WON if self._is_proved_to_win() else PassRule.ONLY_EYES)
        if not self.info.ownership:
            return Choice(plain.move)
        if self.view.cleanup and (capture := self._capture()) is not None:
            return Choice(capture)
        if not self._is_late():
            return Choice(plain.move)
        rule = self._rule_as_it_stands() if self.as_it_stands else self._rule_by_agreement()
        if rule is not None:
            return self._passing(rule)
        if self.as_it_stands and not self.useful and (capture := self._capture()) is not None:
            return Choice(capture)
        move = self._settling(plain)
        return self._passing(PassRule.KEEPS_COUNT) if self._spoils(move) else Choice(move)

    def _is_proved_to_win(self) -> bool:
        """Whether the search has proved that a pass wins the game on the board as it stands."""
        proof = self.wanted.proof
        return self.as_it_stands and self.has_opponent_passed and proof is not None and proof.result > 0

    def _passing(self, rule: PassRule) -> Choice:
        """A pass by this rule, unless a chain that the count needs is at stake."""
        if not rule.ends_all and (move := self._at_stake()) is not None and not self._spoils(move):
            return Choice(move)
        return Choice(self.pass_move, rule.value)

    def _at_stake(self) -> int | None:
        """The move that saves or captures most of what the count needs, where the search does not say that it loses."""
        found = stakes(self.state, self.view.is_allowed)
        return next((stake.move for stake in found if self._is_needed(stake) and self._is_as_good(stake.move)), None)

    def _is_needed(self, stake: Stake) -> bool:
        """Whether the count depends on it: not where the chain is judged dead and its owner can save it only alone."""
        if self.as_it_stands or self.judged is None:
            return True
        owner = self.state.stones()[stake.chain[0]] - 1
        alive = {
            cell for chain in self.judged.chains if chain.colour == owner and not chain.is_dead for cell in chain.cells
        }
        return stake.chain[0] in alive or bool(alive & stake.saved)

    def _is_late(self) -> bool:
        """Two fifths of the board taken or hardly anything undecided; and calm, or a pass has to be answered."""
        cells = len(self.board.stones)
        is_calm = len(self.board.unsettled()) <= CALM * cells
        is_full = 5 * (cells - self.board.stones.count(0)) >= 2 * cells
        return is_calm or (is_full and self.has_opponent_passed)

    def _rule_as_it_stands(self) -> PassRule | None:
        """The board counts as it is: pass to end a won game, or when nothing can be won any more."""
        is_won = self.sign * self.state.result() > 0
        if is_won and self.has_opponent_passed:
            return PassRule.ENDS_WON
        if self._is_endless():
            return PassRule.ENDLESS
        if self.useful and not self._does_playing_lose():
            return None
        if is_won:
            return PassRule.STAYS_WON if self._is_pass_safe() else None
        return PassRule.STAYS_LOST if self.best.expected < 0.5 else None

    def _rule_by_agreement(self) -> PassRule | None:
        """Dead stones will be removed: pass when the judgement wins and holds, or nothing is left to gain.

        Without time for a judgement we play on; after it, the next move keeps some time for it.
        """
        status, judged = self.view.judge(), self.judged
        if status is None or judged is None:
            return None
        self.useful |= self._worth_playing(judged)
        is_won = self.sign * status.score > 0
        if is_won and self.has_opponent_passed and margin_at_worst(judged, self.me) > 0:
            return PassRule.ENDS_WON
        if self._is_endless():
            return PassRule.ENDLESS
        if self.useful and not self._does_playing_lose():
            return None
        if is_won:
            return PassRule.STAYS_WON
        return PassRule.STAYS_LOST if self.best.expected < 0.5 else None

    def _is_endless(self) -> bool:
        """A game that goes on long after it should have ended."""
        return len(self.view.table.moves) > 4 * len(self.board.stones)

    @cached_property
    def _after_pass(self) -> Info:
        """A search by the opponent as if we had passed."""
        after = self.state.copy()
        after.setup(self.board.stones, 1 - self.me)
        return self.view.explore(after)

    def _is_pass_safe(self) -> bool:
        """Whether the game stays won when the opponent moves after our pass."""
        after = self._after_pass
        if after.visits == 0:
            return self.view.cleanup
        return 1.0 - after.expected >= min(0.9, self.best.expected - EQUALLY_GOOD)

    def _does_playing_lose(self) -> bool:
        """Whether the best move costs points against passing and wins no more often (a seki to be left alone)."""
        after = self._after_pass
        if after.visits == 0:
            return False
        return -after.score >= self.best.score + LOSS and 1.0 - after.expected >= self.best.expected - 0.02

    def _worth_playing(self, board: Board) -> set[int]:
        """Allowed moves that may gain something: undecided cells, without dame under territory scoring."""
        worth = board.unsettled()
        if worth and self.rules.scoring == "territory":
            worth -= dame(board)
        return {cell for cell in worth if self.view.is_allowed(cell)}

    def _spoils(self, move: int) -> bool:
        """Whether by the count of a territory the move wins or draws no longer, and passing does, even at worst."""
        status, judged = self.view.judge(), self.judged
        if self.as_it_stands or self.rules.scoring != "territory" or status is None or judged is None:
            return False
        kept = outcome(self.sign * status.score)
        if kept < 0 or outcome(margin_at_worst(judged, self.me)) < kept:
            return False
        costs = self.sign * judged.ownership[move] > 0  # a point of one's own
        if outcome(self._count_after(move, otherwise=self.sign * status.score - costs)) >= kept:
            return False
        if self.has_opponent_passed or not self._worth_playing(judged):
            return True
        reply = self._after_pass.best
        return reply is not None and outcome(self._count_after(self.pass_move, reply.move, otherwise=-1.0)) >= kept

    def _count_after(self, *moves: int, otherwise: float) -> float:
        """The count for us after moves; otherwise: what it is taken for where there is no time to judge it."""
        count = count_after(self.state, moves, self.rules, self.view.explore)
        return otherwise if count is None else self.sign * count

    def _settling(self, plain: Line) -> int:
        """`plain`, or by agreement a move as good that settles something when `plain` settles nothing."""
        if self.as_it_stands or plain.move in self.useful:
            return plain.move
        for line in self.lines:
            is_as_good = line.expected >= plain.expected - EQUALLY_GOOD and line.visits >= SEEN
            if line.move in self.useful and is_as_good and line.visits * 100 >= plain.visits:
                return line.move
        return plain.move

    def _capture(self) -> int | None:
        """A move that takes a liberty of a dead enemy chain, the shortest chain first, where there is time for one: the
        opponent gains nothing by moving twice, and the move is as good as the best. None without one."""
        if self.best.expected < HOPELESS and not self.view.cleanup:
            return None
        found = self._liberties_of_dead()
        if not found or not self._is_pass_safe():
            return None
        return next((cell for cell in found if self._is_as_good(cell)), None)

    def _liberties_of_dead(self) -> list[int]:
        """Allowed moves that take a liberty of a dead enemy chain and leave no own chain in atari, the shortest chain
        first, then what was searched most."""
        visits = {line.move: line.visits for line in self.lines}
        targets: list[Chain] = [chain for chain in self.board.chains if chain.colour != self.me and chain.is_dead]
        found: set[tuple[int, int, int]] = set()
        for chain in targets:
            liberties = self.state.liberties_of(chain.cells[0])
            for cell in liberties:
                is_safe = len(liberties) == 1 or not self.state.is_self_atari(self.me, cell)
                if is_safe and self.view.is_allowed(cell):
                    found.add((len(liberties), -visits.get(cell, 0), cell))
        return list(dict.fromkeys(cell for _, _, cell in sorted(found)))
