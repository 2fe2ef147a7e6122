"""`tengen perft GAME DEPTH`: counts the leaves of the game tree at that depth; the count is the last line.

A pass is a ply in games that have one; a game that is over earlier is one leaf; repetition is not looked at.
`--divide` also prints the count under each first move.
"""

from __future__ import annotations

from argparse import Namespace
from functools import partial

from tengen.engine.games.base import Game, State
from tengen.engine.records.points import point_text
from tengen.tools.arguments import Parser, whole_number


def count(state: State, depth: int) -> int:
    """Leaves `depth` plies below `state`, through the State contract alone."""
    if depth == 0 or state.is_terminal():
        return 1
    moves = state.legal_moves()
    return len(moves) if depth == 1 else sum(count(after(state, move), depth - 1) for move in moves)


def after(state: State, move: int) -> State:
    """A copy of `state` with one move played."""
    child = state.copy()
    child.play(move)
    return child


def counter(game: Game) -> object:
    """The native counter of a game, or None."""
    from tengen.engine import _core

    return getattr(_core, f"{game.name}_perft", None)


def perft(game: Game, state: State, depth: int) -> int:
    """Leaves below `state`: natively where the core can, otherwise through the contract."""
    native = counter(game)
    return int(native(state, depth)) if callable(native) else count(state, depth)


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("depth", metavar="DEPTH", type=partial(whole_number, low=0, high=100))
    parser.add_argument("--size", type=partial(whole_number, low=1, high=25), metavar="N", help="board size")
    parser.add_argument("--rules", metavar="RULES", help="rules by name")
    parser.add_argument("--divide", action="store_true", help="also the count under each first move")


def run(values: Namespace) -> int:
    """Count and print."""
    from tengen.engine.games import get_game
    from tengen.engine.games.naming import rules_named

    game = get_game(values.game)
    rules = rules_named(game, values.rules) if values.rules else game.default_rules
    size = values.size or game.default_size
    game.check_size(size, size)
    state = game.new_state(size, size, rules, game.default_komi)
    if not values.divide or values.depth == 0:
        print(perft(game, state, values.depth))
        return 0
    total = 0
    for move in state.legal_moves():
        below = perft(game, after(state, move), values.depth - 1)
        print(f"{point_text(game.name, state.width, state.height, move)} {below}")
        total += below
    print(total)
    return 0
