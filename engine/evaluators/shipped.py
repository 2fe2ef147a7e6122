"""The files that tengen ships with its engine: networks and tables, each with its card."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from pathlib import Path

_NAME = re.compile(r"[\w.-]{1,64}", re.ASCII)


def folders() -> tuple[Path, ...]:
    """The folders of `tengen.nets.weights`; none where that was left out of the installation."""
    spec = find_spec("tengen.nets.weights")
    return tuple(map(Path, (spec.submodule_search_locations if spec else None) or ()))


def path_of(name: str) -> Path:
    """Return the path of a shipped file by its name, also of a missing one: the reader reports it."""
    found = [folder / name for folder in folders()]
    return next((path for path in found if path.is_file()), found[0] if found else Path(name))


def named(word: str) -> str:
    """Return the file that a user means by a word: the word itself, unless it is the name of a shipped network of
    KataGo's format (`tengen-go-9`) and no file."""
    if not _NAME.fullmatch(word) or os.path.exists(word):
        return word
    paths = (path_of(f"{word}{ending}") for ending in (".bin.gz", ".tail.gz"))
    return next((str(path) for path in paths if path.is_file()), word)
