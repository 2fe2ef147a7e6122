"""Games beside Go, and the classic networks: games, steps, a network, matches, and the network plays. A whole run of Go
is in test_train_command.py."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from checkout import needs_openvino
from fakes_of_watching import Silent

from tengen.engine.config import Config
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.tools import cli
from tengen.tools.executors.local import Here
from tengen.tools.train.play.work import work
from tengen.tools.train.run.cycle import Loop
from tengen.tools.train.run.learning import Figures
from tengen.tools.train.run.manifest import Manifest
from tengen.tools.train.run.runs import look, opened
from tengen.tools.train.settings.config import RunConfig, merge
from tengen.tools.train.settings.kinds import player_of
from tengen.tools.train.settings.preset import preset, usual

TINY: dict[str, Any] = {
    "model.blocks": 1, "model.channels": 8, "model.pooling": 0, "model.head": 8, "model.hidden": 8,
    "search.visits": 4, "search.cheap_visits": 2, "selfplay.slots": 4, "selfplay.batch": 4, "selfplay.unit_games": 4,
    "selfplay.precision": "f32", "window.least": 8, "window.held_out": 0.0, "cycle.positions": 8, "cycle.reuse": 1,
    "cycle.generations": 2, "training.batch": 8, "training.precision": "f32", "gate.games": 2, "gate.lot": 2, "gate.visits": 2, "anchor.every": 1, "anchor.games": 2,
    "anchor.playouts": 4, "anchor.visits": 2,
}  # fmt: skip


class Row(NamedTuple):
    """game, size, the preset (the usual one), and how the names of its networks end."""

    game: str
    size: int
    preset: str | None
    ending: str


ROWS = [
    Row("gomoku", 6, None, ".onnx"),
    Row("reversi", 8, None, ".onnx"),
    Row("gomoku", 6, "alphazero-gomoku", ".onnx"),
    Row("go", 5, "clevergo", ".onnx"),
]


class Keeping(Silent):
    """Keeps the figures of steps too."""

    def __init__(self) -> None:
        super().__init__()
        self.figures: list[Figures] = []

    def learned(self, figures: Figures, steps: int) -> None:
        super().learned(figures, steps)
        self.figures.append(figures)


def config_of(row: Row) -> RunConfig:
    base = preset(row.preset) if row.preset else usual(row.game, row.size)[1]
    return merge(base, {**TINY, "board.size": row.size})


def learn(folder: Path, config: RunConfig) -> tuple[Manifest, Keeping]:
    """Two generations, the first with a match against another program; all in this process."""
    from tengen.tools.train.run.learn import TorchLearning

    watcher = Keeping()
    with opened(folder, "tiny", config) as run:
        learning = TorchLearning(config, folder)
        try:
            Loop(run, learning, Here(work), watcher, lambda: False).sit()
        finally:
            learning.close()
        return run.manifest, watcher


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.preset or row.game}-{row.size}")
def test_a_game_is_learned_and_played(row: Row, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs_openvino()
    pytest.importorskip("torch")
    pytest.importorskip("onnx")
    config = config_of(row)
    found, watcher = learn(tmp_path / "run", config)
    assert [network.generation for network in found.networks] == [0, 1, 2] and found.networks[2].is_taken is not None
    assert found.positions >= 16 and all(len(lot.scores) == 2 for lot in found.lots)
    opponents = [lot.second for lot in found.lots]
    assert opponents[0] == "0" and len(opponents) == 2 + sum(bool(one.is_taken) for one in found.networks[1:]), (
        opponents
    )
    is_settled = bool(config.kl.epochs)
    assert watcher.figures and all(
        ("kl" in figures and "explained_variance_after" in figures) == is_settled for figures in watcher.figures
    )
    path = tmp_path / "run" / found.best.file.path
    assert path.name.endswith(row.ending)
    player = Player(Config(game=row.game, player=player_of(config), net=str(path), playouts=2, threads=1))
    try:
        player.new_game(row.size)
        assert player.genmove(MoveRequest(0)).notice == ""
    finally:
        player.close()
    play = [
        "selfplay",
        str(path),
        "--games",
        "2",
        "--workers",
        "1",
        "--out",
        str(tmp_path / "out"),
        "--set",
        "search.visits=4",
    ]
    assert cli.main(play) == 0, "it says itself what it plays, and on which board"
    assert "2 games" in capsys.readouterr().out
    for words, sentence in (
        (["--size", "10"], "is for boards of"),
        (["--game", "chess"], f"plays {row.game}, not chess"),
    ):
        assert cli.main([*play, *words]) == 2
        assert sentence in capsys.readouterr().err


WORDS = [f"{name}={value}" for name, value in {**TINY, "anchor.every": 0, "search.visits": 8}.items()]
TALKS = [
    (
        Row("gomoku", 8, "alphazero-gomoku", ".onnx"), ["gomocup", "--player", "alphazero-gomoku", "--playouts", "20"],
        "START 8\nINFO timeout_turn 20000\nBEGIN\nEND\n", r"\d,\d",
    ),
    (Row("gomoku", 6, None, ".onnx"), ["gomocup", "--playouts", "20"], "START 6\nINFO timeout_turn 20000\nBEGIN\nEND\n", r"\d,\d"),
    (Row("reversi", 8, None, ".onnx"), ["nboard", "--playouts", "20"], "nboard 2\ngo\nping 2\nquit\n", "=== [A-H][1-8]"),
    (Row("go", 5, "clevergo", ".onnx"), ["gtp", "--player", "clevergo", "--playouts", "20"], "boardsize 5\ngenmove b\nquit\n", "= [A-E][1-5]"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("row", "words", "talk", "wanted"),
    TALKS,
    ids=lambda value: value.preset or value.game if isinstance(value, Row) else "",
)
def test_the_real_commands(
    row: Row, words: list[str], talk: str, wanted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Trained, reported, exported and played with, as a user would."""
    needs_openvino()
    for package in ("torch", "onnx", "matplotlib"):
        pytest.importorskip(package)
    tengen = [sys.executable, "-m", "tengen.tools"]
    chosen = ["--preset", row.preset] if row.preset else []
    command = [
        *tengen,
        "train",
        row.game,
        "--size",
        f"{row.size}",
        *chosen,
        "--dir",
        str(tmp_path / "run"),
        "--workers",
        "1",
    ]
    done = subprocess.run(
        [*command, *(word for one in WORDS for word in ("--set", one))], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0 and "the run is over" in done.stderr, done.stderr
    assert ("lr_multiplier" in done.stderr) == (row.preset is not None)
    assert len(look(tmp_path / "run").networks) == 3
    assert cli.main(["train", "report", str(tmp_path / "run")]) == 0
    net = tmp_path / f"net{row.ending}"
    assert cli.main(["export", str(tmp_path / "run"), "-o", str(net)]) == 0
    capsys.readouterr()
    played = subprocess.run(
        [*tengen, *words, "--net", str(net)], input=talk, capture_output=True, text=True, timeout=120
    )
    assert played.returncode == 0, played.stderr
    assert re.search(rf"(?m)^{wanted}", played.stdout), played.stdout + played.stderr
