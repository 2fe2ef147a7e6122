"""Judge every position of a game of Reversi: endings exactly, the others by looking so many plies ahead.

The game is gone through from its end to its start, so that what was found of later positions serves earlier ones. The
move that was played is compared with the best one by two searches of the same position to the same depth; where the
end is solved, by the discs of best play on both sides. Passes that a file leaves out belong to the move after them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import ClassVar

from tengen.engine.config import Config, merge
from tengen.engine.games import get_game
from tengen.engine.games.base import BLACK, IllegalMove, State
from tengen.engine.games.forced_passes import with_passes
from tengen.engine.games.reversi.game import OWN_WEIGHTS
from tengen.engine.info import Line
from tengen.engine.limits import Limits
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.engine.records import Record, RecordError
from tengen.engine.records.othello import GAME
from tengen.engine.records.points import point_text
from tengen.engine.records.replay import start_of
from tengen.engine.search.alphabeta import AUTO, NONE
from tengen.tools.review.grading import REVERSI, Terms
from tengen.tools.review.position import Kind, Move, Position

DEPTH, EXACT = 10, 20
"""Plies, and empty cells from which on the end is solved; 20 take about a second each on one thread."""
PATIENCE = 300.0
"""Seconds after which a position that is to be solved is looked at like the earlier ones."""
MEMORY = 320
WEIGHTS = "alphabeta.weights"


class ReversiReviewer:
    """Implements `Reviewer` by the players `alphabeta` and, for the end, `uct`, whose search asks the solver first."""

    terms: ClassVar[Terms] = REVERSI

    def __init__(self, config: Config, depth: int | None, exact: int | None) -> None:
        """config: threads and, in `set`, options of alpha-beta. Raises ConfigError."""
        self._depth = DEPTH if depth is None else depth
        self._exact = EXACT if exact is None else exact
        base = replace(config, game=GAME, player="alphabeta", memory=MEMORY, net="none", rules=None)
        self._ahead = Player(base)
        self._solver = Player(replace(base, player="uct", set={"mcts.root_empties": self._exact}))
        self._weights = str(config.set.get(WEIGHTS, "")) or AUTO

    def check(self, record: Record) -> None:
        """See `Reviewer.check`."""
        _Played.of(record)

    def review(self, record: Record, progress: Callable[[int], None]) -> list[Position]:
        """See `Reviewer.review`."""
        game = _Played.of(record)
        found: dict[int, Position] = {}
        for done, turn in enumerate(range(len(game.moves), -1, -1)):
            found[turn] = self._position(game, turn, found.get(turn + 1))
            progress(min(done + 1, len(game.turns)))
        return [found[turn] for turn in game.turns]

    def who(self, record: Record) -> str:
        """See `Reviewer.who`."""
        known = {AUTO: OWN_WEIGHTS.shipped, NONE: "mobility"}
        by = known.get(self._weights.lower(), PurePath(self._weights).name)
        exact = f", exact from {self._exact} empty cells on" if self._exact else ""
        return f"Tengen's alpha-beta ({by}), {self._depth} plies{exact}"

    def doubt(self, record: Record) -> str:
        """See `Reviewer.doubt`: its tables know every position of the game."""
        return ""

    def _position(self, game: _Played, turn: int, following: Position | None) -> Position:
        """The position before that ply; `following` is the one after it."""
        state = game.states[turn]
        if following is None:
            return _last(state) if state.is_terminal() else self._searched(game, turn)
        colour, move = game.moves[turn]
        if list(state.legal_moves()) == [move]:
            line = ((colour, move), *following.line)
            depth = following.depth + 1
            return replace(
                following, to_move=colour, line=line, played=following.lead, depth=depth, is_forced=True, visits=0
            )
        best = self._searched(game, turn)
        return replace(best, played=self._value_of_played(game, turn, best, following))

    def _value_of_played(self, game: _Played, turn: int, best: Position, following: Position) -> float:
        """Black's lead after the move that was played, as far ahead as the best one was looked at."""
        move = game.moves[turn][1]
        if best.line[0][1] == move:
            return best.lead
        if best.is_exact and following.is_exact:
            return following.lead
        return self._searched(game, turn, move).lead

    def _searched(self, game: _Played, turn: int, move: int | None = None) -> Position:
        """By the best move, or by the one named."""
        state = game.states[turn]
        empties = state.stones().count(0)
        if empties <= self._exact:
            solved = self._asked(self._solver, game, turn, Limits(seconds=PATIENCE), move)
            if solved.is_exact:
                return solved
        return self._asked(self._ahead, game, turn, Limits(depth=self._depth), move)

    def _asked(self, player: Player, game: _Played, turn: int, limits: Limits, move: int | None) -> Position:
        game.show(player, turn)
        side = game.states[turn].to_move
        allow = () if move is None else (move,)
        request = MoveRequest(side, limits=limits, play=False, resign=False, allow=allow)
        info = player.genmove(request).info
        best = info.best
        assert best is not None, "there is a legal move"
        sign = 1 if side == BLACK else -1
        return Position(
            side,
            best.expected if side == BLACK else 1 - best.expected,
            sign * best.score,
            info.playouts,
            _line(side, best),
            is_exact=best.proof is not None and best.bound == "exact",
            depth=best.depth,
        )


@dataclass(frozen=True)
class _Played:
    """A legal game with all its passes: its moves, the position before each of them and the last one; turns: where the
    moves of the record are among them, and the end."""

    start: State
    moves: Sequence[Move]
    states: Sequence[State]
    turns: Sequence[int]

    @staticmethod
    def of(record: Record) -> _Played:
        """Raises RecordError."""
        if (record.width, record.height) != (8, 8):
            raise RecordError(f"the board is {record.width}x{record.height}; review is for 8x8")
        if record.changes:
            raise RecordError(f"stones are set up after move {record.changes[0].after}; review is for games without")
        start = start_of(record)
        try:
            moves = with_passes(get_game(GAME), start, record.moves)
        except IllegalMove as error:
            raise RecordError(_with_point(record, str(error))) from None
        states = [_before(start.copy(), moves[0][0]) if moves else start]
        for number, (colour, move) in enumerate(moves):
            state = states[-1].copy()
            state.play_as(colour, move)
            states.append(_before(state, moves[number + 1][0]) if number + 1 < len(moves) else state)
        turns: list[int] = []
        for turn, move_here in enumerate(moves):
            if len(turns) < len(record.moves) and move_here == record.moves[len(turns)]:
                turns.append(turn)
        return _Played(start, moves, states, [*turns, len(moves)])

    def show(self, player: Player, turn: int) -> None:
        """Bring a player to the position before that ply, keeping its results for later ones."""
        here = player.history.start.state_key, player.moves[:turn]
        if here != (self.start.state_key, tuple(self.moves[:turn])):
            player.setup(self.start.stones(), self.start.to_move)
            player.play_sequence(self.moves[:turn])
        player.undo(len(player.moves) - turn)


def _before(state: State, colour: int) -> State:
    """The position with that side to move: files may have a side move twice."""
    if state.to_move != colour:
        state.set_to_move(colour)
    return state


def _last(state: State) -> Position:
    """The end of a game."""
    lead = state.result()
    return Position(state.to_move, 0.5 + 0.5 * ((lead > 0) - (lead < 0)), lead, 0, (), is_exact=True)


def _line(side: int, line: Line) -> tuple[Move, ...]:
    return tuple((side ^ (ply & 1), move) for ply, move in enumerate(line.pv or (line.move,)))


def _with_point(record: Record, sentence: str) -> str:
    """The sentence about an illegal move, "move 12 is illegal: ...", with who played where."""
    words = sentence.split(" ", 2)
    number = int(words[1]) if len(words) == 3 and words[1].isdigit() else 0
    if not 1 <= number <= len(record.moves):
        return sentence
    colour, move = record.moves[number - 1]
    point = point_text(GAME, record.width, record.height, move)
    return f"move {number}, {'BW'[colour]} {point}, {words[2]}"


KIND = Kind(
    "Reversi",
    frozenset(("exact", "depth", "set")),
    lambda given, values: ReversiReviewer(
        merge(Config(), given), getattr(values, "depth", None), getattr(values, "exact", None)
    ),
)
