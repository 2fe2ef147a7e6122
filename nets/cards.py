"""Writing the card of a network or of weights: a TOML file beside it, with its hash.

What reads them (`tengen.engine.evaluators`) refuses a file whose card or hash is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tengen.engine import toml
from tengen.engine.atomic import write
from tengen.engine.evaluators.backends.cards import card_path, sha256_of


def write_card(path: Path, card: Mapping[str, object]) -> None:
    """Write the card of a network beside it, with the hash of the file as it is."""
    digest = sha256_of(path.read_bytes())
    write(card_path(path), toml.dumps({"sha256": "", **card} | {"sha256": digest}).encode())
