"""Start and end: how long until the first answer, and whether the engine leaves when it should, and whole."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable

from tengen.tools.compliance.dialect import Dialect
from tengen.tools.compliance.finding import Finding, Severity
from tengen.tools.compliance.interview import Hangs, Interview
from tengen.tools.compliance.process import Process

SLOW_START = 5.0
"""Seconds to the first answer after which a user believes that nothing happens."""
START_SECONDS = 60.0
"""Seconds in which the first answer must come."""
THINKING = " while it thinks"
END_OF_INPUT = "the end of input"
FAREWELL = {"gtp": "="}
"""The beginning of the answer to the last line, where it has one."""
WITHOUT_SECONDS = 5.0
"""Seconds for the answer to a question without a number, when one with a number had none."""
Ending = tuple[Callable[[Process], object], Severity]
AFTERWARDS = 30.0
"""Seconds in which a question that has an end may be answered after the end of input."""
BUSY_MACHINE = 0.5
"""Seconds that an engine may take longer to leave, for the examiner is not alone on its machine."""
LAST = {
    "gtp": ("protocol_version", r"=\d*\s*2"), "uci": ("isready", "readyok"), "nboard": ("ping 77", "pong 77"),
    "xboard": ("ping 77", "pong 77"),
}  # fmt: skip
"""A last line without LF, and what is in its answer. Gomocup's managers never send one: its template drops it."""


def start_up(interview: Interview) -> tuple[float, list[str]]:
    """Seconds from the start to the answer to the first question, and lines before it that are no comment. Raises Ended
    or Hangs."""
    interview.close()
    dialect = interview.dialect
    begin = time.monotonic()
    try:
        lines = interview.say("", seconds=START_SECONDS)
    except Hangs:
        if not dialect.without_numbers():
            raise
        begin = time.monotonic()
        lines = interview.say("", seconds=WITHOUT_SECONDS)
    return time.monotonic() - begin, [line for line in lines if line.strip() and not dialect.is_comment(line)]


def _leave(dialect: Dialect) -> dict[str, Ending]:
    quit_line = f"{dialect.quit}\n".encode()
    busy = f"{dialect.busy}\n".encode()

    def searching(then: Callable[[Process], object]) -> Callable[[Process], object]:
        def act(process: Process) -> None:
            process.write(busy)
            time.sleep(0.3)
            then(process)

        return act

    def say_quit(process: Process) -> None:
        process.write(quit_line)

    cases: dict[str, Ending] = {
        f"'{dialect.quit}'": (say_quit, Severity.MUST),
        END_OF_INPUT: (Process.close_input, Severity.MUST),
        f"'{dialect.quit}'{THINKING}": (searching(say_quit), Severity.MUST),
        f"{END_OF_INPUT}{THINKING}": (searching(Process.close_input), Severity.MUST),
    }
    if os.name == "posix":
        cases["SIGTERM"] = (lambda process: process.signal(signal.SIGTERM), Severity.SHOULD)
    return cases


def endings(interview: Interview) -> list[Finding | None]:
    """One entry for each way to end it; None where it leaves in time."""
    dialect = interview.dialect
    found: list[Finding | None] = []
    failed: set[str] = set()
    for name, (act, severity) in _leave(dialect).items():
        if name.removesuffix(THINKING) in failed:
            continue
        process = interview.start()
        try:
            interview.say_to(process, dialect.hello.encode(), None, START_SECONDS)
            begin = time.monotonic()
            act(process)
            may_finish = name == END_OF_INPUT + THINKING and dialect.busy_ends
            patience = AFTERWARDS if may_finish else dialect.quit_seconds
            code = process.wait(patience + 2.0)
            took = time.monotonic() - begin
            found.append(_ending(name, code, took, process, patience, severity))
            failed |= {name} if found[-1] else set()
            if code is not None and name == f"'{dialect.quit}'" and dialect.kind in FAREWELL:
                found.append(_farewell(process, FAREWELL[dialect.kind]))
        except Exception as error:
            found.append(Finding(severity, f"leaving at {name}", f"It did not come to {name}: {error}."))
        finally:
            process.kill()
    if dialect.kind in LAST:
        found.append(_last_line(interview))
    return found


def _ending(
    name: str, code: int | None, took: float, process: Process, patience: float, severity: Severity
) -> Finding | None:
    what = f"leaving at {name}"
    if code is None:
        sentence = f"It goes on running after {name}: GUIs kill it, and processes pile up where nobody does."
        return Finding(severity, what, sentence)
    if took > patience + BUSY_MACHINE:
        sentence = f"It takes {took:.1f} s to leave at {name}; controllers kill after {patience:g} s."
        return Finding(Severity.SHOULD, what, sentence)
    if code not in (0, -signal.SIGTERM, 128 + signal.SIGTERM) or (code != 0 and name != "SIGTERM"):
        sentence = f"At {name} it ended with exit code {code}: match managers call that a crash."
        return Finding(Severity.SHOULD, what, sentence)
    if process.has_left_others():
        return Finding(severity, what, f"At {name} it leaves processes behind, which go on using the machine.")
    return None


def _farewell(process: Process, answer: str) -> Finding | None:
    lines, _ = process.read(lambda line: line.startswith(answer), 2.0)
    if any(line.startswith(answer) for line in lines):
        return None
    sentence = "It leaves without an answer to quit; some controllers wait for it."
    return Finding(Severity.SHOULD, "quit has an answer", sentence)


def _last_line(interview: Interview) -> Finding | None:
    question, pattern = LAST[interview.dialect.kind]

    def is_answer(line: str) -> bool:
        return re.match(pattern, line) is not None

    process = interview.start()
    try:
        interview.say_to(process, interview.dialect.hello.encode(), None, START_SECONDS)
        process.write(question.encode())
        process.close_input()
        lines, _ = process.read(is_answer, 5.0)
    finally:
        process.kill()
    if any(is_answer(line) for line in lines):
        return None
    sentence = "A last line without LF is not answered, as it stands at the end of some files."
    return Finding(Severity.SHOULD, "a last line without an end", sentence, (question,), "\n".join(lines[:3]))
