"""Finders: each proposes lattices for the boards in a picture, by its own evidence.

DETECTORS names them for `--detector`; "auto" is what `pipeline` does with all that are worth their time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import cast

from tengen.engine.config import nearest
from tengen.tools.photo.geometry import Image
from tengen.tools.photo.results import Hypothesis, PhotoError

Finder = Callable[[Image, Sequence[int]], list[Hypothesis]]
"""A finder: from a picture and the sizes to look for to hypotheses, best first; an empty list without a board."""

DETECTORS = {
    "network": "tengen.tools.photo.find.network:find",
    "lines": "tengen.tools.photo.find.lines:find",
    "stones": "tengen.tools.photo.find.stones:find",
    "classic": "tengen.tools.photo.find.classic:find",
}


def get_finder(name: str) -> Finder:
    """The finder of that name. Raises PhotoError naming the nearest right name."""
    if name not in DETECTORS:
        raise PhotoError(f"unknown detector '{name}'{nearest(name, ('auto', *DETECTORS))}")
    module, _, attribute = DETECTORS[name].partition(":")
    return cast(Finder, getattr(import_module(module), attribute))
