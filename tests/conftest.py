"""What all tests share: the data that lies outside the repository, and the real process."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings

ATTEMPTS = 3
again: list[str] = []  # the tests of time that needed more than one attempt
ROOT = Path(__file__).resolve().parent.parent
os.environ["TENGEN_NETWORKS"] = ""  # no test depends on the networks that a machine has
os.environ.setdefault("TENGEN_CACHE", "none")  # the tests keep nothing in the user's folder
os.environ.setdefault("OMP_NUM_THREADS", "1")  # small sums by as many threads as cores, in each worker, mostly wait
# A busy machine is no fault of what is tested: examples may take any time.
settings.register_profile("tengen", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tengen")


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
    """Run the real command: `tengen("gtp", "--seed", "1", send="name\\nquit\\n")`. script: the input comes from a file,
    so that it may take its time, where searches end half a minute after the end of a pipe."""

    def run(*words: str, send: str = "", script: str = "", timeout: float = 60) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tengen.tools", *words]
        if not script:
            return subprocess.run(
                command, input=send, capture_output=True, text=True, encoding="utf-8", timeout=timeout
            )
        with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
            file.write(script)
            file.seek(0)
            return subprocess.run(
                command, stdin=file, capture_output=True, text=True, encoding="utf-8", timeout=timeout
            )

    return run


@pytest.fixture
def called(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Call the command in this process, with `send` to read: for what is not about a process, at a tenth of the cost of
    one."""
    from tengen.tools import cli

    def call(*words: str, send: str = "") -> subprocess.CompletedProcess[str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(send.encode()), encoding="utf-8"))
        capfd.readouterr()
        code = cli.main(words)
        return subprocess.CompletedProcess(words, code, *capfd.readouterr())

    return call


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Seed what draws random numbers, so that no test depends on those before it; a sanitizer's shadow is memory too."""
    random.seed(0)
    for name, seed in (("numpy.random", "seed"), ("torch", "manual_seed")):
        if name in sys.modules:
            getattr(sys.modules[name], seed)(0)
    if os.environ.get("TENGEN_SANITIZED") and item.get_closest_marker("memory") is not None:
        pytest.skip("a process holds more under a sanitizer")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A test of time that fails gets a second and a third attempt, with new fixtures.

    A machine that others use stands still for a tenth of a second now and then. What is slow is slow every time, and
    fails; the summary names what needed another attempt.
    """
    if item.get_closest_marker("timing") is None:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for attempt in range(1, ATTEMPTS + 1):
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        if attempt == ATTEMPTS or not any(report.failed for report in reports):
            break
        again.append(f"{item.nodeid}, attempt {attempt}: {next(one for one in reports if one.failed).longreprtext}")
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What needed another attempt, and why."""
    if again:
        terminalreporter.section("tests of time that were repeated")
        for one in again:
            terminalreporter.line(one)
