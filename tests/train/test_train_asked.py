"""Folders of games and positions: what is done is known by what was asked, and one process writes at a time."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tengen.tools import cli
from tengen.tools.locking import within
from tengen.tools.train.data import positions, shards
from tengen.tools.train.data.asked import NAME

WEIGHTS = Path(__file__).parents[2] / "nets" / "weights"
CHESS, REVERSI = WEIGHTS / "tengen-chess.safetensors", WEIGHTS / "tengen-reversi.safetensors"
GAME = '[Event "One"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n[WhiteElo "{}"]\n[BlackElo "2400"]\n\n'
GAME += "d4 d5 Nf3 Nf6 c4 e6 Nc3 Be7 Bg5 O-O e3 h6 Bh4 b6 cxd5 Nxd5 Bxe7 Qxe7 Nxd5 exd5 Rc1 Be6 Qa4 c5 Qa3 Rc8 1-0\n\n"


def reversi(out: Path, *more: str, games: int = 5) -> list[str]:
    sets = [
        word for setting in ("search.depth=1", "search.exact=2", "selfplay.unit_games=2") for word in ("--set", setting)
    ]
    return ["selfplay", str(REVERSI), "--games", str(games), "--out", str(out), "--workers", "1", *sets, *more]


def chess(out: Path, *more: str, games: int = 2) -> list[str]:
    return [
        "selfplay",
        str(CHESS),
        "--games",
        str(games),
        "--out",
        str(out),
        "--workers",
        "1",
        "--set",
        "search.nodes=30",
        *more,
    ]


def test_a_file_with_fewer_games_is_played_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert cli.main(reversi(out, games=5)) == 0
    names = [f"games-1-0000{number}.npz" for number in range(3)]
    assert [len(shards.read(out / name)) for name in names] == [2, 2, 1]
    before = (out / names[0]).read_bytes()
    assert cli.main(reversi(out, games=6)) == 0
    assert [len(shards.read(out / name)) for name in names] == [2, 2, 2] and (out / names[0]).read_bytes() == before
    capsys.readouterr()
    assert cli.main(reversi(out, games=5)) == 2 and "has all of these games" in capsys.readouterr().err
    assert cli.main(reversi(out, "--seed", "2", games=2)) == 0, "other games of the same question"
    assert sorted(path.name for path in out.iterdir()) == [NAME, *names, "games-2-00000.npz"]


def test_records_are_of_one_question_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = reversi(tmp_path / "out", "--sgf", str(tmp_path / "sgf"), games=2)
    assert cli.main(words) == 0
    alone = [*words[:4], *words[6:]]
    assert cli.main(alone) == 0, "the same games again"
    before = {path: path.read_bytes() for path in (tmp_path / "sgf").iterdir()}
    assert len(before) == 3
    assert cli.main([*alone, "--set", "search.depth=2"]) == 2 and "another question" in capsys.readouterr().err
    with within(tmp_path / "sgf", "tests"):
        assert cli.main(alone) == 2 and "another process" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in (tmp_path / "sgf").iterdir()} == before


@pytest.mark.parametrize(("game", "more", "said"), [
    (reversi, ("--set", "search.depth=2"), "search.depth was '1', not '2'"),
    (chess, ("--set", "search.nodes=31"), "search.nodes was '30', not '31'"),
    (chess, ("--set", "search.strayed=0.5"), "search.strayed was '0.2', not '0.5'"),
])  # fmt: skip
def test_another_question_is_refused(
    game: object, more: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(game)
    assert cli.main(game(tmp_path, games=2)) == 0
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert cli.main(game(tmp_path, *more, games=40)) == 2
    errors = capsys.readouterr().err
    assert f"holds what another question was answered by ({said}): choose another --out" in errors.splitlines()[-1]
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_other_weights_of_the_same_name_are_another_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weights, out = tmp_path / "mine.safetensors", tmp_path / "out"
    for ending in (".safetensors", ".toml"):
        shutil.copy(CHESS.with_suffix(ending), weights.with_suffix(ending))
    words = chess(out)
    words[1] = str(weights)
    assert cli.main(words) == 0
    data = json.loads((out / NAME).read_text())
    data["question"]["network"] = "0" * 64
    (out / NAME).write_text(json.dumps(data))
    assert cli.main([*words, "--games", "9"]) == 2
    assert "(network was 000000000000..., not " in capsys.readouterr().err


def test_a_folder_of_an_older_version_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(chess(tmp_path, games=2)) == 0
    (tmp_path / NAME).unlink()
    kept = (tmp_path / "games-1-00000.npz").read_bytes()
    capsys.readouterr()
    assert cli.main(chess(tmp_path, "--set", "search.nodes=30", games=2)) == 2
    errors = capsys.readouterr().err
    assert "was begun by an older tengen, which kept no asked.json: its files are taken for answers" in errors
    assert "has all of these games" in errors and (tmp_path / "games-1-00000.npz").read_bytes() == kept


def test_labels_are_of_one_file_of_games_and_one_search(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, out = tmp_path / "games.pgn", tmp_path / "out"
    games.write_text(GAME.format(2500) * 3)
    words = ["train", "label", str(games), "--out", str(out), "--nodes", "30", "--workers", "1"]
    assert cli.main(words) == 0
    found = len(positions.read(out / "label-1-00000.npz"))
    assert found and cli.main([*words, "--seed", "2"]) == 0
    capsys.readouterr()
    for more, said in ((["--nodes", "31"], "nodes was '30', not '31'"), (["--each", "3"], "each was '12'")):
        assert cli.main([*words, *more]) == 2 and said in capsys.readouterr().err
    games.write_text(GAME.format(2400) * 3)
    assert cli.main(words) == 2 and "(games was " in capsys.readouterr().err
    with within(out, "tests"):
        assert cli.main(words) == 2
    assert "another process (process " in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_two_at_a_time_are_refused_and_a_killed_one_is_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = chess(tmp_path, "--set", "search.nodes=2000", games=1000)
    words = [*words, "--set", "search.nodes=400000"]  # units of one game
    with subprocess.Popen([sys.executable, "-m", "tengen.tools", *words], stderr=subprocess.DEVNULL) as other:
        try:
            for _ in range(1200):
                if (tmp_path / NAME).exists():
                    break
                time.sleep(0.05)
            assert cli.main(words) == 2
            assert f"another process (process {other.pid}) writes games to '{tmp_path}'" in capsys.readouterr().err
        finally:
            other.send_signal(signal.SIGKILL)
            other.wait(20)
    with within(tmp_path, "tests"):
        pass
