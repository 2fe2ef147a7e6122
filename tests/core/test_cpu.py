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


CORES = {
    "x86-64-v2": "popcnt sse4_2",
    "x86-64-v3": "popcnt sse4_2 avx2 bmi2",
    "x86-64-v4": "popcnt sse4_2 avx2 bmi2 avx512f",
}


@pytest.fixture
def cores(tmp_path: Path) -> Path:
    """A package with three cores, as a wheel for every machine has them."""
    for name, features in CORES.items():
        folder = tmp_path / "cores" / name
        folder.mkdir(parents=True)
        (folder / "_core.cpu").write_text(features + "\n", "ascii")
    return tmp_path


@pytest.mark.parametrize("have, chosen", [
    ("popcnt sse4_2", "x86-64-v2"), ("popcnt sse4_2 avx2", "x86-64-v2"), ("fpu popcnt sse4_2 avx2 bmi2", "x86-64-v3"),
    ("popcnt sse4_2 avx2 bmi2 avx512f amx_bf16", "x86-64-v4"), (None, "x86-64-v2"), ("fpu", "x86-64-v2"),
])  # fmt: skip
def test_the_best_core_for_the_cpu_is_found(cores: Path, have: str | None, chosen: str) -> None:
    """On a CPU that has too little, it is the one whose missing features `check` names."""
    path = [str(cores)]
    cpu.choose(path, None if have is None else frozenset(have.split()), {})
    assert path == [str(cores), str(cores / "cores" / chosen)]


def test_a_core_can_be_named(cores: Path) -> None:
    path = [str(cores)]
    cpu.choose(path, frozenset(CORES["x86-64-v4"].split()), {"TENGEN_CPU": "x86-64-v3"})
    assert path[1:] == [str(cores / "cores" / "x86-64-v3")]
    with pytest.raises(
        ImportError, match="TENGEN_CPU is 'fast'; this installation has x86-64-v2, x86-64-v3, x86-64-v4"
    ):
        cpu.choose([str(cores)], frozenset(), {"TENGEN_CPU": "fast"})


def test_one_core_is_left_as_it_is(tmp_path: Path) -> None:
    path = [str(tmp_path)]
    cpu.choose(path, frozenset(), {"TENGEN_CPU": "fast"})
    assert path == [str(tmp_path)]


def test_windows_tells_its_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    import ctypes
    from types import SimpleNamespace

    has = {38, 40}
    kernel = SimpleNamespace(IsProcessorFeaturePresent=lambda number: number in has)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    monkeypatch.setattr(cpu.sys, "platform", "win32")
    found = cpu.present("no such file")
    assert found is not None and {"popcnt", "bmi2"} <= found and "avx512f" not in found
    has.clear()
    assert cpu.present("no such file") is None
