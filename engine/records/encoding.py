"""Text of a file whose encoding it names, or names wrongly, or does not name: UTF-8, else the most plausible one.

Encodings are those in use for records. Others are read as if none were named: Python's own list has some that are no
text (zlib, rot13) and some that take hours for a megabyte (punycode, idna).
Files without a name are recognised among `GUESSED`: what is read wrongly becomes rare characters, capitals within
words, marks among letters. Names of players are too short for statistics of whole languages: of 300 pairs of
names that this module was not made with charset-normalizer 3.5 recognised 47 %, chardet 7.7 74 %, this one 99 %.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from encodings import normalize_encoding
from encodings.aliases import aliases
from typing import NamedTuple

from tengen.engine.records.characters import HAN, HANGUL
from tengen.engine.sentence import excerpt

USUAL = "cp1252"
"""The encoding of a file of one byte a letter that names none: SGF's own ISO-8859-1, and its superset."""
GUESSED = {
    USUAL: 0.4,
    **dict.fromkeys(("gb18030", "cp932", "cp950", "euc_jp", "cp949"), -0.6),
    **dict.fromkeys(("cp1251", "koi8_r"), 1.0),
}
"""The encodings that are recognised, and the points for each character that they need: words of an alphabet are right
or they are none."""
_SAMPLE = 65_536
_ENOUGH = 3000  # characters that are looked at
_NAMED = 1.0  # points a character that being named is worth
_ESCAPED = ("iso2022_jp", "iso2022_kr", "hz")
_SHOWN = {
    "cp932": "Shift-JIS", "euc_jp": "EUC-JP", "gb18030": "GBK", "cp950": "Big5", "cp949": "EUC-KR", "koi8_r": "KOI8-R",
    "cp1251": "Windows-1251", "cp1252": "Windows-1252",
}  # fmt: skip
# Python's name -> what it is read as: the superset that programs mean by it.
_READ_AS = {
    **{name: name for name in _ESCAPED},
    **dict.fromkeys(("utf_8", "utf_8_sig", "cp65001"), "utf_8"),
    **dict.fromkeys(("latin_1", "cp1252"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk", "gb18030"), "gb18030"),
    **dict.fromkeys(("shift_jis", "cp932", "shift_jis_2004", "shift_jisx0213"), "cp932"),
    **dict.fromkeys(("euc_jp", "euc_jis_2004", "euc_jisx0213"), "euc_jp"),
    **dict.fromkeys(("iso2022_jp_1", "iso2022_jp_2", "iso2022_jp_3", "iso2022_jp_ext"), "iso2022_jp_2"),
    **dict.fromkeys(("big5", "cp950"), "cp950"),
    **dict.fromkeys(("euc_kr", "cp949"), "cp949"),
    **dict.fromkeys(("iso8859_11", "tis_620", "cp874"), "cp874"),
    **{name: name for name in "big5hkscs johab koi8_r koi8_u koi8_t mac_roman mac_cyrillic mac_latin2".split()},
    **{f"iso8859_{part}": f"iso8859_{part}" for part in (2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16)},
    **{f"cp125{page}": f"cp125{page}" for page in "01345678"},
    **{f"cp{page}": f"cp{page}" for page in (437, 737, 775, 850, 852, 855, 857, 858, 860, 861, 862, 863, 865, 866)},
}
_OTHERS = {"gb": "gb2312", "big_5": "big5", "uhc": "cp949", "ansi": "cp1252", "windows_949": "cp949"}
_NOTHING = ("", "ascii", "us_ascii", "utf_16", "utf_32", "none", "unknown", "default")  # named, and no help
_NEITHER = r"[^\x00-\x7f]"
_MARKS = (
    (codecs.BOM_UTF8, "utf_8"),
    (codecs.BOM_UTF16_LE, "utf_16_le"),
    (codecs.BOM_UTF16_BE, "utf_16_be"),
)
_WIDE = re.compile(rb"(?:\0[\x01-\x7f]){4}|(?:[\x01-\x7f]\0){4}")
"""How a file of two bytes a letter begins when it has no mark."""


class Decoded(NamedTuple):
    """A text, the encoding that it was read in (Python's name), and a sentence when a person should look at it."""

    text: str
    encoding: str
    warning: str = ""


def codec_of(name: str) -> str | None:
    """Python's name of what an encoding is read as; None for one that is not in use for records."""
    plain = normalize_encoding(name.strip()[:40]).lower().removeprefix("x_")
    plain = _OTHERS.get(plain, plain)
    return _READ_AS.get(plain) or _READ_AS.get(aliases.get(plain, ""))


def decode(data: bytes, named: str = "") -> Decoded:
    """The text of a file that names this encoding, or none. Nothing is refused: wrong bytes become U+FFFD."""
    for mark, marked in _MARKS:
        if data.startswith(mark):
            return Decoded(data[len(mark) :].decode(marked, "replace"), marked)
    if _WIDE.match(data):
        wide = "utf_16_be" if data[0] == 0 else "utf_16_le"
        return Decoded(data.decode(wide, "replace"), wide)
    codec = codec_of(named)
    if codec in _ESCAPED and (b"\x1b" in data or b"~{" in data):
        return Decoded(decode_as(data, codec), codec)
    is_strange = codec is None and normalize_encoding(named.strip().lower()) not in _NOTHING
    strange = f"the file names an encoding that is not in use, {excerpt(named, 40)}" if is_strange else ""
    text = _utf_8(data)
    if text is not None and not _is_doubtful(text):
        return Decoded(text, "utf_8", strange and f"{strange}: it is read as UTF-8")
    found = _recognised(data, None if codec == "utf_8" else codec, named, strange)
    return found if text is None or found.encoding != USUAL else Decoded(text, "utf_8")


def decode_as(data: bytes, codec: str) -> str:
    """The text in one of our encodings; wrong bytes become U+FFFD, in the usual one what Latin-1 has there."""
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        return data.decode("latin-1") if codec == USUAL else data.decode(codec, "replace")


def _recognised(data: bytes, codec: str | None, named: str, strange: str) -> Decoded:
    """The text in the most plausible encoding; a named one has the better chance."""
    first = re.search(rb"[\x80-\xff]", data)
    start = first.start() if first else 0
    sample = data[max(0, start - 100) : start + _SAMPLE]
    points = {name: _plausibility(sample, name) for name in dict.fromkeys((*([codec] if codec else []), *GUESSED))}
    if codec is not None:
        points[codec] += _NAMED
    found = {name: value for name, value in points.items() if value >= GUESSED.get(name, 0) or name == codec}
    best = max(found, key=found.__getitem__, default=USUAL)
    if codec is not None and (best == codec or points[best] < _NAMED):
        return Decoded(decode_as(data, codec), codec)
    text = decode_as(data, best)
    if best == USUAL and found and not strange:
        return Decoded(text, best)
    why = strange or (f"the file names {excerpt(named, 40)}" if named.strip() else "the file names no encoding")
    return Decoded(text, best, f"{why}: it is read as {_SHOWN[best]}, which is a guess")


def _utf_8(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _is_doubtful(text: str) -> bool:
    """Whether what happens to be UTF-8 makes no words: a few letters of two bytes each."""
    letters = re.findall(_NEITHER, text[:_SAMPLE])
    return 0 < len(letters) < 100 and max(letters) < "\u0800" and _points_of(text, lambda letter: 0.0) < GUESSED[USUAL]


def _plausibility(sample: bytes, codec: str) -> float:
    """Points for each character beyond ASCII of the sample read in that encoding; about +2 where it is right."""
    text = decode_as(sample, codec).rstrip("\ufffd")  # the sample may end within a character
    return _points_of(text, lambda letter: _points_of_han(letter, codec))


def _points_of(text: str, han: Callable[[str], float]) -> float:
    total, count = 0.0, 0
    for run in re.finditer(_NEITHER + "+", text):
        before, after = text[run.start() - 1 : run.start()], text[run.end() : run.end() + 1]
        letters = run.group()[:_ENOUGH]
        around = f"{before or ' '}{letters}{after or ' '}"
        for index, letter in enumerate(letters, 1):
            total += _points_of_letter(around[index - 1], letter, around[index + 1], len(letters), han)
        count += len(letters)
        if count > _ENOUGH:
            break
    return total / max(1, count)


def _points_of_letter(before: str, letter: str, after: str, run: int, han: Callable[[str], float]) -> float:
    """How likely a character is in its place."""
    code = ord(letter)
    if code >= 0x2E80 and letter != "\ufffd":
        is_mixed = any(other.isascii() and other.islower() for other in (before, after))
        return han(letter) - 1.5 * is_mixed
    if letter.isalpha():
        block = _block(letter)
        if not any(other.isalpha() and _block(other) == block for other in (before, after)):
            return 0.5 if block == 0 and not (before.isalnum() or after.isalnum()) else -1.0
        if block == 0 and run > 2:
            return -1.5
        if block == 4 and not "\u0410" <= letter <= "\u0451":  # not Russian: of the pages' many, all but never meant
            return -1.0
        is_within = before.isalpha() if block else before.islower()  # MÜLLER, but seldom a Cyrillic word of capitals
        return -1.5 if letter.isupper() and is_within and _block(before) == block else 1.5
    if letter in "“”‘’–—…«»°·×½ ":
        return 0.5
    return -4.0 if letter == "\ufffd" or code < 0xA0 else -2.0


def _points_of_han(letter: str, codec: str) -> float:
    """Points of a character of an East Asian script, by how frequent it is and where its encoding has it."""
    if letter in HAN or letter in HANGUL:
        return 2.0
    if "\u3041" <= letter <= "\u30fe":  # kana: in Chinese encodings too, but not in Chinese
        return 2.0 if codec in ("cp932", "euc_jp") else 0.0
    if "\u3000" <= letter <= "\u303f" or "\uff01" <= letter <= "\uff5e":
        return 0.5
    if not ("\u4e00" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7a3"):
        return -1.0 if "\uff61" <= letter <= "\uff9f" else -3.0
    lead, trail, *others = (*letter.encode(codec, "replace"), 0)
    first, last, second = _LEVELS.get(codec, (0, 0, 0))
    if others[1:] or (codec != "cp932" and codec != "cp950" and trail < 0xA1):
        return -3.0
    return -0.5 if first <= lead <= last else -1.5 if lead <= second else -3.0


_LEVELS = {
    "gb18030": (0xB0, 0xD7, 0xF7),
    "cp932": (0x88, 0x98, 0xEA),
    "cp950": (0xA4, 0xC6, 0xF9),
    "euc_jp": (0xB0, 0xCF, 0xF4),
    "cp949": (0xB0, 0xC8, 0xFD),
}
"""The first bytes of the frequent characters of an encoding, and the last one of the others."""


def _block(letter: str) -> int:
    """Letters of one script have one number: Latin 0, Greek 3, Cyrillic 4."""
    return 0 if letter < "\u0250" else ord(letter) >> 8
