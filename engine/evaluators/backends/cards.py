"""The card of a network: its purpose, inputs, outputs and origin. TOML beside the file.

    name = "photo-points"
    purpose = "what a point of a rectified board holds"
    sha256 = "..."                       # of the ONNX file
    licence = "MIT"
    [plays]                              # of those that play, and of no other
    game = "go"
    features = "go-v1"                   # what the planes of a network hold; or, of weights (.safetensors),
    evaluator = "table"                  # the evaluator of the game that reads them
    boards = [9, 19]                     # least and greatest side of the boards that it learned; any, without
    by_name = true                       # only who names it plays by it; without, `auto` may take it
    [input]                              # this and the outputs are a network's; weights have none
    shape = [0, 3, 32, 32]               # 0: any
    channels = ["blue", "green", "red"]
    normalisation = "(value - 128) / 64"
    [outputs]
    points = "n x 4: logits of empty, black, white, hidden"
    [training]
    data = "..."
    credits = ["..."]
    command = "..."
    [figures]
    "points right" = "99.8 % of ..."
    [settings]                           # numbers that the network's user needs: sizes, thresholds, temperatures
    [taught]                             # what it was taught, where that is known (`taught.py`)

Weights are never unpickled, and a file that is not the card's is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from tengen.engine import files, toml
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.backends.taught import Taught, taught_by

LARGEST_FILE = 2**30
"""Bytes; what is larger is no network of ours."""
PACKAGE = Path(__file__).absolute().parents[3]
"""The folder in which tengen is installed."""
_SHA256 = re.compile(r"[0-9a-f]{64}")


class Card(NamedTuple):
    """The card of a network: the facts about its file. The module's text shows the file; `figures` and `settings` may
    be empty.

    game: "" for a network that plays none, else one of `features` and `evaluator` is named. boards: the least and the
    greatest side of the boards that it learned; none: any. by_name: `auto` passes over it.
    """

    name: str
    purpose: str
    sha256: str
    licence: str
    data: str
    command: str
    credits: tuple[str, ...] = ()
    game: str = ""
    features: str = ""
    evaluator: str = ""
    boards: tuple[int, int] | None = None
    by_name: bool = False
    shape: tuple[int, ...] = ()
    channels: tuple[str, ...] = ()
    normalisation: str = ""
    outputs: Mapping[str, str] = MappingProxyType({})
    figures: Mapping[str, Any] = MappingProxyType({})
    settings: Mapping[str, Any] = MappingProxyType({})
    taught: Taught = Taught()

    def as_table(self) -> dict[str, Any]:
        """The card as nested tables in the file's order, for a writer of TOML."""
        return {
            "name": self.name,
            "purpose": self.purpose,
            "sha256": self.sha256,
            "licence": self.licence,
            **self._plays(),
            **self._ports(),
            "training": {"data": self.data, "credits": list(self.credits), "command": self.command},
            "figures": dict(self.figures),
            "settings": dict(self.settings),
            **({"taught": taught} if (taught := self.taught.as_table()) else {}),
        }

    def _plays(self) -> dict[str, Any]:
        reader = {"evaluator": self.evaluator} if self.evaluator else {"features": self.features}
        boards = {"boards": list(self.boards)} if self.boards else {}
        named = {"by_name": True} if self.by_name else {}
        return {"plays": {"game": self.game, **reader, **boards, **named}} if self.game else {}

    def _ports(self) -> dict[str, Any]:
        if self.evaluator:
            return {}
        entry = {"shape": list(self.shape), "channels": list(self.channels), "normalisation": self.normalisation}
        return {"input": entry, "outputs": dict(self.outputs)}


def card_path(path: Path) -> Path:
    """Return the path of a file's card: NAME.toml, also of NAME.bin.gz and NAME.tail.gz."""
    name = path.name.removesuffix(".bin.gz").removesuffix(".tail.gz")
    return path.with_name(f"{name if name != path.name else path.stem}.toml")


def sha256_of(model: bytes) -> str:
    """The digest that a card names."""
    import hashlib  # the cards are known long before any file is looked at

    return hashlib.sha256(model).hexdigest()


def read_card(path: Path) -> Card:
    """Read NAME.toml. Raises NetworkError when it cannot be read or lacks something."""
    try:
        table = toml.read(path)
    except FileNotFoundError:
        raise NetworkError(f"the network has no card: '{path.name}' is missing beside it{_hint(path)}") from None
    except (OSError, ValueError) as error:
        raise NetworkError(f"cannot read the card '{path.name}': {files.reason(error)}") from None
    return _card(table, path.name)


def _hint(path: Path) -> str:
    """What helps where a file came with the package."""
    return "; reinstall tengen" if PACKAGE in path.absolute().parents else ""


def read_network(path: Path) -> tuple[Card, bytes]:
    """The card and the bytes of a network's or a weights file. Raises NetworkError unless both are there and belong
    together."""
    try:
        model = files.read(path, LARGEST_FILE)
    except OSError as error:
        raise NetworkError(f"cannot read the network '{path.name}': {error.strerror}{_hint(path)}") from None
    card = read_card(path.with_suffix(".toml"))
    if sha256_of(model) != card.sha256:
        raise NetworkError(f"the network '{path.name}' is not the one that its card describes (sha256){_hint(path)}")
    return card, model


def _card(table: Mapping[str, Any], name: str) -> Card:
    plays: dict[str, Any] = _plays(table, name)
    ports = {} if "evaluator" in plays else _ports(table, name)
    training = _get(table, name, "training", dict)
    card = Card(
        name=_get(table, name, "name", str),
        purpose=_get(table, name, "purpose", str),
        sha256=_get(table, name, "sha256", str),
        licence=_get(table, name, "licence", str),
        data=_get(training, name, "data", str),
        command=_get(training, name, "command", str),
        credits=_credits(training, name),
        figures=_get({"figures": {}, **table}, name, "figures", dict),
        settings=_get({"settings": {}, **table}, name, "settings", dict),
        taught=taught_by(table, name),
        **plays,
        **ports,
    )
    if not _SHA256.fullmatch(card.sha256):
        raise NetworkError(f"the card '{name}' has no sha256 of 64 hexadecimal digits")
    if not all(isinstance(side, int) and side >= 0 for side in card.shape):
        raise NetworkError(f"the card '{name}' has a shape that is not of integers")
    return card


def _plays(table: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The game and what reads the network, if the card has them."""
    if "plays" not in table:
        return {}
    entry = _get(table, name, "plays", dict)
    readers = [key for key in ("features", "evaluator") if key in entry]
    if len(readers) != 1:
        raise NetworkError(f"the card '{name}' must name either the features or the evaluator that it is for")
    if empty := [key for key in ("game", *readers) if not _get(entry, name, key, str)]:
        raise NetworkError(f"the card '{name}' lacks '{empty[0]}'")
    found: dict[str, Any] = {key: entry[key] for key in ("game", *readers)}
    if "boards" in entry:
        found["boards"] = _boards(entry["boards"], name)
    if "by_name" in entry:
        found["by_name"] = _get(entry, name, "by_name", bool)
    return found


def _boards(found: Any, name: str) -> tuple[int, int]:
    """The least and the greatest side."""
    is_pair = isinstance(found, list) and len(found) == 2 and all(type(side) is int for side in found)
    if not is_pair or not 0 < found[0] <= found[1]:
        raise NetworkError(f"the card '{name}' has boards that are not a least and a greatest side")
    return found[0], found[1]


def _credits(training: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Read the credits: the people whose work the network learned from."""
    found = training.get("credits", [])
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise NetworkError(f"the card '{name}' has credits that are not a list of texts")
    return tuple(found)


def _ports(table: Mapping[str, Any], name: str) -> dict[str, Any]:
    """What a network takes and gives."""
    entry = _get(table, name, "input", dict)
    return {
        "shape": tuple(_get(entry, name, "shape", list)),
        "channels": tuple(_get(entry, name, "channels", list)),
        "normalisation": _get(entry, name, "normalisation", str),
        "outputs": _get(table, name, "outputs", dict),
    }


def _get(table: Mapping[str, Any], name: str, key: str, kind: type[Any]) -> Any:
    value = table.get(key)
    if not isinstance(value, kind):
        raise NetworkError(f"the card '{name}' lacks '{key}'")
    return value
