"""Records as people have them, typed by hand, and the folders and archives that they lie in."""

from __future__ import annotations

import bz2
import gzip
import io
import struct
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

NAMES = "abcdefghijklmnopqrstuvwxy"


def sgf(moves: str = "dd pp dp pd fq cn jp qn nq ip", **facts: str) -> bytes:
    """A game of Go on 19x19 by points; facts are root properties, "" leaves one out."""
    told = {"GM": "1", "SZ": "19", "PB": "Ann", "PW": "Bob", "BR": "9d", "WR": "9d", "RE": "B+R", "KM": "6.5", **facts}
    root = "".join(f"{key}{value if value.startswith('[') else f'[{value}]'}" for key, value in told.items() if value)
    played = "".join(f";{'BW'[number % 2]}[{move}]" for number, move in enumerate(moves.split()))
    return f"(;{root}{played})".encode()


def distinct(number: int, **facts: str) -> bytes:
    """A game that differs from those of other numbers."""
    row, column = divmod(number, 19)
    return sgf(f"{NAMES[column]}{NAMES[row]} as bs cs ds es fs gs hs is", **facts)


PSQ = b"""Piskvorky 15x15, 11:11, 0
8,8,0
9,8,10
8,7,0
9,7,10
8,6,0
9,6,10
8,5,0
9,5,0
8,4,0
black-engine
white-engine
0
1,freestyle
"""
GGF = (
    b"(;GM[Othello]PC[GGS/os]PB[saio]PW[kitty]RB[2196.37]RW[2200.35]TY[8]RE[+4.000]"
    b"BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"
    b"B[d3//0.01]W[c5]B[f6]W[f5]B[e6]W[e3]B[c3]W[f3]B[c4]W[b4];)\n"
)


def wthor(*games: tuple[int, int, list[int]]) -> bytes:
    """A base of (black player's number, white's, moves 10 * row + column); Black has 40 discs."""
    out = struct.pack("<4BIHHBBBB", 20, 4, 1, 1, len(games), 0, 2004, 8, 0, 0, 0)
    for black, white, moves in games:
        out += struct.pack("<HHHBB", 0, black, white, 40, 40) + bytes(moves + [0] * (60 - len(moves)))
    return out


WTHOR_MOVES = [43, 53, 66, 33, 52, 77, 35, 65, 23, 36]


def zipped(contents: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(contents: Mapping[str, bytes], mode: str = "w:gz") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in contents.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def lay(folder: Path, contents: Mapping[str, bytes]) -> Path:
    for name, data in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


PACKERS = {".gz": gzip.compress, ".bz2": bz2.compress}
