"""The signature of a game's search: one number that changes when the search does, and never otherwise.

A player, the game's default one if no other is named, searches the positions of its `Bench` by one thread, with a
fixed seed, to a fixed depth or for fixed playouts; neither a clock nor a load changes what it finds. Of a search that
looks ahead ply by ply the number is its nodes in all. A tree search has as many playouts whatever it does, so there it
is a checksum (CRC-32) of its trees: the visits of every move at the root, and the best lines.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from zlib import crc32

from tengen.engine._core import StopToken
from tengen.engine.games.base import Game, State
from tengen.engine.games.bench import Bench, BenchPosition
from tengen.engine.games.hooks import hooks_of
from tengen.engine.games.naming import player_of
from tengen.engine.games.parts import load
from tengen.engine.history import History
from tengen.engine.limits import Limits
from tengen.engine.search import SEARCHES, make_search
from tengen.engine.search.base import RECENT, Root

if TYPE_CHECKING:
    from tengen.engine.info import Info

RESOURCES = {"threads": 1, "seed": 1, "memory_mb": 16}


def signature(
    game: Game, on_position: Callable[[int, int], None] = lambda number, of: None, player: str | None = None
) -> int:
    """The number of a player, None: the game's default. on_position: told before each position which it is, of how
    many.

    Raises ValueError with one sentence where the player cannot search as it should (weights that are not installed).
    """
    name, entry = player_of(game, player)
    looks_ahead = SEARCHES[entry.search].looks_ahead
    search: Any = make_search(game, name, {})
    prefix = f"{entry.search}."
    known = {option.name for option in search.options()}
    search.configure({prefix + key: value for key, value in RESOURCES.items() if prefix + key in known})
    bench, found = bench_of(game), 0
    for number, position in enumerate(bench.positions, 1):
        on_position(number, len(bench.positions))
        root = root_of(game, position)
        search.clear()
        info = search.run(root, limits_of(bench, looks_ahead), StopToken())
        found = found + info.nodes if looks_ahead else crc32(_tree_text(info).encode(), found)
    return found


def bench_of(game: Game) -> Bench:
    """The fixed work of a game."""
    found: Bench = load(game.parts.bench)
    return found


def limits_of(bench: Bench, looks_ahead: bool) -> Limits:
    """Return the limits of the search of each position."""
    return Limits(depth=bench.depth) if looks_ahead else Limits(playouts=bench.playouts)


def root_of(game: Game, position: BenchPosition) -> Root:
    """Return the root of a search of a position."""
    history = History(start_of(game, position))
    repetition = (game.rule_sets[position.rules] if position.rules else game.default_rules).repetition
    for word in position.moves.split():
        history.play(history.state.to_move, game.move_from_text(history.state, word), repetition)
    recent = [move for _, move in history.moves[-RECENT:]]
    return Root(history.state.copy(), seen=history.seen(repetition), recent=recent)


def start_of(game: Game, position: BenchPosition) -> State:
    """The position before its moves."""
    rules = game.rule_sets[position.rules] if position.rules else game.default_rules
    if position.fen:
        return hooks_of(game).position(game, position.fen, rules)
    size = position.size or game.default_size
    return game.new_state(size, size, rules, game.default_komi)


def _tree_text(info: Info) -> str:
    """A tree in whole numbers."""
    lines = (f"{line.move} {line.visits} {' '.join(map(str, line.pv))}" for line in info.lines)
    return f"{info.nodes}\n" + "\n".join(lines)
