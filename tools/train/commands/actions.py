"""Actions of `tengen train` besides a run (fit, label, ...): the options that only those actions look at."""

from __future__ import annotations

from argparse import Namespace
from functools import partial

from tengen.engine.config import ConfigError
from tengen.tools.arguments import Parser, number, whole_number

USAGE = {
    "accuracy": "accuracy NAME",
    "fit": "fit DIR", "label": "label FILE", "list": "list", "probcut": "probcut FILE", "rate": "rate NAME",
    "report": "report NAME",
}  # fmt: skip
ACTIONS = tuple(USAGE)
OF_A_TEACHER = ("teacher", "beside", "captures", "lopsided")
"""Options of labels by another engine."""
OPTIONS = {
    "rate": ("networks", "until", "games", "far_games", "visits"),
    "fit": ("out", "kind", "passes", "rate", "width", "king_buckets", "results", "returns", "weights"),
    "label": ("out", "positions", "nodes", "each", "seed", "weights", "least_elo", "syzygy", *OF_A_TEACHER),
    "probcut": ("positions", "deepest"),
    "accuracy": ("positions",),
}
"""The options by action; such an option is None where it was not given."""
OF_A_RUN = ("teacher", "from_run", "from_network", "from_records", "min_rating", "generations", "minutes")
"""Options of a run; of an action only where it names them."""


def configure(parser: Parser) -> None:
    """Declare them."""
    count = partial(whole_number, high=10**6)
    add = parser.add_argument_group("rate NAME").add_argument
    add("--networks", type=partial(count, low=2), metavar="N", help="so many, evenly in time (6)")
    add("--until", type=partial(number, low=0.01, high=1e6), metavar="M", help="those of the run's first minutes")
    add("--games", type=partial(count, low=2), metavar="N", help="games of neighbours (200)")
    add("--far-games", type=partial(count, low=0), metavar="N", help="games of all other pairs (40)")
    add("--visits", type=partial(count, low=1), metavar="N", help="visits a move (those of gate.visits)")
    add = parser.add_argument_group("fit DIR...").add_argument
    add("-o", "--out", metavar="FILE", help="where to write the weights, with their card; of label: the folder")
    add("--kind", metavar="KIND", help="patterns, pattern-network, chess-network, line-network (by the games)")
    add("--passes", type=partial(count, low=1), metavar="N", help="over all positions (5; of chess 15, of Gomoku 6)")
    add("--rate", type=partial(number, low=1e-6, high=1), metavar="R", help="largest rate of learning (0.01 to 0.002)")
    add("--width", type=partial(count, low=64), metavar="N", help="of a chess-network: units of a side (256)")
    add("--king-buckets", type=partial(count, low=1), metavar="N", help="of a chess-network: 1, 4 or 8 (1)")
    add("--results", type=partial(number, low=0, high=1), metavar="P", help="share of the games' results (0.25)")
    add("--returns", type=partial(number, low=0, high=1), metavar="P",
        help="share of later searches of the game (of chess 0.5, of Reversi 0)")  # fmt: skip
    add = parser.add_argument_group("probcut FILE").add_argument
    add("--positions", type=partial(whole_number, low=40, high=10**9), metavar="N",
        help="to search (1200); of label: to keep (all); of accuracy: to look at (all)")  # fmt: skip
    add("--deepest", type=partial(whole_number, low=5, high=20), metavar="N", help="plies that are looked ahead (10)")
    add = parser.add_argument_group("label FILE").add_argument
    add("--nodes", type=partial(count, low=0), metavar="N",
        help="of each search (1000; with --teacher 1, or 0: what Stockfish's 'eval' says)")  # fmt: skip
    add("--beside", type=partial(count, low=0), metavar="N",
        help="with --teacher: positions a random move behind each one, labelled too (0)")  # fmt: skip
    add("--captures", type=partial(number, low=0, high=1), metavar="P",
        help="with --beside: share of those moves that are captures or promotions, if there are any (0)")  # fmt: skip
    add("--lopsided", type=partial(number, low=0, high=1), metavar="P",
        help="with --teacher: share that is kept of positions won by 10 pawns (1)")  # fmt: skip
    add("--each", type=partial(count, low=1), metavar="N", help="positions drawn from a game (12)")
    add("--seed", type=partial(whole_number, low=0, high=2**31), metavar="N", help="of what is drawn (1)")
    add("--weights", metavar="FILE",
        help="to search by (the tables); of fit: to begin with, or to keep rules of (Gomoku)")  # fmt: skip
    add("--syzygy", metavar="DIR", help="folders of Syzygy's tables, which say what endings are worth (none)")
    add("--least-elo", type=partial(count, low=0), metavar="N", help="of both players (any)")


def check(word: str, values: Namespace) -> None:
    """Raises ConfigError for an option of an action that is not `word`, or of a run where `word` is an action."""
    for name in dict.fromkeys(name for names in OPTIONS.values() for name in names if name not in OF_A_RUN):
        takers = [action for action, names in OPTIONS.items() if name in names]
        if getattr(values, name) is not None and word not in takers:
            usages = " and ".join(f"'tengen train {USAGE[action]}'" for action in takers)
            raise ConfigError(f"--{name.replace('_', '-')} is for {usages} alone")
    for name in OF_A_RUN if word in ACTIONS else ():
        if getattr(values, name) is not None and name not in OPTIONS.get(word, ()):
            raise ConfigError(
                f"--{name.replace('_', '-')} is for a run, as 'tengen train go', not for 'tengen train {USAGE[word]}'"
            )
