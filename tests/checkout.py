"""The files of the repository, whatever lies around them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FAKES = ROOT / "tests" / "fakes"
"""Engines and players with planted faults."""


def tracked() -> list[Path]:
    """Files of the repository: as git lists them, or everything outside build folders in an unpacked archive."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True,
    )  # fmt: skip
    if listed.returncode == 0 and listed.stdout:
        paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    else:
        paths = [path for path in ROOT.rglob("*") if not is_generated(path.relative_to(ROOT).parts)]
    return [path for path in paths if path.is_file()]


def is_generated(parts: tuple[str, ...]) -> bool:
    """Whether a path lies in a folder that building or testing makes."""
    return any(part in ("build", "dist", "__pycache__") or (part[0] == "." and part != ".ci") for part in parts[:-1])


def needs_openvino() -> None:
    """Skip a test, or a module of them, where no network runs: without OpenVINO, and under the address sanitizer, which
    ends it (its libraries are loaded with RTLD_DEEPBIND)."""
    pytest.importorskip("openvino")
    if os.environ.get("TENGEN_SANITIZED") == "address":
        pytest.skip("OpenVINO does not run under the address sanitizer", allow_module_level=True)
