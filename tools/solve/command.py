"""`tengen solve FILE.obf`: endings of Reversi, solved exactly, a line each: number, empty cells, score, best move,
positions looked at, seconds. Exit code 1 where the file knows it better.
"""

from __future__ import annotations

import time
from argparse import Namespace
from functools import partial
from pathlib import Path

from tengen.engine.records.points import point_text
from tengen.tools.arguments import Parser, number, whole_number
from tengen.tools.solve.problems import SIDE, WHOLE, WINNER, Answer, read_problems, solve


def configure(parser: Parser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("file", metavar="FILE.obf", help="positions, with the scores of their moves or without")
    add("--threads", type=partial(whole_number, low=1, high=256), default=1, metavar="N", help="threads (1)")
    add("--memory", type=partial(number, low=1, high=1048576), default=256.0, metavar="MB", help="of its table (256)")
    add("--weights", metavar="FILE", help="patterns that order the moves (mobility does)")
    add("--from", dest="first", type=partial(whole_number, low=1, high=10**6), default=1, metavar="N",
        help="the first position (1)")  # fmt: skip
    add("--to", dest="last", type=partial(whole_number, low=1, high=10**6), metavar="N", help="the last one")
    add("--winner", action="store_true", help="who wins, not by how many discs")


def run(values: Namespace) -> int:
    """Solve and print. Raises ValueError or OSError with one sentence."""
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
    for answer in solve(problems, solver, WINNER if values.winner else WHOLE):
        answers.append(answer)
        print(line_of(answer, values.winner), flush=True)
    wrong = [answer.problem.number for answer in answers if not answer.agrees(values.winner)]
    print(summary(answers, time.process_time() - started))
    if wrong:
        print(f"the file says otherwise of {', '.join(map(str, wrong))}")
    return 1 if wrong else 0


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
