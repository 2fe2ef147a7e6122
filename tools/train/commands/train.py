"""`tengen train`: networks that learn by self-play, on one command.

    tengen train go --size 9             begin a run, or go on with it: the same command goes on
    tengen train report go-9             what it has come to, as a page
    tengen train rate go-9               how strong its networks are, by games between them
    tengen train list                    the runs of this user, and the presets
    tengen train fit DIR                 weights of alpha-beta from a complete set of games or positions
    tengen train label FILE              positions of chess games, searched, to learn from
    tengen train accuracy NAME           how often a network foretells moves of people that it never learned from
    tengen train probcut FILE            of tables of patterns: how far shallow searches by them foretell deep ones
    tengen train go --from-records DIR   learn from the games of people, instead or first
    tengen train go --teacher FILE       learn from what a network of KataGo says of positions
    tengen train go --from-network FILE  begin with the weights of a network of KataGo's format

A run goes on until it is ended (Ctrl-C, --minutes, --generations); what was done counts. docs/train.md.
"""

from __future__ import annotations

import os
import signal
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tengen.engine.config import ConfigError, nearest
from tengen.engine.games import get_game
from tengen.engine.sentence import excerpt
from tengen.tools.arguments import Parser, number, whole_number
from tengen.tools.executors import choice
from tengen.tools.executors.machines import Wire
from tengen.tools.live import Live
from tengen.tools.options import Assign
from tengen.tools.train.commands import actions
from tengen.tools.train.commands.actions import ACTIONS
from tengen.tools.train.run.places import existing, folder_of
from tengen.tools.train.run.runs import METRICS, Run, exists, opened, settle
from tengen.tools.train.settings.config import RunConfig, merge, read
from tengen.tools.train.settings.preset import is_for_any_game, preset, usual

INTERRUPTED = 130


def configure(parser: Parser) -> None:
    """Declare the options."""
    add = parser.add_argument
    other = "report NAME, rate NAME, accuracy NAME, fit DIR, probcut FILE, label FILE, list"
    add("words", nargs="+", metavar="GAME", help=f"the game to learn (go, ...); or: {other}")
    add("--name", metavar="NAME", help="the run (GAME-SIZE); any number of them may be at work side by side")
    add("--dir", metavar="DIR", help="its folder, in place of one in the user's folder of data")
    add("--minutes", type=partial(number, low=0.01, high=1e6), metavar="M", help="end this sitting after so long")
    add("--generations", type=partial(whole_number, low=1, high=10**6), metavar="N", help="the run ends after so many")
    add("--workers", type=partial(whole_number, low=1, high=1024), metavar="N", help="processes that play (the cores)")
    add("--teacher", metavar="FILE",
        help="of Go: a stronger network to learn from, not self-play; of label: a UCI engine")  # fmt: skip
    add("--from-run", metavar="NAME", help="begin the run with the newest games of another one")
    add("--from-network", metavar="FILE", help="begin the run with a network's weights (.bin.gz), a smaller one's too")
    add("--from-records", metavar="DIR", help="begin the run with the games of people below a folder")
    add("--min-rating", type=partial(number, low=-100, high=1e4), metavar="R", help="of both players of such a game")
    add("--plots", metavar="DIR", help="of a report: write its curves as .svg files, in place of the page")
    add("--watch", action="store_true", help="show the board of a game now and then")
    choice.configure(parser)
    add_settings(parser)
    actions.configure(parser)


def add_settings(parser: Parser) -> None:
    """Those of all commands that make a configuration."""
    add = parser.add_argument
    add("--size", type=partial(whole_number, low=2, high=25), metavar="N", help="board size (the preset's)")
    add("--preset", metavar="NAME", help="where to begin: see 'tengen train list' (the one for the game and the size)")
    add("--config", metavar="FILE", help="settings from a TOML file, over the preset's")
    add("--set", action=Assign, metavar="K=V", default={}, help="a setting, as training.rate=0.001; repeatable")


def run(values: Namespace) -> int:
    """Do it. Raises ValueError and OSError with one sentence."""
    word, *more = values.words
    actions.check(word, values)
    if word == "list":
        from tengen.tools.train.show.listing import show

        _check_words(word, more, 0)
        return show()
    if word == "rate":
        from tengen.tools.train.commands.rate import rate

        _check_words(word, more, 1)
        return rate(values)
    if word == "fit":
        from tengen.tools.train.commands.fit import fit

        if not more:
            raise ConfigError("'tengen train fit' takes the folders of games to learn from")
        return fit(values)
    if word == "accuracy":
        from tengen.tools.train.commands.accuracy import accuracy

        _check_words(word, more, 1)
        return accuracy(values)
    if word == "label":
        from tengen.tools.train.commands.label import label

        if not more or not values.teacher:
            _check_words(word, more, 1, "a file of games (.pgn), or with --teacher folders of positions")
        return label(values)
    if word == "probcut":
        from tengen.tools.train.commands.probcut import probcut

        _check_words(word, more, 1)
        return probcut(values)
    if word == "report":
        from tengen.tools.train.show.report import build, draw

        _check_words(word, more, 1)
        folder = existing(more[0])
        written = draw(folder, Path(values.plots)) if values.plots else [build(folder)]
        print("\n".join(map(str, written)))
        return 0
    _check_words(word, more, 0)
    return train(word, values)


def train(game: str, values: Namespace) -> int:
    """A sitting of a run."""
    name, base = config_of(game, values)
    given = explicit(values)
    config = merge(base, given)
    name, folder = folder_of(values.name, values.dir, name)
    config = config if exists(folder) else _with_search(config)
    if values.watch and choice.is_elsewhere(values):
        raise ConfigError("--watch shows games of this machine: leave it out with --executor ray")
    with choice.reached(values) as wire:
        import torch  # noqa: F401  what is missing is said before anything is begun

        with opened(folder, name, config) as run:
            return _sit(run, given, values, wire)


def config_of(game: str, values: Namespace) -> tuple[str, RunConfig]:
    """Return the usual name of a run, and its first configuration. Raises ConfigError."""
    if values.preset is not None:
        name, found = values.preset, preset(values.preset)
        if is_for_any_game(name):
            given = get_game(game)
            name, found = f"{game}-{name}", merge(found, {"board.name": game, "board.size": given.default_size})
        if found.board.name != game:
            raise ConfigError(f"the preset {name} is for {found.board.name}, not for {excerpt(game, 60)}")
        return name, merge(found, {} if values.size is None else {"board.size": values.size})
    if game in ACTIONS or not game.isidentifier():
        raise ConfigError(f"there is no game {excerpt(game, 60)}{nearest(game, ACTIONS)}")
    _, found = usual(game, values.size)
    return f"{game}-{'-'.join(map(str, found.board.sizes))}", found


def explicit(values: Namespace) -> dict[str, Any]:
    """Return the explicit settings besides the preset: a file, then single settings. Raises ConfigError."""
    given = {**(read(values.config) if values.config else {}), **values.set}
    given |= {} if values.size is None else {"board.size": str(values.size)}
    for option, key in (("teacher", "teacher.file"), ("from_network", "training.begin")):
        if getattr(values, option, None) is not None:
            given[key] = os.path.abspath(getattr(values, option))
    for option, key in (("generations", "cycle.generations"), ("workers", "selfplay.workers")):
        if getattr(values, option, None) is not None:
            given[key] = getattr(values, option)
    return given


def _with_search(config: RunConfig) -> RunConfig:
    """A configuration that is checked and whose search is whole."""
    from tengen.tools.train.play.checks import check
    from tengen.tools.train.play.search import filled

    check(config)
    return merge(config, {"search": filled(config)})


def _sit(run: Run, given: dict[str, Any], values: Namespace, wire: Wire | None) -> int:
    from tengen.tools.train.play.checks import check
    from tengen.tools.train.play.work import work
    from tengen.tools.train.run.cycle import Loop
    from tengen.tools.train.run.learn import TorchLearning
    from tengen.tools.train.show.metrics import columns
    from tengen.tools.train.show.progress import Progress, board_path, ending

    live = Live()
    if run.manifest.networks and given.pop("training.begin", None):
        live.line("goes on with its own network, not with that of --from-network")
    for name, (old, new) in settle(run, given, check).items():
        live.line(f"{name} is now {new} (it was {old})")
    config = run.config
    columns(run.folder / METRICS)  # what is damaged is told before anything is begun
    live.line(_greeting(run))
    if values.from_records:
        from tengen.tools.train.run.people import take_in

        take_in(run, Path(values.from_records), values.min_rating, live)
    if config.teacher.games:
        from tengen.tools.train.run.starts import take_starts

        take_starts(run, live)
    if values.from_run:
        from tengen.tools.train.run.inherit import take_over

        take_over(run, existing(values.from_run), live)
    run.event("sitting", process=os.getpid(), seconds=round(run.seconds, 1))
    learning = TorchLearning(config, run.folder, live.line)
    if config.training.begin and not run.manifest.networks:
        learning.begin_with(Path(config.training.begin))
        live.line(f"begins with the weights of {excerpt(config.training.begin, 200)}")
    executor = choice.executor_of(wire, work, config.selfplay.workers)
    with _interrupts() as is_wished:
        progress = Progress(run, live, values.minutes, values.watch)
        board = str(board_path(run)) if values.watch else ""
        loop = Loop(run, learning, executor, progress, ending(values.minutes, is_wished), board)
        try:
            loop.sit()
        finally:
            executor.close()
            learning.close()
            live.clear()
        live.line(_parting(run, loop.is_over))
        return INTERRUPTED if is_wished() else 0


def _greeting(run: Run) -> str:
    found = run.manifest
    if not found.networks:
        return f"a new run, {found.name}, in {run.folder}"
    return (
        f"going on with {found.name} in {run.folder}: generation {found.networks[-1].generation}, {found.games} games, "
        f"{found.positions} positions"
    )


def _parting(run: Run, is_over: bool) -> str:
    best = run.manifest.best
    more = "the run is over (--generations N makes it longer)" if is_over else "the same command goes on"
    return f"generation {best.generation} plays: {run.path(best.file)}; {more}"


@contextmanager
def _interrupts() -> Iterator[Callable[[], bool]]:
    """While it lasts, the first interrupt is a wish, which is asked for; the second one ends the process."""
    wished: list[int] = []

    def wish(kind: int, frame: object) -> None:
        if wished:
            raise KeyboardInterrupt
        wished.append(kind)

    kinds = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(kind, wish) for kind in kinds]
    try:
        yield lambda: bool(wished)
    finally:
        for kind, handler in zip(kinds, before, strict=True):
            signal.signal(kind, handler)


def _check_words(word: str, more: list[str], count: int, wanted: str = "the name of a run") -> None:
    if len(more) != count:
        what = f"takes {wanted}" if count else f"takes nothing more, so '{more[0]}' is too much"
        raise ConfigError(f"'tengen train {word}' {what}")
