"""Lessons that begin in games of people: which games are kept, what becomes of them, and that a run hands them on."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from katago_files import file_of, network
from record_files import distinct, sgf

from tengen.engine.config import ConfigError
from tengen.engine.games import get_game
from tengen.engine.games.naming import rules_named
from tengen.tools.executors.base import Unit
from tengen.tools.live import Live
from tengen.tools.train.data import shards
from tengen.tools.train.data.games import Games, together
from tengen.tools.train.play.checks import check
from tengen.tools.train.records.from_record import Choice
from tengen.tools.train.records.lines import lines, sentences
from tengen.tools.train.run.manifest import RunError
from tengen.tools.train.run.plan import Plan
from tengen.tools.train.run.runs import opened
from tengen.tools.train.run.starts import starts_path, take_starts
from tengen.tools.train.settings.config import RunConfig, merge
from tengen.tools.train.teaching.games import Classroom
from tengen.tools.train.teaching.lessons import Lesson, Lessons

CHOICE = Choice("go", handicap=True, shortest=0, sizes=(19,), needs_result=False)
SMALL = "aa bb cc dd ee ae be ce de ed"


def folder_of(tmp_path: Path) -> Path:
    """Twelve games, one without a result, one with a handicap, one that ends by passes, a problem, one out of turn, one on
    9x9, two that are bad."""
    folder = tmp_path / "games"
    folder.mkdir()
    for number in range(12):
        (folder / f"game{number:02}.sgf").write_bytes(distinct(number, RE="" if number == 3 else "B+R"))
    (folder / "handicap.sgf").write_bytes(b"(;GM[1]SZ[19]KM[0.5]HA[2]AB[dd][pp];W[pd];B[dp];W[cf])")
    (folder / "passed.sgf").write_bytes(b"(;GM[1]SZ[19]KM[6.5];B[dd];W[pp];B[];W[];B[qq])")
    (folder / "problem.sgf").write_bytes(b"(;GM[1]SZ[19]AB[aa][ab][ba]AW[cc][dd]PL[W])")
    (folder / "turns.sgf").write_bytes(b"(;GM[1]SZ[19]KM[5.5];B[dd];W[pp];W[dp])")
    (folder / "small.sgf").write_bytes(sgf("aa bb cc dd", SZ="9"))
    (folder / "taken.sgf").write_bytes(sgf("dd pp dp dd"))
    (folder / "torn.sgf").write_bytes(b"(;GM[1]SZ[19];B[dd")
    return folder


def test_games_are_kept_with_or_without_a_result(tmp_path: Path) -> None:
    kept, summary = lines(folder_of(tmp_path), CHOICE, 1)
    assert len(kept) == summary.games >= 14 and summary.left_out == {"another size of board": 1}
    handicap = next(game for game in kept if game.komi == 0.5)
    assert handicap.first == 3 and handicap.moves.tolist()[1] == 361
    assert any(game.moves.tolist()[2:] == [361] for game in kept), "cut before the pass that ends it"
    problem = next(game for game in kept if game.first == len(game.moves))
    assert len(problem.moves) == 5 and set(problem.moves[0::2].tolist()) == {0, 1, 19}, "White is to move"
    assert next(len(game.moves) for game in kept if game.komi == 5.5) == 2, "cut before the move out of turn"
    said = sentences(len(kept), summary)
    assert "games of people to begin with" in said[0]
    assert [line for line in said if "skipped" in line and "move 4 is illegal" in line], said


def test_a_bounded_number_is_drawn_from_all(tmp_path: Path) -> None:
    """The same for the same seed, others for another."""
    folder = folder_of(tmp_path)
    drawn = [[game.moves.tobytes() for game in lines(folder, CHOICE, seed, most=4)[0]] for seed in (1, 1, 2, 3)]
    assert all(len(one) == 4 for one in drawn) and drawn[0] == drawn[1] != drawn[2] != drawn[3]
    assert lines(folder, CHOICE, 1, most=4)[1].games > 10


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Games:
    return together(lines(folder_of(tmp_path_factory.mktemp("people")), CHOICE, 1)[0])


def drawn(people: Games, count: int, **changes: object) -> list[Lesson]:
    made = merge(RunConfig(), {"board.rules": "chinese,japanese", "teacher.from_games": 1.0, **changes})
    lessons, source = Lessons(made.board, made.teacher, 19, people), random.Random(2)
    return [lessons.draw(source) for _ in range(count)]


def test_lessons_begin_at_any_move_and_go_on_by_the_game_or_by_a_policy(people: Games) -> None:
    known = {game.moves.tobytes() for game in people}
    firsts, follows, set_up = set(), 0, 0
    for lesson in drawn(people, 300):
        assert len(lesson.prefix) < lesson.longest
        set_up += lesson.is_set_up
        assert any(np.array(lesson.prefix, np.int16).tobytes() == one[: 2 * len(lesson.prefix)] for one in known)
        whole = np.array([*lesson.prefix, *lesson.follow], np.int16).tobytes()
        assert not lesson.follow or any(one.startswith(whole) for one in known)
        firsts.add(len(lesson.prefix))
        follows += bool(lesson.follow)
    assert firsts == set(range(10)) and 80 < follows < 200 and 10 < set_up < 60


def test_other_sizes_begin_as_before(people: Games) -> None:
    made = merge(RunConfig(), {"teacher.from_games": 1.0, "teacher.fights": 0.0, "teacher.handicaps": 0.0})
    lesson = Lessons(made.board, made.teacher, 9, people).draw(random.Random(1))
    assert lesson.size == 9 and not lesson.prefix and not lesson.follow


def test_a_game_that_is_followed_is_labelled_as_it_was_played(tmp_path: Path) -> None:
    """With its history, whatever a policy would play."""
    pytest.importorskip("openvino")
    from tengen.tools.train.play.evaluators import load_go

    path = tmp_path / "teacher.bin.gz"
    path.write_bytes(file_of(network(("ordinary",), 14)))
    teacher = load_go(str(path), "f32", "cpu", 8)
    moves = [0, 10, 20, 30, 40, 36, 37, 38, 39, 31]
    lesson = Lesson(9, "chinese", 7.0, 7.0, moves[:4], 10, 1.0, 0.0, True, follow=moves[4:])
    (game,) = Classroom(teacher, None, batch=8, share=1.0, symmetries=1, by_student=0.0, seed=1).games(
        iter([lesson]), 1
    )
    teacher.close()
    assert game.moves.tolist() == moves and game.first == 4
    assert game.taught is not None and game.taught.plies.tolist() == [4, 5, 6, 7, 8, 9]
    assert not game.taught.blind.any()


def config_of(tmp_path: Path, games: Path) -> RunConfig:
    teacher = tmp_path / "teacher.bin.gz"
    teacher.write_bytes(file_of(network(("ordinary",), 14)))
    return merge(RunConfig(), {
        "board.size": "19", "teacher.file": str(teacher), "teacher.games": str(games), "teacher.from_games": 1.0,
        "selfplay.slots": 2, "selfplay.batch": 4, "selfplay.unit_games": 2, "selfplay.precision": "f32",
        "teacher.share": 0.3,
    })  # fmt: skip


def test_a_run_hands_them_to_its_units(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are gathered once, lie in the run's folder, and travel with each unit."""
    pytest.importorskip("openvino")
    from tengen.tools.train.play.generate import play_unit
    from tengen.tools.train.run.manifest import Kept, Network

    games = folder_of(tmp_path)
    config = config_of(tmp_path, games)
    with opened(tmp_path / "run", "run", config) as run:
        take_starts(run, Live())
        said = capsys.readouterr().err
        path = starts_path(run.folder, run.config)
        assert path is not None and path.exists() and said.count("skipped") == 1
        before = path.read_bytes()
        take_starts(run, Live())
        assert not capsys.readouterr().err and path.read_bytes() == before
        file = Path(config.teacher.file)
        (run.folder / "networks" / "n.bin.gz").write_bytes(file.read_bytes())
        network = Network(0, (Kept("networks/n.bin.gz", "", 0),), 0, 0, 0, 0.0, True)
        unit: Unit = Plan(run, run.config).selfplay(network)
        assert unit.facts["starts"] == str(path) and str(path) in unit.files
        figures = play_unit(unit)
        made = shards.read(Path(unit.draft))
    assert figures["games"] == len(made) == 2
    known = [game.moves.tobytes() for game in together(lines(games, CHOICE, 1)[0])]
    for game in made:
        opening = game.moves[: game.first].tobytes()
        assert any(one.startswith(opening) for one in known)


def test_a_folder_without_a_game_is_refused(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    with opened(tmp_path / "run", "run", config_of(tmp_path, tmp_path / "none")) as run:
        with pytest.raises(RunError, match="no game in"):
            take_starts(run, Live())
    with pytest.raises(ConfigError, match="a run with a teacher"):
        check(merge(RunConfig(), {"teacher.games": str(tmp_path)}))


def test_rules_of_the_run_allow_what_people_played(people: Games) -> None:
    """The moves of every game are legal by all rules that have a name."""
    from tengen.engine.games.go.rules import RULE_SETS

    for name in RULE_SETS:
        for game in people:
            state = get_game("go").new_state(19, 19, rules_named(get_game("go"), name), 7.0)
            for move in game.moves.tolist():
                state.play(move)
