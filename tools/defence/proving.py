"""What a search finds of positions, and where the loser of a game could last hold it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from tengen.engine.config import Config
from tengen.engine.games.base import State
from tengen.engine.info import Line
from tengen.engine.limits import Limits
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.engine.records import Record
from tengen.engine.records.psq import GAME
from tengen.engine.records.replay import rules_of, start_of
from tengen.tools.defence.suite import Case, name_of

THREATS = {"alphabeta.vct_share": 100.0}
"""Of a search that judges: wins by threes are looked for as long as all else."""
WON = 30_000
"""The least score of a win against every reply that was tried; beyond all other scores."""


class Judge(Protocol):
    """What says of positions whether they are won or lost, and what it would play."""

    def best(self, state: State) -> Line:
        """The move that it would play. Raises ValueError where there is none."""

    def result(self, state: State) -> int:
        """What is found for the side to move: 1 won, -1 lost, 0 neither."""


class Searcher:
    """The player `alphabeta`, with an empty memory for every position."""

    def __init__(self, limits: Limits, threads: int, memory: int, *, judges: bool = False) -> None:
        """judges: it looks for wins by threes first of all."""
        config = Config(
            game=GAME, player="alphabeta", threads=threads, memory=memory, net="none", set=THREATS if judges else {}
        )
        self._player, self._limits = Player(config), limits
        self._player.prepare()

    def best(self, state: State) -> Line:
        """The move that it would play. Raises ValueError where there is none."""
        self._player.forget()
        self._player.begin(state)
        request = MoveRequest(state.to_move, limits=self._limits, play=False, resign=False)
        best = self._player.genmove(request).info.best
        if best is None:
            raise ValueError("no move was found")
        return best

    def result(self, state: State) -> int:
        """What is found for the side to move: 1 won, -1 lost, 0 neither."""
        score = self.best(state).score
        return (score >= WON) - (score <= -WON)

    def close(self) -> None:
        """Let the player go."""
        self._player.close()


class Tried(NamedTuple):
    """What was played in a position. is_held: no win of the other side was found after it."""

    case: Case
    line: Line
    is_held: bool


def tried(case: Case, player: Judge, judge: Judge) -> Tried:
    """Let a player move in the position, and judge the move."""
    state = case.state()
    line = player.best(state)
    if line.move == case.lost_by:
        return Tried(case, line, False)
    state.play(line.move)
    return Tried(case, line, state.is_terminal() or judge.result(state) <= 0)


def is_held(state: State, judge: Judge) -> bool:
    """Whether a move that holds is known: no loss is found, and no win of the other side after the judge's own move."""
    line = judge.best(state)
    if line.score <= -WON:
        return False
    after = state.copy()
    after.play(line.move)
    return after.is_terminal() or judge.result(after) <= 0


def last_held(record: Record, judge: Judge) -> Case | None:
    """The last position of the loser that is held (`is_held`), if the move that was played there is found to lose.

    None for a game without a loser, for one with set-ups or in which the sides do not take turns, and where nothing is
    found.
    """
    rules = rules_of(record)
    states = _states(record)
    loser = None if states is None else _loser(record, states[-1])
    if states is None or loser is None:
        return None
    for turn in range(len(record.moves) - 1, -1, -1):
        if record.moves[turn][0] != loser:
            continue
        if not is_held(states[turn], judge):
            continue
        if states[turn + 1].is_terminal() or judge.result(states[turn + 1]) <= 0:
            return None
        moves = tuple(move for _, move in record.moves)
        return Case(record.width, record.height, rules.name, moves[:turn], moves[turn], name_of(record, rules.name))
    return None


def _states(record: Record) -> list[State] | None:
    """The positions before every move, and the last one."""
    if record.setup is not None or record.changes or record.game != GAME:
        return None
    states = [start_of(record)]
    for number, (colour, move) in enumerate(record.moves):
        if colour != number % 2 or states[-1].is_terminal() or not states[-1].is_legal(move):
            return None
        states.append(states[-1].copy())
        states[-1].play(move)
    return states


def _loser(record: Record, last: State) -> int | None:
    won = (record.result[:1], last.winner)  # type: ignore[attr-defined]
    return {("B", -1): 1, ("W", -1): 0}.get(won, None if won[1] < 0 else 1 - won[1])
