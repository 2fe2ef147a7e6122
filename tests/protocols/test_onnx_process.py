"""`tengen gomocup`, `tengen nboard` and `tengen gtp` by a network that is an ONNX file: what they tell, refuse and take."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import gomocup_client
import gtp_client
import nboard_client
import pytest
from checkout import needs_openvino
from onnx_files import write_player

needs_openvino()
MOST_KILOBYTES = 350_000
"""What a judge of Gomocup allows."""


@pytest.fixture
def refused(called: Callable[..., subprocess.CompletedProcess[str]]) -> Callable[..., str]:
    """A function from the words of a command that ends before it answers anything to its one line on stderr."""

    def told(*words: str) -> str:
        done = called(*words)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        return done.stderr

    return told


REFUSALS = [
    (("gomocup",), "reversi", "reversi-v1", "tengen: the network 'x.onnx' plays reversi, not gomoku\n"),
    (("nboard",), "gomoku", "gomoku-v1", "tengen: the network 'x.onnx' plays gomoku, not reversi\n"),
    (("gtp", "--game", "go"), "gomoku", "gomoku-v1", "tengen: the network 'x.onnx' plays gomoku, not go\n"),
    (("gomocup", "--player", "alphazero-gomoku"), "gomoku", "gomoku-v1",
     "tengen: the network 'x.onnx' sees gomoku-v1; the player 'alphazero-gomoku' takes networks of alphazero-gomoku-v1: "
     "name another player, or none\n"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "game", "features", "sentence"), REFUSALS)
def test_what_does_not_fit_is_refused_in_one_sentence(
    words: tuple[str, ...], game: str, features: str, sentence: str, tmp_path: Path, refused: Callable[..., str]
) -> None:
    net = write_player(tmp_path, game, features, name="x")
    assert refused(*words, "--net", str(net)) == sentence
    settings = tmp_path / "my.toml"
    settings.write_text(f'net = "{net}"\n')
    assert refused(*words, "--config", str(settings)) == sentence, "the key of a file says the same"


def kilobytes(pid: int) -> int:
    """Most that a process ever held, and its children hold."""
    rows = Path(f"/proc/{pid}/status").read_text().splitlines()
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return next(int(row.split()[1]) for row in rows if row.startswith("VmHWM:")) + sum(
        map(kilobytes, map(int, children))
    )


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_gomocup_tells_its_network_and_stays_small(tmp_path: Path) -> None:
    """Once, and before a move of the network; the game is played on a board of the judge's size."""
    net = write_player(tmp_path, "gomoku", "gomoku-v1", name="x")
    with gomocup_client.Process("--net", str(net), "--threads", "1", "--seed", "1") as talk:
        talk.send("START 20\nINFO max_memory 367001600\nINFO timeout_turn 1000")
        assert talk.line() == "OK"
        talk.send("BEGIN")
        said, moves = list[str](), set[str]()
        for row in range(6):
            line = talk.line()
            while line.startswith("MESSAGE"):
                said.append(line)
                line = talk.line()
            assert gomocup_client.is_move(line, 20) and line not in moves
            moves.add(line)
            answer = next(f"{x},{row}" for x in range(20) if f"{x},{row}" not in moves)
            moves.add(answer)
            talk.send(f"TURN {answer}")
        assert said == ["MESSAGE the network 'x.onnx' (x), named, in f32"]
        assert kilobytes(talk.process.pid) < MOST_KILOBYTES
        talk.line()
        talk.send("END")
        started = time.monotonic()
        assert talk.process.wait(10) == 0 and time.monotonic() - started < 5


def test_gomocup_says_who_plays_where_the_network_does_not_fit(tmp_path: Path) -> None:
    net = write_player(tmp_path, "gomoku", "alphazero-gomoku-v1", "az", 8, 8)
    with gomocup_client.Process("--net", str(net), "--player", "alphazero-gomoku", "--threads", "1") as talk:
        talk.send("START 15\nINFO timeout_turn 500\nBEGIN")
        assert talk.line() == "OK"
        said = [talk.line(), talk.line()]
        assert "MESSAGE the network 'az.onnx' is for boards of 8x8, not 15x15; alphabeta plays" in said
        talk.send("START 8\nBEGIN")
        rest = [talk.line() for _ in range(2)]
        while not gomocup_client.is_move(rest[-1], 8):
            rest.append(talk.line())
        assert "OK" in rest


def test_nboard_plays_by_a_network(tmp_path: Path) -> None:
    """It tells on stderr which it is; a depth is so many playouts of it."""
    net = write_player(tmp_path, "reversi", "reversi-v1", name="x")
    with nboard_client.Process("--net", str(net), "--threads", "1", "--seed", "1") as talk:
        talk.send(f"nboard 2\nset depth 6\n{nboard_client.ggf()}\nping 1")
        talk.until("pong 1")
        talk.send("go")
        assert talk.until("=== ")[-1].split("/")[0] in ("=== D3", "=== C4", "=== F5", "=== E6")
        talk.send("ping 2")
        talk.until("pong 2")
        talk.send("quit")
        assert talk.process.wait(20) == 0
        assert talk.process.stderr.read().decode() == "tengen nboard: the network 'x.onnx' (x), named, in f32\n"


@pytest.mark.parametrize(
    ("game", "features", "player"),
    [
        ("gomoku", "gomoku-v1", "puct"),
        ("reversi", "reversi-v1", "puct"),
        ("go", "clevergo-v1", "clevergo"),
        ("go", "go-v1", "policy"),
    ],
)
def test_gtp_plays_by_a_network(game: str, features: str, player: str, tmp_path: Path) -> None:
    net = write_player(tmp_path, game, features, name="x")
    with gtp_client.Process(
        "--game", game, "--net", str(net), "--player", player, "--playouts", "30", "--threads", "1"
    ) as talk:
        talk.send(f"boardsize {8 if game == 'reversi' else 9}\ngenmove b\ngenmove w")
        lines = [talk.line() for _ in range(6)]
        assert all(line.startswith("=") for line in lines[::2]) and lines[2] != lines[4]
        talk.send("kata-raw-nn" if game == "go" else "name")
        answer = talk.line()
        if game == "go":
            assert answer == "? this needs a KataGo network (.bin.gz); 'x' is an ONNX file"
        talk.send("\nquit")
        assert talk.process.wait(20) == 0
        assert talk.process.stderr.read().decode() == "Tengen: the network 'x.onnx' (x), named, in f32\n"


@pytest.mark.parametrize("words", [("analysis",), ("review", "game.sgf")])
def test_what_needs_a_katago_network_says_so(
    words: tuple[str, ...], tmp_path: Path, refused: Callable[..., str]
) -> None:
    net = write_player(tmp_path, "go", "go-v1", name="x")
    (tmp_path / "game.sgf").write_text("(;GM[1]FF[4]SZ[9];B[ee];W[cc])")
    words = tuple(str(tmp_path / word) if word.endswith(".sgf") else word for word in words)
    assert (
        refused(*words, "--net", str(net))
        == "tengen: this needs a KataGo network (.bin.gz); 'x.onnx' is an ONNX file\n"
    )
