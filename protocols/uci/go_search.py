"""One `go`, from its words to its `bestmove`."""

from __future__ import annotations

from tengen.engine.games.chess.game import CHESS
from tengen.engine.info import Info
from tengen.protocols.chess.report import Reports
from tengen.protocols.chess.search import ChessSearch
from tengen.protocols.uci.report import STYLE

NO_MOVE = "(none)"


class GoSearch(ChessSearch):
    """Tells `info` and `bestmove`."""

    style = STYLE

    def _nothing(self) -> str:
        score = "mate 0" if self._task.state.is_check else "cp 0"
        return f"info depth 0 score {score}\nbestmove {NO_MOVE}\n"

    def _told(self, reports: Reports, info: Info, move: int) -> str:
        state = self._task.state
        text, reply = self._last(reports, info, move)
        text += f"bestmove {CHESS.move_to_text(state, move)}"
        if reply is not None:
            after = state.copy()
            after.play(move)
            text += f" ponder {CHESS.move_to_text(after, reply)}"
        return text + "\n"
