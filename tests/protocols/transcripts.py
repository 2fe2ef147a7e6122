"""Conversations as files: `> sent` and `< expected` lines, "*" for any text, `< ...` skips lines up to the next."""

from __future__ import annotations

from pathlib import Path

from gtp_client import Live, matches


def replay(talk: Live, path: Path, *, blanks_count: bool = False) -> None:
    """Hold the conversation; blank lines of the output are left out unless `blanks_count`."""
    skipping = False
    for number, row in enumerate(path.read_text("utf-8").splitlines(), 1):
        mark, text = row[:1], row[2:].rstrip()
        if mark == ">":
            talk.send(text)
        elif mark == "<" and text == "...":
            skipping = True
        elif mark == "<":
            while True:
                got = talk.line(15)
                if (got == "" and not blanks_count) or (skipping and got != "EOF" and not matches(text, got)):
                    continue
                assert matches(text, got), f"{path.name}:{number}: expected {text!r}, got {got!r}"
                break
            skipping = False
