"""The words of `go`, in any order: what bounds the search, which moves it may play."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tengen.engine.sentence import excerpt
from tengen.protocols.chess.bounds import Go

FALLBACK = 1000
"""Milliseconds of a search that nothing bounds since words were not understood, or only half a clock was told."""
MOST = 10**12
"""Larger numbers are taken as this: thirty years in milliseconds."""
NUMBERS = ("depth", "nodes", "movetime", "mate", "perft", "wtime", "btime", "winc", "binc", "movestogo")
CLOCK = ("winc", "binc", "movestogo")
"""Words that mean nothing without a clock."""
FLAGS = ("infinite", "ponder")
MOVES = "searchmoves"
_INTEGER = re.compile(r"[+-]?\d+(?:\.\d*)?", re.ASCII)
_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?", re.IGNORECASE)


def parse(words: Sequence[str]) -> Go:
    """Read the words behind `go`; never raises. What is no word of it is passed over with a note. Where nothing else
    bounds the search then, FALLBACK does: only who asks for it has it search without end."""
    numbers: dict[str, int] = {}
    flags: set[str] = set()
    moves: list[str] = []
    notes: list[str] = []
    at = 0
    while at < len(words):
        word = words[at].lower()
        at += 1
        if word in NUMBERS:
            value = _integer(words[at]) if at < len(words) else None
            if value is None:
                notes.append(f"go {word} needs a number")
            else:
                numbers[word] = value
                at += 1
        elif word in FLAGS:
            flags.add(word)
        elif word == MOVES:
            while at < len(words) and words[at].lower() not in KEYWORDS:
                if _MOVE.fullmatch(words[at]):
                    moves.append(words[at].lower())
                else:
                    notes.append(f"go searchmoves: {excerpt(words[at])} is no move")
                at += 1
        else:
            notes.append(f"go: {excerpt(word)} is ignored")
    found = _go(numbers, flags, tuple(moves), tuple(notes[:8]))
    is_misread = bool(notes) or not numbers.keys().isdisjoint(CLOCK)
    if not is_misread or found.is_infinite or found.is_bounded or found.mate is not None:
        return found
    told = f"go: nothing that was understood bounds the search, it takes {FALLBACK} ms"
    return found._replace(movetime=FALLBACK, notes=(*found.notes, told))


def _go(numbers: dict[str, int], flags: set[str], moves: tuple[str, ...], notes: tuple[str, ...]) -> Go:
    return Go(
        depth=_least(numbers, "depth", 1),
        nodes=_least(numbers, "nodes", 1),
        movetime=_least(numbers, "movetime", 1),
        mate=_least(numbers, "mate", 1),
        perft=_least(numbers, "perft", 0),
        times=(numbers.get("wtime"), numbers.get("btime")),
        increments=(max(0, numbers.get("winc", 0)), max(0, numbers.get("binc", 0))),
        movestogo=_least(numbers, "movestogo", 0) or None,
        is_infinite="infinite" in flags,
        is_ponder="ponder" in flags,
        moves=moves,
        notes=notes,
    )


def _least(numbers: dict[str, int], name: str, least: int) -> int | None:
    """A number that is at least so large where it was given."""
    value = numbers.get(name)
    return None if value is None else max(value, least)


def _integer(word: str) -> int | None:
    """A whole number, of a fraction its whole part; None for what is none."""
    if not _INTEGER.fullmatch(word):
        return None
    digits = word.partition(".")[0]
    if len(digits) > 15:
        return -MOST if digits[0] == "-" else MOST
    return max(-MOST, min(MOST, int(digits)))


KEYWORDS = frozenset({*NUMBERS, *FLAGS, MOVES})
"""The words that end the moves of `searchmoves`."""
