"""The judge of a match by our core: legal moves, the end of a game, the winner.

A judge believes no engine. Superko, forbidden points of Renju, forced passes and the count of a Go board are all
decided here; in chess threefold repetition and fifty moves end a game without a claim. Left out: the button of AGA's
button rules, handicap.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tengen.engine.games import get_game
from tengen.engine.games.base import BLACK, IllegalMove, Rules, State
from tengen.engine.games.chess.game import NO_MOVE
from tengen.engine.games.hooks import hooks_of
from tengen.engine.history import History
from tengen.tools.match.notation import move_of, move_text
from tengen.tools.match.openings.start import start_state
from tengen.tools.match.spec import GameSpec, Opening, Reason

__all__ = ["IllegalMove", "Judge", "Outcome"]

DRAW = "1/2-1/2"
ENDINGS = {
    "checkmate": Reason.MATE,
    "stalemate": Reason.STALEMATE,
    "dead position": Reason.MATERIAL,
    "seventy-five moves": Reason.FIFTY,
}
"""The core's names of the ends of chess games."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of a game, the first player's view. score: points or discs."""

    result: str
    reason: Reason
    detail: str = ""
    score: float | None = None


class Judge(ABC):
    """One game under the rules. Moves are text; `play` returns it as this project writes it."""

    length: int = 0
    """Plies so far, the opening's too."""
    longest: int

    @property
    @abstractmethod
    def state(self) -> Any:
        """The position, as the core has it."""

    @property
    @abstractmethod
    def is_first_to_move(self) -> bool: ...
    @abstractmethod
    def play(self, text: str) -> str:
        """Play for the side to move. Raises IllegalMove with the reason and changes nothing."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The end by the rules; None while the game goes on, and in Go while the count needs the dead stones."""

    @abstractmethod
    def at_length(self) -> Outcome:
        """The result of a game that is stopped for its length."""

    def forced(self) -> str | None:
        """The move that is no choice and that engines are not asked for: a pass in Reversi."""
        return None


class BoardJudge(Judge):
    """Games of our core that end by themselves: Gomoku, Reversi, chess."""

    def __init__(self, spec: GameSpec, opening: Opening) -> None:
        """Set the board up and play the opening. Raises ValueError naming what does not fit."""
        self.game = get_game(spec.game)
        self.rules = _rules(spec)
        self.history = History(start_state(spec))
        if opening.position is not None:
            self.history.setup(_set_up(spec, opening))
        self.longest = spec.max_moves or self.game.conventions.match.length(self.state.cells)
        for move in opening.moves:
            try:
                self.play(move)
            except IllegalMove as error:
                raise ValueError(f"opening {opening.name}: {move} is illegal: {error}") from None

    @property
    def state(self) -> Any:
        return self.history.state

    @property
    def is_first_to_move(self) -> bool:
        return bool(self.state.to_move == BLACK)

    def play(self, text: str) -> str:
        try:
            move = move_of(self.game.name, self.state, text)
        except ValueError as error:
            raise IllegalMove(str(error)) from None
        shown = move_text(self.game.name, self.state, move)
        self.history.play(self.state.to_move, move, self.rules.repetition)
        self.length += 1
        return shown

    def outcome(self) -> Outcome | None:
        if self.state.is_terminal():
            return self._ending()
        if self.history.is_drawn(self.rules.repetition):
            return Outcome(DRAW, Reason.REPETITION, "threefold repetition")
        return None

    def _ending(self) -> Outcome:
        return by_margin(float(self.state.result()), Reason.SCORE)

    def at_length(self) -> Outcome:
        return Outcome(DRAW, Reason.MAX_LENGTH, f"{self.length} plies")

    def forced(self) -> str | None:
        if self.game.passes == "forced" and self.state.is_legal(self.state.pass_move):
            return move_text(self.game.name, self.state, self.state.pass_move)
        return None


class FiveJudge(BoardJudge):
    """Gomoku: a row wins, a full board is a draw."""

    def _ending(self) -> Outcome:
        margin = float(self.state.result())
        return Outcome(DRAW, Reason.FULL, "no move is left") if not margin else Outcome(_sign(margin), Reason.FIVE)


class ChessJudge(BoardJudge):
    """Chess; the first player has White."""

    def play(self, text: str) -> str:
        try:
            return super().play(text)
        except IllegalMove as error:
            raise IllegalMove("the null move" if text.strip() == NO_MOVE else str(error)) from None

    def outcome(self) -> Outcome | None:
        if not self.state.is_terminal() and hooks_of(self.game).is_drawn(self.state):
            return Outcome(DRAW, Reason.FIFTY)
        return super().outcome()

    def _ending(self) -> Outcome:
        return Outcome(_sign(float(self.state.result())), ENDINGS[self.state.ending()])


class GoJudge(BoardJudge):
    """Go: two passes stop the game; the count follows once it is known which stones are dead."""

    def outcome(self) -> Outcome | None:
        return None

    @property
    def is_stopped(self) -> bool:
        """Whether both sides have passed."""
        return bool(self.state.is_terminal())

    def resume(self) -> None:
        """Go on after two passes; earlier positions no longer forbid any."""
        empty: Any = self.state.copy()
        empty.setup(self.state.stones(), self.state.to_move)
        self.history.setup(empty)

    def count(self, dead: Iterable[str] = (), reason: Reason = Reason.SCORE) -> Outcome:
        """Count the board without these stones; a chain goes as a whole, words that name no stone are left out."""
        mask = bytearray(self.state.width * self.state.height)
        stones = self.state.stones()
        for word in dead:
            try:
                cell = move_of(self.game.name, self.state, word)
            except ValueError:
                continue
            if cell < len(mask) and stones[cell]:
                for one in self.state.chain(cell):
                    mask[one] = 1
        black, white = self.state.score(bytes(mask))
        return by_margin(black - white - self.state.komi, reason)

    def at_length(self) -> Outcome:
        return self.count(reason=Reason.MAX_LENGTH)


def by_margin(margin: float, reason: Reason) -> Outcome:
    """The outcome of a count."""
    return Outcome(_sign(margin), reason, f"by {abs(margin):g}" if margin else "equal", margin)


def _sign(margin: float) -> str:
    return DRAW if margin == 0 else "1-0" if margin > 0 else "0-1"


def _rules(spec: GameSpec) -> Rules:
    game = get_game(spec.game)
    return hooks_of(game).parse_rules(game, spec.rules) if spec.rules else game.default_rules


def _set_up(spec: GameSpec, opening: Opening) -> State:
    """From the text of positions that the game has. Raises ValueError."""
    try:
        return start_state(spec, opening.position)
    except ValueError as error:
        raise ValueError(f"opening {opening.name}: {error}") from None
