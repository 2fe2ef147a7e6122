"""`evaluate`: run the whole pipeline over labelled folders, in one process, and print the figures.

The figures are those of `score`. The bars of the project are measured from outside by `eval_photos.py`, which starts a
process for every picture; this tells the same in a fraction of the time, and says what is wrong: corners, size, turn,
points, confidence. Seconds are of decoding and reading one picture; the first one includes loading the networks.
"""

from __future__ import annotations

import json
import re
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tengen.engine import files
from tengen.tools.lab.photo import dataset, score, sheet
from tengen.tools.lab.photo.dataset import Labelled
from tengen.tools.lab.photo.score import Outcome
from tengen.tools.live import Live, Pace, bar
from tengen.tools.photo.geometry import Image, Lattice
from tengen.tools.photo.results import PhotoError, Reading

Reader = Callable[[Labelled, Image], Sequence[Reading]]
"""The reader that is measured: the boards of one picture, the likeliest first. It may raise PhotoError."""


@dataclass(frozen=True)
class Measured:
    """An outcome, and the lattice it came from, to draw it by."""

    labelled: Labelled
    outcome: Outcome
    lattice: Lattice | None


LEGEND = (
    "points: % of all points that are right, none being where a board was not found or has another size;",
    "sized: % right on boards of the right size; corner: the median of each found board's worst corner, in cells;",
    "<=: boards whose worst corner is as near as that, of all with marked corners.",
)


def configure(parser: ArgumentParser) -> None:
    """The options of `evaluate`."""
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="a folder of labelled pictures")
    parser.add_argument("--given-corners", action="store_true", help="tell the pipeline the true corners and size")
    parser.add_argument("--given-size", action="store_true", help="tell the pipeline the true size")
    parser.add_argument("--detector", default="auto", metavar="NAME", help="which finder to use")
    parser.add_argument("--only", metavar="REGEX", help="only the pictures whose name has this in it")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure and picture to FILE")
    parser.add_argument("--failures", type=Path, metavar="PNG", help="draw the pictures that are not fully right")
    parser.add_argument("--quiet", action="store_true", help="do not list the pictures that are not fully right")


def run(values: Namespace) -> int:
    """Measure, print, write. Raises PhotoError for a folder, an expression or a file that cannot be used."""
    pictures = dataset.read_folders(values.folders)
    if values.only:
        pictures = [labelled for labelled in pictures if _expression(values.only).search(labelled.name)]
    if not pictures:
        raise PhotoError(f"no picture has '{values.only}' in its name")
    with Live(is_patient=True) as live:
        measured = measure(pictures, pipeline_reader(values), watch=_progress(live, len(pictures)))
    outcomes = [one.outcome for one in measured]
    if not values.quiet:
        print("\n".join(listing(outcomes)))
    print("\n".join(report(outcomes)))
    if values.json:
        write_json(values.json, values.detector, outcomes)
    if values.failures:
        draw_failures(values.failures, measured)
    return 0


def pipeline_reader(values: Namespace) -> Reader:
    """The pipeline with the options of the command line."""
    from tengen.tools.photo.pipeline import Settings, read_picture

    def read(labelled: Labelled, image: Image) -> Sequence[Reading]:
        size = labelled.size if values.given_size or values.given_corners else None
        corners = None
        if values.given_corners:
            if labelled.lattice is None:
                raise PhotoError(f"{labelled.name} has no marked corners")
            corners = labelled.lattice.corners()
        return read_picture(image, Settings(size=size, corners=corners, detector=values.detector))

    return read


def measure(
    pictures: Sequence[Labelled], read: Reader, watch: Callable[[int], None] = lambda done: None
) -> list[Measured]:
    """Read every picture. Whatever goes wrong with one is its outcome, and the next one follows."""
    measured = []
    for done, labelled in enumerate(pictures, 1):
        readings: Sequence[Reading] = ()
        error, start = "", time.perf_counter()
        try:
            readings = read(labelled, labelled.image())
        except PhotoError as refusal:
            error = str(refusal)
        except Exception as crash:  # a crash is a finding, not the end of the measurement
            error = f"CRASH {type(crash).__name__}: {crash}"
        outcome = score.judge(labelled, readings, time.perf_counter() - start, error)
        measured.append(Measured(labelled, outcome, readings[0].lattice if readings else None))
        watch(done)
    return measured


def listing(outcomes: Sequence[Outcome]) -> list[str]:
    """A line for every picture that is not fully right."""
    lines = [f"{'picture':26} {'size':>4} {'found':>5} {'wrong':>5} {'corner':>6} {'sure':>5} {'sec':>5}  note"]
    for outcome in outcomes:
        if not outcome.is_right:
            lines.append(
                f"{outcome.name[:26]:26} {outcome.size:4} {outcome.found_size or '-':>5} {outcome.wrong:5} "
                f"{_number(outcome.corner_error, 6)} {_number(outcome.found, 5)} {outcome.seconds:5.2f}  "
                f"{note(outcome)}"
            )
    return [*lines, ""]


def note(outcome: Outcome) -> str:
    """Describe the result of one picture in a few words."""
    if outcome.found_size is None:
        return outcome.error[:80]
    kinds = score.confusion([outcome])
    words = ["TURNED"] if outcome.turned else []
    words += [f"{kind} {count}" for kind, count in kinds.most_common(3)]
    if not outcome.warnings:
        words.append("no warning")
    if outcome.boards > 1:
        words.append(f"{outcome.boards} boards")
    return ", ".join(words)


def report(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the tables: by kind and size, then errors, then calibration."""
    widths = (12, 4, 5, 27, 27, 27, 7, 7, 7, 6, 6, 5, 5)
    head = ("", "n", "none", "right size", "fully right", "<= 2 wrong", "points", "sized", "corner", "<=0.2", "<=0.5",
            "sec", "max")  # fmt: skip
    lines = [_columns(head, widths)]
    for name, some in score.groups(outcomes).items():
        lines.append(_columns(_cells(name, score.row(some)), widths))
    lines += ["", *LEGEND]
    mistaken = ", ".join(f"{kind} {count}" for kind, count in score.confusion(outcomes).most_common())
    turned = sum(outcome.turned for outcome in outcomes)
    lines += ["", f"Mistaken points (there>read): {mistaken or 'none'}. Right but turned: {turned}."]
    return lines + calibration_lines(score.calibration(outcomes))


def calibration_lines(figures: dict[str, Any]) -> list[str]:
    """Describe the calibration of the confidence as text."""
    certain = "-" if figures["certain_right"] is None else f"{100 * figures['certain_right']:.3f} %"
    lines = [
        f"Certain points (from {figures['certain_from']:g}): {100 * figures['certain_share']:.2f} % of all, "
        f"{100 * figures['certain_share_of_read']:.2f} % on boards read; right {certain} "
        f"({figures['certain_wrong']} wrong).",
        f"Boards without a warning that are fully right: {_share(figures['silent'])}.",
    ]
    for key, title in (("bins", "points by confidence"), ("found_bins", "boards by `found` (right: the lattice)")):
        lines += ["", f"{title:38} {'number':>8} {'mean':>8} {'right':>8}"]
        for low, high, count, mean, right in figures[key]:
            lines.append(f"{f'{low:g} - {high:g}':>38} {count:8.0f} {mean:8.4f} {right:8.4f}")
    return lines


def write_json(path: Path, detector: str, outcomes: Sequence[Outcome]) -> None:
    """Every figure of the report and every picture, for comparing two runs. Raises PhotoError."""
    content = {
        "detector": detector,
        "summary": {name: score.row(some) for name, some in score.groups(outcomes).items()},
        "calibration": score.calibration(outcomes),
        "confusion": dict(score.confusion(outcomes)),
        "pictures": [_plain(outcome) for outcome in outcomes],
    }
    try:
        path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    except OSError as error:
        raise PhotoError(f"'{path}': {files.explained(error)}") from None


def draw_failures(path: Path, measured: Sequence[Measured]) -> None:
    """Draw sheets of the pictures that are not fully right, with their errors."""
    tiles = []
    for one in measured:
        if not one.outcome.is_right:
            outcome = one.outcome
            caption = f"{outcome.name}  {outcome.size}>{outcome.found_size or '-'}  {outcome.wrong} wrong"
            caption += f"  corner{_number(outcome.corner_error, 6)}  {note(outcome)}"
            image = one.labelled.image()
            tiles.append(sheet.failure_tile(image, one.labelled.lattice, one.lattice, outcome.mistakes, caption))
    for written in sheet.write_sheets(path, tiles):
        print(f"wrote {written}", file=sys.stderr)


def _plain(outcome: Outcome) -> dict[str, Any]:
    """An outcome as JSON has it, without the confidences of its points."""
    left_out = ("confidence", "correct")
    plain = {name: value for name, value in vars(outcome).items() if name not in left_out}
    if outcome.corner_error is not None and not np.isfinite(outcome.corner_error):
        plain["corner_error"] = None
    return plain


def _cells(name: str, row: dict[str, Any]) -> tuple[str, ...]:
    return (
        name, str(row["pictures"]), str(row["refused"]), _share(row["right_size"]), _share(row["right"]),
        _share(row["at_most_2_wrong"]), f"{100 * row['points_right']:.2f}",
        f"{100 * row['points_right_where_right_size']:.2f}", _number(row["corner_error_median"], 6),
        f"{100 * row['corners_close']['share']:.0f} %", f"{100 * row['corners_near']['share']:.0f} %",
        f"{row['seconds_median']:.2f}", f"{row['seconds_max']:.2f}",
    )  # fmt: skip


def _columns(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)]
    return " ".join([cells[0].ljust(widths[0]), *padded[1:]])


def _share(figures: dict[str, Any]) -> str:
    """ "49/54 90.7 % [80.1-96.0]"."""
    low, high = (100 * end for end in figures["interval"])
    return f"{figures['count']}/{figures['of']} {100 * figures['share']:.1f} % [{low:.1f}-{high:.1f}]"


def _number(value: float | None, width: int) -> str:
    return f"{'-':>{width}}" if value is None or not np.isfinite(value) else f"{value:{width}.2f}"


def _expression(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise PhotoError(f"'{text}' is not a regular expression: {error}") from None


def _progress(live: Live, total: int) -> Callable[[int], None]:
    pace = Pace()
    return lambda done: live.update([f"{bar(done, total)} pictures", f"{pace.left(done, total)} left"])
