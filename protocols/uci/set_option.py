"""`setoption name NAME [value VALUE]`: names in any case."""

from __future__ import annotations

import re
from typing import NamedTuple

from tengen.protocols.chess.values import Refused

_PARTS = re.compile(r"name\s+(?P<name>\S.*?)(?:\s+value(?:\s+(?P<value>.*))?)?\s*", re.DOTALL | re.IGNORECASE)


class Setting(NamedTuple):
    """name: in lower case with single blanks. value: None where none was given."""

    name: str
    value: str | None


def parse(rest: str) -> Setting:
    """Read what follows `setoption`. Raises Refused where no option is named."""
    found = _PARTS.fullmatch(rest)
    if found is None:
        raise Refused("setoption needs: name NAME value VALUE")
    return Setting(" ".join(found["name"].split()).lower(), found["value"])
