"""The process of an engine: its limits, its log, what it leaves behind, and lines without end."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

import pytest
from match_games import is_alive

from tengen.tools.engines import keeper
from tengen.tools.engines.measure import cpu_of
from tengen.tools.match.drivers import log
from tengen.tools.match.drivers.base import EngineFault
from tengen.tools.match.drivers.process import EngineProcess
from tengen.tools.match.spec import EngineSpec, Reason


def test_limits_reach_the_process(tmp_path: Path) -> None:
    """Processors, memory, environment, folder and log."""
    cpu = min(os.sched_getaffinity(0))
    code = "import os, sys, time; print(os.environ['COLOUR'], os.getcwd()); sys.stdout.flush(); input(); print(sorted(os.sched_getaffinity(0))); bytearray(400 << 20)"
    spec = EngineSpec(
        "limited",
        (sys.executable, "-S", "-c", code),
        "gtp",
        directory=str(tmp_path),
        env={"COLOUR": "blue"},
        memory_mb=200,
        cpus=(cpu,),
    )

    async def run() -> tuple[list[str], str]:
        process = await EngineProcess.start(spec, tmp_path / "engine.log")
        lines = [(await process.read(time.monotonic() + 10)).text]
        assert (cpu_of(process.pid) or 0) > 0
        process.send("go on")
        lines.append((await process.read(time.monotonic() + 10)).text)
        try:
            await process.read(time.monotonic() + 10)
        except EngineFault as fault:
            ending = fault.sentence
        await process.kill()
        return lines, ending

    lines, ending = asyncio.run(run())
    assert lines == [f"blue {tmp_path}", f"[{cpu}]"] and ending == "exited with code 1"
    log = (tmp_path / "engine.log").read_text()
    assert "< go on" in log and "MemoryError" in log


def test_a_log_is_bounded_and_keeps_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was said first and last; a log that an earlier process filled goes aside."""
    monkeypatch.setattr(log, "LARGEST_LOG", 10_000)
    path = tmp_path / "engine.log"
    for _ in range(5):
        kept = log.EngineLog(path)
        for number in range(5_000):
            kept.write(">", f"line {number} " + "x" * 5_000 * (number == 4_998))
        kept.close()
        text = path.read_text()
        assert "> line 0 \n" in text and text.endswith("> line 4999 \n") and "lines left out" in text
        assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 40_000
    assert len(list(tmp_path.iterdir())) == 2


def test_a_flood_on_stderr_leaves_time_for_other_games() -> None:
    code = "import os\nwhile True: os.write(2, b'y\\n' * 30_000)"

    async def run() -> float:
        engine = await EngineProcess.start(EngineSpec("flood", (sys.executable, "-S", "-c", code), "gtp"))
        begin = time.process_time()
        await asyncio.sleep(1.5)
        used = time.process_time() - begin
        await engine.kill()
        return used

    assert asyncio.run(run()) < 0.4


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_child_in_a_session_of_its_own_dies_with_the_engine() -> None:
    code = (
        "import subprocess, sys; child = subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(99)'], "
        "start_new_session=True); print(child.pid, flush=True); input()"
    )

    async def run() -> int:
        engine = await EngineProcess.start(EngineSpec("parent", (sys.executable, "-S", "-c", code), "gtp"))
        child = int((await engine.read(time.monotonic() + 10)).text)
        await engine.kill()
        return child

    child = asyncio.run(run())
    deadline = time.monotonic() + 2
    while is_alive(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_alive(child)


@pytest.mark.skipif(os.name == "nt", reason="sessions")
def test_engines_start_also_when_the_keeper_was_killed() -> None:
    async def run() -> list[str]:
        words = []
        for _ in range(2):
            code = "print('here', flush=True); input()"
            engine = await EngineProcess.start(EngineSpec("e", (sys.executable, "-S", "-c", code), "gtp"))
            words.append((await engine.read(time.monotonic() + 10)).text)
            await engine.kill()
            assert keeper.process is not None
            keeper.process.kill()
            keeper.process.wait()
        return words

    assert asyncio.run(run()) == ["here", "here"]


def test_processors_that_are_not_there_are_told() -> None:
    spec = EngineSpec("far", (sys.executable, "-S", "-c", "input()"), "gtp", cpus=(4000,))
    with pytest.raises(EngineFault, match="cannot be kept to cpus=4000") as error:
        asyncio.run(EngineProcess.start(spec))
    assert error.value.reason is Reason.VOID


def test_a_very_long_line_is_cut() -> None:
    code = "import sys; sys.stdout.write('x' * 3_000_000 + chr(10) + 'next' + chr(10)); sys.stdout.flush(); input()"

    async def run() -> list[int]:
        process = await EngineProcess.start(EngineSpec("long", (sys.executable, "-S", "-c", code), "gtp"))
        lengths = [len((await process.read(time.monotonic() + 10)).text) for _ in range(2)]
        await process.kill()
        return lengths

    lengths = asyncio.run(run())
    assert lengths[0] <= 1 << 16 and lengths[1] == 4
