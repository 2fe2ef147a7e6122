"""Findings of an examination: one sentence, whom it hurts, and the shortest lines that show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum


class Severity(Enum):
    """must: a GUI, a manager or the user's files suffer. should: some of them may."""

    MUST = "must"
    SHOULD = "should"


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong. name: the same for the same fault. sent: the lines that show it, got: what came back.
    talk: the whole conversation, with "> " before what was sent and "< " before what came (`Transcript.excerpt`)."""

    severity: Severity
    name: str
    sentence: str
    sent: tuple[str, ...] = ()
    got: str = ""
    talk: tuple[str, ...] = ()

    @property
    def conversation(self) -> tuple[str, ...]:
        """`talk`, or what stands for it."""
        return self.talk or (*(f"> {line}" for line in self.sent), *(f"< {line}" for line in self.got.splitlines()))

    def joined(self, other: Finding) -> Finding:
        """One finding of two of the same name."""
        got = "\n".join(part for part in (self.got, other.got) if part)
        return replace(self, sent=self.sent + other.sent, got=got, talk=self.conversation + other.conversation)


def of_death(severity: Severity, name: str, sentence: str, sent: tuple[str, ...], errors: str) -> Finding:
    """Return the finding of an engine that ended or hung; errors: its lines on stderr."""
    talk = (*(f"> {line}" for line in sent), *(f"! {line}" for line in errors.splitlines()))
    return Finding(severity, name, sentence, sent, errors, talk)


@dataclass
class Report:
    """All that an examination says. understood: facts that the engine told. figures: what was measured. unasked: rows
    that would only repeat a finding. own_lines: the examiner's lines in a conversation."""

    engine: str
    kind: str
    understood: dict[str, str] = field(default_factory=dict)
    figures: dict[str, float] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    passed: int = 0
    unasked: list[str] = field(default_factory=list)
    own_lines: str = ""

    def add(self, finding: Finding, *, join: bool = False) -> None:
        """Keep the first finding of a name, or the worse one; join: both in one."""
        at = next((at for at, known in enumerate(self.findings) if known.name == finding.name), None)
        if at is None:
            self.findings.append(finding)
        elif join:
            self.findings[at] = self.findings[at].joined(finding)
        elif finding.severity is Severity.MUST and self.findings[at].severity is not Severity.MUST:
            self.findings[at] = finding

    def is_compliant(self, *, strict: bool = False) -> bool:
        """Whether nothing that must be right is wrong; strict: nothing at all."""
        return not any(strict or finding.severity is Severity.MUST for finding in self.findings)

    def to_json(self) -> dict[str, object]:
        """Values that `json` writes."""
        return {
            "engine": self.engine, "kind": self.kind, "understood": self.understood, "figures": self.figures,
            "passed": self.passed, "unasked": self.unasked, "compliant": self.is_compliant(),
            "findings": [
                {"severity": f.severity.value, "name": f.name, "sentence": f.sentence, "sent": f.sent, "got": f.got,
                 "conversation": f.conversation}
                for f in self.findings
            ],
        }  # fmt: skip

    def to_text(self) -> str:
        """Return the report for people: what was understood, then the findings, worst first."""
        lines = [f"{printable(self.engine, 1000)} ({self.kind})"]
        lines += [f"  {name}: {printable(value)}" for name, value in self.understood.items()]
        lines += [f"  {name}: {value:g}" for name, value in self.figures.items()]
        for finding in sorted(self.findings, key=lambda f: f.severity is not Severity.MUST):
            lines += ["", f"{finding.severity.value.upper()}  {finding.name}: {printable(finding.sentence, 1000)}"]
            lines += [f"    {line}" for line in abridged(finding.conversation)]
        count = len(self.findings)
        lines += ["", f"{self.passed} checks passed, {count} finding{'' if count == 1 else 's'}."]
        if self.unasked:
            lines += [f"Not asked, for they need what is wrong above: {', '.join(self.unasked)}."]
        if self.own_lines and any(finding.talk for finding in self.findings):
            lines += [f"(Ours between the lines: {self.own_lines}. The answer to it shows that nothing more comes.)"]
        return "\n".join(lines)


def printable(text: str, limit: int = 160) -> str:
    r"""Text on one line, control characters and bytes that are no text as escapes, the middle of a long one cut.

    >>> printable("a\x1b[31m\0"), printable("x" * 500, 20)
    ('a\\x1b[31m\\x00', 'xxxxxxxx... (500 characters)')
    """
    escaped = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[:limit])
    shown = "".join(escaped)
    return shown if len(text) <= limit else shown[: limit - 12] + f"... ({len(text)} characters)"


def abridged(lines: Sequence[str], limit: int = 6) -> list[str]:
    """Shorten a conversation for people: everything that was sent; of what came in one go at most `limit` lines that
    are not empty. Each is escaped and cut."""
    out: list[str] = []
    run = 0
    lines = [line for line in lines if line != "< "]
    for at, line in enumerate(lines):
        run = 0 if line.startswith("> ") else run + 1
        is_last = at + 1 == len(lines) or lines[at + 1].startswith("> ")
        if run <= limit:
            out.append(printable(line))
        elif is_last:
            out.append(f"... ({run - limit} more line{'' if run == limit + 1 else 's'})")
    return out
