"""`tengen defence SUITE`: how often a position that could still be held is held.
`tengen defence SUITE --from GAMES ...`: such positions of lost games, added to the suite.

A suite goes on from where it was: it is written after every game, and games that were looked at are left out.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from tengen.engine import atomic, records
from tengen.engine.games import get_game
from tengen.engine.limits import Limits
from tengen.engine.records import Record, RecordError
from tengen.engine.records.psq import GAME
from tengen.engine.records.replay import rules_of
from tengen.tools.arguments import Parser, number, whole_number
from tengen.tools.defence.proving import Searcher, Tried, last_held, tried
from tengen.tools.defence.suite import Suite, name_of, read
from tengen.tools.live import Live, bar
from tengen.tools.locking import beside

HEAD = "  no  held  move     score depth  lost by"


def configure(parser: Parser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("suite", metavar="SUITE", help="the positions, a line each")
    add("--from", dest="games", nargs="+", metavar="GAMES", help="files of lost games (SGF, PSQ, ...)")
    add("--rules", choices=list(get_game(GAME).rule_sets), help="of games that name none (freestyle)")
    add("--seconds", type=partial(number, low=0.001, high=86400), default=1.0, metavar="S", help="of a move (1)")
    add("--judge", type=partial(number, low=0.001, high=86400), default=5.0, metavar="S",
        help="of a search that judges a position (5)")  # fmt: skip
    add("--threads", type=partial(whole_number, low=1, high=256), default=1, metavar="N", help="threads (1)")
    add("--memory", type=partial(whole_number, low=16, high=1 << 20), default=256, metavar="MB",
        help="of a search (256)")  # fmt: skip


def run(values: Namespace) -> int:
    """Make or try a suite. Raises ValueError or OSError with one sentence."""
    judge = Searcher(Limits(seconds=values.judge), values.threads, values.memory, judges=True)
    try:
        if values.games:
            return collect(Path(values.suite), values.games, values.rules, judge)
        player = Searcher(Limits(seconds=values.seconds), values.threads, values.memory)
        try:
            return play(read(Path(values.suite)), player, judge)
        finally:
            player.close()
    finally:
        judge.close()


def play(suite: Suite, player: Searcher, judge: Searcher) -> int:
    """Try every position and print a table."""
    if not suite.cases:
        raise ValueError("the suite holds no position")
    print(HEAD, flush=True)
    held = 0
    with Live(is_patient=True) as live:
        for row, case in enumerate(suite.cases, 1):
            live.update(f"position {row} of {len(suite.cases)}")
            found = tried(case, player, judge)
            held += found.is_held
            live.result(row_of(row, found))
    print(f"held {held} of {len(suite.cases)}: {100 * held / len(suite.cases):.1f} %")
    return 0


def row_of(row: int, found: Tried) -> str:
    """One line of the table."""
    case, line = found.case, found.line
    proof = line.proof
    score = f"{'+' if proof.result > 0 else '-'}M{proof.plies}" if proof and proof.result else f"{line.score:+.0f}"
    return (
        f"{row:4d} {'yes' if found.is_held else 'no':>5s} {case.text(line.move):>5s} {score:>9s} {line.depth:5d}  "
        f"{case.text(case.lost_by)}"
    )


def collect(path: Path, sources: list[str], rules: str | None, judge: Searcher) -> int:
    """Add the positions of games that are not yet in the suite."""
    if not path.parent.is_dir():
        raise ValueError(f"there is no folder '{path.parent}'")
    with beside(path, "collects positions"), Live(is_patient=True) as live:
        suite = read(path) if path.exists() else Suite([], [])
        games = [game for source in sources for game in _games(source, rules)]
        known = set(suite.games)
        for done, record in enumerate(games, 1):
            name = name_of(record, rules_of(record).name)
            if name not in known:
                known.add(name)
                case = last_held(record, judge)
                suite.games.append(name)
                suite.cases += [case] if case else []
                atomic.write(path, suite.text())
            live.update([f"{bar(done, len(games))} games", f"{len(suite.cases)} positions"])
        live.result(f"{len(suite.cases)} positions of {len(suite.games)} games in '{path}'")
    return 0


def _games(source: str, rules: str | None) -> Iterator[Record]:
    """The games of Gomoku in a file. Raises RecordError naming it."""
    try:
        found = records.read_all(source)
    except RecordError as error:
        raise RecordError(f"'{source}': {error}") from None
    for record in found:
        if record.game != GAME:
            raise RecordError(f"'{source}' holds a game of {record.game}, not {GAME}")
        yield replace(record, rules=rules) if rules and not record.rules else record
