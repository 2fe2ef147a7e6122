"""UCI, the Universal Chess Interface, for chess and Chess960: GUIs, match managers and bots.

option_line: how options are declared · set_option: the words of `setoption` · position: those of `position` ·
go: those of `go` · go_task: what a `go` asks for in this conversation · go_search: its answer, up to `bestmove` ·
report: `info` lines · perft: `go perft` · benchmark: `bench` · showing: `d`, `eval` · registry: the table of commands ·
commands: the commands · handler: one conversation. What UCI shares with XBoard's protocol is in `protocols/chess`.
Left out: `copyprotection`, `registration` (accepted, there is none), `info currmove` and `refutation`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.protocols.chess.options import SMALL_MEMORY
from tengen.protocols.session import run_front_end
from tengen.protocols.uci import commands  # noqa: F401  (registers them)
from tengen.protocols.uci.handler import Uci

if TYPE_CHECKING:
    from tengen.engine.config import Config

__all__ = ["SMALL_MEMORY", "Uci", "run"]


def run(config: Config) -> int:
    """Converse over stdin and stdout until "quit" or the end of input; return the exit status.

    2 with one sentence on stderr when the log cannot be written.
    """
    return run_front_end("uci", config.log, lambda: Uci(config))
