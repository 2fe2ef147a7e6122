"""UCI, the Universal Chess Interface, for chess and Chess960: GUIs, match managers and bots.

options: what a GUI can set · set_option: `setoption` · named_files: files that options name ·
position: `position` · go: the words of `go` · timing: clocks · go_task: what a `go` asks for in this conversation ·
go_search: one `go` up to its `bestmove` · background: what runs beside the conversation · report: `info` lines ·
perft: `go perft` · benchmark: `bench` · showing: `d`, `eval` · tables: opening book and endgame tables ·
engine: the player behind it all · registry: the table of commands · commands: the commands · handler: one conversation.
Left out: `copyprotection`, `registration` (accepted, there is none), `info currmove` and `refutation`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.protocols.session import run_front_end
from tengen.protocols.uci import commands  # noqa: F401  (registers them)
from tengen.protocols.uci.handler import Uci
from tengen.protocols.uci.options import SMALL_MEMORY

if TYPE_CHECKING:
    from tengen.engine.config import Config

__all__ = ["SMALL_MEMORY", "Uci", "run"]


def run(config: Config) -> int:
    """Converse over stdin and stdout until "quit" or the end of input; return the exit status.

    2 with one sentence on stderr when the log cannot be written.
    """
    return run_front_end("uci", config.log, lambda: Uci(config))
