"""Games of chess of people: read from PGN, what networks are told of them, and how often they foretell their moves."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from checkout import needs_openvino

from tengen.engine._core import ChessState, feature_sets
from tengen.engine.games import get_game
from tengen.tools.train.data import shards
from tengen.tools.train.data.games import join, together
from tengen.tools.train.data.rows import View, every
from tengen.tools.train.data.targets import Places
from tengen.tools.train.fitting.accuracy import Tally, band_of, measure
from tengen.tools.train.records import gathering
from tengen.tools.train.records.from_record import Choice, Unwanted, played_game
from tengen.tools.train.records.pgn import records_of

chess = pytest.importorskip("chess")
pytest.importorskip("chess.pgn")

SETS = {features.name: features for features in feature_sets() if features.game == "chess"}
V1, FROM_TO = SETS["chess-v1"], SETS["chess-fromto-v1"]
HEAD = '[Event "x"]\n[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n[WhiteElo "{own}"]\n[BlackElo "{other}"]\n\n'
SHORT = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n"


def pgn(number: int, plies: int = 30, own: str = "2100", other: str = "2450") -> str:
    """A game of random moves between players of their own, as python-chess writes it."""
    dice, board = random.Random(number), chess.Board()
    game = chess.pgn.Game()
    node: Any = game
    while board.ply() < plies and any(board.legal_moves):
        move = dice.choice(list(board.legal_moves))
        board.push(move)
        node = node.add_variation(move)
    facts = {"white": f"one {number}", "black": f"two {number}", "result": "0-1", "own": own, "other": other}
    moves = game.accept(chess.pgn.StringExporter(headers=False, columns=None)).replace(" *", "")
    return HEAD.format(**facts) + f"{moves} 0-1\n\n"


def test_a_game_of_a_record() -> None:
    text = HEAD.format(white="Ann", black="Ben", result="1-0", own="2301", other="?") + SHORT
    (record,) = records_of(text.encode())
    assert record.players == ("Ann", "Ben") and len(record.moves) == 7 and record.result == "1-0"
    with pytest.raises(Unwanted, match="too short"):
        played_game(record, Choice("chess"))
    game = played_game(record, Choice("chess", shortest=4))
    assert (game.outcome, game.margin, game.rules) == (1.0, 1.0, "standard")
    assert game.rating is None and game.ratings == (2301, None)
    with pytest.raises(Unwanted, match="no rating"):
        played_game(record, Choice("chess", 2000, shortest=4))
    (drawn,) = records_of(
        (HEAD.format(white="a", black="b", result="1/2-1/2", own="1", other="2") + pgn(3).split("\n\n")[1]).encode()
    )
    assert played_game(drawn, Choice("chess")).outcome == 0.5


def test_the_moves_are_those_of_python_chess() -> None:
    from tengen.engine.records import pgn as own

    text = "".join(pgn(number, 120) for number in range(12))
    assert [record.moves for record in records_of(text.encode())] == [record.moves for record in own.loads_all(text)]


def test_ratings_are_kept(tmp_path: Path) -> None:
    """In a file and where games are put together; games without any make the file that they always made."""
    known, unknown = (
        [
            played_game(record, Choice("chess"))
            for record in records_of("".join(pgn(n, own=elo, other=elo) for n in (1, 2)).encode())
        ]
        for elo in ("2222", "")
    )
    assert len(together(unknown).columns["ratings"]) == 0 and np.isnan(together(unknown).ratings).all()
    shards.write(tmp_path / "x.npz", [*known, *unknown])
    found = shards.read(tmp_path / "x.npz")
    assert found.ratings[:2].tolist() == [[2222, 2222]] * 2 and np.isnan(found.ratings[2:]).all()
    assert found.part(1, 3).ratings[0].tolist() == [2222, 2222] and found[1].ratings == (2222, 2222)
    both = join([together(unknown), together(known)])
    assert np.isnan(both.ratings[:2]).all() and both.ratings[2:].tolist() == [[2222, 2222]] * 2


def test_a_row_is_told_the_ratings_and_the_move() -> None:
    games = together([played_game(record, Choice("chess")) for record in records_of(pgn(5, 40).encode())])
    state, moves = ChessState(), games.columns["moves"].tolist()
    (batch,) = every(View(V1), games, 64)
    assert batch.numbers is not None
    for ply, move in enumerate(moves):
        own, other = (0.25, 1.125) if ply % 2 == 0 else (1.125, 0.25)
        assert batch.numbers[ply].tolist() == [ply % 2, own, other, 1]
        np.testing.assert_array_equal(
            batch.planes[ply], np.asarray(state.planes("chess-v1", moves[max(0, ply - 2) : ply]))
        )
        assert batch.policy[ply, V1.policy_index(move, 8, 8)] == batch.policy[ply].sum() == 1
        assert batch.value[ply].tolist() == ([0, 0, 1] if ply % 2 == 0 else [1, 0, 0])
        state.play(move)
    (plain,) = every(View(FROM_TO), games, 64)
    assert plain.numbers is not None and plain.numbers.shape == (len(moves), 1)


def test_many_games_are_read_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large file too; nobody whose games are held out is learned from."""
    from tengen.tools.train.records import archives

    monkeypatch.setattr(archives, "_A_PIECE", 2000)
    (tmp_path / "games.pgn").write_text("".join(pgn(number) for number in range(60)))
    found = gathering.gather(tmp_path / "games.pgn", tmp_path / "out", Choice("chess"), held_out=0.5)
    assert found.summary.games > 5 and found.summary.held_out > 5 and not found.summary.bad and found.summary.files > 5
    left = found.summary.left_out["one of the players is held out"]
    assert found.summary.games + found.summary.held_out + left == 60


def test_how_moves_are_counted() -> None:
    """Whoever likes a legal move best is right when it was played; the squares are judged by what is said of all pairs."""
    games = together(
        [played_game(record, Choice("chess")) for record in records_of("".join(map(pgn, range(3))).encode())]
    )
    told = games.columns["moves"]
    places = Places.of(FROM_TO, 8, 8).policy[0]
    at = 0

    def knows(planes: Any, numbers: Any) -> Any:
        nonlocal at
        policies = np.zeros((len(planes), FROM_TO.policy_size(8, 8)), np.float32)
        policies[:, 63 | 63 << 6] = 9  # no move
        for row in range(len(planes)):
            if at % 2 == 0:
                policies[row, places[told[at]]] = 12
            at += 1
        return policies

    whole, bands = Tally(), set[int | None]()
    for band, found in measure(knows, View(FROM_TO), games, 16):
        whole.add(found)
        bands.add(band)
    assert whole.positions == len(told) and bands == {2000, 2400}
    half = (len(told) + 1) // 2
    assert half <= whole.moves < len(told) and half <= whole.origins < half + 9 and half <= whole.targets < half + 9
    assert band_of(float("nan")) is None and band_of(2199) == 2000 and band_of(2200) == 2200


def test_a_run_and_its_accuracy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command learns from PGN, writes a network that `human` plays, and says how often it is right."""
    needs_openvino()
    pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from tengen.engine.search import make_search
    from tengen.tools.cli import main

    (tmp_path / "games.pgn").write_text("".join(pgn(number) for number in range(40)))
    settings = {
        "records.steps": 2, "records.players": 0.5, "cycle.generations": 1, "model.blocks": 1, "model.channels": 8,
        "model.pooling": 0, "model.head": 8, "model.hidden": 8, "training.batch": 16,
    }  # fmt: skip
    words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    run = str(tmp_path / "run")
    assert main(["train", "chess", "--from-records", str(tmp_path / "games.pgn"), "--dir", run, *words]) == 0
    assert main(["train", "accuracy", run, "--positions", "60", "--workers", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    header = next(number for number, line in enumerate(lines) if line.startswith("mover's rating"))
    assert [line.split("  ")[0] for line in lines[header + 1 :]] == ["2000 to 2199", "2400 to 2599", "all"]
    (network,) = (path for path in (tmp_path / "run" / "networks").rglob("*g0001.onnx"))
    assert "games of people: " in network.with_suffix(".toml").read_text()
    make_search(get_game("chess"), "human", {"human.network": str(network)})
