"""Tygem's games as the collection godmoves/Standard_Computer_Go_Dataset has them: moves and facts in separate files.

`Kifu/2016-12.zip` (or unpacked, `2016-12`) has a line a game, number and moves; `index/Kifu2016.index.tar.gz` (or
unpacked) has the facts: number, time, name, account and country of White, the same of Black, result, length, byo-yomi.
The two meet in the number. Players are the accounts; all are 9 dan, komi is 6.5 under Japanese rules, as the collection
says. A game without facts has no result.
"""

from __future__ import annotations

import re
import tarfile
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from tengen.engine import files

LARGEST = 256 << 20
"""Bytes of a month's or year's text."""
_MONTH = re.compile(r"(\d{4})-\d{2}(?:\.zip)?")
_LINE = re.compile(rb"(\d{1,12})\s+((?:;[BW]\[[a-t]{0,2}\])+)\s*")


class Facts(NamedTuple):
    white: str
    black: str
    result: str


def is_month(path: Path) -> bool:
    """Whether a file is a month of the collection."""
    found = _MONTH.fullmatch(path.name)
    return found is not None and path.parent.name == "Kifu" and (path.parent.parent / "index").is_dir()


def games(path: Path) -> Iterator[tuple[str, bytes]]:
    """(a name, SGF) of each game of a month. Raises OSError and ValueError for damage."""
    facts = _index(path.parent.parent / "index", path.name[:4])
    for number, line in enumerate(_text(path).splitlines(), 1):
        found = _LINE.fullmatch(line)
        name = f"{path} line {number}.sgf"
        if found is None:
            yield name, line[:200]
            continue
        white, black, result = facts.get(int(found[1]), Facts("", "", ""))
        root = f"(;GM[1]SZ[19]RU[Japanese]KM[6.5]PB[{black}]PW[{white}]BR[9d]WR[9d]RE[{result}]"
        yield name, root.encode() + found[2] + b")"


@lru_cache(maxsize=1)
def _index(folder: Path, year: str) -> dict[int, Facts]:
    """The facts of a year's games by their numbers; none where the file is missing."""
    packed, plain = folder / f"Kifu{year}.index.tar.gz", folder / f"Kifu{year}.index"
    path = packed if packed.exists() else plain
    if not path.exists():
        return {}
    known: dict[int, Facts] = {}
    for line in _text(path).decode("utf-8", "replace").splitlines():
        parts = line.split("\t")
        if len(parts) >= 9 and parts[0].isdigit() and len(parts[0]) < 13:
            known[int(parts[0])] = Facts(*(_plain(parts[place]) for place in (3, 6, 8)))
    return known


def _plain(text: str) -> str:
    """A value of SGF."""
    return re.sub(r"[\[\]\\]", "", text.strip())[:100]


def _text(path: Path) -> bytes:
    """What is in a file, or in the only one of an archive."""
    with files.open_regular(path) as file:
        if path.suffix == ".zip":
            with zipfile.ZipFile(file) as archive, archive.open(archive.infolist()[0]) as inner:
                data = inner.read(LARGEST + 1)
        elif path.suffix == ".gz":
            with tarfile.open(fileobj=file, mode="r|gz") as tar:
                content = next((tar.extractfile(member) for member in tar if member.isfile()), None)
                data = content.read(LARGEST + 1) if content else b""
        else:
            data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"it is larger than {files.size_text(LARGEST)}")
    return data
