"""The table `[taught]` of a card: sizes, komi and rules that a network was taught. It is optional.

    [taught]
    sizes = [9, 19]                      # sides of the square boards
    komi = [4.0, 10.0]                   # the least and the greatest
    rules = ["chinese", "tromp-taylor"]  # by name

Each of the three may be missing: then it is not known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tengen.engine.evaluators.backends.base import NetworkError


class Taught(NamedTuple):
    """sizes, rules: () for any. komi: the least and the greatest; None: any."""

    sizes: tuple[int, ...] = ()
    komi: tuple[float, float] | None = None
    rules: tuple[str, ...] = ()

    def as_table(self) -> dict[str, Any]:
        """As the card has it."""
        table = {"sizes": list(self.sizes), "komi": list(self.komi or ()), "rules": list(self.rules)}
        return {name: found for name, found in table.items() if found}


def taught_by(table: Mapping[str, Any], name: str) -> Taught:
    """Read the table of the card `name`. Raises NetworkError for one that means nothing."""
    found = table.get("taught", {})
    lists: list[Any] = [found.get(key, []) for key in ("sizes", "komi", "rules")] if isinstance(found, dict) else [None]
    if not all(isinstance(one, list) for one in lists):
        raise NetworkError(f"the card '{name}' has a table taught that is not of lists")
    sizes, komi, rules = lists
    are_numbers = all(type(side) in (int, float) for side in komi)
    if not all(type(side) is int for side in sizes) or not all(isinstance(rule, str) for rule in rules):
        raise NetworkError(f"the card '{name}' has sizes or rules that it was taught which are none")
    if komi and not (len(komi) == 2 and are_numbers and komi[0] <= komi[1]):
        raise NetworkError(f"the card '{name}' has a komi that is not a least and a greatest one")
    return Taught(tuple(sizes), (float(komi[0]), float(komi[1])) if komi else None, tuple(rules))
