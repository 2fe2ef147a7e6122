"""The bytes of a KataGo network file, unpacked within bounds, and a reader of the words and arrays in them.

    a file is words with white space between them; gzip around it, or none
    array  in a text file so many numbers, in a binary one @BIN@ and so many float32, little-endian

https://github.com/lightvector/KataGo. Binary or text, packed or not: what the file holds says so, not its name.
"""

from __future__ import annotations

import math
import re
import zlib
from collections import deque
from itertools import islice
from typing import TYPE_CHECKING

from tengen.engine.files import size_text
from tengen.engine.sentence import excerpt

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

LARGEST_FILE = 1 << 30
LARGEST = 2 << 30
"""Bytes of a file unpacked: the largest network of 2026 has half of it."""
MOST_SPREAD = 16
"""Times that a file may grow: weights in binary grow by a tenth, weights in text by 3."""
LEAST_ALLOWED = 1 << 20
_GZIP = b"\x1f\x8b"
_MARK = b"@BIN@"
_WORD = re.compile(rb"\s*(\S{1,200})(?!\S)")
_BEFORE_MARK = re.compile(rb"\s{0,100}@BIN@")
_NUMBER = re.compile(rb"\S+")


class Damage(ValueError):
    """A damaged file: the damage in one clause, and the remedy."""

    hint = "fetch it again: a KataGo network (.bin.gz) that is complete"


class Unknown(Damage):
    """A file that may well be whole, with something in it that is not known here."""

    hint = "take another network, or a newer tengen"


def unpacked(data: bytes, *, is_whole: bool = True) -> bytes:
    """Return the content of a file, or of its beginning, without gzip around it. Raises Damage."""
    if not data:
        raise Damage("it is empty")
    if not data.startswith(_GZIP):
        return data
    limit = min(LARGEST, LEAST_ALLOWED + MOST_SPREAD * len(data))
    unpacker = zlib.decompressobj(wbits=31)
    try:
        found = unpacker.decompress(data, limit)
        rest = unpacker.eof or unpacker.decompress(unpacker.unconsumed_tail, 1)
    except zlib.error:
        raise Damage("it is damaged (gzip cannot unpack it)") from None
    if unpacker.eof or not is_whole:
        return found
    if rest:
        raise Damage(f"it unpacks to more than {size_text(limit)}, which no network does")
    raise Damage("it is cut short")


class Reader:
    """Takes words and arrays off a file, one behind the other. Everything raises Damage."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._is_text = _MARK not in data
        self.version = 0
        """The version of the format, once the header is read."""

    def word(self, what: str) -> str:
        """The next word; `what` it is, for the sentence."""
        found = _WORD.match(self._data, self._at)
        if found is None:
            if not self._data[self._at : self._at + 200].strip():
                raise Damage(f"it ends before {what}")
            raise Damage(f"{what} is no word")
        self._at = found.end()
        return found[1].decode("ascii", "replace")

    def integer(self, what: str, low: int = 1, high: int = 1 << 14) -> int:
        """The next word as an integer within bounds."""
        word = self.word(what)
        if not re.fullmatch(r"[+-]?[0-9]{1,12}", word):
            raise Damage(f"{what} is {excerpt(word)}, not an integer")
        if not low <= int(word) <= high:
            raise Damage(f"{what} is {word}, not from {low} to {high}")
        return int(word)

    def flag(self, what: str) -> bool:
        """The next word, 0 or 1."""
        return bool(self.integer(what, 0, 1))

    def positive(self, what: str) -> float:
        """The next word as a number above 0."""
        word = self.word(what)
        try:
            value = float(word)
        except ValueError:
            value = math.nan
        if not 0 < value < math.inf:
            raise Damage(f"{what} is {excerpt(word)}, not a number above 0")
        return value

    def floats(self, what: str, *shape: int) -> NDArray[float32]:
        """The next array: a read-only view of the file where that is binary."""
        import numpy as np

        count = math.prod(shape)
        values = self._numbers(what, count) if self._is_text else self._floats(what, count)
        if not np.isfinite(values).all():
            raise Damage(f"{what} has a weight that is no number")
        return values.reshape(shape)

    def end(self) -> None:
        """Nothing may follow."""
        if self._data[self._at :].strip():
            raise Damage("there is more behind its end")

    def _floats(self, what: str, count: int) -> NDArray[float32]:
        import numpy as np

        mark = _BEFORE_MARK.match(self._data, self._at)
        if mark is None:
            raise Damage(f"{what} has no weights where they should be")
        start = mark.end()
        if 4 * count > len(self._data) - start:
            raise Damage(f"it ends within the weights of {what}")
        self._at = start + 4 * count
        return np.frombuffer(self._data, "<f4", count, start)

    def _numbers(self, what: str, count: int) -> NDArray[float32]:
        import numpy as np

        start = self._at
        last = None
        if 2 * count <= len(self._data) - start + 1:
            found = deque(enumerate(islice(_NUMBER.finditer(self._data, start), count), 1), maxlen=1)
            last = found[0] if found else None
        if last is None or last[0] < count:
            raise Damage(f"it ends within the weights of {what}")
        self._at = last[1].end()
        try:
            return np.array(self._data[start : self._at].split(), np.float32)
        except ValueError:
            raise Damage(f"{what} has a weight that is no number") from None
