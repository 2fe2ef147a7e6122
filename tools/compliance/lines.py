"""Lines that no well-meaning program sends: right ones changed by one mistake or three, and hostile ones."""

from __future__ import annotations

import random
import re
from typing import NamedTuple

from tengen.tools.compliance.dialect import Dialect

NUMBERS = (-(2**63), -(2**31) - 1, -1, 0, 1, 2, 8, 19, 20, 25, 26, 255, 256, 2**31 - 1, 2**31, 2**32, 2**63, 10**30)
WORDS = ("nan", "inf", "-inf", "1e309", "-0", "0x10",
         "''", '"', "null", "true", "%s%n%s%n", "$(id)", "`id`", ";", "|", "&&",
         "\\", "../../x", "A" * 300, "a1", "I5", "z99", "pass", "resign",
         "=", "?", ",", "+", "-", "*", "[", "]", "(", ")")  # fmt: skip
FOREIGN = "\u00e9\u9ed2\U0001f600\u202e\ufeff\u2028"
PATHS = ("../escape", "../../escape", "missing/folder/x", "a\0b", "x" * 400, "..", ".", "~")
LONGEST = 60_000
FORBIDDEN = re.compile(r"(?i)\b(quit|end|exit|isready|about|bench|perft|yx\w*|shutdown|uci)\b")
"""Words that end an engine by right, belong to the sentinel, or start long work."""


class Sent(NamedTuple):
    """One line (or several) as bytes without the last LF. is_plain: short, printable ASCII, so that the protocol
    leaves no room for another reading."""

    data: bytes
    is_plain: bool


def mutated(text: str, dice: random.Random) -> str:
    """A right line after up to three mistakes."""
    for _ in range(dice.randint(1, 3)):
        words = text.split(" ")
        at = dice.randrange(len(words))
        match dice.randrange(7):
            case 0 if len(words) > 1:
                words[max(at, 1)] = str(dice.choice(NUMBERS))
            case 1:
                words.insert(at + 1, dice.choice(WORDS))
            case 2 if len(words) > 1:
                del words[max(at, 1)]
            case 3:
                words += words[1:] * dice.randint(1, 30)
            case 4 if len(words[at]) > 1:
                place = dice.randrange(len(words[at]))
                words[at] = words[at][:place] + dice.choice("abXZ019.,/-") + words[at][place + 1 :]
            case 5:
                words[0] = dice.choice([words[0].upper(), words[0].swapcase(), words[0] + "x", words[0][:-1] or "x"])
            case _:
                words[-1] = dice.choice(WORDS) if len(words) > 1 else words[-1]
        text = " ".join(words)
    return text


def hostile(text: str, dice: random.Random) -> bytes:
    """A line that breaks the rules of text: bytes, control characters, scripts from elsewhere, length, paths."""
    data = text.encode()
    match dice.randrange(9):
        case 0:
            return dice.randbytes(dice.randint(1, 80)).replace(b"\n", b"")
        case 1:
            return data.replace(b" ", b"\0")
        case 2:
            return data + b"\0\x01\x1b[31m\x7f"
        case 3:
            return data + b" " + FOREIGN.encode()
        case 4:
            return b"\xff\xfe\xc3\x28\xed\xa0\x80 " + data
        case 5:
            return data + b" " + b"9" * dice.randint(500, LONGEST)
        case 6:
            return data + b" 1" * dice.randint(500, LONGEST // 2)
        case 7:
            return data[: dice.randint(0, len(data))]
        case _:
            return (text.split(" ")[0] + " " + dice.choice(PATHS)).encode()


def line(dialect: Dialect, dice: random.Random, level: int) -> Sent:
    """Level 1: right lines; 2: mutated ones as well; 3: hostile ones as well."""
    while True:
        text = dialect.valid(dice)
        kind = dice.random()
        if level >= 2 and kind > 0.45:
            text = mutated(text, dice)
        data = hostile(text, dice) if level >= 3 and kind > 0.8 else text.encode()
        if FORBIDDEN.search(data.decode("latin-1")) or re.search(rb"(?i)(print|save)\S*\s+/", data):
            continue
        is_plain = len(data) < 400 and bool(data.strip()) and all(32 <= c < 127 or c == 10 for c in data)
        return Sent(data, is_plain and b"#" not in data)
