"""What documents, comments and settings call by a path, by a file's name or by a module's is there."""

from __future__ import annotations

import itertools
import re
from functools import cache
from pathlib import Path

from checkout import ROOT, tracked

TEXTS = {".py", ".md", ".hpp", ".cpp", ".toml", ".cmake", ".txt", ""}
FOLDERS = ("engine", "protocols", "nets", "tools", "tests", "docs", "core")
PATH = re.compile(rf"(?<![\w/.{{}}-])(?:tengen/)?((?:{'|'.join(FOLDERS)})/[\w./{{}},*-]+)")
FILE = re.compile(r"(?<![\w/.*{}-])[a-z]\w*\.(?:py|hpp|cpp)\b(?!\()")
MODULE = re.compile(r"\btengen\.((?:engine|protocols|nets|tools)(?:\.[a-z]\w*)+)")
MADE_UP = {"eval_photos.py", "gtp_regress.py", "tools.x", "wheel.py"}
"""Of others, for the sake of an example, and the beginning of a setting (`wheel.py-api`)."""
INSTALLED = ("engine/cores",)
"""Folders that only a wheel of a release has."""


@cache
def named(pattern: re.Pattern[str], path: Path) -> list[str]:
    """What the lines of a file name, without the full stop of a sentence."""
    return [found.rstrip(".,/-") for found in pattern.findall(path.read_text("utf-8"))]


def spelled_out(path: str) -> list[str]:
    """`a/{b,c}.py` as its paths."""
    parts = [part.split(",") for part in re.split(r"[{}]", path)]
    words = [part if number % 2 else [",".join(part)] for number, part in enumerate(parts)]
    return ["".join(choice) for choice in itertools.product(*words)]


def is_there(path: str) -> bool:
    """Whether a path, a pattern of paths, or a module without its ending is there; the core's are also said from it."""
    if any(path.startswith(folder) for folder in INSTALLED):
        return True
    return any(any(ROOT.glob(base + path + end)) for base in ("", "engine/") for end in ("", ".py"))


def is_module(name: str) -> bool:
    """Whether it is a module, or something that one speaks of."""
    path = ROOT.joinpath(*name.split("."))
    if any(path.parent.glob(f"{path.name}.py*")) or path.is_dir():
        return True
    home = next((home for home in (path.parent.with_suffix(".py"), path.parent / "__init__.py") if home.exists()), None)
    return home is not None and (path.name.startswith("__") or path.name in home.read_text("utf-8"))


FILES = [
    path for path in tracked()
    if path.suffix in TEXTS and path.name not in ("CHANGELOG.md", "LICENSE", Path(__file__).name) and "data" not in path.parts
]  # fmt: skip


def test_what_is_named_is_there() -> None:
    ours = {file.name for file in FILES}
    for path in FILES:
        for name in named(PATH, path):
            for one in spelled_out(name):
                assert is_there(one), f"{path}: {name}"
        for name in named(MODULE, path):
            assert name in MADE_UP or is_module(name), f"{path}: {name}"
        if "tests" not in path.parts:  # which write files of their own
            for name in named(FILE, path):
                assert name in ours | MADE_UP, f"{path}: {name}"


def test_names_are_found() -> None:
    assert [len([one for path in FILES for one in named(pattern, path)]) > 20 for pattern in (PATH, FILE, MODULE)] == [
        True
    ] * 3
    assert spelled_out("a/{b,c}/d.{py,md}") == ["a/b/d.py", "a/b/d.md", "a/c/d.py", "a/c/d.md"]
