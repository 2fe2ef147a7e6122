"""The list of deliberate faults, and how one gets into a copy of the checkout."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
LIST = Path(__file__).with_name("faults.toml")


class Fault(NamedTuple):
    """file: below the checkout. old: text of it, there exactly once; new: what takes its place. tests: files of which
    at least one test has to fail then. needs: a package without which these tests are skipped."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    needs: str = ""

    @property
    def is_native(self) -> bool:
        """Whether the core has to be built again."""
        return self.file.startswith("engine/core/")

    def planted(self, text: str) -> str:
        """The file's text with the fault in it. Raises ValueError where `old` is not there exactly once."""
        count = text.count(self.old)
        if count != 1:
            raise ValueError(f"{self.name}: its text is {count} times in {self.file}; write the fault anew")
        return text.replace(self.old, self.new)


def faults() -> list[Fault]:
    """All of them."""
    rows = tomllib.loads(LIST.read_text(encoding="utf-8"))["fault"]
    return [Fault(**{**row, "tests": tuple(row["tests"])}) for row in rows]
