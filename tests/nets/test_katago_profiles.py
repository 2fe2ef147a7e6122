"""Whom human networks imitate: names, the numbers that the network takes, and a network that is told them."""

from __future__ import annotations

from pathlib import Path

import katago_numpy
import numpy as np
import pytest
from katago_files import file_of, network

from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
from tengen.engine.evaluators.katago.loading import load_for_play
from tengen.engine.evaluators.katago.profiles import RANKS, profile_of, rows_of
from tengen.engine.evaluators.katago.trial import inputs
from tengen.engine.games.base import BLACK, WHITE

SIDES = np.array([BLACK, WHITE], np.uint8)

# Name, points of the board -> numbers of the row of Black to move by place, as KataGo's source has them.
PINNED: dict[tuple[str, int], dict[int, float]] = {
    ("rank_5k", 361): {
        0: 1, 1: 1, 2: 0, 4: 0, 6: 1, 19: 1, 20: 0, 40: 1, 53: 1, 54: 0, 74: 0.5, 75: 0, 79: 1, 82: 0.255547, 83: 0.130196,
        84: 0.222955, 85: -0.201713, 86: 0, 87: -0.900969, 88: 0.433884, 152: 0, 153: 1,
    },
    ("preaz_20k", 81): {34: 1, 35: 0, 68: 1, 69: 0, 79: 1, 86: -0.747214, 87: 1, 88: 0, 153: 1},
    ("rank_9d_20k", 169): {6: 1, 7: 0, 40: 1, 68: 1, 69: 0, 86: -0.379490},
    ("proyear_1800", 361): {6: 1, 7: 0, 40: 1, 41: 0, 74: 0, 75: 1, 79: 0, 82: -0.962262, 83: -0.9, 84: -0.403426, 156: 1},
    ("proyear_2020", 361): {156: 1, 157: 0},
    ("proyear_2021", 361): {156: 0, 157: 1},
}  # fmt: skip


@pytest.mark.parametrize(("name", "area"), PINNED)
def test_the_row_of_a_profile(name: str, area: int) -> None:
    row = rows_of(profile_of(name), SIDES, area)[0]
    assert row.shape == (192,) and row.dtype == np.float32
    wanted = PINNED[name, area]
    np.testing.assert_allclose(row[list(wanted)], list(wanted.values()), atol=2e-6)
    assert row[:2].sum() == 2 and row[75:82].sum() == 1 and row[151:167].sum() == 1 and not row[167:].any()


def test_the_side_to_move_comes_first() -> None:
    black, white = rows_of(profile_of("rank_3d_15k"), SIDES, 361)
    assert [row[6:40].sum() for row in (black, white)] == [7, 24] == [row[40:74].sum() for row in (white, black)]
    np.testing.assert_array_equal(np.delete(black, range(6, 74)), np.delete(white, range(6, 74)))


def test_every_rank_has_its_place() -> None:
    assert [rows_of(profile_of(f"rank_{rank}"), SIDES, 361)[0, 6:40].sum() for rank in RANKS] == list(range(1, 30))


@pytest.mark.parametrize(
    "name",
    [
        "",
        "rank",
        "rank_",
        "rank_21k",
        "rank_10d",
        "rank_5k_",
        "rank_1k_2k_3k",
        "preaz_0k",
        "proyear_1799",
        "proyear_2024",
        "proyear_x",
        "5k",
        "RANK_5k",
    ],
)
def test_nobody_else_is_known(name: str) -> None:
    with pytest.raises(
        ValueError,
        match="there are no players '.*'; those known are rank_20k to rank_9d .*proyear_1800 to proyear_2023",
    ):
        profile_of(name)


@pytest.mark.parametrize("kinds", [("ordinary",), ("bottleneck", "pooling")])
def test_it_computes_what_a_literal_reading_of_the_format_does(kinds: tuple[str, ...], tmp_path: Path) -> None:
    """In f32, against numpy, each row told of other players."""
    path, model = tmp_path / "human.bin.gz", network(kinds, 15, has_metadata=True)
    path.write_bytes(file_of(model))
    evaluator = load_for_play(path, wish="f32").evaluator
    planes, numbers = inputs(9, suicide_in_life=True)
    rows = np.concatenate([rows_of(profile_of(name), SIDES, 81) for name in ("rank_20k", "rank_2d_9k")])
    found = evaluator.submit(planes, numbers, is_root=True, metadata=rows).wait()
    for row in range(4):
        wanted = katago_numpy.outputs(model, planes[row], numbers[row], rows[row])
        np.testing.assert_allclose(found.policies[row], wanted["policy"][0], rtol=1e-4, atol=1e-4)
    assert np.abs(found.values[0] - found.values[2]).max() > 0


@pytest.mark.parametrize("wish", ["bf16", "int8"])
def test_other_precisions_are_tried_with_several_players(wish: str, tmp_path: Path) -> None:
    path = tmp_path / "human.bin.gz"
    path.write_bytes(file_of(network(("ordinary", "pooling"), 15, has_metadata=True)))
    loaded = load_for_play(path, wish=wish)  # type: ignore[arg-type]
    assert isinstance(loaded.evaluator, KataGoEvaluator) and loaded.evaluator.is_human and not loaded.notice
