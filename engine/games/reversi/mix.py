"""The numbers of Reversi's player `mix`: term weights and square values for three phases, and their TOML file.

A phase is chosen by the number of empty cells. A square table has ten values, one for each class of cells that the
board's eight symmetries carry into each other. The file's layout is explained in mix.toml itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tengen.engine import files, toml
from tengen.engine.options import Option, number

SIDE = 8
PHASES = ("opening", "middlegame", "endgame")
TERMS = ("search", "frontier", "square")
WEIGHTS = ("w1", "w2", "w3")
SQUARES = ("corner", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4")
SHIPPED, UNTUNED = "mix.toml", "mix_untuned.toml"

_CLASS = {(0, 0): 0, (0, 1): 1, (0, 2): 2, (0, 3): 3, (1, 1): 4, (1, 2): 5, (1, 3): 6, (2, 2): 7, (2, 3): 8, (3, 3): 9}
_WHAT = {
    "w1": "weight of the search's win rate",
    "w2": "weight of the frontier: few empty cells around the turned discs are good",
    "w3": "weight of the value of the square",
    "corner": "value of a corner",
}


class MixFileError(ValueError):
    """A file that does not hold these numbers; the message is one sentence."""


def square_class(cell: int) -> int:
    """Index in SQUARES of a cell of the board."""
    row, column = divmod(cell, SIDE)
    row, column = min(row, SIDE - 1 - row), min(column, SIDE - 1 - column)
    return _CLASS[min(row, column), max(row, column)]


def settings() -> Iterator[Option]:
    """Every number as an option without its value, in the order of the file: "middlegame_from", "w1_opening", ..."""
    for phase in PHASES[1:]:
        yield number(f"{phase}_from", None, 0.0, 60.0, f"the {phase} begins with so many empty cells", is_whole=True)
    for phase in PHASES:
        for weight in WEIGHTS:
            yield number(f"{weight}_{phase}", None, 0.0, 10.0, f"{_WHAT[weight]}, {phase}")
        for square in SQUARES:
            doc = _WHAT.get(square, f"value of {square} and its mirror images")
            yield number(f"square_{square}_{phase}", None, -10.0, 10.0, f"{doc}, {phase}")


@dataclass(frozen=True)
class Mix:
    """All numbers by option name (without "mix."), and where they come from."""

    values: Mapping[str, float]
    card: Mapping[str, str] = field(default_factory=dict)

    def phase(self, empties: int) -> str:
        """The phase of a position with so many empty cells."""
        if empties <= self.values["endgame_from"]:
            return "endgame"
        return "middlegame" if empties <= self.values["middlegame_from"] else "opening"

    def weights(self, phase: str) -> tuple[float, float, float]:
        """w1, w2, w3."""
        w1, w2, w3 = (self.values[f"{weight}_{phase}"] for weight in WEIGHTS)
        return w1, w2, w3

    def square(self, phase: str, cell: int) -> float:
        """The table's value of a cell."""
        return self.values[f"square_{SQUARES[square_class(cell)]}_{phase}"]

    def table(self, phase: str) -> list[float]:
        """The values of all 64 cells, row-major from the top."""
        return [self.square(phase, cell) for cell in range(SIDE * SIDE)]


def load(path: str | Path = SHIPPED) -> Mix:
    """Read a file; a bare name is one of those beside this module. Raises MixFileError naming what is wrong."""
    found = Path(__file__).with_name(path) if path in (SHIPPED, UNTUNED) else Path(path)
    try:
        data = toml.read(found)
    except (OSError, ValueError) as error:
        raise MixFileError(f"cannot read '{path}': {files.reason(error)}") from error
    return parse(data, str(path))


def parse(data: Mapping[str, Any], source: str = "the file") -> Mix:
    """The numbers of a parsed file; all must be there, within range, and nothing else."""
    left = {(section, key): value for section, table in data.items() for key, value in _table(table, section).items()}
    card = {key: str(left.pop((section, key))) for section, key in list(left) if section == "card"}
    values = {}
    for setting in settings():
        section, key = _place(setting.name)
        value = left.pop((section, key), None)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise MixFileError(f"{source}: [{section}] {key} is missing or no number")
        if not setting.low <= value <= setting.high:
            raise MixFileError(f"{source}: [{section}] {key} = {value} is not within {setting.low} to {setting.high}")
        values[setting.name] = float(value // 1 if setting.is_whole else value)  # empty cells: 40.5 meant 40
    for section, key in left:
        raise MixFileError(f"{source}: unknown key [{section}] {key}")
    return Mix(values, card)


def dumps(mix: Mix) -> str:
    """The text of a file that `load` reads back."""
    lines = ["# Numbers of Reversi's player mix; what they mean is explained in the shipped mix.toml.", ""]
    lines += ["[card]", *(f'{key} = "{_escaped(text)}"' for key, text in mix.card.items())]
    section = ""
    for setting in settings():
        place, key = _place(setting.name)
        if place != section:
            lines += ["", f"[{place}]"]
            section = place
        lines.append(f"{key} = {mix.values[setting.name]:.6g}")
    return "\n".join(lines) + "\n"


def _place(name: str) -> tuple[str, str]:
    """(section, key) of an option in the file: "square_b1_opening" -> ("opening", "b1")."""
    if name.endswith("_from"):
        return "phases", name.removesuffix("_from")
    key, _, phase = name.removeprefix("square_").rpartition("_")
    return phase, key


def _table(value: object, section: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise MixFileError(f"'{section}' is no section")
    return value


def _escaped(text: str) -> str:
    """As a basic string of TOML, on one line."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    return plain.replace("\\", "\\\\").replace('"', '\\"')
