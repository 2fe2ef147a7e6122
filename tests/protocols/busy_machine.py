"""What a front end remarks on stderr only because other programs kept the machine busy: no fault of what is tested."""

from __future__ import annotations

from tengen.engine.play.clock import LATE


def without_remarks(stderr: str) -> str:
    """What came on stderr, less the lines with that remark."""
    return "".join(line for line in stderr.splitlines(keepends=True) if LATE not in line)
