"""One search of the engine for its move, in its own time or in the opponent's, or an analysis.

It ends in one of two ways, whichever comes first: its move is decided and told, with the answers that had to wait for
it; or it is abandoned and tells nothing more.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tengen.engine._core import StopToken
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.play.request import MoveRequest
from tengen.protocols.chess.report import Reports, View
from tengen.protocols.chess.search import ChessSearch, Task
from tengen.protocols.xboard import notation, rules
from tengen.protocols.xboard.opponent import Opponent, is_even
from tengen.protocols.xboard.report import STYLE

if TYPE_CHECKING:
    from tengen.engine._core import ChessState
    from tengen.engine.play.player import Player
    from tengen.protocols.chess.bounds import Go

GLANCE = Limits(seconds=0.05)
"""The search for a hint where nothing is known."""


@dataclass(frozen=True)
class Manners:
    """How a search behaves. opponent: of this game. posts: whether thinking lines are wanted now. ended: called in the
    thread of the search after its end was told. expected: the move that it ponders on. is_analysis: it has no end."""

    opponent: Opponent
    posts: Callable[[], bool]
    ended: Callable[[Thinking], None]
    expected: int | None = None
    is_analysis: bool = False


@dataclass
class Choice:
    """What came of a search. move: None where there was none, or the engine resigned. reply: the one it expects."""

    move: int | None = None
    reply: int | None = None
    info: Info = field(default_factory=Info)


class Thinking(ChessSearch):
    """Searches until it is decided or abandoned."""

    style = STYLE

    def __init__(self, task: Task, manners: Manners) -> None:
        super().__init__(task)
        self.manners = manners
        self.choice = Choice()
        self.info = Info()
        """The last report."""
        self._deciding = threading.Lock()
        self._is_decided = self._is_abandoned = False
        self._later: list[str] = []
        if self.is_own:
            self.release()

    def ponderhit(self, go: Go | None = None) -> None:
        """The expected move was played, and the engine's move is told when it is found."""
        super().ponderhit(go)
        self.release()

    @property
    def state(self) -> ChessState:
        """The position that is searched."""
        return self._task.state

    @property
    def is_own(self) -> bool:
        """Whether the engine thinks about a move that it is to make now."""
        return not (self.is_pondering or self.manners.is_analysis)

    @property
    def is_decided(self) -> bool:
        """Whether its move has been told, or is about to be."""
        return self._is_decided

    def wait_for(self, text: str) -> bool:
        """Tell a text behind the move; False where that is decided already."""
        with self._deciding:
            if not self._is_decided:
                self._later.append(text)
            return not self._is_decided

    def abandon(self, seconds: float | None = None) -> str | None:
        """Have it tell no move, and end it, which takes so many seconds at most; the texts that waited for the move.
        None where that is decided already."""
        with self._deciding:
            if self._is_decided:
                return None
            self._is_abandoned = True
        self.stop()
        self.join(seconds)
        return "".join(self._later)

    # -- Work and ChessSearch -----------------------------------------------------------------------------

    def _last_words(self, text: str) -> str:
        with self._deciding:
            if self._is_abandoned:
                return ""
            self._is_decided = True
            return text + "".join(self._later)

    def _ended(self) -> None:
        if self._is_decided:
            self.manners.ended(self)

    def _reports(self, view: View) -> Reports:
        return _Heard(self, view)

    def post(self, text: str) -> None:
        """A report, where it is wanted."""
        if not self._is_abandoned and (self.manners.is_analysis or self.manners.posts()):
            self._task.write(text)

    def _nothing(self) -> str:
        return f"{rules.result(self._task.state, self._task.view.seen)}\n"

    def _told(self, reports: Reports, info: Info, move: int) -> str:
        task, opponent = self._task, self.manners.opponent
        last, reply = self._last(reports, info, move)
        plies = len(task.player.moves)
        text = last if self.manners.posts() else ""
        if opponent.resigns(plies, info):
            self.choice = Choice(None, None, info)
            return f"{text}resign\n"
        after = task.state.copy()
        after.play(move)
        self.choice = Choice(move, reply, info)
        over = rules.result(after, [*task.view.seen, after.situational_key])
        score = None if info.best is None else info.best.score
        is_claimed = (over or "").startswith(rules.DRAWN)
        is_claimed = is_claimed or (is_even(score) and rules.result(task.state, task.view.seen) is not None)
        if is_claimed or (opponent.has_offered and opponent.takes_draw(plies, score)):
            text += "offer draw\n"  # which GUIs grant where a draw can be claimed, before or after the move
        text += f"move {notation.write(task.state, move)}\n"
        return text + (f"{over}\n" if over else "")


class _Heard(Reports):
    """Reports that are posted where that is wanted, the last of them kept."""

    def __init__(self, thinking: Thinking, view: View) -> None:
        super().__init__(thinking.post, view, STYLE)
        self._thinking = thinking

    def __call__(self, info: Info) -> None:
        self._thinking.info = info
        super().__call__(info)


def glance(player: Player) -> int | None:
    """A move for the side to move after a short look; None where there is none."""
    state = player.state
    if not state.legal_moves():
        return None
    request = MoveRequest(state.to_move, GLANCE, play=False, resign=False, stop=StopToken())
    return player.genmove(request).move
