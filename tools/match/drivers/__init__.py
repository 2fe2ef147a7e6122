"""The registry of drivers: how an engine of each protocol is driven. A new protocol = one module and one line."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import cast

from tengen.tools.match.drivers.base import Driver
from tengen.tools.match.spec import EngineSpec

DRIVERS = {
    "gtp": "tengen.tools.match.drivers.gtp:GtpDriver",
    "gomocup": "tengen.tools.match.drivers.gomocup:GomocupDriver",
    "nboard": "tengen.tools.match.drivers.nboard:NBoardDriver",
    "uci": "tengen.tools.match.drivers.uci:UciDriver",
    "xboard": "tengen.tools.match.drivers.xboard:XBoardDriver",
}
"""Protocol -> "module:class"."""


def make_driver(spec: EngineSpec, log: Path | None = None) -> Driver:
    """The driver of an engine, not started yet. log: a file for what is said. Raises ValueError for its protocol."""
    if spec.protocol not in DRIVERS:
        raise ValueError(f"{spec.name}: there is no protocol '{spec.protocol}'; there are {', '.join(DRIVERS)}")
    module, _, name = DRIVERS[spec.protocol].partition(":")
    return cast(Driver, getattr(import_module(module), name)(spec, log))
