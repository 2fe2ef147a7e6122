"""Find the networks in KataGo's format on a machine, and choose one when nobody names one (`net = auto`).

Looked at, in this order: the user's folder of networks for Tengen, KataGo's (~/.katago, beside the program, where
packages of it put them), KaTrain's (~/.katrain), the folder of models in an installed `katrain` package, which is not
imported, and those that Tengen ships.

Taken is the first of those that can be used, and are for boards of the size that is played, in this order of wishes:

1. one in the user's folder for Tengen: who put it there wants it;
2. from LIGHT to HEAVY bytes; then one that Tengen ships, of those the one for the fewest sizes; then a lighter one,
   because small networks know less; then a heavier one, because large ones hardly search without a GPU;
3. of the newest version of the format: those are the newest designs;
4. trained the most, by the number behind `-s` in its name (kata1-b18c384nbt-s9996604416-...);
5. the largest file, then the newest, then the first by its path.

Networks that imitate people have to be told of the players and are never taken; nor is what cannot be read, nor one
whose card says that it is for those who name it.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from tengen.engine.evaluators import shipped
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.backends.cards import card_path, read_card
from tengen.engine.evaluators.katago.model import Glance, glance
from tengen.engine.evaluators.outline import Size

HEAVY = 128 << 20
"""Bytes of a file. b18c384nbt has 98 MB and gives 69 positions a CPU-second on 19x19 with AMX, 8 without."""
LIGHT = 8 << 20
"""Bytes of a file. Networks of 6 or 7 blocks of 96 channels have 3 to 4 MB, those of 10 of 128 11 MB."""
ENDINGS = (".bin.gz", ".txt.gz", ".bin", ".txt")
SURE_ENDINGS = (".bin.gz", ".txt.gz")
"""Endings of names that are listed everywhere; other files are listed in folders of networks alone when they can be
read."""
SHIPPED = "Tengen itself"
"""The owner of the networks that Tengen ships."""
DEFAULT_SIZE = (19, 19)
"""The size of the boards for which a network is chosen when nobody names a size."""
MOST_FILES = 200
"""The most files of a folder that are looked at."""
INSTEAD = "TENGEN_NETWORKS"
"""The environment's folders, which are looked into instead of all others but Tengen's own; none at all where it is
empty."""
_TRAINED = re.compile(r"-s(\d{1,18})(?:-|$)")


class Place(NamedTuple):
    """A folder that may hold networks, and whose it is."""

    owner: str
    folder: Path


@dataclass(frozen=True)
class Found:
    """A file that looks like a network. known: what it says of itself; None where it cannot be used, and why. boards:
    the least and the greatest side of those that it is for, by its card; None where that says nothing. by_name: whether
    its card says that only who names it plays by it."""

    path: Path
    owner: str
    size: int
    time: float
    known: Glance | None
    problem: str = ""
    boards: tuple[int, int] | None = None
    by_name: bool = False

    def is_for(self, size: Size) -> bool:
        """Whether `auto` may take it for boards of a size."""
        if self.known is None or self.by_name:
            return False
        return self.boards is None or self.boards[0] <= min(size) <= max(size) <= self.boards[1]


def places(home: Path | None = None, environment: Mapping[str, str] | None = None) -> list[Place]:
    """Return the places of networks in their order; not all exist."""
    at = Path.home() if home is None else home
    variables = os.environ if environment is None else environment
    own = [Place(SHIPPED, folder) for folder in shipped.folders()]
    if (said := variables.get(INSTEAD)) is not None:
        named = [Place("Tengen", Path(folder)) for folder in said.split(os.pathsep) if folder]
        return named + own if named else []
    katago = [at / ".katago", at / ".katago" / "models", *_beside("katago", variables), *_packaged(variables)]
    katrain = [at / ".katrain", at / ".katrain" / "models", *_models_of_katrain(at, variables)]
    found = [Place("Tengen", own_folder(at, variables))]
    found += [Place("KataGo", folder) for folder in katago]
    found += [Place("KaTrain", folder) for folder in katrain]
    return found + own


def own_folder(home: Path, environment: Mapping[str, str]) -> Path:
    """Tengen's folder of networks."""
    return data_folder(home, environment) / "networks"


def data_folder(home: Path, environment: Mapping[str, str]) -> Path:
    """Tengen's folder where the system keeps a user's data."""
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "Tengen"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Tengen"
    return Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share") / "tengen"


def find_networks(where: list[Place] | None = None) -> list[Found]:
    """Every network file in the places, each once, the one that `auto` takes first."""
    found: dict[Path, Found] = {}
    for place in places() if where is None else where:
        for path in _files(place.folder):
            one = _look(path, place.owner)
            if one is not None:
                found.setdefault(path.resolve(), one)
    return sorted(found.values(), key=_rank)


def choose(found: list[Found], size: Size = DEFAULT_SIZE) -> Found | None:
    """The one that `auto` takes for boards of a size; None where none can be used."""
    return next((one for one in found if one.is_for(size)), None)


def _rank(one: Found) -> tuple[object, ...]:
    if one.known is None:
        return True, str(one.path)
    header = one.known.header
    trained = _TRAINED.search(header.name)
    return (
        False,
        one.owner != "Tengen",
        _worth(one),
        one.boards[1] - one.boards[0] if one.owner == SHIPPED and one.boards else 0,
        -header.version,
        -int(trained[1]) if trained else 0,
        -one.size,
        -one.time,
        str(one.path),
    )


def _worth(one: Found) -> int:
    """Less is taken first."""
    if one.owner == SHIPPED:
        return 1
    return 3 if one.size > HEAVY else 2 if one.size < LIGHT else 0


def _look(path: Path, owner: str) -> Found | None:
    """What a file is; None for one that is gone, or that neither calls itself a network nor is one."""
    try:
        facts = path.stat()
    except OSError:
        return None
    try:
        known = glance(path)
    except NetworkError as error:
        if not path.name.endswith(SURE_ENDINGS):
            return None
        return Found(path, owner, facts.st_size, facts.st_mtime, None, str(error))
    if known.header.has_metadata:
        return Found(path, owner, facts.st_size, facts.st_mtime, None, "it imitates people and has to be told of them")
    boards, by_name = _said(path)
    return Found(path, owner, facts.st_size, facts.st_mtime, known, boards=boards, by_name=by_name)


def _said(path: Path) -> tuple[tuple[int, int] | None, bool]:
    """What the card beside a network says of its boards, and whether it has to be named; nothing where there is none,
    or none that can be read."""
    try:
        card = read_card(card_path(path))
    except NetworkError:
        return None, False
    return card.boards, card.by_name


def _files(folder: Path) -> list[Path]:
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(ENDINGS))
    except OSError:
        return []
    return [folder / name for name in names[:MOST_FILES]]


def _beside(program: str, environment: Mapping[str, str]) -> Iterator[Path]:
    """The folder of a program that is on the path, where KataGo looks for its own default."""
    found = shutil.which(program, path=environment.get("PATH", ""))
    if found:
        yield Path(found).resolve().parent


def _packaged(environment: Mapping[str, str]) -> Iterator[Path]:
    """Where packages of systems put KataGo's networks."""
    for variable in ("LOCALAPPDATA", "APPDATA", "PROGRAMFILES"):
        if variable in environment:
            yield Path(environment[variable]) / "KataGo"
    if sys.platform != "win32":
        for prefix in ("/opt/homebrew", "/usr/local", "/usr"):
            yield Path(prefix, "share", "katago")


def _models_of_katrain(home: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """The models inside an installed package: of this Python, of the `katrain` on the path, of pipx."""
    spec = find_spec("katrain") if "katrain" not in sys.modules else sys.modules["katrain"].__spec__
    for folder in (spec.submodule_search_locations if spec else None) or ():
        yield Path(folder) / "models"
    trees = [home / ".local" / part / "katrain" for part in ("pipx/venvs", "share/pipx/venvs", "share/uv/tools")]
    program = shutil.which("katrain", path=environment.get("PATH", ""))
    if program:
        trees.append(Path(program).resolve().parent.parent)
    for tree in trees:
        for pattern in ("lib/python3*/site-packages/katrain/models", "Lib/site-packages/katrain/models"):
            yield from sorted(tree.glob(pattern))
