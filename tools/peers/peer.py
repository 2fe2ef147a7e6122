"""A match with another program that a benchmark tells of."""

from __future__ import annotations

from typing import NamedTuple


class Peer(NamedTuple):
    """A match with another program.

    programs: its names, the usual one first. words: its command line and other settings for `tengen match`, where {} is
    the program. match: the settings of the match. ours: those of Tengen. published: what docs/benchmarks.md says of it.
    """

    name: str
    title: str
    programs: tuple[str, ...]
    words: tuple[str, ...]
    match: tuple[str, ...]
    ours: tuple[str, ...]
    published: str = "-"
