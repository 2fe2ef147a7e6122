"""Find each opening of a file: a text cut into its games or positions, each with the line that it begins in.

So one that cannot be played is left out and named, and the others are played.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tengen.engine.records import diagram

_PGN = re.compile(r"\n\s*\n(?=\s*\[)")
_GGF = re.compile(r"\(;(?=\s*GM\[)", re.IGNORECASE)
_PSQ = re.compile(r"(?m)^[ \t]*Piskvorky\b", re.IGNORECASE)
_SGF = re.compile(r"\\.|[][()]", re.DOTALL)
_SGF_ROOT = re.compile(r"(?m)^[ \t]*\(\s*;(?=\s*(?:GM|FF|CA|AP|SZ)\[)")
_FACT = re.compile(r"\s*(?!moves\b)[A-Za-z][A-Za-z_]{1,15}(?: [a-z]{1,10})?\s*:\s", re.IGNORECASE)
_COMMENTS = ("#", "%", "//", ";")


class Part(NamedTuple):
    """One opening's text. line: where it begins, from 1."""

    line: int
    text: str


def parts(text: str, kind: str) -> list[Part]:
    """The openings of a text in the format of that name."""
    return list(_CUTS.get(kind, _by_lines)(text))


def _by_lines(text: str) -> Iterator[Part]:
    """A position a line (EPD, OBF)."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith(("#", "%")):
            yield Part(number, line)


def _pgn(text: str) -> Iterator[Part]:
    return _between(text, [0, *(match.end() for match in _PGN.finditer(text))])


def _ggf(text: str) -> Iterator[Part]:
    return _between(text, [match.start() for match in _GGF.finditer(text)] or [0])


def _psq(text: str) -> Iterator[Part]:
    return _between(text, [match.start() for match in _PSQ.finditer(text)] or [0])


def _sgf(text: str) -> Iterator[Part]:
    """By its parentheses; where they do not close, by lines that look like roots."""
    starts, depth, is_value = list[int](), 0, False
    for match in _SGF.finditer(text):
        sign = match[0]
        if is_value:
            is_value = sign != "]"
        elif sign == "[":
            is_value = True
        elif sign == "(":
            if not depth:
                starts.append(match.start())
            depth += 1
        elif sign == ")":
            depth = max(0, depth - 1)
    if depth or is_value:
        starts = [match.start() for match in _SGF_ROOT.finditer(text)]
    return _between(text, starts or [0])


def _text(text: str) -> Iterator[Part]:
    """A list of moves a line, with the facts of its block of lines and the diagram before it (`records/text.py`)."""
    facts, rows, begin = list[str](), list[str](), 0
    is_used = False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if not line.strip():
            if rows:
                yield Part(begin, "\n".join([*facts, *rows]))
            if rows or is_used:
                facts, rows, is_used = [], [], False
        elif _FACT.match(line):
            facts.append(line)
        elif diagram.is_row(line.strip()):
            begin = number if not rows else begin
            rows.append(line)
        elif not line.lstrip().startswith(_COMMENTS):
            yield Part(number, "\n".join([*facts, *rows, line]))
            rows, is_used = [], True


def _between(text: str, starts: Sequence[int]) -> Iterator[Part]:
    line, counted = 1, 0
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        part = text[start:end]
        first = start + len(part) - len(part.lstrip())
        line, counted = line + text.count("\n", counted, first), first
        if part.strip():
            yield Part(line, part)


_CUTS: dict[str, Callable[[str], Iterator[Part]]] = {
    "pgn": _pgn, "ggf": _ggf, "psq": _psq, "sgf": _sgf, "text": _text
}  # fmt: skip
