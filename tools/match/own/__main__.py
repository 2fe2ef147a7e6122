"""The command line of matches between our own players.

    python -m tengen.tools.match.own --game reversi --a player=uct,time=1 --b player=rollout,playouts=1000 --games 200

Every opening (random moves from the seed) is played twice, each side taking either colour. A draw counts half. One
thread a player unless `threads=` says otherwise; `--jobs` games at a time, and with `--together N` so many in each job,
whose networks answer all of them in shared batches. The games do not depend on how many jobs
play them where `playouts=` bounds the moves. CPU seconds are those of the whole process while a side thinks.
`--executor ray` has them played by the machines of a cluster (docs/train.md), a lot of `--together` games at a time.
Go is played by Tromp-Taylor rules with komi 7, on 9x9, unless the sides or `--size` say otherwise.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from tengen.engine import extras
from tengen.engine.config import Config, ConfigError, merge
from tengen.engine.games import get_game
from tengen.tools.arguments import Parser, sentence, whole_number
from tengen.tools.executors import choice
from tengen.tools.jobs import Jobs
from tengen.tools.journal import Journal
from tengen.tools.live import Live, Pace, bar
from tengen.tools.match.own.game import Played, as_json, from_json, tally
from tengen.tools.match.own.match import Hands, by_jobs, play
from tengen.tools.match.own.sides import Match, digests, parse_side, player_of


def configure(parser: Parser) -> None:
    """Declare the options."""
    integer = partial(whole_number, low=1)
    parser.add_argument("--game", default=Config.game, metavar="GAME", help="the game (go)")
    parser.add_argument("--a", default="", metavar="SIDE", help="player=uct,playouts=500,mcts.c=0.2,config=FILE,...")
    parser.add_argument("--b", default="", metavar="SIDE", help="the other side")
    parser.add_argument("--games", type=partial(integer, high=10**6), default=100, metavar="N", help="games (100)")
    parser.add_argument("--size", type=partial(integer, low=2, high=25), metavar="N", help="board size (Go 9)")
    parser.add_argument("--plies", type=partial(whole_number, low=0, high=60), metavar="N", help="moves of an opening")
    parser.add_argument(
        "--handicap", type=partial(integer, high=9), metavar="N",
        help="a has Black and N handicap stones in every game, komi 0.5 (1: no stones)",
    )  # fmt: skip
    parser.add_argument(
        "--seed", type=partial(whole_number, low=0, high=2**31), default=1, metavar="N", help="seed (1)"
    )
    parser.add_argument("--jobs", type=partial(integer, high=256), default=1, metavar="N", help="games at a time (1)")
    parser.add_argument(
        "--together", type=partial(integer, high=1024), default=1, metavar="N",
        help="games of networks at once in a job (1)",
    )  # fmt: skip
    choice.configure(parser)
    parser.add_argument("--out", metavar="FILE", help="write a JSON line for each game; an unfinished match goes on")


def run(values: Namespace) -> int:
    """Play and print. Raises ValueError for sides that cannot play."""
    base = merge(Config(), {"game": values.game})
    a, b = parse_side(values.a, base), parse_side(values.b, base)
    if a.game != values.game or b.game != values.game:
        raise ConfigError(f"both sides must play {values.game}")
    if values.handicap and not get_game(values.game).conventions.has_komi:
        raise ConfigError(f"handicap: {values.game} has none")
    match = Match(a, b, values.games, values.seed, values.size, values.plies, values.handicap or 0)
    for config in (a, b):
        player_of(match, config, 1).close()  # what cannot play is refused now
    header = {name: getattr(values, name) for name in ("game", "a", "b", "seed", "size", "plies")}
    if values.handicap:
        header["handicap"] = values.handicap
    sides = {name: found for name, config in (("a", a), ("b", b)) if (found := digests(config))}
    whole = {**header, "files": sides} if sides else header
    kept = Journal(values.out, {"match": whole}, older=[{"match": header}])
    with kept as journal, Live(is_patient=True) as live, _hands(values) as hands:
        done = [game for game in (from_json(row) for row in journal.rows) if game.number < match.games]
        played, pace = list(done), Pace(len(done))

        def tell() -> None:
            left = pace.left(len(played), match.games)
            live.update([f"{bar(len(played), match.games)} games", f"{left} left"])

        def on_game(game: Played) -> None:
            journal.write(as_json(game))
            played.append(game)
            if len(played) % max(1, match.games // 10) == 0:
                live.line(tally(played).as_text())
            tell()

        tell()
        games = play(match, hands, done, on_game, values.together)
    print(f"{values.a or 'default'} - {values.b or 'default'}: {tally(games).as_text()}", flush=True)
    return 0


@contextmanager
def _hands(values: Namespace) -> Iterator[Hands]:
    """Choose who plays: processes, or the machines of a cluster."""
    with choice.reached(values) as wire:
        if wire is None:
            with Jobs(values.jobs) as jobs:
                yield by_jobs(jobs)
            return
        from tengen.tools.match.own.remote import by_machines

        with by_machines(wire) as hands:
            yield hands


def main() -> int:
    """Entry point of the module; one sentence for a mistake."""
    parser = Parser(prog="python -m tengen.tools.match.own", description="Play a match between two of our players.")
    configure(parser)
    values = parser.parse_strictly(sys.argv[1:])
    try:
        return run(values)
    except KeyboardInterrupt:
        return 130
    except (ValueError, OSError, ImportError) as error:
        lacking = extras.sentence("a match", error) if isinstance(error, ImportError) else None
        print(f"match of own players: {lacking or sentence(error)}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
