"""Eight bits in place of floats: what is rounded, by which ranges, how near it stays, and what is kept of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from katago_files import network

from tengen.engine import cpu
from tengen.engine.evaluators import cache
from tengen.engine.evaluators.backends import make_backend
from tengen.engine.evaluators.katago import calibration, rounding
from tengen.engine.evaluators.katago.calibration import calibrated, ranges
from tengen.engine.evaluators.katago.rounding import Range, Rounded
from tengen.engine.evaluators.katago.source import KataGoSource
from tengen.engine.evaluators.katago.trial import inputs
from tengen.tools.net.reference import BARS, compare, positions

MAKE = make_backend("openvino")


@pytest.mark.parametrize("kinds", [("ordinary",), ("pooling", "bottleneck"), ("fixed", "feed_forward")])
def test_every_tensor_has_a_range(kinds: tuple[str, ...]) -> None:
    model = network(kinds, 14, activation="relu")
    found = calibrated(model, "tiny", MAKE, 1)
    assert len(found) == rounding.tensors(model) and found[0] == Range(0, 1)
    assert all(low == 0 and high > 0 for low, high in found)
    assert found == calibrated(model, "tiny", MAKE, 1)


def test_rounding_stays_near_and_is_no_copy() -> None:
    model = network(("ordinary", "pooling", "bottleneck"), 14)
    planes, numbers = inputs(9)
    found = ranges(model, "tiny", MAKE, 1)
    answers = {}
    for name, arithmetic in (("f32", rounding.Floats), ("int8", partial(Rounded, found))):
        backend = MAKE(
            KataGoSource(model, is_masked=False, arithmetic=arithmetic),
            "tiny",
            threads=1,
            precision="f32",
            buckets=(4,),
        )
        answers[name] = backend.run({"planes": planes, "globals": numbers})["policy"]
        backend.close()
    far = np.abs(answers["int8"] - answers["f32"]).max()
    assert 1e-4 < far < 0.15 * np.abs(answers["f32"]).max()


# Features of a CPU -> share of the levels of weights, and whether networks of convolutions (relu, mish) and of attention gain.
CPUS = {
    "avx2 avx512f avx512_vnni avx512_bf16": (1, [True, True, False]),
    "avx2 avx_vnni": (1, [True, True, False]),
    "avx2": (0.5, [True, False, False]),
    "neon": (0.5, [False, False, False]),
}


@pytest.mark.parametrize("features", CPUS)
def test_what_a_cpu_gains(features: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu, "usable", lambda: frozenset(features.split()))
    models = [network(("ordinary", "pooling"), 14, activation=kind) for kind in ("relu", "mish")]
    models.append(network(("ordinary", "fixed"), 14, activation="relu"))
    share, gains = CPUS[features]
    assert rounding.weight_share() == share and [rounding.is_faster(model) for model in models] == gains


def test_the_cap_of_onednn_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu, "present", lambda: frozenset("avx2 avx_vnni avx512f avx512_vnni amx_bf16 sse4_2".split()))
    assert cpu.usable({"ONEDNN_MAX_CPU_ISA": "avx2_vnni"}) == {"avx2", "avx_vnni"}
    assert cpu.usable({"ONEDNN_MAX_CPU_ISA": "AVX2"}) == {"avx2"}
    assert cpu.usable({"ONEDNN_MAX_CPU_ISA": "DEFAULT"}) == cpu.usable({}) == cpu.present()


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / calibration.PART


def _refusing(*_: object) -> None:
    raise AssertionError("it was found before")


def test_ranges_are_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = network(("ordinary",), 14)
    found = ranges(model, "tiny", MAKE, 1)
    (file,) = kept.iterdir()
    assert file.name.startswith(rounding.fingerprint(model)) and json.loads(file.read_text()) == [
        list(one) for one in found
    ]
    monkeypatch.setattr(calibration, "calibrated", _refusing)
    assert ranges(model, "other name", MAKE, 1) == found
    with pytest.raises(AssertionError):
        ranges(network(("pooling",), 14), "tiny", MAKE, 1)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"null",
        b"[[0]]",
        b"[[1, 2], [0, 1], [0, 1]]",
        b"[[0, NaN], [0, 1], [0, 1]]",
        b"[" * 9999,
        b"\xff",
        b"[[0, 1]]",
    ],
)
def test_what_is_kept_and_damaged_is_found_again(content: bytes, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = network(("ordinary",), 14)
    found, again = [[Range(0, high) for high in highs] for highs in ((1, 2, 3), (4, 5, 6))]
    monkeypatch.setattr(calibration, "calibrated", lambda *_: found)
    assert ranges(model, "tiny", MAKE, 1) == found
    (file,) = kept.iterdir()
    file.write_bytes(content)
    monkeypatch.setattr(calibration, "calibrated", lambda *_: again)
    assert ranges(model, "tiny", MAKE, 1) == again and json.loads(file.read_bytes()) == [list(one) for one in again]


def test_nowhere_to_keep_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    model = network(("ordinary",), 14)
    for folder in (str(tmp_path / "file"), "none"):
        monkeypatch.setenv("TENGEN_CACHE", folder)
        assert len(ranges(model, "tiny", MAKE, 1)) == 3


def test_the_oldest_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path))
    for age, name in enumerate("abcd"):
        cache.keep("part", name, b"12345", most=100)
        os.utime(tmp_path / "part" / name, (1000 + age, 1000 + age))
    cache.keep("part", "e", b"12345", most=12)
    assert sorted(path.name for path in (tmp_path / "part").iterdir()) == ["d", "e"]
    assert cache.read("part", "e") == b"12345" and cache.read("part", "a") is None


NETWORKS = ("g170-b6c96", "b7c96h3tfrs-test5-cnorm", "b7c96h6kv3qk32v16tflrs-fson-bnh")


@pytest.mark.parametrize("precision", ["bf16", "int8"])
@pytest.mark.parametrize("name", [NETWORKS[0], *(pytest.param(name, marks=pytest.mark.slow) for name in NETWORKS[1:])])
def test_real_answers_are_within_the_bars(name: str, precision: str, shared: Callable[[str], Path]) -> None:
    """KataGo's own answers of 38 positions on the smaller boards: `tengen net check --reference` has all, and larger networks."""
    from tengen.engine.evaluators.katago.loading import load_for_play

    loaded = load_for_play(
        shared(f"data/go/katago/{name}.bin.gz"), wish=precision, threads=1, is_masked=False, buckets=(32,)
    )  # type: ignore[arg-type]
    if loaded.precision != precision:
        pytest.skip(loaded.notice)
    reference = "raw_nn" if name == NETWORKS[0] else f"raw_nn_{name}"
    known = [one for one in positions(shared(f"data/go/katago/{reference}.json")) if one.size < 19]
    found = compare(loaded.evaluator, known)
    loaded.evaluator.close()
    policy, win = BARS[loaded.precision]
    assert len(found) == 38
    assert np.mean([far.policy for far in found]) <= policy and np.mean([far.win for far in found]) <= win
