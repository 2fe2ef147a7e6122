"""Read the features of this machine's CPU, choose the native core that suits it, and refuse one that was built for
another CPU with a clear sentence instead of a crash.

The build writes the CPU features that a core may use into `_core.cpu` beside it, as Linux's /proc/cpuinfo spells them.
A wheel for every machine holds several cores, each in a folder of `cores` that is named after its instruction set
(docs/architecture.md, "Build").
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, MutableSequence
from importlib.util import find_spec
from pathlib import Path

LEVEL = "TENGEN_CPU"
"""The environment variable that names the core to use, such as x86-64-v2."""
_WINDOWS = {"sse4_2": 38, "avx2": 40, "avx512f": 41}
"""Features that Windows tells, as IsProcessorFeaturePresent numbers them. A CPU that has one has its level's others."""
_LEVELS: dict[str, frozenset[str]] = {
    "sse4_2": frozenset("pni ssse3 sse4_1 sse4_2 popcnt".split()),
    "avx2": frozenset("movbe avx avx2 bmi1 bmi2 fma f16c abm".split()),
    "avx512f": frozenset("avx512f avx512cd avx512bw avx512dq avx512vl".split()),
}


def required() -> frozenset[str]:
    """The features that the installed core may use; empty when the build did not record them."""
    spec = find_spec("tengen.engine._core")
    if spec is None or spec.origin is None:
        raise ImportError("Tengen's native core is missing; install it with `pip install .` in the source folder")
    return _recorded(Path(spec.origin).parent)


def _recorded(folder: Path) -> frozenset[str]:
    try:
        return frozenset((folder / "_core.cpu").read_text("ascii").split())
    except OSError:
        return frozenset()


def present(cpuinfo: str = "/proc/cpuinfo") -> frozenset[str] | None:
    """The features of this machine's first CPU, or None when it does not tell."""
    try:
        with open(cpuinfo, encoding="ascii", errors="replace") as lines:
            for line in lines:
                if line.startswith("flags"):
                    return frozenset(line.partition(":")[2].split())
    except OSError:
        pass
    return _told_by_windows() if sys.platform == "win32" else None


def _told_by_windows() -> frozenset[str] | None:
    import ctypes

    tells = ctypes.windll.kernel32.IsProcessorFeaturePresent  # type: ignore[attr-defined,unused-ignore]
    found = [_LEVELS[name] for name, number in _WINDOWS.items() if tells(number)]
    return frozenset[str]().union(*found) if found else None


def choose(
    path: MutableSequence[str], have: frozenset[str] | None, environment: Mapping[str, str] = os.environ
) -> None:
    """Put the folder of the best core for a CPU on the search path of `tengen.engine`, behind the others.

    path: its `__path__`. have: the features of the CPU; None: unknown, so that the core that needs fewest is taken.
    Nothing changes where there are no cores to choose from. Raises ImportError where none of them runs on this CPU, or
    where `TENGEN_CPU` names none of them.
    """
    cores = {found.name: found for folder in path for found in Path(folder, "cores").glob("*") if found.is_dir()}
    if not cores:
        return
    named = environment.get(LEVEL)
    if named:
        if named not in cores:
            raise ImportError(f"{LEVEL} is '{named}'; this installation has {', '.join(sorted(cores))}")
        path.append(str(cores[named]))
        return
    needs = {name: _recorded(folder) for name, folder in cores.items()}
    least = min(needs, key=lambda name: len(needs[name]))
    runs = [name for name in needs if have is not None and needs[name] <= have] or [least]
    path.append(str(cores[max(runs, key=lambda name: len(needs[name]))]))


CAPS = ("ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA")
"""oneDNN computes networks; by these variables it can be told to use no more than some instruction sets."""
VNNI, AMX, BF16 = (
    frozenset({"avx512_vnni", "avx_vnni"}),
    frozenset({"amx_bf16", "amx_int8"}),
    frozenset({"avx512_bf16"}),
)
_CAPPED: dict[str, frozenset[str]] = {
    "AVX2": frozenset({"avx2"}),
    "AVX2_VNNI": frozenset({"avx2", "avx_vnni"}),
    "AVX512_CORE": frozenset({"avx2", "avx512f"}),
    "AVX512_CORE_VNNI": frozenset({"avx2", "avx512f", "avx512_vnni"}),
    "AVX512_CORE_BF16": frozenset({"avx2", "avx512f", "avx512_vnni", "avx512_bf16"}),
}
"""What is left of the features that networks are computed by; other words of oneDNN's cap nothing here."""


def usable(environment: Mapping[str, str] = os.environ) -> frozenset[str] | None:
    """The features of `present` that networks may be computed by; None when the machine does not tell.

    >>> usable({"ONEDNN_MAX_CPU_ISA": "avx2"}) in (None, frozenset(), frozenset({"avx2"}))
    True
    """
    features = present()
    cap = next((environment[name].upper() for name in CAPS if name in environment), "")
    return features & _CAPPED[cap] if features is not None and cap in _CAPPED else features


def processor() -> str:
    """The processor's own name where the system tells."""
    if sys.platform == "linux":
        try:
            with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
                for line in lines:
                    if line.startswith("model name"):
                        return " ".join(line.partition(":")[2].split())
        except OSError:
            pass
    import platform  # every start of an engine passes here, and few ask

    return platform.processor() or platform.machine() or "unknown processor"


INSTRUCTIONS = {
    "AMX": ("amx_bf16", "amx_int8"),
    "AVX-512 bf16": ("avx512_bf16",),
    "AVX-512 VNNI": ("avx512_vnni",),
    "AVX-VNNI": ("avx_vnni",),
    "AVX-512": ("avx512f",),
    "AVX2": ("avx2",),
}
"""The instructions that compute networks -> the features that show them, the fastest first."""


def instructions(features: frozenset[str] | None) -> str:
    """The instruction sets that networks are computed by, in words.

    >>> instructions(frozenset({"avx2", "avx512f"})), instructions(None)
    ('AVX-512, AVX2', 'instruction set unknown')
    """
    found = [name for name, words in INSTRUCTIONS.items() if features and features.intersection(words)]
    return ", ".join(found) or ("instruction set unknown" if features is None else "no AVX2")


def check() -> None:
    """Raise ImportError when this CPU lacks a feature that the core was built to use."""
    have = present()
    missing = () if have is None else sorted(required() - have)
    if missing:
        raise ImportError(
            f"this build of Tengen needs CPU features that this machine lacks ({', '.join(missing)}); "
            "install it from source on this machine, or anywhere with -C cmake.define.TENGEN_NATIVE=OFF"
        )
