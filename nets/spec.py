"""The specification of a network that plays, as it stands in a recipe (TOML). It knows no torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from tengen.engine.sentence import excerpt_of
from tengen.nets.targets import TARGETS

MOST = {"blocks": 100, "channels": 2048, "pooling": 100, "pooled": 1024, "head": 1024, "hidden": 2048}


@dataclass(frozen=True)
class ModelSpec:
    """A kind of `nets.models.KINDS` and its size. A kind that has a fixed size passes over the rest.

    pooling: every so many blocks one pools from the whole board; 0: none does. pooled: its channels that are pooled; 0:
    a quarter. head: channels of the convolutions of the heads; hidden: of the value head's layer.
    has_score: it also says the margin (the kind "katago" always does). soft_policy: it also learns the policy softened
    (`nets.losses`), for what its trunk learns by that. heads: of the targets that bring a head of their own
    (`nets.targets`), those that this network has.
    """

    kind: str = "katago"
    blocks: int = 6
    channels: int = 64
    pooling: int = 3
    pooled: int = 0
    head: int = 32
    hidden: int = 64
    has_score: bool = False
    soft_policy: bool = False
    heads: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises ValueError with one sentence."""
        for name, most in MOST.items():
            low, value = (0 if name in ("pooling", "pooled") else 1), getattr(self, name)
            if type(value) is not int or not low <= value <= most:
                raise ValueError(f"a network's {name} is {excerpt_of(value)}, not a whole number from {low} to {most}")
        for name in self.heads:
            if name not in TARGETS or not TARGETS[name].head:
                raise ValueError(f"there is no head of a target {excerpt_of(name)}")
        if self.pooling and not 0 < self.pooled_channels < self.channels:
            raise ValueError(f"a network of {self.channels} channels cannot pool {self.pooled_channels} of them")

    @property
    def pooled_channels(self) -> int:
        return self.pooled or max(self.channels // 4, 1)

    def pools(self, block: int) -> bool:
        """Whether a block, counted from 0, is one of those that pool: the middle one of every `pooling`."""
        return self.pooling > 0 and block % self.pooling == self.pooling // 2


def spec_of(table: Mapping[str, Any]) -> ModelSpec:
    """Return the spec of a recipe's table; missing keys have their defaults. Raises ValueError with one sentence."""
    known = [field.name for field in fields(ModelSpec)]
    for name in table:
        if name not in known:
            raise ValueError(f"a network has no {excerpt_of(name)}; there are {', '.join(known)}")
    return ModelSpec(**table)
