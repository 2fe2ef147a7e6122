"""The NBoard protocol, versions 1 and 2, for Reversi: NBoard, Novello and other GUIs and managers of Othello engines.

notation: moves and lines of text · clock: the time of a game in GGF · strength: what `set depth` means here ·
report: search, nodestats and === lines · position: the game that the GUI shows · thinking, hints: go, hint, analyze ·
handler: one conversation.
Left out: a book (`book` lines, and what `learn` could add to one), contempt (accepted, without effect).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.protocols.nboard.handler import NBoard
from tengen.protocols.session import run_front_end

if TYPE_CHECKING:
    from tengen.engine.config import Config


def run(config: Config) -> int:
    """Converse over stdin and stdout until "quit" or the end of input; return the exit status.

    2 with one sentence on stderr when the log cannot be written.
    """
    return run_front_end("nboard", config.log, lambda: NBoard(config))
