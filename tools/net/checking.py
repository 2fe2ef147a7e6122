"""Whether a network works on this machine, in words."""

from __future__ import annotations

from pathlib import Path

from tengen.engine import cpu
from tengen.engine.evaluators.backends import fast_precisions
from tengen.engine.evaluators.katago.loading import BOUNDS, answers, load_for_play
from tengen.engine.evaluators.katago.model import glance
from tengen.tools.live import Live
from tengen.tools.net.listing import digest, megabytes, shape


def facts(path: Path) -> str:
    """Name, version, shape and size in one line. Raises NetworkError."""
    known = glance(path)
    header = known.header
    return f"{header.name}, version {header.version}, {shape(known)} blocks, {megabytes(path.stat().st_size)}"


def machine() -> str:
    """Describe the CPU and its instructions for networks."""
    return f"{cpu.processor()} ({cpu.instructions(cpu.usable())})"


def check(path: Path, backend: str | None = None) -> int:
    """Print the results, a line each. Raises NetworkError for a network that cannot be used."""
    with Live(is_patient=True) as live:
        live.update("reading the file")
        fast = [precision for precision in fast_precisions(backend) if precision != "f32"]
        live.result(f"ok      {facts(path)}, sha256 {digest(path)}")
        live.update("running it in f32")
        exact = load_for_play(path, wish="f32", backend=backend, threads=1)
        answers(exact.evaluator, path.name)
        exact.evaluator.close()
        live.result(f"ok      runs on {machine()}")
        if not fast:
            live.result("ok      f32: this CPU does not compute in bf16 or int8 by itself")
        for precision in fast:
            live.update(f"running it in {precision}")
            loaded = load_for_play(path, wish=precision, backend=backend, threads=1)
            loaded.evaluator.close()
            found = f"ok      {precision} differs from f32 by {loaded.difference}; allowed: {BOUNDS[precision]}"
            live.result(f"--      {loaded.notice}" if loaded.notice else found)
    return 0
