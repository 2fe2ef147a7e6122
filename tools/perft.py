"""`tengen perft GAME DEPTH`: counts the leaves of the game tree at that depth; the count is the last line.

A pass is a ply in games that have one; a game that is over earlier is one leaf; repetition is not looked at. In chess
that is as everybody counts it: what ends by mate or stalemate has no leaves, draws by moves or material go on.
`--divide` also prints the count under each first move; `--fen` begins at a position, `--hash` counts what comes again
but once, by a table of so many MB (both chess).
"""

from __future__ import annotations

from argparse import Namespace
from functools import partial

from tengen.engine.games.base import Game, Rules, State
from tengen.tools.arguments import Parser, whole_number
from tengen.tools.live import Live

HASH_HELP = "keep what was counted in a table of so many MB (chess; no table)"


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


def perft(game: Game, state: State, depth: int, hash_mb: int = 0) -> int:
    """Leaves below `state`: natively where the core can, otherwise through the contract. hash_mb: MB of a table of
    positions that were counted, where the core has one (chess)."""
    native = counter(game)
    if not callable(native):
        return count(state, depth)
    return int(native(state, depth, hash_mb=hash_mb) if hash_mb else native(state, depth))


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("depth", metavar="DEPTH", type=partial(whole_number, low=0, high=100))
    parser.add_argument("--size", type=partial(whole_number, low=2, high=25), metavar="N", help="board size")
    parser.add_argument("--rules", metavar="RULES", help="rules by name")
    parser.add_argument("--fen", metavar="FEN", help="a position to begin at (chess; Chess960 by its castling rights)")
    parser.add_argument("--hash", type=partial(whole_number, low=1, high=1048576), metavar="MB", help=HASH_HELP)
    parser.add_argument("--divide", action="store_true", help="also the count under each first move")


def run(values: Namespace) -> int:
    """Count and print."""
    from tengen.engine.games import get_game
    from tengen.engine.games.naming import rules_named
    from tengen.tools.match.notation import move_text

    game = get_game(values.game)
    if values.hash and game.name != "chess":
        raise ValueError(f"--hash is for chess; {game.name} is counted without a table")
    rules = rules_named(game, values.rules) if values.rules else None
    state = start(game, values.size or game.default_size, rules, values.fen)
    with Live(is_patient=True) as live:
        live.update(f"counting {game.name} to depth {values.depth}")
        if not values.divide or values.depth == 0:
            live.result(str(perft(game, state, values.depth, values.hash or 0)))
            return 0
        rows = divide(game, state, values.depth, values.hash or 0)
    for move, below in rows:
        print(f"{move_text(game.name, state, move)} {below}")
    print(sum(below for _, below in rows))
    return 0


def start(game: Game, size: int, rules: Rules | None, fen: str | None) -> State:
    """Return the position to count from; a FEN without rules is of those that have such a position. Raises
    ValueError."""
    from tengen.engine.games.hooks import hooks_of

    game.check_size(size, size)
    if fen is None:
        return game.new_state(size, size, rules or game.default_rules, game.default_komi)
    try:
        return hooks_of(game).position(game, fen, rules or game.default_rules)
    except ValueError:
        if rules is not None:
            raise
        return hooks_of(game).position(game, fen, list(game.rule_sets.values())[-1])


def divide(game: Game, state: State, depth: int, hash_mb: int = 0) -> list[tuple[int, int]]:
    """Each move and the leaves below it, `depth` plies from `state`; hash_mb as in `perft`."""
    from tengen.engine import _core

    native = getattr(_core, f"{game.name}_divide", None)
    if callable(native):
        return [(int(move), int(below)) for move, below in native(state, depth, hash_mb=hash_mb)]
    return [(move, perft(game, after(state, move), depth - 1)) for move in state.legal_moves()]
