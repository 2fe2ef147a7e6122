"""What `protover` is told: the features, and the options by names without blanks, which some GUIs cannot read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.engine.options import Option, shown
from tengen.engine.version import __version__
from tengen.protocols.chess.options import CLEAR_HASH, EMPTY

if TYPE_CHECKING:
    from tengen.engine.config import Config
    from tengen.protocols.chess.options import Settings

FEATURES = (
    "ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1 analyze=1 colors=0",
    "ics=1 name=1 pause=0 nps=1 debug=1 memory=1 smp=1 exclude=1 setscore=0",
    'variants="normal,fischerandom" egt="syzygy"',
)
OPTIONS = {
    "MultiPV": "multipv",
    "MoveOverhead": "move overhead",
    "LimitStrength": "uci_limitstrength",
    "Elo": "uci_elo",
    "Level": "level",
    "Nodes": "nodes",
    "Player": "player",
    "EvalFile": "evalfile",
    "OwnBook": "ownbook",
    "BookFile": "book file",
    "DebugLogFile": "debug log file",
    "ClearHash": CLEAR_HASH.lower(),
}
"""XBoard's name -> the name of the option (`chess/options.py`). The others have commands of their own: `memory`,
`cores`, `egtpath`, `variant`, `hard`."""
BY_LOWER_CASE = {name.lower(): known for name, known in OPTIONS.items()}


def feature_lines(config: Config, settings: Settings) -> list[str]:
    """The answer to `protover`."""
    name = config.name or "Tengen"
    version = config.version_string or ("" if config.name else __version__)
    lines = [f"feature {words}" for words in FEATURES]
    lines.append(f'feature myname="{_quoted(f"{name} {version}".rstrip())}"')
    for own, known in OPTIONS.items():
        option = settings.options.get(known)
        kind = " -button" if option is None else declared(option)
        lines.append(f'feature option="{own}{kind}"')
    return [*lines, "feature done=1"]


def declared(option: Option) -> str:
    """How an option is declared behind its name: " -spin 1 0 9"."""
    if option.kind == "number":
        return f" -spin {shown(option.default)} {shown(option.low)} {shown(option.high)}"
    if option.kind == "check":
        return f" -check {int(bool(option.default))}"
    if option.kind == "choice":
        words = (f"*{word}" if word == option.default else word for word in option.choices)
        return f" -combo {' /// '.join(words)}"
    text = _quoted(shown(option.default)).replace(EMPTY, "")
    return f" -string {text}"


def _quoted(text: str) -> str:
    """A text within quotes, which XBoard has no sign to escape."""
    return text.replace('"', "'")
