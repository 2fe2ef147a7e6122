"""The optional packages: the purpose of each extra of the installation, and the sentence for a missing one.

The names and packages are those of pyproject.toml. Nothing is imported here to see whether it is there.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname


class Extra(NamedTuple):
    """One extra: what one gets by it, its packages as module -> name on the index, and what to do before them."""

    gives: str
    packages: Mapping[str, str]
    first: str = ""


EXTRAS = {
    "nets": Extra("Go by KataGo's networks", {"openvino": "openvino"}),
    "photo": Extra(
        "positions from photos, screenshots and diagrams",
        {
            "cv2": "opencv-python-headless",
            "openvino": "openvino",
            "PIL": "pillow",
            "pillow_heif": "pillow-heif",
        },
    ),
    "chess": Extra("chess games as PGN: matches, reviews; books and endgame tables", {"chess": "chess"}),
    "play": Extra(
        "arrow keys in tengen play; chess games as PGN", {"prompt_toolkit": "prompt-toolkit", "chess": "chess"}
    ),
    "web": Extra(
        "tengen web: the page in the browser",
        {"starlette": "starlette", "uvicorn": "uvicorn", "segno": "segno", "chess": "chess"},
    ),
    "gym": Extra("the Gymnasium environment", {"gymnasium": "gymnasium"}),
    "cluster": Extra("work on many machines", {"ray": "ray"}),
    "train": Extra(
        "training networks",
        {"torch": "torch", "onnx": "onnx", "matplotlib": "matplotlib"},
        first="where there is no GPU, first install PyTorch's CPU build (pytorch.org says how), then ",
    ),
}


def missing(extra: str) -> tuple[str, ...]:
    """The packages of an extra that are not installed."""
    return tuple(package for module, package in EXTRAS[extra].packages.items() if not _is_there(module))


def install_line(extra: str) -> str:
    """Return the command that adds an extra to this installation, in any folder.

    Where Tengen came from is asked of pip. Where that is not known, the packages of the extra are named one by one:
    the name "tengen" on an index is another project's.
    """
    words = [str(Path(sys.executable).absolute()), "-m", "pip", "install", *_source(extra)]
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def sentence(user: str, error: ImportError) -> str | None:
    """Return the sentence for a person when `user` could not import something; None when no extra has it.

    >>> sentence("tengen photo", ModuleNotFoundError(name="cv2"))  # doctest: +ELLIPSIS
    'tengen photo needs the package opencv-python-headless, which is not installed; run: ... install ...[photo]...'
    """
    module = (error.name or "").partition(".")[0]
    for name, extra in EXTRAS.items():
        if module in extra.packages:
            state = "is not installed" if isinstance(error, ModuleNotFoundError) else f"does not load ({_first(error)})"
            needs = f"{user} needs the package {extra.packages[module]}, which {state}"
            return f"{needs}; {extra.first}run: {install_line(name)}"
    return None


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ImportError:
        return False


def _source(extra: str) -> list[str]:
    """What pip installed Tengen from, with the extra: a path that is still there, else the extra's packages."""
    try:
        text = distribution("tengen-engine").read_text("direct_url.json")
    except PackageNotFoundError:
        text = None
    known = json.loads(text) if text else {}
    path = url2pathname(urlsplit(known.get("url", "")).path)
    if not path or not Path(path).exists():
        return list(EXTRAS[extra].packages.values())
    editable = ["-e"] if known.get("dir_info", {}).get("editable") else []
    return [*editable, f"{path}[{extra}]"]


def _first(error: Exception) -> str:
    return str(error).strip().split("\n")[0]
