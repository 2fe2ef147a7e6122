"""The whole examination of one engine: start, table, hostile lines, ending, files."""

from __future__ import annotations

import time
from collections.abc import Callable

from tengen.tools.compliance.dialect import Dialect
from tengen.tools.compliance.finding import Finding, Report, Severity
from tengen.tools.compliance.gomocup import Gomocup
from tengen.tools.compliance.gtp import FILES, Gtp
from tengen.tools.compliance.hostile import attack
from tengen.tools.compliance.interview import Ended, Hangs, Interview
from tengen.tools.compliance.lifecycle import SLOW_START, endings, start_up
from tengen.tools.compliance.nboard import NBoard
from tengen.tools.compliance.process import Scratch
from tengen.tools.compliance.uci import Uci

DIALECTS: dict[str, Callable[[], Dialect]] = {"gtp": Gtp, "gomocup": Gomocup, "nboard": NBoard, "uci": Uci}


class CannotStart(Exception):
    """The engine gave no first answer; the message is one sentence."""


def examine(
    words: list[str], dialect: Dialect, *, lines: int, seed: int, level: int, seconds: float = 30.0,
    longest: float = 600.0, memory_mb: int = 8192, tell: Callable[[str], None] = lambda text: None,
) -> Report:  # fmt: skip
    """Examine the engine that `words` start. seconds: for one answer; longest: for the hostile lines; memory_mb: of
    address space, 0 for any. tell: hears how far it is. Raises CannotStart."""
    scratch = Scratch()
    interview = Interview(words, dialect, scratch, seconds=seconds, memory_mb=memory_mb)
    report = Report(" ".join(words), dialect.kind)
    try:
        for name, data in FILES.items() if dialect.kind == "gtp" else ():
            scratch.put(name, data)
        _begin(interview, report)
        _table(interview, report, tell)
        report.figures["lines sent"] = attack(
            interview, lines=lines, seed=seed, level=level, until=time.monotonic() + longest, report=report.add,
            tell=lambda count: tell(f"{count} of {lines} lines"),
        )  # fmt: skip
        _stderr(interview, report)
        _escaped(scratch, report, ())
        tell("ending")
        for finding in endings(interview):
            _count(report, finding)
    except (Ended, Hangs) as death:
        raise CannotStart(f"it does not start again: {death}") from death
    finally:
        interview.close()
        scratch.remove()
    return report


def _begin(interview: Interview, report: Report) -> None:
    try:
        took = start_up(interview)
        answers = {name: "\n".join(interview.say(line)).strip() for name, line in interview.dialect.facts.items()}
    except (Ended, Hangs, OSError) as death:
        errors = getattr(death, "errors", "")
        raise CannotStart(f"{death}" + (f"; it says: {errors}" if errors else "")) from death
    report.figures["seconds to the first answer"] = round(took, 2)
    if took > SLOW_START:
        sentence = f"The first answer takes {took:.0f} s: users take it for dead, and managers do after 3 to 10 s."
        report.add(Finding(Severity.SHOULD, "slow start", sentence))
    report.understood |= interview.dialect.learn(answers)


def _table(interview: Interview, report: Report, tell: Callable[[str], None]) -> None:
    interview.restart()
    for row in interview.dialect.checks():
        tell(row.name)
        sent = tuple(line for step in row.steps for line in step.send.split("\n"))
        finding: Finding | None = None
        try:
            wrong = interview.row(row)
            if wrong is not None:
                finding = Finding(row.severity, row.name, row.fault, wrong[0], wrong[1])
                interview.restart()
        except (Ended, Hangs) as death:
            what = "It ends" if isinstance(death, Ended) else "It hangs"
            lines = _guilty(interview, sent, death)
            finding = Finding(Severity.MUST, row.name, f"{what} over this ({death}). {row.fault}", lines, death.errors)
            interview.restart()
        is_clean = _escaped(interview.scratch, report, sent)
        if finding is not None or is_clean:
            _count(report, finding)


def _guilty(interview: Interview, sent: tuple[str, ...], death: Ended | Hangs) -> tuple[str, ...]:
    """The one line of a row that does it alone, where there is one."""
    if isinstance(death, Hangs) or len(sent) == 1:
        return sent
    alone = (line for line in sent if interview.dies_of([line.encode()], Ended))
    return next(((line,) for line in alone), sent)


def _escaped(scratch: Scratch, report: Report, sent: tuple[str, ...]) -> bool:
    files = scratch.escaped()
    if files:
        sentence = (
            "It writes files outside its folder when the protocol names them: whoever can send it a line can overwrite "
            "the user's files."
        )
        shown = tuple(line.replace("{top}", str(scratch.top)) for line in sent)
        severity = Severity.SHOULD if report.kind == "uci" else Severity.MUST  # UCI: the user typed the option
        report.add(Finding(severity, "files outside its folder", sentence, shown, "\n".join(files)))
    return not files


def _stderr(interview: Interview, report: Report) -> None:
    if interview.dialect.kind != "gomocup":
        return
    interview.restart()
    errors = list(interview.process.errors)
    sentence = "It writes to stderr in normal use; Piskvork and c-gomoku-cli read that as an answer."
    _count(report, Finding(Severity.SHOULD, "stderr", sentence, (), "\n".join(errors[:3])) if errors else None)


def _count(report: Report, finding: Finding | None) -> None:
    if finding is None:
        report.passed += 1
    else:
        report.add(finding)
