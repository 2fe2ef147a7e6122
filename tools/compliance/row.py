"""Asking one row of the table, and judging the answers."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.tools.compliance.check import NOTHING, Check, Step, captured, filled, matches, normal
from tengen.tools.compliance.dialect import Reading
from tengen.tools.compliance.interview import Ended, Hangs, Interview


@dataclass(frozen=True)
class Wrong:
    """A wrong answer: the lines sent up to it, and the answer. stray: with it left out the answer is right, so that the
    fault is not the row's."""

    sent: tuple[str, ...]
    got: str
    stray: Reading | None = None


class Asker:
    """Asks rows. It remembers what an engine says where nothing is to be said, so that this is found once and not
    again in every row whose lines it comes between."""

    def __init__(self, interview: Interview) -> None:
        self._interview = interview
        self._known: set[str] = set()

    def ask(self, row: Check) -> Wrong | None:
        """All steps of a row, up to the first wrong answer; None: all are right. Raises Ended or Hangs, whose `sent`
        is what was sent."""
        interview = self._interview
        interview.transcript.note(row.name)
        interview.transcript.mark()
        sent: list[str] = []
        values: dict[str, str | None] = {"top": str(interview.scratch.top)}
        stray: Wrong | None = None
        for step in (filled(step, values) for step in row.steps):
            if step is None:
                break
            sent += step.send.split("\n")
            answer = self._answer(step, row.probe or None, tuple(sent))
            if matches(step, answer):
                values |= captured(step, answer)
                continue
            reading = self._explained(step, answer)
            if reading is None:
                self._known |= set(answer.split("\n")) if step.expect == NOTHING else set()
                return Wrong(tuple(sent), answer or "(nothing)")
            values |= captured(step, reading.answer)
            if not self._known.issuperset(reading.strays):
                stray = stray or Wrong(tuple(sent), answer, reading)
        return stray

    def _answer(self, step: Step, seconds: float | None, sent: tuple[str, ...]) -> str:
        dialect = self._interview.dialect
        try:
            reply = self._interview.say(step.send, seconds=seconds)
        except (Ended, Hangs) as death:
            death.sent = sent
            raise
        if late := dialect.late(step.send):
            reply += self._interview.late(late)
        return normal([line for line in reply if not dialect.is_comment(line)])

    def _explained(self, step: Step, answer: str) -> Reading | None:
        if step.expect == NOTHING and not self._interview.dialect.is_framed:
            return None
        lines = answer.split("\n")
        rest = [line for line in lines if line not in self._known]
        if len(rest) < len(lines) and matches(step, "\n".join(rest)):
            return Reading("\n".join(rest), tuple(self._known))
        readings = self._interview.dialect.readings(step.send, lines)
        return next((one for one in readings if matches(step, one.answer)), None)
