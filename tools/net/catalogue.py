"""The networks that `tengen net get` fetches by name: their facts, addresses and hashes.

Each lies in a release of the package `katrain` on the package index, which is downloaded without what it depends on
and never installed. Sizes and hashes are of the files as they were on 2026-11-26. Costs are rough: from rates measured
on one core (AMD Zen 5, AVX-512 with VNNI).
"""

from __future__ import annotations

from typing import NamedTuple

LICENCE = "as KataGo publishes it: https://katagotraining.org/network_license/"


class Offered(NamedTuple):
    """A network. release: of the package `katrain`. member: the file in it. sha256, size: of that file, in bytes.
    download: bytes of the package. cost: what a position costs on 19x19, as a multiple of one of `tengen-go-9-19`."""

    name: str
    what: str
    release: str
    member: str
    sha256: str
    size: int
    download: int
    cost: float
    licence: str = LICENCE

    @property
    def file(self) -> str:
        """Its name in the user's folder."""
        return self.member.rpartition("/")[2]


OFFERED = (
    Offered(
        "b10c384", "KaTrain's default: a transformer of 10 blocks, strong and not too slow", "1.20.0",
        "katrain/models/b10c384h6nbttflrs.bin.gz",
        "0ba27eced5180b3e3d0b898b280c541112989765e789d1eb6cd0d31b2b2c1229", 38_245_488, 105_970_370, 20,
    ),
    Offered(
        "b18c384", "KataGo's main network of 2024: 18 blocks, for a GPU or much patience", "1.17.1",
        "katrain/models/kata1-b18c384nbt-s9996604416-d4316597426.bin.gz",
        "9d7a6afed8ff5b74894727e156f04f0cd36060a24824892008fbb6e0cba51f1d", 97_898_094, 124_856_569, 25,
    ),
    Offered(
        "b15c192", "15 plain blocks of 2020: the fastest of these on old CPUs", "1.10.1",
        "katrain/models/g170e-b15c192-s1672170752-d466197061.bin.gz",
        "1579a64e6190c3a8d73eeb96feb4dee1879f9e5e114279b15d6c56dbab3b0f78", 36_948_927, 62_794_217, 5,
    ),
)  # fmt: skip
