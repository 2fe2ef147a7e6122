"""Whether a network works on this machine, in words."""

from __future__ import annotations

from pathlib import Path

from tengen.engine import cpu
from tengen.engine.evaluators.backends import fast_precisions
from tengen.engine.evaluators.katago.loading import BOUNDS, answers, load_for_play
from tengen.engine.evaluators.katago.model import glance
from tengen.tools.net.listing import digest, megabytes, shape


def facts(path: Path) -> str:
    """Name, version, shape and size in one line. Raises NetworkError."""
    known = glance(path)
    header = known.header
    return f"{header.name}, version {header.version}, {shape(known)} blocks, {megabytes(path.stat().st_size)}"


def machine() -> str:
    """The CPU and what it computes networks by."""
    return f"{cpu.processor()} ({cpu.instructions(cpu.present())})"


def check(path: Path) -> int:
    """Print what is found out, a line each. Raises NetworkError for a network that cannot be used."""
    is_fast = "bf16" in fast_precisions()
    print(f"ok      {facts(path)}, sha256 {digest(path)}")
    loaded = load_for_play(path, wish="bf16" if is_fast else "f32", threads=1)
    answers(loaded.evaluator, path.name)
    print(f"ok      runs on {machine()}")
    if not is_fast:
        print("ok      f32: this CPU does not compute in bf16 by itself")
    elif loaded.notice:
        print(f"--      {loaded.notice}")
    else:
        print(f"ok      bf16 differs from f32 by {loaded.difference}; allowed: {BOUNDS}")
    loaded.evaluator.close()
    return 0
