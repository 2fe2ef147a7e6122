"""`tengen match`: flags and files to a run, the run to the screen. docs/match.md is the manual.

Exit codes: 0 done; 1 an engine cannot begin, a game stayed void, an engine failed `check`, or with --strict any engine
misbehaved; 2 the command line or a file is wrong; 130 interrupted, the same command goes on.
"""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from argparse import SUPPRESS, Namespace
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tengen.engine.config import ConfigError
from tengen.engine.games import GAMES
from tengen.tools.arguments import Parser, whole_number
from tengen.tools.executors import choice
from tengen.tools.executors.machines import Wire
from tengen.tools.match import adjudication
from tengen.tools.match.drivers.base import Driver
from tengen.tools.match.openings.choice import choose
from tengen.tools.match.report import summary
from tengen.tools.match.run import store
from tengen.tools.match.run.machine import Session
from tengen.tools.match.run.plan import headline, plan, untold_lines, warnings
from tengen.tools.match.run.progress import Progress, clean
from tengen.tools.match.run.standing import standing
from tengen.tools.match.run.supervisor import Ending, supervise
from tengen.tools.match.run.units import Hands
from tengen.tools.match.settings.engine import engine_table
from tengen.tools.match.settings.table import RATE, RunSpec, defaults, load, rated, run_spec
from tengen.tools.match.settings.values import truth
from tengen.tools.match.spec import GameResult, GameTask, Opening

NOT_FROZEN = ("out", "json", "strict", "config", "dry_run", "words", "each", *choice.FLAGS)


def configure(parser: Parser, kind: str = "pair") -> None:
    """Declare the options; one that is not given leaves no trace in the parsed values. kind: of runs, or `RATE`."""
    count = partial(whole_number, low=1)

    def add(name: str, metavar: str | None, text: str, **settings: Any) -> None:
        if metavar is not None:
            settings["metavar"] = metavar
        parser.add_argument(name, default=SUPPRESS, help=text, **settings)

    parser.add_argument("words", nargs="*", metavar="ACTION", help="report DIR, or check (one will do); nothing: play")
    engine = "an engine: name= command= protocol=, or player=uct playouts=100"
    if kind == RATE:
        engine += "; rating=ELO of an opponent whose rating is known"
    add("--engine", "K=V", engine, nargs="+", action="append")
    add("--each", "K=V", "settings of every engine; of those of our players the others take time= alone", nargs="+",
        action="append")  # fmt: skip
    add(
        "--player",
        "NAME",
        "a player of ours, as --engine player=NAME; repeatable",
        action="append",
        dest="engine",  # the order of the flags is that of the engines, whichever they are
        type=lambda name: [f"player={name}"],
    )
    add("--config", "FILE", "read everything from a TOML file first; flags beat it")
    add("--out", "DIR", "the folder of the run; alone, it goes on with the run that is there")
    add("--game", "GAME", f"one of {', '.join(GAMES)}")
    size = partial(count, low=2, high=25)
    add("--size", "N", "board size (Go 9, though 'tengen gtp' begins on 19; Gomoku 15)", type=size)
    add("--rules", "RULES", "rules of the game")
    add("--komi", "K", "komi (Go)", type=float)
    add(
        "--tc", "TIME", "time: 60+0.5, 40/60, move=1, byo=60+3x10, turn=5/match=100, nodes=1000; /clock=cpu /margin=0.1"
    )
    add("--games", "N", "games of each pairing, an even number (100)", type=partial(count, high=10**7))
    add("--concurrency", "N", "games at a time (1)", type=partial(count, high=1024))
    add("--seed", "N", "seed of the openings (1)", type=partial(whole_number, low=0, high=2**31))
    add("--openings", "FILE", "SGF, PGN, EPD, PSQ, GGF, OBF, move lists, offsets; a folder of them; without: random")
    add("--plies", "N", "moves of an opening at most", type=partial(whole_number, low=0, high=1000))
    add("--order", "ORDER", "of the openings of a file: random (the default) or sequential")
    add("--transform", None, "also the openings' rotations and mirror images", action="store_true")
    add("--max-moves", "N", "end a game after so many moves", type=partial(count, high=10**5))
    add(
        "--adjudicate",
        "K=V",
        f"{adjudication.example()}; scores are -1 to 1: "
        "of UCI tanh(centipawns / 400), so that -0.95 are -733, of NBoard discs / 64",
        nargs="+",
    )
    add("--cleanup", "HOW", "dead stones in Go: friendly (play on), arbiter, none")
    add("--arbiter", "K=V", "the engine that names the dead stones", nargs="+")
    if kind == "round-robin":
        add("--kind", "KIND", "round-robin (the default) or gauntlet")
        add("--seeds", "N", "engines of a gauntlet that meet all others (1)", type=partial(count, high=1000))
        add("--anchor", "NAME=ELO", "a rating that is given; repeatable", action="append")
    elif kind == "pair":
        add(
            "--sprt",
            "K=V",
            "stop when the test decides: elo0=0 elo1=10 alpha=0.05 beta=0.05 model=normalized",
            nargs="+",
        )
    parser.set_defaults(kind_of_run=kind)
    choice.configure(parser)
    add("--dry-run", None, "say what would be played, and play nothing", action="store_true")
    add("--json", None, "JSON lines on stdout, one for every game", action="store_true")
    add("--strict", None, "exit code 1 when an engine misbehaved", action="store_true")


def run(values: Namespace) -> int:
    """Play, or do what the first word says. Raises ValueError and OSError with one sentence."""
    words = values.words
    if words[:1] == ["report"] and len(words) == 2:
        return report(words[1])
    if words not in ([], ["check"]):
        raise ConfigError(f"'{' '.join(words)}' is no action; there are: report DIR, check")
    table = table_from(values)
    spec = run_spec(table, is_check=bool(words))
    if words:
        return asyncio.run(check(spec, "json" in values))
    openings = choose(spec.openings, spec.game, spec.rounds, spec.seed, _warn)[: spec.rounds]
    for line in (*warnings(spec, not choice.is_elsewhere(values)), *untold_lines(table, spec)):
        _warn(line)
    if "dry_run" in values:
        text = plan(spec, openings)
        _tell({"event": "plan", "games": spec.total, "text": text} if "json" in values else text)
        return 0
    if "out" not in values:
        raise ConfigError("where should the games be kept? give --out DIR")
    with choice.reached(values) as wire:
        print(headline(table, spec), file=sys.stderr)
        if wire is None and standing(store.read(values.out)).played < spec.total:
            if not asyncio.run(is_ready(spec, openings[0])):
                return 1
        return play(values, table, spec, wire)


def table_from(values: Namespace) -> dict[str, Any]:
    """The table of the run: the folder's own, or the file's with the flags over it."""
    given = {key: value for key, value in vars(values).items() if key not in ("words", "kind_of_run")}
    if set(given) <= {"out", "json", "strict", "concurrency", "games", *choice.FLAGS} and "out" in given:
        table = store.read_table(given["out"])
    else:
        table = load(given["config"]) if "config" in given else {}
        table.setdefault("kind", given.get("kind", values.kind_of_run))
    for key in ("sprt", "arbiter", "adjudicate"):
        if key in given:
            table["adjudication" if key == "adjudicate" else key] = engine_table(given.pop(key))
    if "anchor" in given:
        table["anchors"] = _anchors(given.pop("anchor"))
    each = dict(table.pop("each", {}))
    for words in given.pop("each", ()):
        each |= engine_table(words)
    engines = [*table.get("engine", ())]
    engines += [engine_table(words) for words in given.pop("engine", ())]
    table |= {key: value for key, value in given.items() if key not in NOT_FROZEN}
    table["engine"] = engines
    if table["kind"] == RATE:
        table |= rated(engines, is_check=bool(values.words))
    if each:
        table["each"] = each
    for key in ("out", "json", "strict"):
        value = table.pop(key, False)
        if key not in values and (value if key == "out" else truth(key, value)):
            setattr(values, key, value)
    return table


def _anchors(words: Sequence[str]) -> dict[str, float]:
    anchors = {}
    for word in words:
        name, equals, value = word.rpartition("=")
        try:
            anchors[name] = float(value)
        except ValueError:
            equals = ""
        if not equals:
            raise ConfigError(f"anchor: '{word}' is not of the form NAME=ELO")
    return anchors


def play(values: Namespace, table: Mapping[str, Any], spec: RunSpec, wire: Wire | None = None) -> int:
    """Play the missing games in the folder, here or on a cluster."""
    from tengen.tools.match.game.referee import play_game

    engines = [{**row, "name": name} for row, name in zip(table["engine"], spec.names, strict=True)]
    asked = {**defaults(spec), **table, "games": spec.games, "engine": engines}
    with store.Store(values.out, asked) as opened:
        spec = run_spec(opened.table)  # the folder may ask for more than this command
        openings = choose(spec.openings, spec.game, spec.rounds, spec.seed)[: spec.rounds]
        opened.freeze(openings)
        hands = None if wire is None else _hands(wire, opened, spec)
        if wire is None and standing(opened.results).played < spec.total:
            opened.begin(Session.now())

        async def game(task: GameTask, first: Driver, second: Driver, arbiter: Driver | None) -> GameResult:
            return await play_game(task, spec.game, first, second, (spec.time, spec.time), arbiter=arbiter)

        progress = Progress(spec, "json" in values)
        ending = asyncio.run(supervise(spec, opened, openings, progress, game, hands))
        found = standing(opened.results)
    if ending is Ending.VOID:
        last = opened.results[-1]
        print(f"stopped: game {last.id} stayed void: {clean(last.detail)}", file=sys.stderr, flush=True)
    out = sys.stderr if "json" in values else sys.stdout
    print(summary.text(spec, found, openings), file=out, flush=True)
    if ending is Ending.INTERRUPTED:
        again = ["tengen", kind_word(spec), "--out", values.out, *choice.words(values)]
        print(f"interrupted; go on with: {shlex.join(again)}", file=sys.stderr)
        return 130
    report(values.out)
    if ending is Ending.VOID:
        return 1
    return 1 if "strict" in values and found.faults() else 0


def _hands(wire: Wire, opened: store.Store, spec: RunSpec) -> Hands:
    """The machines of a cluster. Raises ConfigError, WorkError."""
    from tengen.tools.match.run.remote import Pairs

    return Pairs(wire, opened, spec, int(opened.table.get("concurrency", 0)))


def kind_word(spec: RunSpec) -> str:
    """The command that plays such a run."""
    return "match" if spec.kind == "pair" else "tournament"


def report(folder: str) -> int:
    """Write report.html and crosstable.csv of a folder."""
    from tengen.tools.match.report import build

    print(f"wrote {build(Path(folder))}", file=sys.stderr)
    return 0


async def check(spec: RunSpec, is_json: bool = False) -> int:
    """Start each engine, let it play one move, and print its facts."""
    from tengen.tools.match.run.check import examine, examine_arbiter

    opening = choose(spec.openings, spec.game, 1, spec.seed, _warn)[0]
    work = [(row.name, examine(row, spec, opening)) for row in spec.engines]
    if spec.game.arbiter is not None:
        work.append((spec.game.arbiter.name, examine_arbiter(spec.game.arbiter, spec)))
    failed = 0
    for name, examination in work:
        is_good, line = await examination
        failed += not is_good
        _tell({"event": "check", "engine": name, "good": is_good, "text": line} if is_json else clean(line))
    return 1 if failed else 0


async def is_ready(spec: RunSpec, opening: Opening) -> bool:
    """Whether every engine starts and takes the game; says which does not and why, and what one could not be told."""
    from tengen.tools.match.run.check import fault_of

    engines = [*spec.engines, *([spec.game.arbiter] if spec.game.arbiter else [])]
    found = await asyncio.gather(*(fault_of(row, spec, opening) for row in engines))
    for fault, untold_part in found:
        if fault or untold_part:
            line = f"stopped before the first game: {fault}" if fault else f"warning: {untold_part}"
            print(clean(line), file=sys.stderr)
    return not any(fault for fault, _ in found)


def _warn(line: str) -> None:
    """A warning on stderr."""
    print(f"warning: {clean(line)}", file=sys.stderr)


def _tell(said: str | dict[str, Any]) -> None:
    """A line on stdout; a table as JSON."""
    print(said if isinstance(said, str) else json.dumps(said), flush=True)
