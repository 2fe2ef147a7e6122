"""What all tests share: the data that lies outside the repository, and the real process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


os.environ.setdefault("TENGEN_CACHE", "none")  # the tests keep nothing in the user's folder


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Callable[[str], Path]:
    """A function from a path below $TENGEN_SHARED to that file or folder.

    Without TENGEN_SHARED the test is skipped; with it, a file that is missing is a failure.
    """
    folder = os.environ.get("TENGEN_SHARED")

    def find(path: str) -> Path:
        if not folder:
            pytest.skip("TENGEN_SHARED is not set")
        found = Path(folder) / path
        if not found.exists():
            pytest.fail(f"TENGEN_SHARED is set, but {path} is missing in it")
        return found

    return find


@pytest.fixture(scope="session")
def tengen() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the real command: `tengen("gtp", "--seed", "1", send="name\\nquit\\n")`."""

    def run(*words: str, send: str = "", timeout: float = 60) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "tengen.tools", *words],
            input=send, capture_output=True, text=True, encoding="utf-8", timeout=timeout,
        )  # fmt: skip

    return run
