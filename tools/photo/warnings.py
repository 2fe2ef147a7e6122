"""Warnings for a person: each warning's code, its sentence, and what checks for it.

A code never changes its meaning: programs may go by it (`warning_codes` of `--json`). Sentences may be reworded.
A new warning is an entry of `KINDS` and the one call of `warning` by what checks for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

_LINES = "the lines near the corners that the user gave (`given.py`)"
_PART = "the counted lines of a part (`partial_board.py`)"
_PICTURE = "what else the picture shows (`pipeline.py`)"
_RULES = "the rules of the game (`position.py`)"
_SURE = "the probabilities of the lattice and of its points (`confidence.py`)"
_SERIES = "the frames of a series (`series/lock.py`, `series/run.py`)"


@dataclass(frozen=True)
class Kind:
    """One kind of warning. sentence: with the facts it names in braces. check: what looks for it."""

    sentence: str
    check: str


KINDS = {
    "corners-moved": Kind(
        "the given corners lie up to {gap:.1f} cells from the board's lines, which were taken instead: "
        "check the corners",
        _LINES,
    ),
    "corners-without-lines": Kind("no lines were found near the given corners, which are kept as they are", _LINES),
    "corners-unclear": Kind("the lines near the given corners are not clear: the corners are kept as they are", _LINES),
    "corners-far": Kind("the lines that were found lie {gap:.1f} cells from the given corners, which are kept", _LINES),
    "edge-not-seen": Kind(
        "{size} lines show each way and no edge: they are taken for all of a {size}x{size} board", _PART
    ),
    "part-alone": Kind("only the part {part} of a {size}x{size} board was read, {how}", _PART),
    "part-of-guessed-size": Kind(
        "only the part {part} of a {size}x{size} board was read, {how} "
        "({size}x{size} is a guess: --size says which board it is)",
        _PART,
    ),
    "lines-go-on": Kind("the lines may go on beyond the {sides} side: is it a part of a larger board?", _PART),
    "diagrams-left": Kind("{missing} of {all} diagrams {were} not read{more}", _PICTURE),
    "another-board": Kind("another board seems to lie beside it, which was not read: take a picture of each", _PICTURE),
    "nine-lines": Kind(
        "an empty board of nine lines is taken for Go: say --game reversi if it is one of eight squares", _PICTURE
    ),
    "board-unsure": Kind(
        "the board may lie elsewhere ({sure:.0f} % sure): check its corners, or give them with --corners", _SURE
    ),
    "points-hidden": Kind("{points} hidden or outside of the picture", _SURE),
    "points-unclear": Kind(
        "some points are not clear (all are right with a probability of {sure:.0f} %): check those marked", _SURE
    ),
    "no-stone": Kind("no stone was read: the board is empty, or it is not the board", _RULES),
    "colours-uneven": Kind(
        "{black} black and {white} white stones are no Gomoku, where the colours alternate (is it --game go?)", _RULES
    ),
    "middle-empty": Kind("a square of the four in the middle is empty, which no Reversi game has", _RULES),
    "no-liberties": Kind("a group without liberties breaks the rules: {groups}", _RULES),
    "rules-broken": Kind("the position breaks the rules of {game}: {reason}", _RULES),
    "series-board-unsure": Kind(
        "the board may lie elsewhere, or have another size ({sure:.0f} % sure): "
        "say which with --size, or where with --corners",
        _SERIES,
    ),
    "series-other-stones": Kind(
        "most frames show other stones than the record ({frames}): "
        "are they of one game, and in the order of its moves?",
        _SERIES,
    ),
    "series-board-lost": Kind("the board was not found in most frames: the record is of the others alone", _SERIES),
}
"""The kinds of warnings by code."""


class Warned(str):
    """A sentence for the user that knows its code, a key of `KINDS`."""

    code: str

    def __new__(cls, sentence: str, code: str) -> Self:
        """A sentence of that kind."""
        made = super().__new__(cls, sentence)
        made.code = code
        return made

    def __reduce__(self) -> tuple[type[Warned], tuple[str, str]]:
        """The processes of a batch send it with its code."""
        return Warned, (str(self), self.code)


def warning(code: str, **facts: object) -> Warned:
    """The warning of a kind. facts: what its sentence names. Raises KeyError for a code or a fact that is not there."""
    return Warned(KINDS[code].sentence.format(**facts), code)
