"""A core that was built for another CPU is refused with one sentence before it is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.engine import cpu


def test_the_flags_of_the_first_processor_are_read(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor\t: 0\nflags\t\t: fpu sse4_2 avx2\n\nprocessor\t: 1\nflags\t\t: fpu\n")
    assert cpu.present(str(cpuinfo)) == {"fpu", "sse4_2", "avx2"}
    assert cpu.present(str(tmp_path / "missing")) is None


def test_a_missing_feature_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu, "required", lambda: frozenset({"avx2", "popcnt"}))
    monkeypatch.setattr(cpu, "present", lambda: frozenset({"popcnt"}))
    with pytest.raises(ImportError, match=r"lacks \(avx2\).*TENGEN_NATIVE=OFF"):
        cpu.check()
    monkeypatch.setattr(cpu, "present", lambda: None)
    cpu.check()


def test_this_build_fits_this_machine() -> None:
    cpu.check()
