"""`tengen photo`: the command line (docs/photo.md). Nothing heavy is imported before there is a picture to read.

Exit codes: 0 every board was read without a warning, 1 a board was written but must be checked (a warning, or uncertain
points; of several pictures: some failed), 2 a mistake in the command or a picture that cannot be used, 3 no board.
"""

from __future__ import annotations

import json
import re
import sys
from argparse import ArgumentTypeError, Namespace
from dataclasses import fields
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine.config import nearest
from tengen.tools.arguments import Parser, number, whole_number
from tengen.tools.photo.request import BOARDS, Request

if TYPE_CHECKING:
    from tengen.tools.photo.one_picture import Outcome, Plan

GAMES = ("go", "gomoku", "reversi")
FORMATS = ("sgf", "txt", "gtp", "psq", "obf", "json")
_DATE = re.compile(r"\d{4}(-\d\d(-\d\d)?)?")
_CORNERS = re.compile(r"-[\d.][\d.,;\s-]*$")


def configure(parser: Parser) -> None:
    """Declare the options."""
    parser._negative_number_matcher = _CORNERS  # argparse: what begins with a dash and is no option
    add = parser.add_argument
    add("pictures", nargs="*", metavar="IMAGE", help="pictures, folders of pictures, or - for stdin")
    add("-o", "--output", metavar="FILE|DIR", help="the position file, or a folder (board text on stdout)")
    add("--format", type=_format, metavar="NAME", help=f"{', '.join(FORMATS)} (by the extension; sgf in a folder)")
    add("--overlay", metavar="PNG|DIR", help="also a picture to check the result by")
    add("--size", type=partial(whole_number, low=8, high=19), metavar="N", help="points a side (found)")
    add("--game", choices=GAMES, metavar="GAME", help="go, gomoku or reversi (by the size)")
    add("--corners", metavar="x,y,...", help="pixels of the four corners, the upper left one first, or a JSON file")
    add("--window", metavar="C3-K13|PLACE", help="the part of the board that shows: two points, or as upper-left")
    add("--edit", metavar="Q4=B,...", help="correct points: B, W or . (empty)")
    add("--next", type=_side, metavar="b|w", help="who moves next")
    add("--black", default="", metavar="NAME", help="who has Black")
    add("--white", default="", metavar="NAME", help="who has White")
    add("--event", default="", metavar="TEXT", help="what the game belongs to")
    add("--date", type=_date, metavar="DATE", help="YYYY-MM-DD (the day of the picture)")
    add(
        "--detector", default="auto", metavar="NAME", help="how boards are found: auto, network, lines, stones, classic"
    )
    add("--boards", type=partial(whole_number, low=1, high=20), default=BOARDS, metavar="N",
        help=f"boards of a picture that are read at most ({BOARDS})")  # fmt: skip
    add("--json", action="store_true", help="report as JSON on stdout, a line for each picture")
    add("--score", action="store_true", help="propose dead stones, count the territory")
    add("--rules", metavar="RULES", help="rules of the game")
    add("--komi", type=partial(number, low=-1000, high=1000), metavar="K", help="komi of --score")
    add("--best-move", action="store_true", help="ask the engine for the best move")
    add("--series", metavar="DIR|VIDEO", help="pictures or a video of one game become its record")
    add("--keep-label", metavar="DIR", help="keep the result, when it is right, as a labelled picture")


def run(values: Namespace) -> int:
    """Read pictures. Raises ValueError, OSError and ImportError with one sentence."""
    from tengen.tools.photo.planning import plan_of

    _check_words(values)
    if values.series is not None:
        return _series(values)
    given = {field.name: getattr(values, field.name) for field in fields(Request)}
    plan = plan_of(Request(**given | {"pictures": tuple(values.pictures)}))
    if len(plan.inputs) > 1 or Path(values.pictures[0]).is_dir():
        return _run_many(plan, values)
    return _run_one(plan, values)


def _run_one(plan: Plan, values: Namespace) -> int:
    """One picture: the position on stdout or in a file, what a person must know on stderr."""
    from tengen.tools.photo.batch import names_of
    from tengen.tools.photo.one_picture import notes, printable, process, summary
    from tengen.tools.photo.results import PhotoError

    outcome = process(plan, plan.inputs[0], names_of(plan.inputs)[0])
    if values.json:
        _print_json(outcome)
    if outcome.is_missing:
        _say(f"tengen: {outcome.error}")
        return outcome.code
    if outcome.error:
        raise PhotoError(printable(outcome.error))
    for board in outcome.boards:
        _say(summary(board) + (f"; written to '{board.path}'" if board.path else ""))
        for note in notes(board):
            _say(note)
        if board.overlay is not None:
            _say(f"check it in '{board.overlay}'")
    if plan.target is None and not values.json:
        separator = "\n" if plan.form == "txt" else ""
        sys.stdout.write(separator.join(board.text for board in outcome.boards))
    is_stdout_free = (plan.target is not None or values.format is None) and not values.json
    return outcome.code if _report(outcome, values, is_stdout_free) else 2


def _run_many(plan: Plan, values: Namespace) -> int:
    """Pictures into a folder."""
    from tengen.tools.photo.batch import run_all
    from tengen.tools.photo.one_picture import printable

    def tell(outcome: Outcome) -> bool:
        if values.json:
            _print_json(outcome)
        if (values.score or values.best_move) and outcome.boards and not values.json:
            print(printable(f"{outcome.source}:"))
        return _report(outcome, values, is_stdout_free=not values.json)

    assert plan.target is not None
    return run_all(plan, plan.target, tell)


def _report(outcome: Outcome, values: Namespace, is_stdout_free: bool) -> bool:
    """Say what the engine thinks of each board, for --score and --best-move; whether it could tell."""
    if not (values.score or values.best_move) or not outcome.boards:
        return True
    from tengen.tools.photo import advice, territory_report
    from tengen.tools.photo.results import PhotoError

    is_told = True
    for board in outcome.boards:
        parts = []
        try:
            if board.territory is not None:
                parts += [*territory_report.sentences(board.territory), territory_report.diagram(board.territory)]
            elif values.score:
                parts.append(advice.score(board.reading, board.facts))
            if values.best_move:
                parts.append(advice.best_move(board.reading, board.facts))
        except PhotoError as error:
            _say(f"tengen: {error}")
            is_told = False
        for part in parts:
            print(part, file=sys.stdout if is_stdout_free else sys.stderr, flush=True)
    return is_told


def _print_json(outcome: Outcome) -> None:
    """One line: the picture, and its boards as `--format json` has them with where they were written."""
    from tengen.tools.photo.position import record_of
    from tengen.tools.photo.write import described

    boards = []
    for board in outcome.boards:
        assert outcome.picture is not None
        facts = described(board.reading, record_of(board.reading, board.facts), outcome.picture, board.territory)
        boards.append(facts | {"output": str(board.path) if board.path else None})
    print(
        json.dumps(
            {
                "file": outcome.source,
                "code": outcome.code,
                "seconds": round(outcome.seconds, 2),
                "error": outcome.error or None,
                "boards": boards,
            }
        ),
        flush=True,
    )


def _check_words(values: Namespace) -> None:
    """Raises PhotoError for an option whose word is empty: a shell's variable that is not set, seldom a wish."""
    from tengen.tools.photo.results import PhotoError

    for name in ("output", "overlay", "corners", "window", "edit", "series", "keep_label"):
        if getattr(values, name) == "":
            raise PhotoError(f"--{name.replace('_', '-')} is followed by nothing")


def _series(values: Namespace) -> int:
    """Frames of one game into its record."""
    from tengen.tools.photo import series
    from tengen.tools.photo.planning import check_detector
    from tengen.tools.photo.results import PhotoError

    if values.pictures:
        raise PhotoError(f"--series takes the pictures of one game by itself: '{values.pictures[0]}' is one more")
    for name in ("overlay", "edit", "keep_label", "score", "best_move", "json"):
        if getattr(values, name):
            raise PhotoError(f"--{name.replace('_', '-')} is about a picture, not about a series")
    check_detector(values.detector)
    return series.run(values)


def _say(text: str) -> None:
    from tengen.tools.photo.one_picture import printable

    print(printable(text), file=sys.stderr, flush=True)


def _format(text: str) -> str:
    name = {"text": "txt"}.get(text.lower(), text.lower())
    if name not in FORMATS:
        raise ArgumentTypeError(f"unknown format '{text}'{nearest(name, FORMATS)}")
    return name


def _side(text: str) -> int:
    side = {"b": 0, "black": 0, "w": 1, "white": 1}.get(text.lower())
    if side is None:
        raise ArgumentTypeError(f"'{text}' is not b or w")
    return side


def _date(text: str) -> str:
    try:
        date.fromisoformat(text + "-01-01"[len(text) - 4 :])
        is_date = _DATE.fullmatch(text) is not None
    except ValueError:
        is_date = False
    if not is_date:
        raise ArgumentTypeError(f"'{text}' is not a date as 2024-05-06")
    return text
