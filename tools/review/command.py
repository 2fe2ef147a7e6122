"""`tengen review GAME.sgf [-o OUT.sgf] [--picture OUT.svg|OUT.png] [--visits N]`: see docs/analysis.md."""

from __future__ import annotations

import os
import sys
from argparse import SUPPRESS, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine import files
from tengen.engine.config import OPTIONS, Config, ConfigError, merge
from tengen.tools.arguments import Parser, whole_number

if TYPE_CHECKING:
    from tengen.engine.records import Record
    from tengen.engine.records.sgf_tree import GameTree
    from tengen.tools.review.analysing import Position
    from tengen.tools.review.judging import Verdict

VISITS = 100
SHARED = {"net": "FILE", "precision": "P", "threads": "N", "rules": "RULES"}
PICTURES = (".svg", ".png")


def configure(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("game", metavar="GAME.sgf", help="the game, or - for stdin")
    parser.add_argument("-o", "--output", metavar="OUT.sgf", help="write the game with comments, marks and variations")
    parser.add_argument("--picture", metavar="OUT.svg", help="draw winning chances and score (.svg, .png)")
    parser.add_argument("--visits", metavar="N", type=_visits, default=VISITS, help=f"of each position ({VISITS})")
    parser.add_argument("--number", metavar="N", type=_number, default=1, help="which game of a collection (1)")
    for field, metavar in SHARED.items():
        parser.add_argument("--" + field, metavar=metavar, help=OPTIONS[field].doc, default=SUPPRESS)


def run(values: Namespace) -> int:
    """Review one game. Raises RecordError, ConfigError, NetworkError and OSError with one sentence."""
    from tengen.engine.records.sgf_tree import GameTree

    _check_names(values)
    config = merge(Config(net="auto"), {name: getattr(values, name) for name in SHARED if hasattr(values, name)})
    tree = GameTree(_content(values.game), values.number)
    return _review(tree, config, values)


def _review(tree: GameTree, config: Config, values: Namespace) -> int:
    from tengen.engine.play.networks import check_katago, katago_of, network_of
    from tengen.engine.records import RecordError
    from tengen.tools.review import table
    from tengen.tools.review.analysing import analyse, roots_of, rules_of
    from tengen.tools.review.annotating import annotate
    from tengen.tools.review.judging import judge

    record = tree.record
    if record.game != "go":
        raise RecordError(f"review is for games of Go; this is one of {record.game}")
    if not record.moves:
        raise RecordError("the game has no moves")
    rules = rules_of(record, config.rules)
    roots = roots_of(record, rules)
    check_katago(config)
    loading = network_of(config, (record.width, record.height))
    if loading is None:
        raise ConfigError("review needs a network: --net FILE, or auto")
    evaluator = katago_of(loading)
    positions = analyse(roots, values.visits, evaluator, _Progress(len(roots)))
    verdicts = judge(record.moves, positions)
    who = f"Tengen with {evaluator.header.name}, {values.visits} visits a position, {rules.name} rules"
    print("\n".join(table.lines(tree, verdicts)))
    if values.output:
        annotate(tree, verdicts, positions[0], who)
        files.write(values.output, tree.dumps().encode("utf-8"))
        print(f"written: {values.output}", file=sys.stderr)
    if values.picture:
        files.write(values.picture, _picture(values.picture, record, positions, verdicts))
        print(f"written: {values.picture}", file=sys.stderr)
    return 0


def _picture(path: str, record: Record, positions: list[Position], verdicts: list[Verdict]) -> bytes:
    from tengen.tools.review.canvas import Png, Svg
    from tengen.tools.review.picture import GROUND, HEIGHT, WIDTH, draw

    make = Png if path.lower().endswith(".png") else Svg
    return draw(make(WIDTH, HEIGHT, GROUND), record, positions, verdicts)


class _Progress:
    """Counts positions on a terminal."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __call__(self, done: int) -> None:
        if sys.stderr is not None and sys.stderr.isatty():
            end = "\n" if done == self._count else ""
            print(f"\r{done}/{self._count} positions", end=end, file=sys.stderr, flush=True)


def _check_names(values: Namespace) -> None:
    """Before anything takes time. Raises ConfigError."""
    if values.picture and Path(values.picture).suffix.lower() not in PICTURES:
        raise ConfigError(f"--picture: '{values.picture}' ends neither in .svg nor in .png")
    for path in filter(None, (values.output, values.picture)):
        if os.path.realpath(path) == os.path.realpath(values.game):
            raise ConfigError(f"'{path}' is the game itself")
        if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            raise ConfigError(f"there is no folder '{os.path.dirname(path)}'")
    if values.picture and values.picture.lower().endswith(".png"):
        import PIL  # noqa: F401  (what is missing is told before the game is analysed)


def _content(path: str) -> bytes:
    from tengen.engine import records

    if path != "-":
        return records.content_of(path)
    if sys.stdin is None:
        raise records.RecordError("stdin is closed")
    return sys.stdin.buffer.read(records.MAX_BYTES + 1)


def _visits(word: str) -> int:
    return whole_number(word, 1, 10**9)


def _number(word: str) -> int:
    return whole_number(word, 1, 10**6)
