"""A network is tried when it is loaded: bf16 where it is fast and right, else f32 with one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import half_right
import pytest
from katago_files import file_of, network

from tengen.engine.evaluators.backends import BACKENDS, fast_precisions
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.katago import loading
from tengen.engine.evaluators.katago.loading import BOUNDS, load_for_play
from tengen.engine.evaluators.katago.trial import GAMES, Difference, inputs


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "tiny.bin.gz"
    made.write_bytes(file_of(network(("ordinary", "pooling"), 14)))
    return made


# What is wished, how bf16 is -> the precision taken, and what is said.
CASES = [
    ("auto", "Right", "bf16", None),
    ("auto", "Rounding", "int8", None),
    ("int8", "Rounding", "int8", None),
    ("bf16", "Rounding", "bf16", None),
    ("auto", "WrongRounding", "bf16", r"the network 'tiny.bin.gz' in int8 is another on this CPU than in f32 \(policy \d.*%\): another precision is used"),
    ("int8", "WrongRounding", "f32", r"in int8 is another on this CPU than in f32 \(policy \d.*%\): f32 is used"),
    ("auto", "Slow", "f32", None),
    ("bf16", "Slow", "bf16", None),
    ("f32", "Wrong", "f32", None),
    ("auto", "Wrong", "f32", r"the network 'tiny.bin.gz' in bf16 is another on this CPU than in f32 \(policy \d.*win rate .* %\): f32 is used"),
    ("bf16", "Wrong", "f32", r"the network 'tiny.bin.gz' in bf16 is another on this CPU than in f32 \(policy \d.*win rate .* %\): f32 is used"),
    ("auto", "Failing", "f32", r"in bf16 fails on this CPU \(the network 'tiny-net' gave a '\w+' that is no number\): f32 is used"),
]  # fmt: skip


@pytest.mark.parametrize(("wish", "kind", "taken", "says"), CASES)
def test_the_precision_taken(
    wish: str, kind: str, taken: str, says: str | None, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BACKENDS, "tried", f"{half_right.AT}:{kind}")
    monkeypatch.delitem(GAMES, 19)  # the small board shows it too
    monkeypatch.setattr(loading, "is_faster", lambda model: True)  # as on CPUs with VNNI
    loaded = load_for_play(path, wish=wish, backend="tried", threads=1)  # type: ignore[arg-type]
    assert loaded.precision == taken
    if says is None:
        assert loaded.notice == ""
    else:
        assert "\n" not in loaded.notice
        assert re.search(says, loaded.notice), loaded.notice
    planes, numbers = inputs(9)
    assert loaded.evaluator.submit(planes, numbers).wait().policies.shape == (4, 82)  # the one that is kept is open
    loaded.evaluator.close()


def test_a_network_that_says_nothing_in_f32(tmp_path: Path) -> None:
    model = network(("ordinary",), 14)
    model.value.score_bias.weights[:] = 3e38
    model.value.score_matrix.weights[:] = 3e38
    bad = tmp_path / "huge.bin.gz"
    bad.write_bytes(file_of(model))
    with pytest.raises(
        NetworkError, match="the network 'huge.bin.gz' does not run: .* gave a 'score' that is no number"
    ):
        load_for_play(bad, wish="bf16", threads=1)


def test_bounds_are_none_of_nothing() -> None:
    for bounds in BOUNDS.values():
        assert not Difference(float("nan"), 0).is_within(bounds) and Difference(0, 0).is_within(bounds)


def test_the_positions_differ_and_are_eight() -> None:
    batches = [inputs(size) for size in GAMES]
    assert sum(len(planes) for planes, _ in batches) == 8
    for planes, _ in batches:
        assert len({rows.tobytes() for rows in planes}) == len(planes)
    for planes, _ in batches:  # the mover's stones and the other's: all but the first are games under way
        assert ((planes[1:, 1].sum((1, 2)) >= 3) & (planes[1:, 2].sum((1, 2)) >= 3)).all()


# Of CPUs with bf16 and VNNI: networks of convolutions are taken in int8, others in bf16.
TAKEN = {"g170-b6c96": "int8", "b7c96h3tfrs-test5-cnorm": "bf16", "b7c96h6kv3qk32v16tflrs-fson-bnh": "bf16"}


@pytest.mark.parametrize(
    "name", ["g170-b6c96", *(pytest.param(name, marks=pytest.mark.slow) for name in TAKEN if "tfrs" in name)]
)
def test_real_networks_pass(name: str, shared: Callable[[str], Path]) -> None:
    """Each precision that this CPU is fast in, and the one that is taken."""
    path, fast = shared(f"data/go/katago/{name}.bin.gz"), fast_precisions()
    for wish in ("auto", *fast[1:]):
        loaded = load_for_play(path, wish=wish, threads=1)  # type: ignore[arg-type]
        loaded.evaluator.close()
        assert loaded.notice == ""
        if wish != "auto":
            assert loaded.precision == wish and loaded.difference is not None
            assert 0 < loaded.difference.policy <= BOUNDS[loaded.precision].policy
        elif fast == ("f32", "bf16", "int8"):
            assert loaded.precision == TAKEN[name]
