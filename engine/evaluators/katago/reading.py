"""Read a network of KataGo's format for use: a whole file, or a tail with the network that it goes on from."""

from __future__ import annotations

from pathlib import Path

from tengen.engine import files
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.backends.cards import sha256_of
from tengen.engine.evaluators.katago.model import Model, parse_model, unreadable
from tengen.engine.evaluators.katago.stream import LARGEST_FILE
from tengen.engine.evaluators.katago.tail import is_tail, joined, parse_tail
from tengen.engine.sentence import excerpt


def read_model(path: Path | str) -> Model:
    """The network of a .bin.gz or .txt.gz file, packed or not, or of a tail. Raises NetworkError with one sentence,
    also when the file that a tail goes on from is missing or another one."""
    file = Path(path)
    data = _read(file)
    if not is_tail(file):
        return parse_model(data, file.name)
    tail, name = parse_tail(data, file.name), excerpt(file.name, 100)
    base = file.with_name(f"{tail.base}.bin.gz")
    try:
        begun = _read(base)
    except NetworkError as error:
        raise NetworkError(f"the network {name} goes on from another one beside it: {error}") from None
    if sha256_of(begun) != tail.sha256:
        raise NetworkError(f"the network {name} goes on from another '{base.name}' than this one")
    return joined(parse_model(begun, base.name), tail, file.name)


def _read(file: Path) -> bytes:
    try:
        return files.read(file, LARGEST_FILE)
    except OSError as error:
        raise unreadable(file, error) from None
