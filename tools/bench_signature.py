"""`tengen bench --signature`: for every game a number that changes when the search of its default player does."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tengen.engine.games import get_game
from tengen.engine.play.signature import signature
from tengen.tools.live import Live


def signatures(games: Sequence[str]) -> dict[str, int]:
    """The numbers of games by name, in that order. Raises ValueError where one has none here."""
    found = {}
    with Live(is_patient=True) as live:
        for name in games:

            def on_position(number: int, of: int, name: str = name) -> None:
                live.update(f"signing {name}: position {number} of {of}")

            found[name] = signature(get_game(name), on_position)
    return found


def run(games: Sequence[str], is_json: bool) -> int:
    """Print all of them at once."""
    found = signatures(games)
    width = max(map(len, found))
    print(json.dumps(found) if is_json else "\n".join(f"{name:{width}} {number}" for name, number in found.items()))
    return 0
