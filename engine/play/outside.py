"""Tell where a position is outside of what a network was taught, by its card. Its figures are guesses there."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.backends.cards import card_path, read_card
from tengen.engine.evaluators.backends.taught import Taught
from tengen.engine.games.hooks import hooks_of
from tengen.engine.games.naming import rules_named
from tengen.engine.sentence import excerpt

if TYPE_CHECKING:
    from tengen.engine.evaluators.background import Loading
    from tengen.engine.games.base import Game, Rules, State


@lru_cache(maxsize=16)
def taught_of(path: Path) -> Taught:
    """Return what the card of a network says; an empty value without a card, or if it cannot be read."""
    try:
        return read_card(card_path(path)).taught
    except NetworkError:
        return Taught()


def outside_sentence(loading: Loading, game: Game, state: State, rules: Rules) -> str:
    """Return a sentence on what a loaded network was not taught of a position; "" if it was taught all. Raises what
    loading raises."""
    path = loading.future.result()[0].path
    found = _listed(outside(taught_of(path), game, state, rules), "or")
    return f"the network {excerpt(path.name, 100)} was not taught {found}: its figures are guesses" if found else ""


def outside(taught: Taught, game: Game, state: State, rules: Rules) -> list[str]:
    """List board size, komi and rules of a position, those that were not taught."""
    found: list[str] = []
    sides = {state.width, state.height}
    if taught.sizes and (len(sides) > 1 or not sides <= set(taught.sizes)):
        found.append(f"boards of {state.width}x{state.height}")
    komi = getattr(state, "komi", None)
    if taught.komi is not None and komi is not None and not taught.komi[0] <= komi <= taught.komi[1]:
        found.append(f"a komi of {komi:g} (only {taught.komi[0]:g} to {taught.komi[1]:g})")
    if taught.rules and not _knows(taught.rules, game, rules):
        found.append(f"{rules.name} rules")
    return found


def taught_sentence(taught: Taught) -> str:
    """Describe what a network was taught in a few words; "" if that is unknown."""
    parts = [f"boards of {_listed([f'{side}x{side}' for side in taught.sizes])}"] if taught.sizes else []
    parts += [f"a komi of {taught.komi[0]:g} to {taught.komi[1]:g}"] if taught.komi else []
    parts += [f"rules of {_listed(list(taught.rules))}"] if taught.rules else []
    return ", ".join(parts)


def _knows(names: tuple[str, ...], game: Game, rules: Rules) -> bool:
    """Whether rules of one of these names count as these do. Unknown names are ignored."""
    hooks = hooks_of(game)
    for name in names:
        try:
            if hooks.counting(rules_named(game, name)) == hooks.counting(rules):
                return True
        except ValueError:
            continue
    return False


def _listed(words: list[str], last: str = "and") -> str:
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)
