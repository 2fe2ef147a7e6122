"""The Gomocup ("new Piskvork") protocol for Gomoku, Renju and Caro, with the extensions of Yixin-Board.

Follows protocl2en of 2023-03-20 and what Piskvork, the Gomocup judge and c-gomoku-cli do in fact (docs/gomocup.md).
framing: text in and out · registry: the table of commands · handler: one conversation · position: stones without
colours into a game with them · info, timing: what INFO says · thinking: how a move is answered, also where none is
left · report: MESSAGE lines · all other modules: one family of commands each.
Left out: databases, SUGGEST (this engine never suggests), networked games (they are the manager's business).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tengen.protocols.gomocup import (  # noqa: F401  (importing registers commands)
    balance,
    database,
    game,
    swap2,
    yixin,
    yixin_openings,
)
from tengen.protocols.gomocup.handler import Gomocup
from tengen.protocols.session import run_front_end

if TYPE_CHECKING:
    from tengen.engine.config import Config


def run(config: Config) -> int:
    """Converse over stdin and stdout until "END" or the end of input; return the exit status.

    2 with one sentence on stderr when the log cannot be written.
    """
    return run_front_end("gomocup", config.log, lambda: Gomocup(config, startup=time.process_time()))
