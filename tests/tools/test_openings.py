"""`tengen openings`: balanced, by the opening rules, the same whoever searches, going on where it was."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tengen.engine.games import get_game
from tengen.tools import cli
from tengen.tools.match.openings import records
from tengen.tools.match.spec import GameSpec
from tengen.tools.openings.command import Found, Openings, Settings, find
from tengen.tools.openings.placing import OPENING_RULES, drawn, least_image, places

QUICK = ("--depth", "3", "--jobs", "1", "--balance", "20", "--plies", "4")
SETTINGS = Settings(15, "freestyle", "free", 4, 20.0, 3, 1)


def test_openings_are_found_and_gone_on_with(tmp_path: Path) -> None:
    path, whole = tmp_path / "fair.txt", tmp_path / "whole.txt"
    for count in ("2", "3", "5"):
        assert cli.main(["openings", str(path), "--count", count, *QUICK]) == 0
    assert cli.main(["openings", str(whole), "--count", "5", *QUICK]) == 0
    assert path.read_text() == whole.read_text() and len(path.read_text().splitlines()) == 6
    played = records.read(path, GameSpec("gomoku", 15), None, lambda sentence: pytest.fail(sentence))
    assert len(played) == 5 and all(len(opening.moves) == 4 for opening in played)


def test_an_opening_is_a_function_of_its_number() -> None:
    assert [find(SETTINGS, n) for n in (3, 1)] == [find(SETTINGS, n) for n in (3, 1)]
    hard = SETTINGS._replace(balance=0.0)
    assert all(find(hard, number).moves is None for number in range(4))


def test_images_are_kept_once(tmp_path: Path) -> None:
    openings = Openings(tmp_path / "fair.txt", SETTINGS)
    for number, moves in enumerate(([112, 97, 98, 80], [112, 127, 126, 144], [98, 97, 112, 80], [0, 1, 2, 3])):
        openings.add(Found(number, moves))
    openings.add(Found(4, None))
    assert len(openings.lines) == 2 and openings.tried == 5, "turned by 180 degrees, and in another order of moves"
    openings.write()
    again = Openings(tmp_path / "fair.txt", SETTINGS)
    assert again.lines == openings.lines and again.tried == 5


@pytest.mark.parametrize("name", OPENING_RULES)
def test_stones_lie_where_the_rule_says(name: str) -> None:
    state, dice = SETTINGS.start(), random.Random(2)
    for _ in range(40):
        _, moves = drawn(state, OPENING_RULES[name], 5, dice)
        away = [max(abs(cell % 15 - 7), abs(cell // 15 - 7)) for cell in moves]
        assert len(set(moves)) == 5 and max(away) <= 5
        if name in ("pro", "long-pro", "renju"):
            assert away[0] == 0 and away[1] >= 1
            assert away[2] >= {"pro": 3, "long-pro": 4, "renju": 1}[name] and (name != "renju" or away[2] <= 2)


def test_a_small_board_has_room() -> None:
    game = get_game("gomoku")
    state = game.new_state(5, 5, game.default_rules, 0.0)
    state.play(12)
    assert len(places(state, OPENING_RULES["long-pro"], 2)) == 24


def test_all_eight_images_are_one() -> None:
    cells = bytes(random.Random(4).choice((0, 0, 0, 1, 2)) for _ in range(81))
    rows = [cells[row * 9 : row * 9 + 9] for row in range(9)]
    mirrored = b"".join(row[::-1] for row in rows)
    turned = b"".join(bytes(column) for column in zip(*rows[::-1], strict=True))
    assert least_image(cells, 9, 9) == least_image(mirrored, 9, 9) == least_image(turned, 9, 9)


def test_bad_files_are_refused_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "fair.txt"
    assert cli.main(["openings", str(path), "--count", "1", *QUICK]) == 0
    whole = path.read_text()
    capsys.readouterr()
    assert cli.main(["openings", str(path), "--seed", "9", *QUICK]) == 2
    assert "holds openings of 15x15, freestyle, free, 4 stones" in capsys.readouterr().err
    for text, sentence in (("h8i9\n", "was not made by tengen openings"), (whole + "h8h8\n", "line 3: "),
                           (whole + "hello\n", "line 3: 'hello'")):  # fmt: skip
        path.write_text(text)
        assert cli.main(["openings", str(path), *QUICK]) == 2
        assert sentence in capsys.readouterr().err and path.read_text() == text
    assert cli.main(["openings", str(tmp_path / "no" / "fair.txt")]) == 2
    assert "there is no folder" in capsys.readouterr().err
    assert cli.main(["openings", str(path), "--size", "4"]) == 2
