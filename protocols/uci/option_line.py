"""How UCI declares an option."""

from __future__ import annotations

from tengen.engine.options import Option, shown
from tengen.protocols.chess.options import EMPTY


def option_line(option: Option) -> str:
    """Return the line that declares an option to the GUI."""
    kind = {"number": "spin", "check": "check", "choice": "combo", "text": "string"}[option.kind]
    line = f"option name {option.name} type {kind} default {shown(option.default) or EMPTY}"
    if option.kind == "number":
        line += f" min {shown(option.low)} max {shown(option.high)}"
    return line + "".join(f" var {word}" for word in option.choices)
