"""What an examination finds: one sentence, whom it hurts, and the shortest lines that show it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Severity(Enum):
    """must: a GUI, a manager or the user's files suffer. should: some of them may."""

    MUST = "must"
    SHOULD = "should"


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong. name: the same for the same fault. sent: the lines that show it, got: what came back."""

    severity: Severity
    name: str
    sentence: str
    sent: tuple[str, ...] = ()
    got: str = ""


@dataclass
class Report:
    """All that an examination says. understood: facts that the engine told. figures: what was measured."""

    engine: str
    kind: str
    understood: dict[str, str] = field(default_factory=dict)
    figures: dict[str, float] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    passed: int = 0

    def add(self, finding: Finding) -> None:
        """Keep the first finding of a name."""
        if all(known.name != finding.name for known in self.findings):
            self.findings.append(finding)

    def is_compliant(self, *, strict: bool = False) -> bool:
        """Whether nothing that must be right is wrong; strict: nothing at all."""
        return not any(strict or finding.severity is Severity.MUST for finding in self.findings)

    def to_json(self) -> dict[str, object]:
        """Values that `json` writes."""
        return {
            "engine": self.engine, "kind": self.kind, "understood": self.understood, "figures": self.figures,
            "passed": self.passed, "compliant": self.is_compliant(),
            "findings": [
                {"severity": f.severity.value, "name": f.name, "sentence": f.sentence, "sent": f.sent, "got": f.got}
                for f in self.findings
            ],
        }  # fmt: skip

    def to_text(self) -> str:
        """For people: what was understood, then the findings, worst first."""
        lines = [f"{printable(self.engine, 1000)} ({self.kind})"]
        lines += [f"  {name}: {printable(value)}" for name, value in self.understood.items()]
        lines += [f"  {name}: {value:g}" for name, value in self.figures.items()]
        for finding in sorted(self.findings, key=lambda f: f.severity is not Severity.MUST):
            lines += ["", f"{finding.severity.value.upper()}  {finding.name}: {printable(finding.sentence, 1000)}"]
            lines += [f"    > {printable(line)}" for line in finding.sent]
            lines += [f"    < {printable(line)}" for line in finding.got.splitlines()[:6]]
        count = len(self.findings)
        lines += ["", f"{self.passed} checks passed, {count} finding{'' if count == 1 else 's'}."]
        return "\n".join(lines)


def printable(text: str, limit: int = 160) -> str:
    r"""Text on one line, control characters and bytes that are no text as escapes, the middle of a long one cut.

    >>> printable("a\x1b[31m\0"), printable("x" * 500, 20)
    ('a\\x1b[31m\\x00', 'xxxxxxxx... (500 characters)')
    """
    escaped = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[:limit])
    shown = "".join(escaped)
    return shown if len(text) <= limit else shown[: limit - 12] + f"... ({len(text)} characters)"
