"""Lessons: what they begin with, what a teacher says of their positions, and that files and batches keep it."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from katago_files import file_of, network

from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
from tengen.engine.games import get_game
from tengen.engine.games.naming import rules_named
from tengen.tools import cli
from tengen.tools.executors.base import Unit
from tengen.tools.train.data import shards
from tengen.tools.train.data.games import Games, join, together
from tengen.tools.train.data.rows import View, encode, facts_of
from tengen.tools.train.data.setting_up import set_up
from tengen.tools.train.data.window import Picks
from tengen.tools.train.play.taught import teach_unit
from tengen.tools.train.run.runs import look
from tengen.tools.train.settings.config import RunConfig, merge
from tengen.tools.train.teaching.asking import Answer, Position, ask
from tengen.tools.train.teaching.board import BLACK, EMPTY, WHITE, remove_dead
from tengen.tools.train.teaching.fights import fight
from tengen.tools.train.teaching.games import Classroom
from tengen.tools.train.teaching.lessons import Lesson, Lessons

GO = get_game("go")


def played(size: int, moves: list[int], rules: str = "chinese") -> object:
    state = GO.new_state(size, size, rules_named(GO, rules), 7.0)
    for move in moves:
        state.play(move)
    return state


@pytest.mark.parametrize("size", [7, 9, 13, 19])
def test_a_fight_is_set_up_by_legal_moves_to_the_last_stone(size: int) -> None:
    """Nothing is captured on the way, the last move is a stone, and either side may be to move."""
    to_move = set()
    for seed in range(40):
        board = fight(size, random.Random(seed))
        moves = set_up(board, size * size, random.Random(seed))
        state = played(size, moves)
        assert list(state.stones()) == board and not state.is_terminal()  # type: ignore[attr-defined]
        assert not moves or moves[-1] != size * size
        to_move.add(state.to_move)  # type: ignore[attr-defined]
        assert sum(cell != EMPTY for cell in board) > 3
    assert to_move == {0, 1}


def test_groups_without_liberties_are_taken_off() -> None:
    board = [BLACK, WHITE, EMPTY, WHITE, WHITE, EMPTY, EMPTY, EMPTY, EMPTY]
    remove_dead(board, 3)
    assert board == [EMPTY, WHITE, EMPTY, WHITE, WHITE, EMPTY, EMPTY, EMPTY, EMPTY]


def config(**changes: object) -> RunConfig:
    return merge(RunConfig(), {"board.rules": "chinese,japanese,aga-button", "board.komi_spread": 1.5, **changes})


def test_komi_goes_from_fair_to_absurd_in_halves() -> None:
    made = config()
    lessons, source = Lessons(made.board, made.teacher, 19), random.Random(1)
    komi = [lessons.draw(source).komi for _ in range(2000)]
    assert all(2 * value == int(2 * value) for value in komi)
    assert min(komi) < -55 and max(komi) > 55
    assert 0.6 < sum(abs(value - 7) <= 5 for value in komi) / len(komi) < 0.9


def test_handicaps_leave_white_to_move() -> None:
    made = config(**{"board.rules": "chinese", "teacher.fights": 0.0, "teacher.handicaps": 1.0})
    lessons, source = Lessons(made.board, made.teacher, 19), random.Random(1)
    for _ in range(30):
        state = played(19, list(lessons.draw(source).prefix))
        stones = state.stones()  # type: ignore[attr-defined]
        assert 2 <= stones.count(1) <= 9 and not stones.count(2) and state.to_move == 1  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KataGoEvaluator]:
    """A tiny network with random weights."""
    pytest.importorskip("openvino")
    from tengen.tools.train.play.evaluators import load_go

    path = tmp_path_factory.mktemp("teacher") / "teacher.bin.gz"
    path.write_bytes(file_of(network(("ordinary", "pooling"), 14)))
    found = load_go(str(path), "f32", "cpu", 8)
    yield found
    found.close()


def asked(teacher: KataGoEvaluator, moves: list[list[int]], symmetries: list[list[int]], size: int = 5) -> Answer:
    start = GO.new_state(size, size, rules_named(GO, "chinese"), 7.0)
    positions = [Position(start, one, True, facts_of("chinese", False)) for one in moves]  # type: ignore[arg-type]
    return ask(teacher, positions, np.array(symmetries, np.int32), 4)


def test_answers_are_turned_back_and_averaged(teacher: KataGoEvaluator) -> None:
    """A position and its mirror image through the mirrored symmetries get mirrored answers; a mean is one of its
    parts."""
    size = 5
    moves = [6, 12, 3, 21, 9]
    mirrored = [cell // size * size + size - 1 - cell % size for cell in moves]
    every = list(range(8))
    one, other = asked(teacher, [moves], [every]), asked(teacher, [mirrored], [every])
    cells = one.policy[0, : size * size].reshape(size, size)
    np.testing.assert_allclose(cells[:, ::-1], other.policy[0, : size * size].reshape(size, size), atol=1e-5)
    owners, theirs = (said.labels["taught_owners"][0].reshape(size, size) for said in (one, other))
    np.testing.assert_allclose(owners[:, ::-1], theirs, atol=1e-4)
    np.testing.assert_allclose(one.policy.sum(1), 1, atol=1e-5)
    np.testing.assert_allclose([one.lead, other.lead][0], other.lead, atol=1e-3)
    apart = [asked(teacher, [moves], [[turn]]) for turn in every]
    for name, found in said_of(one).items():
        np.testing.assert_allclose(found, np.mean([said_of(part)[name] for part in apart], axis=0), atol=1e-4)
    assert np.isfinite(one.labels["taught_says"]).all()


def said_of(answer: Answer) -> dict[str, Any]:
    """All that was said of the first position, by name."""
    return {"policy": answer.policy[0], "value": answer.value[0], "lead": answer.lead[0]} | {
        name: array[0] for name, array in answer.labels.items()
    }


def lessons_of(size: int, count: int, **changes: object) -> list[Lesson]:
    made = config(**{"board.rules": "chinese,japanese", "teacher.fights": 0.5, **changes})
    lessons, source = Lessons(made.board, made.teacher, size), random.Random(3)
    return [lessons.draw(source)._replace(longest=40) for _ in range(count)]


@pytest.fixture(scope="module")
def taught(teacher: KataGoEvaluator) -> Games:
    """Twelve games on 7x7, half of their positions labelled."""
    room = Classroom(teacher, None, batch=8, share=0.5, symmetries=2, by_student=0.5, seed=1)
    return together(list(room.games(iter(lessons_of(7, 12)), 5)))


def test_labels_are_kept_in_files(taught: Games, tmp_path: Path) -> None:
    shards.write(tmp_path / "a.npz", taught)
    back = shards.read(tmp_path / "a.npz")
    parts = join([back.part(0, 5), back.part(5, len(back))])
    assert len(taught) == 12 and taught.columns["taught"].sum() > 60 and taught.columns["blind"].sum() > 0
    for name, column in taught.columns.items():
        np.testing.assert_array_equal(back.columns[name], column, name)
        np.testing.assert_array_equal(parts.columns[name], column, name)
    for number, game in enumerate(parts):
        said, wanted = game.taught, taught[number].taught
        assert said is not None and wanted is not None
        for field in ("plies", "blind"):
            np.testing.assert_array_equal(getattr(said, field), getattr(wanted, field))
        assert set(said.labels) == {"taught_owners", "taught_says"}
        for name in said.labels:
            np.testing.assert_array_equal(said.labels[name], wanted.labels[name])
        assert set(said.plies.tolist()) == set(np.flatnonzero(game.weights).tolist())


def test_games_with_and_without_a_teacher_lie_in_one_window(taught: Games) -> None:
    alone = taught[0]
    plain = together([replace(alone, taught=None)])
    both = join([plain, taught])
    assert both.columns["taught"].sum() == taught.columns["taught"].sum() and both[0].taught is not None
    assert not len(both[0].taught.plies)
    one, other = both[3].taught, taught[2].taught
    assert one is not None and other is not None
    np.testing.assert_array_equal(one.labels["taught_owners"], other.labels["taught_owners"])


@pytest.mark.parametrize("name", ["taught", "taught_owners", "taught_says", "blind"])
def test_labels_that_are_not_whole_are_refused(taught: Games, tmp_path: Path, name: str) -> None:
    broken = Games(taught.game, taught.rules, {**taught.columns, name: taught.columns[name][:-1]})
    with pytest.raises(shards.ShardError):
        shards.write(tmp_path / "a.npz", broken)


def test_batches_hold_what_the_teacher_said(taught: Games, teacher: KataGoEvaluator) -> None:
    """Owners turn with the planes and are the mover's; a position that was just set up is seen without history."""
    view, size = View(teacher.features), 7
    number = next(i for i in range(len(taught)) if taught[i].first and taught[i].taught.plies[0] == taught[i].first)  # type: ignore[union-attr]
    game = taught[number]
    assert game.taught is not None
    ply = int(game.taught.plies[0])
    picks = Picks(taught, np.array([number] * 8), np.array([ply] * 8))
    batch = encode(view, picks, np.arange(8, dtype=np.int32), np.zeros(8, np.bool_))
    wanted = game.taught.labels["taught_owners"][0].reshape(size, size) * (-0.01 if ply % 2 else 0.01)
    np.testing.assert_allclose(batch.owners[0], wanted, atol=1e-6)
    for turned in batch.owners:
        assert sorted(turned.ravel().round(2)) == sorted(wanted.ravel().round(2).astype(np.float32))
    assert batch.labels is not None
    np.testing.assert_allclose(batch.labels["taught_says"], np.tile(game.taught.labels["taught_says"][0], (8, 1)))
    np.testing.assert_allclose(batch.found_score, game.values[ply, 2])
    assert abs(batch.policy.sum(1) - 1).max() < 1e-5


def test_a_batch_that_is_drawn_hides_what_was_set_up(taught: Games) -> None:
    from tengen.tools.train.data.rows import sees_history

    numbers = np.arange(len(taught)).repeat(taught.columns["length"])
    plies = np.concatenate([np.arange(length) for length in taught.columns["length"]])
    sees = sees_history(Picks(taught, numbers, plies))
    np.testing.assert_array_equal(sees, taught.columns["blind"] == 0)
    assert not sees.all()


def test_the_same_seed_makes_the_same_lessons(teacher: KataGoEvaluator) -> None:
    made = [
        together(list(Classroom(teacher, None, batch=8, share=0.5, symmetries=1, by_student=0, seed=7).games(
            iter(lessons_of(5, 4)), 4)))
        for _ in range(2)
    ]  # fmt: skip
    np.testing.assert_array_equal(made[0].columns["moves"], made[1].columns["moves"])
    np.testing.assert_array_equal(made[0].columns["taught_owners"], made[1].columns["taught_owners"])


def test_a_student_plays_some_of_the_games(teacher: KataGoEvaluator) -> None:
    """Its positions are the teacher's to label."""
    room = Classroom(teacher, teacher, batch=8, share=0.5, symmetries=1, by_student=1.0, seed=1)
    games = list(room.games(iter(lessons_of(5, 3)), 3))
    assert len(games) == 3 and all(game.taught is not None and len(game.taught.plies) for game in games)


@pytest.mark.parametrize(("generation", "begin", "plays"), [(0, "", False), (0, "some.bin.gz", True), (1, "", True)])
def test_a_network_plays_once_it_has_learned(
    generation: int, begin: str, plays: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, teacher: KataGoEvaluator
) -> None:
    """In generation 0 too if the run began with the weights of a file."""
    rooms = []

    def room(*networks: KataGoEvaluator, **settings: Any) -> Classroom:
        rooms.append(networks)
        return Classroom(*networks, **settings)

    monkeypatch.setattr("tengen.tools.train.teaching.games.Classroom", room)
    monkeypatch.setattr("tengen.tools.train.play.taught._loaded", lambda *_, **__: teacher)
    made = config(**{"board.size": "5", "selfplay.unit_games": 2, "training.begin": begin})
    facts = {"seed": 1, "generation": generation, "network": "student.bin.gz", "teacher": "teacher.bin.gz"}
    figures = teach_unit(Unit("u", "play", facts, str(tmp_path / "games.npz")), made)
    assert [student for _, student in rooms] == [teacher if plays else None] and figures["games"] == 2


TINY = (
    "model.blocks=1 model.channels=8 model.pooling=0 model.head=8 selfplay.slots=8 selfplay.batch=8 selfplay.unit_games=4 "
    "selfplay.precision=f32 window.least=60 window.held_out=0.3 cycle.positions=60 cycle.reuse=4 cycle.steps=5 "
    "training.batch=16 gate.games=0 anchor.every=0 board.size=5,7,7"
).split()


def start(folder: Path, teacher: Path, *words: str) -> subprocess.Popen[str]:
    settings = [word for one in TINY for word in ("--set", one)]
    command = [
        sys.executable,
        "-m",
        "tengen.tools",
        "train",
        "go",
        "--preset",
        "go-9-19-teacher",
        "--teacher",
        str(teacher),
    ]
    command += ["--dir", str(folder), "--workers", "1", *settings, *words]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})


@pytest.mark.slow
def test_a_run_with_a_teacher_goes_on_after_kills(tmp_path: Path) -> None:
    """Every label counts once, all that a step learns from is there, and the networks are told apart by what taught."""
    pytest.importorskip("openvino")
    pytest.importorskip("torch")
    teacher, folder, dice = tmp_path / "teacher.bin.gz", tmp_path / "run", random.Random(5)
    teacher.write_bytes(file_of(network(("ordinary",), 14)))
    known = 0
    for _ in range(4):
        process = start(folder, teacher)
        while process.poll() is None and not ((folder / "manifest.json").exists() and len(look(folder).shards) > known):
            time.sleep(0.2)
        time.sleep(dice.uniform(0, 3))
        process.kill()
        said = process.communicate(timeout=60)[1]
        assert len(look(folder).shards) > known, said
        known = len(look(folder).shards)
    process = start(folder, teacher, "--generations", f"{2 + look(folder).networks[-1].generation}")
    said = process.communicate(timeout=300)[1]
    assert process.returncode == 0, said
    found = look(folder)
    units = [shard.unit for shard in found.shards]
    assert len(set(units)) == len(units) > 0
    sizes = {int(width) for shard in found.shards for width in shards.read(folder / shard.file.path).columns["width"]}
    assert sizes == {5, 7}
    assert all(len(shards.read(folder / shard.file.path).columns["taught"]) for shard in found.shards)
    assert found.networks[-1].steps <= 5 * found.networks[-1].generation
    card = (folder / found.networks[-1].file.path).with_name(
        found.networks[-1].file.path.rpartition("/")[2].replace(".bin.gz", ".toml")
    )
    assert "teacher.bin.gz" in card.read_text("utf-8")


REFUSED = [
    (["go", "--teacher", "nowhere.bin.gz"], "teacher.file: "),
    (["reversi", "--teacher", "nowhere.bin.gz"], "a teacher is of go and for networks of the kind katago alone"),
]


@pytest.mark.parametrize(("words", "sentence"), REFUSED, ids=[" ".join(words) for words, _ in REFUSED])
def test_teachers_that_cannot_teach(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["train", *words, "--dir", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert sentence in said and said.count("\n") == 1, said
