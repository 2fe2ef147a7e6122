"""A driven engine, for matches and examinations alike: lines, orphans, and that nobody else starts one."""

from __future__ import annotations

import ast
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from checkout import ROOT
from match_games import is_alive

from tengen.tools.compliance.process import Process
from tengen.tools.engines.blocking import BlockingProcess
from tengen.tools.engines.lines import Splitter
from tengen.tools.engines.pipes import Hearing
from tengen.tools.engines.process import CannotStart, Launch

PYTHON = (sys.executable, "-S", "-c")
DETACHED = (
    "import subprocess, sys; child = subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(99)'], "
    "start_new_session=True); print(child.pid, flush=True); input()"
)


@pytest.mark.parametrize(
    ("pieces", "lines", "rest"),
    [
        ([b"a\nb\n"], [b"a", b"b"], []),
        ([b"a", b"b\nc"], [b"ab"], [b"c"]),
        ([b"\n\r\n"], [b"", b"\r"], []),
        ([b"12345678\nx\n"], [b"1234", b"x"], []),
        ([b"12345", b"678", b"9\nx\n"], [b"1234", b"x"], []),
        ([b"123456", b"789"], [b"1234"], []),
        ([b"1234", b"\n"], [b"1234"], []),
    ],
)
def test_bytes_to_lines(pieces: list[bytes], lines: list[bytes], rest: list[bytes]) -> None:
    splitter = Splitter(4)
    assert [line for piece in pieces for line in splitter.feed(piece)] == lines and splitter.end() == rest


def said(process: BlockingProcess, count: int = 1) -> list[str]:
    lines: list[str] = []
    while len(lines) < count:
        found, outcome = process.read(lambda line: True, 10)
        assert outcome == "ok"
        lines += found
    return lines


def gone(pid: int) -> bool:
    deadline = time.monotonic() + 5
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not is_alive(pid)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_an_examined_engine_dies_with_all_that_it_started(tmp_path: Path) -> None:
    process = Process([*PYTHON, DETACHED], tmp_path)
    child = int(said(process)[0])
    assert is_alive(child)
    process.kill()
    assert gone(child)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_no_engine_outlives_an_examiner_that_is_killed(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tengen.tools.compliance.process import Process\n"
        f"process = Process({[*PYTHON, DETACHED]!r}, Path({str(tmp_path)!r}))\n"
        "print(process.read(lambda line: True, 10)[0][0], flush=True); input()"
    )
    examiner = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert examiner.stdout is not None and examiner.stdin is not None
    child = int(examiner.stdout.readline())
    examiner.send_signal(signal.SIGKILL)
    examiner.wait()
    examiner.stdin.close()
    examiner.stdout.close()
    assert gone(child)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_new_keeper_knows_the_engines_of_one_that_was_killed() -> None:
    code = (
        "from tengen.tools.engines import keeper; from tengen.tools.engines.blocking import BlockingProcess\n"
        "from tengen.tools.engines.pipes import Hearing; from tengen.tools.engines.process import Launch\n"
        f"launch = Launch({[*PYTHON, DETACHED]!r})\n"
        "for number in range(2):\n"
        "    print(BlockingProcess(launch, Hearing(), kept=99).read(lambda line: True, 10)[0][0], flush=True)\n"
        "    keeper.process.kill() if number == 0 else input()\n"
        "    keeper.process.wait()\n"
    )
    owner = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None and owner.stdin is not None
    children = [int(owner.stdout.readline()) for _ in range(2)]
    owner.kill()
    owner.communicate()
    assert [gone(child) for child in children] == [True, True]


def test_what_is_examined_is_not_mended(tmp_path: Path) -> None:
    process = Process([*PYTHON, "import os; os.write(1, b'a\\xff\\r\\n' + b'x' * 70_000 + b'\\nend')"], tmp_path)
    try:
        assert said(process, 3) == ["a\udcff\r", "x" * 70_000, "end"]
        assert process.read(lambda line: True, 10) == ([], "end")
        assert process.death() == "it ended with exit code 0"
    finally:
        process.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="signals without a name")
@pytest.mark.parametrize(
    ("number", "words"), [(signal.SIGSEGV, "it was killed by SIGSEGV"), (37, "it was killed by signal 37")]
)
def test_how_it_was_killed(tmp_path: Path, number: int, words: str) -> None:
    process = Process([*PYTHON, f"import os; os.kill(os.getpid(), {int(number)})"], tmp_path)
    try:
        assert process.death() == words
    finally:
        process.kill()


def test_much_on_stderr_does_not_make_what_is_examined_late(tmp_path: Path) -> None:
    code = "import os\nfor _ in range(40): os.write(2, (b'y' * 99 + b'\\n') * 1000)\nprint('here', flush=True); input()"
    process = Process([*PYTHON, code], tmp_path)
    try:
        assert process.read(lambda line: True, 2.0) == (["here"], "ok")  # 4 MB: at a match's rate three seconds
        assert process.errors[-1] == "y" * 99
    finally:
        process.kill()


def test_who_does_not_read_is_noticed_and_input_ends_after_what_was_written(tmp_path: Path) -> None:
    code = "import sys; sys.stdin.readline(); print(len(sys.stdin.read()), flush=True)"
    process = Process([*PYTHON, "import time; time.sleep(99)"], tmp_path)
    try:
        assert process.write(b"x" * 8_000_000, 0.3) is False
    finally:
        process.kill()
    assert process.wait(5) == -signal.SIGKILL and process.write(b"x") is True  # nobody is left to read
    process = Process([*PYTHON, code], tmp_path)
    try:
        assert process.write(b"go\n" + b"x" * 3_000_000, 10) is True
        process.close_input()
        assert said(process) == ["3000000"] and process.wait(10) == 0 and not process.has_left_others()
    finally:
        process.kill()


def test_what_cannot_be_started_is_said(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match=r"cannot be started: No such file or directory \(nothing-of-this-name\)"):
        BlockingProcess(Launch(["nothing-of-this-name"], tmp_path), Hearing(), kept=1000)


def test_only_the_room_of_engines_starts_them() -> None:
    """And ends them: no second process layer in matches or examinations."""
    for path in [*(ROOT / "tools" / "match").rglob("*.py"), *(ROOT / "tools" / "compliance").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = node.attr if isinstance(node, ast.Attribute) else ""
            assert name not in ("Popen", "subprocess_exec", "killpg", "create_subprocess_exec"), f"{path}: {name}"
