"""Files of arrays (.npz) from anywhere, read with bounds: nothing is unpickled, and no memory is taken on the word of a
header.

Read are the members that numpy's `savez` writes: stored or deflated, each with a header of version 1.0 and as many
bytes of plain numbers as that promises. Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
"""

from __future__ import annotations

import io
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tengen.engine import files

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGEST, LARGEST_UNPACKED, MOST_ARRAYS = 1 << 30, 1 << 30, 10_000
"""Bytes of a file, and of all its arrays; arrays of a file."""
ENDING = ".npy"
MOST_AXES = 32
_BEGIN = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '(?P<kind>[<>|=][biuf]\d{1,2})', 'fortran_order': (?P<order>True|False), "
    rb"'shape': \((?P<shape>(?:\d{1,19}(?:, \d{1,19}){0,40},?)?)\), \} *\n"
)
"""As numpy writes it: what it reads besides is an expression, which is not looked into."""
_SIDE = re.compile(rb"\d+")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGE = (
    ArithmeticError, EOFError, LookupError, NotImplementedError, OSError, RuntimeError, TypeError, ValueError,
    struct.error, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


class ArraysError(ValueError):
    """A file that holds no arrays that can be read; the message is one sentence without the file's name."""


class Arrays(Mapping[str, "NDArray[Any]"]):
    """The arrays of a file by name, each unpacked when it is asked for, and read-only."""

    def __init__(self, data: bytes, unpacked: int = LARGEST_UNPACKED) -> None:
        """unpacked: bytes of all arrays together, at most. Raises ArraysError."""
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except _DAMAGE as error:
            raise _damaged(error) from None
        members = self._archive.infolist()
        self._members = {one.filename.removesuffix(ENDING): one for one in members if one.filename.endswith(ENDING)}
        if len(members) > MOST_ARRAYS or len(self._members) < len(members):
            raise ArraysError("it is damaged or holds something else than arrays")
        if sum(one.file_size for one in members) > unpacked:
            raise ArraysError(f"its arrays are larger than {files.size_text(unpacked)}")

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Raises KeyError for an array that is not there, ArraysError for one that is damaged."""
        member = self._members[name]
        try:
            return self._read(member)
        except ArraysError:
            raise
        except _DAMAGE as error:
            raise _damaged(error) from None

    def __iter__(self) -> Any:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def _read(self, member: zipfile.ZipInfo) -> NDArray[Any]:
        import numpy as np

        if member.compress_type not in _METHODS:
            raise ArraysError("it is damaged or packed otherwise")
        with self._archive.open(member) as file:
            data = file.read(member.file_size + 1)  # all of it, and with it the checksum
        if len(data) != member.file_size or data[: len(_BEGIN)] != _BEGIN:
            raise ArraysError("it is damaged or no array of version 1.0")
        start = len(_BEGIN) + 2 + int.from_bytes(data[len(_BEGIN) : len(_BEGIN) + 2], "little")
        header = _HEADER.fullmatch(data[len(_BEGIN) + 2 : start])
        if header is None:
            raise ArraysError("it holds something else than plain numbers")
        kind = np.dtype(header["kind"].decode())
        shape = tuple(int(side) for side in _SIDE.findall(header["shape"]))
        if len(shape) > MOST_AXES or math.prod(shape) * kind.itemsize != len(data) - start:
            raise ArraysError("an array is of another type or length than its header says")
        found = np.frombuffer(data, kind, offset=start)
        return found.reshape(shape, order="F" if header["order"] == b"True" else "C")


def read(path: files.Name, unpacked: int = LARGEST_UNPACKED) -> Arrays:
    """The arrays of a file. Raises ArraysError, OSError."""
    return Arrays(files.read(path, LARGEST), unpacked)


def _damaged(error: Exception) -> ArraysError:
    said = " ".join(str(error).split())[:200]
    return ArraysError(f"it is damaged or no file of arrays ({said or type(error).__name__})")
