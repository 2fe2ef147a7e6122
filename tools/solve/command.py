"""`tengen solve FILE.obf`: endings of Reversi, solved exactly, a line each: number, empty cells, score, best move,
positions looked at, seconds. Exit code 1 where the file knows it better.

`tengen solve FILE.epd`: a suite of chess, each position searched for so long. Exit code 1 where one is not solved.
"""

from __future__ import annotations

import time
from argparse import SUPPRESS, Namespace
from functools import partial
from pathlib import Path

from tengen.engine.records import format_of
from tengen.engine.records.points import point_text
from tengen.tools.arguments import Parser, number, whole_number
from tengen.tools.live import Live
from tengen.tools.solve.problems import SIDE, WHOLE, WINNER, Answer, read_problems, solve

ONLY = {"winner": "obf", "seconds": "epd", "mate": "epd"}
"""Options that not every kind of file has a use for, and the one that has."""


def configure(parser: Parser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("file", metavar="FILE", help="endings of Reversi (.obf), positions of chess (.epd, .fen)")
    add("--threads", type=partial(whole_number, low=1, high=256), default=1, metavar="N", help="threads (1)")
    add("--memory", type=partial(number, low=1, high=1048576), default=256.0, metavar="MB", help="of the table (256)")
    add("--weights", metavar="FILE", help="Reversi: patterns to order moves by; chess: to evaluate by (auto)")
    add("--from", dest="first", type=partial(whole_number, low=1, high=10**6), default=1, metavar="N",
        help="the first position (1)")  # fmt: skip
    add("--to", dest="last", type=partial(whole_number, low=1, high=10**6), metavar="N", help="the last one")
    add("--winner", action="store_true", default=SUPPRESS, help="Reversi: who wins, not by how many discs")
    add("--seconds", type=partial(number, low=0.001, high=86400), default=SUPPRESS, metavar="S",
        help="chess: of each position (1)")  # fmt: skip
    add("--mate", type=partial(whole_number, low=1, high=100), default=SUPPRESS, metavar="N",
        help="chess: what the file says nothing of is a mate in N")  # fmt: skip


def run(values: Namespace) -> int:
    """Solve and print. Raises ValueError or OSError with one sentence."""
    given = vars(values)
    path = Path(values.file)
    kind = "epd" if format_of(values.file, b"" if path.suffix else path.read_bytes()) == "fen" else "obf"
    for name, only in ONLY.items():
        if name in given and only != kind:
            raise ValueError(f"--{name} is for .{only} files")
    if kind == "epd":
        return run_suite(values, given.get("seconds", 1.0), given.get("mate", 0))
    return run_endings(values, given.get("winner", False))


def run_suite(values: Namespace, seconds: float, mate: int) -> int:
    """A suite of chess."""
    from tengen.tools.solve.suite import HEAD, Refused, Searcher, read_suite, row_of

    positions = read_suite(Path(values.file), mate)[values.first - 1 : values.last]
    if not positions:
        raise ValueError(f"'{values.file}' has no position from {values.first} on")
    asked = [one for one in positions if not isinstance(one, Refused)]
    refused = [f"position {one.number} is not counted: {one.reason}" for one in positions if isinstance(one, Refused)]
    if not asked:
        raise ValueError(refused[0])
    searcher = Searcher(seconds, values.threads, round(values.memory), values.weights)
    print(HEAD, flush=True)
    started = time.process_time()
    answers = []
    with Live(is_patient=True) as live:
        live.update(_far(0, len(asked)))
        for done, found in enumerate(searcher.find(asked), 1):
            if isinstance(found, Refused):
                refused.append(f"position {found.number} is not counted: {found.reason}")
            else:
                answers.append(found)
                live.result(row_of(found))
            live.update(_far(done, len(asked)))
    searcher.close()
    print(*refused, sep="\n", end="\n" if refused else "")
    solved, later = sum(found.is_solved for found in answers), sum(found.mates_later for found in answers)
    print(
        f"solved {solved} of {len(answers)}{f', {later} more by a longer mate' if later else ''}; "
        f"{time.process_time() - started:.2f} seconds of the processor"
    )
    return 0 if solved == len(asked) else 1


def run_endings(values: Namespace, winner: bool) -> int:
    """Endings of Reversi."""
    from tengen.engine._core import ReversiSolver
    from tengen.engine.evaluators.weights import read_weights

    problems = read_problems(values.file)[values.first - 1 : values.last]
    if not problems:
        raise ValueError(f"'{values.file}' has no position from {values.first} on")
    weights = read_weights(Path(values.weights), "reversi", "patterns") if values.weights else None
    solver = ReversiSolver(values.threads, values.memory, weights)
    print("  no empties score move          nodes  seconds", flush=True)
    started = time.process_time()
    answers = []
    with Live(is_patient=True) as live:
        live.update(_far(0, len(problems)))
        for answer in solve(problems, solver, WINNER if winner else WHOLE):
            answers.append(answer)
            live.result(line_of(answer, winner))
            live.update(_far(len(answers), len(problems)))
    wrong = [answer.problem.number for answer in answers if not answer.agrees(winner)]
    print(summary(answers, time.process_time() - started))
    if wrong:
        print(f"the file says otherwise of {', '.join(map(str, wrong))}")
    return 1 if wrong else 0


def _far(done: int, count: int) -> str:
    """What is told while a position is looked at."""
    return f"position {min(done + 1, count)} of {count}"


def line_of(answer: Answer, winner_alone: bool = False) -> str:
    """One line of the table."""
    score = "win" if answer.score > 0 else "loss" if answer.score < 0 else "draw"
    if not winner_alone:
        score = f"{answer.score:+d}"
    move = "-" if answer.move is None else point_text("reversi", SIDE, SIDE, answer.move)
    known = "" if answer.agrees(winner_alone) else "  the file says otherwise"
    return (
        f"{answer.problem.number:4d} {answer.problem.empties:7d} {score:>5s} {move:>4s} {answer.nodes:14,d} "
        f"{answer.seconds:8.2f}{known}"
    )


def summary(answers: list[Answer], cpu: float) -> str:
    """The last line."""
    nodes, seconds = sum(answer.nodes for answer in answers), sum(answer.seconds for answer in answers)
    return (
        f"{len(answers)} position{'s' if len(answers) != 1 else ''}, {nodes:,d} nodes, {seconds:.2f} seconds, "
        f"{cpu:.2f} of the processor: {nodes / max(cpu, 1e-9) / 1e6:.1f} million nodes a second of it"
    )
