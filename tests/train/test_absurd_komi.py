"""Lessons at a komi that the teacher never met: it is asked near a fair one, and its answer is moved by the rules."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from katago_files import file_of, network

from tengen.tools.train.data.game import PlayedGame
from tengen.tools.train.teaching.games import Classroom
from tengen.tools.train.teaching.komi import asked_komi, move_value
from tengen.tools.train.teaching.lessons import Lesson

MOVES = [40, 30, 50, 31, 49, 22]


def test_a_teacher_is_asked_near_a_fair_komi() -> None:
    assert [asked_komi(komi, 7) for komi in (-60, -1.5, -1, 6.5, 15, 60)] == [-1, -1, -1, 6.5, 15, 15]


@pytest.mark.parametrize(
    ("points", "stdev", "won"),
    [
        (0, 10, 0.5),
        (10, 10, 0.8413),
        (-10, 10, 0.1587),
        (60, 10, 1),
        (-60, 10, 0),
        (2, 0.1, 0.8413),
        (15, np.nan, 0.8413),
    ],
)
def test_points_are_worth_what_the_deviation_says(points: float, stdev: float, won: float) -> None:
    value = np.array([0.4, 0.2, 0.4], np.float32)
    move_value(value, points, stdev)
    np.testing.assert_allclose(value, [0.8 * won, 0.2, 0.8 * (1 - won)], atol=1e-3)


def test_a_sure_loss_is_won_by_enough_points() -> None:
    value = np.array([0, 0, 1], np.float32)
    move_value(value, 60, 10)
    assert value[0] > 0.95 and value.sum() == pytest.approx(1)


def test_what_never_ends_is_not_moved() -> None:
    value = np.array([0, 1, 0], np.float32)
    move_value(value, 60, 10)
    np.testing.assert_array_equal(value, [0, 1, 0])


def labelled(path: Path, komi: float, asked: float) -> PlayedGame:
    """A game whose moves are told, every position labelled."""
    from tengen.tools.train.play.evaluators import load_go

    teacher = load_go(str(path), "f32", "cpu", 8)
    lesson = Lesson(9, "chinese", komi, asked, MOVES[:1], 6, 1.0, 0.0, False, follow=MOVES[1:])
    (game,) = Classroom(teacher, None, batch=8, share=1.0, symmetries=8, by_student=0.0, seed=1).games(
        iter([lesson]), 1
    )
    teacher.close()
    return game


def test_labels_at_an_absurd_komi_are_those_at_a_fair_one_moved(tmp_path: Path) -> None:
    pytest.importorskip("openvino")
    path = tmp_path / "teacher.bin.gz"
    path.write_bytes(file_of(network(("ordinary",), 14)))
    fair, absurd = labelled(path, 15.0, 15.0), labelled(path, 60.0, 15.0)
    assert absurd.komi == 60 and absurd.moves.tolist() == MOVES
    assert fair.taught is not None and absurd.taught is not None
    plies = fair.taught.plies
    assert absurd.taught.plies.tolist() == plies.tolist() == [1, 2, 3, 4, 5]
    points = np.where(plies % 2, 45.0, -45.0)  # White, who gets komi, moves at odd plies
    np.testing.assert_allclose(absurd.values[plies, 2] - fair.values[plies, 2], points, atol=1e-3)
    assert (np.sign(absurd.values[plies, 0] - fair.values[plies, 0]) == np.sign(points)).all()
    says, before = (game.taught.labels["taught_says"] for game in (absurd, fair) if game.taught)
    np.testing.assert_allclose(says[:, 0] - before[:, 0], points, atol=1e-3)
    np.testing.assert_allclose(says[:, 1:], before[:, 1:], atol=1e-3)
    np.testing.assert_array_equal(absurd.taught.labels["taught_owners"], fair.taught.labels["taught_owners"])
    np.testing.assert_array_equal(absurd.target_moves, fair.target_moves)
