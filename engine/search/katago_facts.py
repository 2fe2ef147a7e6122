"""Trees of live games, and what each has to be told of a game beside positions.

Whatever is KataGo's own about that is here: what its networks see depends on rules that no position knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tengen.engine.evaluators.katago import KATAGO_FEATURES
from tengen.engine.games import get_game
from tengen.engine.games.go.rules import GoRules
from tengen.engine.search.base import Root

if TYPE_CHECKING:
    from tengen.engine.search.guide import Guide


def new_tree(game: str, features: str | None = None) -> Any:
    """The tree of a game, for networks of a feature set. Raises ValueError for a set that the game has not."""
    parts = get_game(game).parts
    tree = parts.native(parts.tree)()
    if features is not None:
        tree.see_by(features)
    return tree


def tell(tree: Any, root: Root, guide: Guide | None) -> None:
    """Let a tree know what a network sees of a root's game beside positions, as far as it is known yet."""
    if tree.features.name == KATAGO_FEATURES:
        tree.tell(**_of_rules(root), **(guide.told if guide is not None else {}))


def _of_rules(root: Root) -> dict[str, bool]:
    rules = root.rules
    if not isinstance(rules, GoRules):
        return {}
    return {"has_button": rules.has_button and not root.has_passed, "friendly_pass": rules.friendly_pass}
