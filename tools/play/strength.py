"""The strength of a player of ours that nobody gave one."""

from __future__ import annotations

from dataclasses import replace

from tengen.engine.config import Config
from tengen.engine.games.players import Entry

LEVEL, RANK = 3, "20k"
"""RANK where the player has ranks."""


def usual_strength(config: Config, entry: Entry) -> Config:
    """The configuration at LEVEL or RANK; at full strength where the player has neither."""
    rank = RANK if RANK in entry.ranks else None
    return replace(config, rank=rank, level=LEVEL if rank is None and LEVEL in entry.levels else None)


def kept_strength(config: Config, entry: Entry) -> Config:
    """The configuration for another player than the one that it was made for: its level, if that player has it, or its
    rank; where it has no ranks, what is usual."""
    if config.rank is not None and not entry.ranks:
        return usual_strength(config, entry)
    return replace(config, level=config.level if config.level in entry.levels else None)
