"""Interpret the komi (KM) of a Go record in the forms that programs write; a sentence reports an unclear one.

Komi of servers: Fox and Tygem write hundredths (650 is 6.5), and for games counted by area Chinese stones, of which
one is two points (375 and 3.75 are 7.5).
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from tengen.engine.games.go.rules import read_rules
from tengen.engine.sentence import excerpt

OWN = "Tengen"
"""The program (AP) that writes komi in points, whatever the number."""
LARGEST = 400.0
"""Points; what is more is no komi."""
_HUNDREDTHS = 100.0
"""Numbers from here on are hundredths, where that makes quarters of a point; of servers that write them all are."""
_SERVERS = re.compile(r"fox|tygem|tom\b|弈城|野狐", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\d.])[-+]?(?:\d{1,9}(?:\.\d{0,20})?|\.\d{1,20})(?![\d.])")
_PLAIN = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)
_MIXED = re.compile(r"([-+]?\d{1,3})(?:\s+|\s*又\s*|(?=½|¼|¾))(?:(\d)\s*[/⁄]\s*(\d)|([½¼¾]))")
_VULGAR = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_STONES = re.compile(r"子|zi\b|\bstones?\b", re.IGNORECASE)
_HALF = re.compile(r"(\d)\s*(目|子|집|점)?\s*(?:半|반)")
_PARTS = re.compile(r"(\d)\s*分之\s*(\d)")
_DIGITS = str.maketrans("〇零一二两三四五六七八九", "001223456789")
_DIGITS_APART = re.compile(r"(?<=\d),(?=\d)")


class Komi(NamedTuple):
    """points: None when the text holds none. said: a sentence where it was not written as points."""

    points: float | None
    said: str = ""


def komi_of(text: str, maker: str = "") -> Komi:
    """Komi as KM has it; maker: the program that wrote the file (AP)."""
    written = text.strip()
    if not written:
        return Komi(None)
    plain = _DIGITS_APART.sub(".", unicodedata.normalize("NFKC", written))
    plain = _PARTS.sub(r"\2/\1", _HALF.sub(r"\1.5\2", plain.translate(_DIGITS)))
    value = _value(plain, written) if len(written) < 100 else None
    if value is None or abs(value) > 1e6:
        return _told(None, written)
    if maker.partition(":")[0].strip() == OWN:
        return Komi(value)
    points = value
    if not points % 25 and (abs(points) >= _HUNDREDTHS or _SERVERS.search(maker)):
        points /= 100
    if _STONES.search(plain) or ((2 * points) % 1 and not (4 * points) % 1 and abs(points) < 5):
        points *= 2
    if abs(points) > LARGEST:
        return _told(None, written)
    return Komi(points) if points == value and _PLAIN.fullmatch(plain) else _told(points, written)


def is_misread(text: str) -> bool:
    """Whether points that are written so would be read as something else."""
    return bool(komi_of(text).said)


def _told(points: float | None, written: str) -> Komi:
    is_read = "no komi: none is read" if points is None else f"read as a komi of {points:g}"
    return Komi(points, f"KM[{excerpt(written, 20)[1:-1]}] is {is_read}")


def _value(plain: str, written: str) -> float | None:
    """The one number of a text; "5 1/2" and "3又3/4" are one."""
    for text in (written, plain):
        if mixed := _MIXED.search(text):
            part = _VULGAR[mixed[4]] if mixed[4] else int(mixed[2]) / (int(mixed[3]) or 1)
            whole = int(mixed[1])
            return whole - part if mixed[1].startswith("-") else whole + part
    if _PLAIN.fullmatch(plain):
        return float(plain)
    found = _NUMBER.findall(plain)
    return float(found[0]) if len(found) == 1 else None


def komi_of_rules(text: str) -> float | None:
    """Komi that stands within RU, as KataGo may write it."""
    try:
        return read_rules(text)[1] if text else None
    except ValueError:
        return None
