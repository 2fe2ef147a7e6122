"""Facts about a move in comments of PGN: [%eval], [%emt], [%clk] and the like, "0.53s" of cutechess.

Two become numbers of the `Note`, an evaluation in pawns and the seconds of the move; other commands stay as they are.
"""

from __future__ import annotations

import re

from tengen.engine.records.base import Note

LONGEST = 10_000
"""Letters of a comment that are looked at."""
MOST = 20
"""Comments on a move, and commands in them, that are kept."""
_COMMAND = re.compile(r"\[%([A-Za-z][A-Za-z0-9_]{0,20})[ \t\r\n]+([^][{}]{1,1000})\]")
_EVAL = re.compile(r"[+-]?\d{1,5}(?:\.\d{1,6})?")
_TIME = re.compile(r"(\d{1,4}):(\d{1,2}):(\d{1,2}(?:\.\d{1,6})?)")
_CUTECHESS = re.compile(r"(?:([+-]\d{1,5}\.\d{1,6})/\d{1,4}\s+)?(\d{1,7}(?:\.\d{1,6})?)s\b")


def note_of(comment: str, colour: int) -> Note:
    """Return the note in the comments on a move of that colour. The first command of a name counts."""
    evaluation, seconds = None, None
    commands: dict[str, str] = {}
    for name, text in _COMMAND.findall(comment):
        value = " ".join(text.split())
        if name in commands or not value.isprintable():
            continue
        if name == "eval" and evaluation is None and (found := _EVAL.match(value)):
            evaluation = float(found[0])
            if found[0] == value:
                continue
        elif name == "emt" and seconds is None and (found := _TIME.fullmatch(value)):
            seconds = 3600 * int(found[1]) + 60 * int(found[2]) + float(found[3])
            continue
        elif (name == "eval" and evaluation is not None) or (name == "emt" and seconds is not None):
            continue
        if len(commands) < MOST:
            commands[name] = value
    if seconds is None and (found := _CUTECHESS.match(comment.strip())):
        seconds = float(found[2])
        if found[1] and evaluation is None:
            evaluation = float(found[1]) * (-1 if colour else 1)
    return Note(evaluation, seconds, tuple(commands.items()))


def comment_of(note: Note) -> str:
    """The comment that says it; "" where there is nothing to say."""
    names = {name for name, _ in note.commands}
    parts = []
    if note.evaluation is not None and "eval" not in names:
        parts.append(f"[%eval {note.evaluation:.2f}]")
    if note.seconds is not None and "emt" not in names:
        minutes, seconds = divmod(max(0.0, note.seconds), 60)
        parts.append(f"[%emt {int(minutes) // 60}:{int(minutes) % 60:02}:{seconds:06.3f}]")
    return " ".join([*parts, *(f"[%{name} {value}]" for name, value in note.commands)])
