"""GTP 2 (draft 2) with the extensions that GUIs use: Sabaki, GoGui, Lizzie, LizzieYzy, q5go, Quarry, gomill, KGS.

framing: ids, comments, responses · registry: the table of commands · handler: one conversation · arguments, report:
text in and out · all other modules: one family of commands each.
KataGo's JSON analysis is a protocol of its own. Left out: Leela's heatmap (kata-raw-nn shows what a network says).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.protocols.gtp import (  # noqa: F401  (importing a family registers its commands)
    administrative,
    analysis,
    board,
    files,
    games,
    gogui,
    handicap,
    moves,
    network,
    params,
    rules,
    scoring,
    timing,
)
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.session import run_front_end

if TYPE_CHECKING:
    from tengen.engine.config import Config


def run(config: Config) -> int:
    """Converse over stdin and stdout until "quit" or the end of input; return the exit status.

    2 with one sentence on stderr when the log cannot be written.
    """
    return run_front_end("gtp", config.log, lambda: Gtp(config))
