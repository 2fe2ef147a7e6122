"""Read the features of this machine's CPU, and refuse a native core that was built for another one with a clear
sentence instead of a crash.

The build writes the CPU features that the core may use into `_core.cpu` beside it, as Linux's /proc/cpuinfo
spells them. Where the machine does not tell its features (not Linux, not x86) nothing is checked.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path


def required() -> frozenset[str]:
    """The features that the installed core may use; empty when the build did not record them."""
    spec = find_spec("tengen.engine._core")
    if spec is None or spec.origin is None:
        raise ImportError("Tengen's native core is missing; install it with `pip install .` in the source folder")
    try:
        return frozenset(Path(spec.origin).with_name("_core.cpu").read_text("ascii").split())
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
    return None


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
