"""KataGo's JSON analysis protocol: queries in lines of stdin, answers in lines of stdout, in the order of completion.

Follows the page `Analysis_Engine` of KataGo's documentation, for KaTrain and others. fields: what a field may be ·
points: text of moves · params: KataGo's names of settings · katago_config: its configuration files · query: a line as
questions · answer: what is known as JSON · handler: the conversation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.protocols.session import run_front_end

if TYPE_CHECKING:
    from tengen.engine.config import Config
    from tengen.protocols.analysis.params import Params


def run(config: Config, params: Params | None = None, *, quits_at_once: bool = False) -> int:
    """Converse over stdin and stdout until the end of input; return the exit status.

    quits_at_once: at the end of input, leave what is not yet answered. 2 with one sentence on stderr when the log
    cannot be written.
    """
    from tengen.protocols.analysis.handler import Analysis
    from tengen.protocols.analysis.params import DEFAULTS

    return run_front_end(
        "analysis", config.log, lambda: Analysis(config, params or DEFAULTS, quits_at_once=quits_at_once)
    )
