"""Judge every position of a game by a player that looks a number of plies ahead, also where a draw could have been
claimed. Only the last one is the draw that it was, where that was the result.

The game is gone through from its end to its start, so that what was found of later positions serves earlier ones. The
move that was played is compared with the best one by two searches of the same position to the same depth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from tengen.engine.config import Config
from tengen.engine.games.base import BLACK, State
from tengen.engine.limits import Limits
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.engine.records import Record
from tengen.engine.records.replay import recorded_start, state_of
from tengen.tools.review.grading import Terms
from tengen.tools.review.position import Move, Position

MEMORY = 256
DRAWN = "1/2-1/2"


@dataclass(frozen=True)
class _Played:
    """A legal game: its start, its moves, the position before each of them and the last one; whether it was drawn."""

    start: State
    moves: Sequence[Move]
    states: Sequence[State]
    is_drawn: bool

    @staticmethod
    def of(record: Record) -> _Played:
        states = [recorded_start(record)]
        for colour, move in record.moves:
            states.append(states[-1].copy())
            states[-1].play_as(colour, move)
        return _Played(states[0], record.moves, states, record.result == DRAWN)


class AheadReviewer:
    """Implements `Reviewer` by the player `alphabeta` of the game of a subclass.

    most: the lead that a won game counts as, in the game's unit; no lead is more. usual: plies that it looks ahead.
    nodes: the most of a search, which then may not reach them.
    """

    game: ClassVar[str]
    terms: ClassVar[Terms]
    most: ClassVar[float]
    usual: ClassVar[int]
    nodes: ClassVar[int | None] = None

    def __init__(self, config: Config, depth: int | None) -> None:
        """config: threads and, in `set`, options of alpha-beta. Raises ConfigError."""
        self.depth = self.usual if depth is None else depth
        mine = replace(config, game=self.game, player="alphabeta", memory=MEMORY, net="none", rules=None)
        self._player = Player(mine)

    def check(self, record: Record) -> None:
        """See `Reviewer.check`."""
        state_of(record)

    def review(self, record: Record, progress: Callable[[int], None]) -> list[Position]:
        """See `Reviewer.review`."""
        game = _Played.of(record)
        found: dict[int, Position] = {}
        self._player.begin(game.start)
        self._player.play_sequence(game.moves)
        for done, turn in enumerate(range(len(game.moves), -1, -1), 1):
            self._player.undo(len(self._player.moves) - turn)
            found[turn] = self._position(game, turn, found.get(turn + 1))
            progress(done)
        return [found[turn] for turn in range(len(game.states))]

    def who(self, record: Record) -> str:
        """See `Reviewer.who`."""
        return f"Tengen's alpha-beta, {self.depth} plies"

    def doubt(self, record: Record) -> str:
        """See `Reviewer.doubt`: it plays by no network that was taught some games alone."""
        return ""

    def _position(self, game: _Played, turn: int, following: Position | None) -> Position:
        """The position before that ply; `following` is the one after it."""
        state = game.states[turn]
        if state.is_terminal() or (following is None and game.is_drawn and self._player.is_over):
            sign = state.result()
            return Position(state.to_move, 0.5 + 0.5 * sign, sign * self.most, 0, (), is_exact=True)
        if following is None:
            return self._asked(state)
        move = game.moves[turn][1]
        if list(state.legal_moves()) == [move]:
            line = ((state.to_move, move), *following.line)
            depth = following.depth + 1
            return replace(
                following, to_move=state.to_move, line=line, played=following.lead, played_win=following.win,
                depth=depth, is_forced=True, visits=0,
            )  # fmt: skip
        best = self._asked(state)
        played = best if best.line[0][1] == move else self._asked(state, move)
        return replace(best, played=played.lead, played_win=played.win)

    def _asked(self, state: State, move: int | None = None) -> Position:
        """By the best move, or by the one named."""
        side = state.to_move
        allow = () if move is None else (move,)
        limits = Limits(depth=self.depth, playouts=self.nodes)
        request = MoveRequest(side, limits=limits, play=False, resign=False, allow=allow)
        info = self._player.genmove(request).info
        best = info.best
        assert best is not None, "there is a legal move"
        sign = 1 if side == BLACK else -1
        is_exact = best.proof is not None and best.bound == "exact"
        return Position(
            side,
            best.expected if side == BLACK else 1 - best.expected,
            sign * min(max(best.score, -self.most), self.most),
            info.playouts,
            tuple((side ^ (ply & 1), one) for ply, one in enumerate(best.pv or (best.move,))),
            is_exact=is_exact,
            depth=best.depth,
            plies=best.proof.plies if is_exact and best.proof is not None else 0,
        )
