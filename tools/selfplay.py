"""Matches between two players of our own in one process: the evidence for levels, defaults and tuning.

    python -m tengen.tools.selfplay --game reversi --a player=uct,time=1 --b player=rollout,playouts=1000 --games 200

Every opening (random moves from the seed) is played twice, each side taking either colour. A draw counts half. One
thread a player unless `threads=` says otherwise; `--jobs` games at a time. The games do not depend on how many jobs
play them where `playouts=` bounds the moves. CPU seconds are those of the whole process while a side thinks.
Go is played by Tromp-Taylor rules with komi 7, on 9x9, unless the sides or `--size` say otherwise.
"""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from tengen.engine.config import Config, ConfigError, load, merge, parse_setting
from tengen.engine.games.conventions import MatchSetting
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.tools.arguments import Parser, sentence, whole_number
from tengen.tools.jobs import Jobs
from tengen.tools.journal import Journal
from tengen.tools.match.random_openings import draw, setting_of
from tengen.tools.score import Tally


@dataclass(frozen=True)
class Match:
    """A match between two configurations of one game; with `playouts` everything follows from it.

    size None and plies None: as the game's conventions. Games 2n and 2n+1 share an opening; `a` has Black in the first.
    """

    a: Config
    b: Config
    games: int
    seed: int = 1
    size: int | None = None
    plies: int | None = None

    @property
    def setting(self) -> MatchSetting:
        return setting_of(self.a.game)


class Played(NamedTuple):
    """One game. score: of `a`: 1, 0.5 or 0. margin: Black's, in the game's unit. cpu, thought: seconds and moves of
    (a, b) without the opening; moves: with it."""

    number: int
    score: float
    margin: float
    moves: tuple[int, ...]
    cpu: tuple[float, float]
    thought: tuple[int, int]


def tally(games: Iterable[Played]) -> Tally:
    """Sum up games."""
    rows = list(games)
    wins, draws = (sum(row.score == score for row in rows) for score in (1.0, 0.5))
    return Tally(
        wins, draws, len(rows) - wins - draws,
        (sum(row.cpu[0] for row in rows), sum(row.cpu[1] for row in rows)),
        (sum(row.thought[0] for row in rows), sum(row.thought[1] for row in rows)),
    )  # fmt: skip


def openings(match: Match) -> list[tuple[int, ...]]:
    """The opening of every pair of games: random legal moves; none repeats while there are others."""
    player = _player(match, match.a, 0)
    start, is_sensible = player.state.copy(), player.hooks.is_sensible
    player.close()
    plies = match.setting.plies if match.plies is None else match.plies
    return draw(start, is_sensible, match.setting.margin, plies, (match.games + 1) // 2, match.seed)


def play_game(match: Match, opening: Sequence[int], number: int) -> Played:
    """Play one game; a resignation counts as half the board. Runs in a worker process."""
    seed = match.seed * 1000 + number + 1
    sides = [_player(match, config, seed) for config in (match.a, match.b)]
    order = sides if number % 2 == 0 else sides[::-1]
    cpu, thought = [0.0, 0.0], [0, 0]
    moves = list(opening)
    margin: float | None = None
    try:
        state = sides[0].state
        for colour, move in _alternate(opening, state.to_move):
            _play(sides, colour, move)
        while not sides[0].is_over and len(moves) < 3 * state.cells:
            colour, legal = sides[0].state.to_move, sides[0].state.legal_moves()
            side = sides.index(order[colour])
            chosen: int | None = state.pass_move
            if list(legal) != [state.pass_move]:  # a forced pass is no move of anybody
                start = time.process_time()
                chosen = order[colour].genmove(MoveRequest(colour, play=False)).move
                cpu[side] += time.process_time() - start
                thought[side] += 1
            if chosen is None:
                margin = (1 if colour else -1) * state.cells / 2
                break
            _play(sides, colour, chosen)
            moves.append(chosen)
        margin = float(sides[0].state.result()) if margin is None else margin
    finally:
        for player in sides:
            player.close()
    margin_a = margin if number % 2 == 0 else -margin
    score = 1.0 if margin_a > 0 else 0.5 if margin_a == 0 else 0.0
    return Played(number, score, margin, tuple(moves), (cpu[0], cpu[1]), (thought[0], thought[1]))


def play(
    match: Match, jobs: Jobs | None = None, done: Iterable[Played] = (), on_game: Callable[[Played], None] | None = None
) -> list[Played]:
    """Play what is not `done` and return all games by number; on_game is told of each new one as it ends."""
    games = {game.number: game for game in done}
    rows = openings(match)
    tasks = [(match, rows[number // 2], number) for number in range(match.games) if number not in games]
    for game in (jobs or Jobs(1)).run(play_game, tasks):
        games[game.number] = game
        if on_game is not None:
            on_game(game)
    return [games[number] for number in sorted(games)]


def parse_side(text: str, base: Config) -> Config:
    """The Config of "player=uct,time=1,mcts.c=0.4,config=FILE". Raises ConfigError naming what is wrong."""
    values: dict[str, Any] = {}
    options: dict[str, str] = {}
    for part in filter(None, (word.strip() for word in text.split(","))):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            raise ConfigError(f"'{part}' is not of the form name=value")
        if "." in name:
            options.update([parse_setting(part)])
        elif name == "config":
            base = load(value, base)
        else:
            values[name] = value
    return merge(merge(base, values), {"set": options})


def as_json(game: Played) -> dict[str, Any]:
    """A game as the object of a line."""
    row = game._asdict()
    row["cpu"] = [round(seconds, 4) for seconds in game.cpu]
    return row


def from_json(row: Mapping[str, Any]) -> Played:
    """The game of such an object. Raises KeyError, TypeError, ValueError."""
    return Played(
        int(row["number"]), float(row["score"]), float(row["margin"]), tuple(map(int, row["moves"])),
        (float(row["cpu"][0]), float(row["cpu"][1])), (int(row["thought"][0]), int(row["thought"][1])),
    )  # fmt: skip


def _player(match: Match, config: Config, seed: int) -> Player:
    setting = match.setting
    player = Player(
        replace(config, seed=seed, rules=config.rules or setting.rules, threads=config.threads or 1, ponder=False)
    )
    player.new_game(match.size or setting.size or player.game.default_size)
    if setting.komi is not None:
        player.set_komi(setting.komi)
    return player


def _play(sides: Sequence[Player], colour: int, move: int) -> None:
    for player in sides:
        player.play(colour, move)


def _alternate(moves: Sequence[int], first: int) -> Iterable[tuple[int, int]]:
    return (((first + number) % 2, move) for number, move in enumerate(moves))


def configure(parser: Parser) -> None:
    """Declare the options."""
    integer = partial(whole_number, low=1)
    parser.add_argument("--game", default="go", metavar="GAME", help="the game (go)")
    parser.add_argument("--a", default="", metavar="SIDE", help="player=uct,playouts=500,mcts.c=0.2,config=FILE,...")
    parser.add_argument("--b", default="", metavar="SIDE", help="the other side")
    parser.add_argument("--games", type=partial(integer, high=10**6), default=100, metavar="N", help="games (100)")
    parser.add_argument("--size", type=partial(integer, high=25), metavar="N", help="board size (Go 9)")
    parser.add_argument("--plies", type=partial(whole_number, low=0, high=60), metavar="N", help="moves of an opening")
    parser.add_argument(
        "--seed", type=partial(whole_number, low=0, high=2**31), default=1, metavar="N", help="seed (1)"
    )
    parser.add_argument("--jobs", type=partial(integer, high=256), default=1, metavar="N", help="games at a time (1)")
    parser.add_argument("--out", metavar="FILE", help="write a JSON line for each game; an unfinished match goes on")


def run(values: Namespace) -> int:
    """Play and print. Raises ValueError for sides that cannot play."""
    base = merge(Config(), {"game": values.game})
    a, b = parse_side(values.a, base), parse_side(values.b, base)
    if a.game != values.game or b.game != values.game:
        raise ConfigError(f"both sides must play {values.game}")
    match = Match(a, b, values.games, values.seed, values.size, values.plies)
    for config in (a, b):
        _check(match, config)
    header = {name: getattr(values, name) for name in ("game", "a", "b", "seed", "size", "plies")}
    with Journal(values.out, {"match": header}) as journal, Jobs(values.jobs) as jobs:
        done = [game for game in (from_json(row) for row in journal.rows) if game.number < match.games]
        played = list(done)

        def on_game(game: Played) -> None:
            journal.write(as_json(game))
            played.append(game)
            if len(played) % max(1, match.games // 10) == 0:
                print(tally(played).as_text(), file=sys.stderr, flush=True)

        games = play(match, jobs, done, on_game)
    print(f"{values.a or 'default'} - {values.b or 'default'}: {tally(games).as_text()}", flush=True)
    return 0


def _check(match: Match, config: Config) -> None:
    """Raise ValueError unless the side can play the match."""
    player = _player(match, config, 1)
    player.close()


def main() -> int:
    """Entry point of the module; one sentence for a mistake."""
    parser = Parser(prog="python -m tengen.tools.selfplay", description="Play a match between two of our players.")
    configure(parser)
    values = parser.parse_strictly(sys.argv[1:])
    try:
        return run(values)
    except KeyboardInterrupt:
        return 130
    except (ValueError, OSError) as error:
        print(f"selfplay: {sentence(error)}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
