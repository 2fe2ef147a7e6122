"""XBoard's protocol (CECP, version 2), for chess and Chess960: XBoard, WinBoard, SCID, PyChess and older managers.

features: what `protover` is told, and the options by XBoard's names · clock: level, st, sd, nps, time ·
notation: moves · rules: how a game ends · opponent: draw offers and resigning · report: thinking lines ·
thinking: one search up to its `move` · edit: the old way to set up a position · registry: the table of commands ·
setting: those that set something · playing: those of a game · analysing: those of analysis, hints and books ·
handler: one conversation. What UCI shares with it is in `protocols/chess`.
Left out: `pause`, `setscore`, `white` and `black`, and variants other than Fischer's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.protocols.chess.options import SMALL_MEMORY
from tengen.protocols.session import run_front_end
from tengen.protocols.xboard import analysing, playing, setting  # noqa: F401  (they register commands)
from tengen.protocols.xboard.handler import XBoard

if TYPE_CHECKING:
    from tengen.engine.config import Config

__all__ = ["SMALL_MEMORY", "XBoard", "run"]


def run(config: Config) -> int:
    """Converse over stdin and stdout until "quit" or the end of input; return the exit status.

    2 with one sentence on stderr when the log cannot be written.
    """
    return run_front_end("xboard", config.log, lambda: XBoard(config))
