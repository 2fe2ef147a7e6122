"""`tengen benchmark`: try thread counts, and batches of a network, and say which of them this machine does best with.

One search at a time, from nothing, at the positions of the game's benchmark. Rates are of wall time: let the machine do
nothing else meanwhile.
"""

from __future__ import annotations

import json
from argparse import ArgumentTypeError, Namespace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.engine.config import Config
from tengen.engine.games import GAMES
from tengen.tools import options
from tengen.tools.arguments import Parser, number, whole_number

if TYPE_CHECKING:
    from tengen.tools.benchmark.measuring import Speed, Trial

OWN = ("seconds", "positions", "try_threads", "write", "json")


def configure(parser: Parser) -> None:
    """Declare the options."""
    options.add_to(parser, lambda: list(GAMES))
    add = parser.add_argument
    add("--seconds", type=partial(number, low=0.05, high=600), default=3.0, metavar="S", help="for each position (3)")
    add("--positions", type=partial(whole_number, low=1, high=100), default=3, metavar="N", help="for each trial (3)")
    add("--try-threads", type=_counts, metavar="N,N", help="thread counts to try (1, 2, 4 ... all logical cores)")
    add("--write", metavar="FILE", help="write what is best into a configuration (--config FILE), which keeps its rest")
    add("--json", action="store_true", help="print one JSON object")


def run(values: Namespace) -> int:
    """Measure, print a table, say what is best. Raises ConfigError or ValueError."""
    own = {name: vars(values).pop(name) for name in OWN}
    from tengen.engine.play.networks import check_named, looked_for
    from tengen.tools.benchmark import measuring
    from tengen.tools.live import Live

    config = options.config_from(values, Config(net=""))
    config = config if config.net else looked_for(config)
    check_named(config)
    counts = own["try_threads"] or measuring.thread_counts(measuring.cores())
    batches = measuring.BATCHES if _has_batches(config) else ()
    found: list[Speed] = []
    with Live() as live:

        def measure(trial: Trial) -> None:
            live.update(f"trial {len(found) + 1} of {len(counts) + len(batches)}: {described(trial)}")
            found.append(measuring.measured(config, trial, own["seconds"], own["positions"]))

        for count in counts:
            measure(measuring.Trial(count))
        threads = measuring.best_of(found).trial.threads
        for batch in batches:
            measure(measuring.Trial(threads, batch))
    best = measuring.best_of(found)
    if own["json"]:
        rows = [{"threads": one.trial.threads, "batch": one.trial.batch, "a_second": round(one.rate)} for one in found]
        print(json.dumps({"game": config.game, "trials": rows, "best": rows[found.index(best)]}))
    else:
        print("\n".join(table(config, found)))
    if own["write"]:
        write(Path(own["write"]), best.trial)
        print(f"written: {own['write']} (a front end reads it by --config)")
    return 0


def described(trial: Trial) -> str:
    """A trial in words.

    >>> from tengen.tools.benchmark.measuring import Trial
    >>> described(Trial(1)), described(Trial(4, 16))
    ('1 thread', '4 threads, batch 16')
    """
    threads = f"{trial.threads} thread{'s' * (trial.threads > 1)}"
    return threads if trial.batch is None else f"{threads}, batch {trial.batch}"


def table(config: Config, found: list[Speed]) -> list[str]:
    """The lines for a person: every trial, its speed, and what it gains over the first."""
    from tengen.tools.benchmark.measuring import best_of, elo

    first, best = found[0], best_of(found)
    lines = [f"{'':22}{'a second':>12}{'speed':>8}{'Elo':>8}"]
    for one in found:
        gain = elo(config.game, one.rate, first.rate)
        mark = "  <- best" if one is best else ""
        speed = one.rate / first.rate if first.rate else 0.0
        lines.append(f"{described(one.trial):22}{one.rate:>12,.0f}{speed:>8.2f}{gain:>+8.0f}{mark}")
    lines.append(f"Elo: about {elo(config.game, 2.0, 1.0):g} for twice the speed; threads that share a tree gain less.")
    words = f"--threads {best.trial.threads}"
    words += "" if best.trial.batch is None else f" --set puct.batch={best.trial.batch}"
    lines.append(f"best: {words}")
    return lines


def write(path: Path, trial: Trial) -> None:
    """Write settings into a configuration and keep what else it says, comments too where its layout is that of
    `tengen init`. Raises ConfigError for a file that is none."""
    from tengen.engine import atomic, toml
    from tengen.engine.config import load

    if path.exists():
        load(path)  # refuses what is no configuration
    before = path.read_text("utf-8") if path.exists() else ""
    wanted = toml.loads(before)
    wanted["threads"] = trial.threads
    text = _with_line(before, "", f"threads = {trial.threads}")
    if trial.batch is not None:
        wanted.setdefault("set", {}).setdefault("puct", {})["batch"] = trial.batch
        text = _with_line(text, "[set.puct]", f"batch = {trial.batch}")
    atomic.write(path, text if _means(text, wanted) else toml.dumps(wanted))


def _with_line(text: str, head: str, line: str) -> str:
    """Set a key of a table, "" for those before all tables: in place of its line, also a commented one, else behind
    the head, which is added where it is missing."""
    lines, key = text.splitlines(), line.split(" = ")[0]
    if head and head not in lines:
        lines += ["", head]
    begin = lines.index(head) + 1 if head else 0
    end = next((at for at in range(begin, len(lines)) if lines[at].startswith("[")), len(lines))
    at = next((at for at in range(begin, end) if lines[at].removeprefix("# ").startswith(f"{key} = ")), None)
    lines[begin if at is None else at : begin if at is None else at + 1] = [line]
    return "\n".join(lines) + "\n"


def _means(text: str, wanted: dict[str, Any]) -> bool:
    """Whether a text says just this."""
    from tengen.engine import toml

    try:
        return toml.loads(text) == wanted
    except ValueError:
        return False


def _has_batches(config: Config) -> bool:
    """Whether the player asks a network in batches."""
    from tengen.engine.games import get_game
    from tengen.engine.games.naming import player_of

    _, entry = player_of(get_game(config.game), config.player)
    return bool(config.net and config.net != "none") and (config.player is None or entry.search == "puct")


def _counts(text: str) -> list[int]:
    """Parse "1,2,8" into ascending counts. Raises argparse.ArgumentTypeError with a sentence."""
    found = [whole_number(word, 1, 256) for word in text.split(",") if word]
    if not found:
        raise ArgumentTypeError(f"'{text}' names no count of threads")
    return sorted(set(found))
