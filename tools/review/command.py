"""`tengen review GAME [-o OUT] [--picture OUT.svg|OUT.png] [--number N]`: see docs/analysis.md and docs/reversi.md."""

from __future__ import annotations

import os
import re
import sys
from argparse import SUPPRESS, ArgumentTypeError, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine import files
from tengen.engine.config import OPTIONS, ConfigError
from tengen.tools.arguments import Parser, whole_number
from tengen.tools.live import Live, Pace, bar
from tengen.tools.options import Assign

if TYPE_CHECKING:
    from tengen.tools.review.games import Subject
    from tengen.tools.review.position import Kind, Reviewer
    from tengen.tools.review.reviewed import Review

SHARED = {"net": "FILE", "precision": "P", "threads": "N", "rules": "RULES"}
OWN = ("net", "precision", "rules", "visits", "exact", "depth", "set")
"""Options that not every game has a use for (`Kind.options`), in the order in which they are looked at."""
PICTURES = (".svg", ".png")
_NUMBERS = re.compile(r"(\d{1,6})(?:(-)(\d{1,6})?)?")


def configure(parser: Parser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("game", metavar="GAME", help="a game (SGF, PSQ, RenLib, GGF, WTHOR, PGN, text), or - for stdin")
    add("-o", "--output", metavar="OUT", help="write the game with what was found: .sgf, .pgn (better lines), .ggf")
    add("--picture", metavar="OUT.svg", help="draw the score, and what moves lost (.svg, .png)")
    add("--number", metavar="N", type=_numbers, default="1", help="which games of the file: N, N-M, N-, all (1)")
    add("--visits", metavar="N", type=_visits, default=SUPPRESS, help="Go: of each position (100)")
    add("--depth", metavar="N", type=_depth, default=SUPPRESS, help="plies (Gomoku 12, Reversi 10, chess 14)")
    add("--exact", metavar="N", type=_exact, default=SUPPRESS, help="Reversi: solve from N empty cells on (20)")
    for field, metavar in SHARED.items():
        add("--" + field, metavar=metavar, help=OPTIONS[field].doc, default=SUPPRESS)
    add("--set", action=Assign, metavar="K=V", default=SUPPRESS, help="as alphabeta.weights=FILE; repeatable")


def run(values: Namespace) -> int:
    """Review games. Raises RecordError, ConfigError, NetworkError and OSError with one sentence."""
    from tengen.engine.records import RecordError
    from tengen.tools.review.games import said_of, subjects
    from tengen.tools.review.writing import form_of, left_out, text_of

    _check_names(values)
    found = subjects(values.game, values.number, getattr(values, "rules", None))
    reviewers: dict[str, Reviewer] = {}
    warnings: list[str] = []
    for subject in found:
        game = subject.record.game
        try:
            if game not in reviewers:
                reviewers[game] = _reviewer(game, values)
            if not subject.record.moves:
                raise RecordError("the game has no moves")
            reviewers[game].check(subject.record)
            form = form_of(values.output or "", subject)
            if values.output and (sentence := left_out(form, subject)):
                warnings.append(f"game {subject.number}: {sentence}" if len(found) > 1 else sentence)
        except RecordError as error:
            raise RecordError(f"game {subject.number}: {error}" if len(found) > 1 else str(error)) from None
    for sentence in (*said_of(found), *warnings):
        print(f"tengen review: warning: {sentence}", file=sys.stderr)
    texts: list[str] = []
    for subject in found:
        if len(found) > 1:
            print(f"{'' if subject is found[0] else chr(10)}Game {subject.number}")
        review = _review(subject, reviewers[subject.record.game])
        if values.output:  # all so far, so that nothing is lost when the next game is not waited for
            texts.append(text_of(review, form_of(values.output, subject)))
            files.write(values.output, "".join(texts).encode("utf-8"))
        if values.picture:
            _draw(Path(values.picture), review, is_one=len(found) == 1)
    if values.output:
        print(f"written: {values.output}", file=sys.stderr)
    return 0


def _reviewer(game: str, values: Namespace) -> Reviewer:
    """The reviewer of a game by its name. Raises RecordError, ConfigError."""
    from tengen.engine.records import RecordError
    from tengen.tools.review.games import kind_of

    kind = kind_of(game)
    if kind is None:
        titles = [one.title for one in _kinds()]
        there = f"{', '.join(titles[:-1])} and {titles[-1]}"
        raise RecordError(f"review is for games of {there}; this is one of {game}")
    for name in OWN:
        if hasattr(values, name) and name not in kind.options:
            titles = [one.title for one in _kinds() if name in one.options]
            raise ConfigError(f"--{name} is for games of {' and '.join(titles)}")
    return kind.make({name: getattr(values, name) for name in (*SHARED, "set") if hasattr(values, name)}, values)


def _kinds() -> list[Kind]:
    """Those of all games."""
    from tengen.engine.games import GAMES
    from tengen.tools.review.games import kind_of

    return [kind for game in GAMES if (kind := kind_of(game))]


def _review(subject: Subject, reviewer: Reviewer) -> Review:
    """Look at one game and print its table."""
    from tengen.tools.review import table
    from tengen.tools.review.move_costs import judge
    from tengen.tools.review.reviewed import Review

    record = subject.record
    with Live(is_patient=True) as live:
        positions = reviewer.review(record, _Progress(live, len(record.moves) + 1))
    verdicts = judge(record.moves, positions, reviewer.terms)
    print("\n".join(table.lines(record, verdicts, reviewer.terms)), flush=True)
    if doubt := reviewer.doubt(record):
        print(f"tengen review: warning: {doubt}", file=sys.stderr)
    return Review(subject, reviewer.terms, reviewer.who(record), positions, verdicts)


def _draw(path: Path, review: Review, *, is_one: bool) -> None:
    """The picture; of one game among others it has the game's number in its name."""
    from tengen.tools.review.canvas import Png, Svg
    from tengen.tools.review.picture import draw
    from tengen.tools.review.plot import GROUND, HEIGHT, WIDTH

    if not is_one:
        path = path.with_stem(f"{path.stem}-{review.subject.number}")
    canvas = (Png if path.suffix.lower() == ".png" else Svg)(WIDTH, HEIGHT, GROUND)
    files.write(path, draw(canvas, review.subject.record, review.positions, review.verdicts, review.terms))
    print(f"written: {path}", file=sys.stderr)


class _Progress:
    """Counts positions."""

    def __init__(self, live: Live, count: int) -> None:
        self._live, self._count, self._pace = live, count, Pace()
        self(0)

    def __call__(self, done: int) -> None:
        self._live.update([f"{bar(done, self._count)} positions", f"{self._pace.left(done, self._count)} left"])


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


def _numbers(word: str) -> tuple[int, int | None]:
    """ "3" is one game, "3-5" are three, "3-" all from there on, "all" all."""
    from tengen.tools.review.games import Numbers

    if word == "all":
        return Numbers(1, None)
    match = _NUMBERS.fullmatch(word)
    first = int(match[1]) if match else 0
    last = first if match is None or match[2] is None else int(match[3]) if match[3] else None
    if first < 1 or (last is not None and last < first):
        raise ArgumentTypeError(f"'{word}' is neither a number of a game, as 3, nor some of them, as 3-5, 3- or all")
    return Numbers(first, last)


def _visits(word: str) -> int:
    return whole_number(word, 1, 10**9)


def _depth(word: str) -> int:
    return whole_number(word, 1, 40)


def _exact(word: str) -> int:
    return whole_number(word, 0, 30)
