"""The recipe for a new game in docs/new-game.md, followed to its end: the toy game is registered by one line, and
everything serves it: search, GTP, matches, reviews, training and bench.

What it consists of is `tests/toy`; its rules and searches are tested in tests/play/test_toy.py.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT, needs_openvino
from toy.game import registered

from tengen.engine.config import Config
from tengen.engine.games import get_game
from tengen.engine.games.base import Game
from tengen.engine.games.players import Entry
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.tools import cli

TOY = ROOT / "tests" / "toy"
RECIPE = (ROOT / "docs" / "new-game.md").read_text("utf-8")
TINY: dict[str, Any] = {
    "board.name": "morris", "board.size": 3, "model.blocks": 1, "model.channels": 8, "model.pooling": 0, "model.head": 8,
    "model.hidden": 8, "search.visits": 4, "search.cheap_visits": 2, "selfplay.slots": 4, "selfplay.batch": 4,
    "selfplay.unit_games": 4, "selfplay.precision": "f32", "window.least": 8, "window.held_out": 0.0, "cycle.positions": 8,
    "cycle.reuse": 1, "cycle.generations": 1, "training.batch": 8, "training.precision": "f32", "gate.games": 2,
    "gate.lot": 2, "gate.visits": 2, "gate.plies": 2, "anchor.every": 0,
}  # fmt: skip


@pytest.fixture
def game() -> Iterator[Game]:
    with registered(puct=Entry("puct", needs_network=True)) as toy:
        yield toy


@pytest.mark.parametrize("player", ["uct", "alphabeta", "random"])
def test_it_is_searched(game: Game, player: str) -> None:
    live = Player(Config(game=game.name, player=player, playouts=500, threads=1, seed=1))
    for text in ("A3", "A1", "B3", "B1"):
        live.play(live.state.to_move, game.move_from_text(live.state, text))
    move = live.genmove(MoveRequest(0)).move
    live.close()
    assert move is not None and (player == "random" or game.move_to_text(live.state, move) == "C3")


def test_it_plays_a_match_which_is_reviewed(game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two GTP processes play by its rules; the record of a game, with men that move, is read again and reviewed."""
    start = shlex.join([sys.executable, str(TOY / "gtp.py"), "--threads", "1", "--seed", "1"])
    engines = [["name=a", f"command={start} --playouts 200"], ["name=b", f"command={start} --playouts 5"]]
    words = [word for engine in engines for word in ("--engine", *engine, "protocol=gtp")]
    assert cli.main(["match", "--game", game.name, "--games", "4", "--out", str(tmp_path / "match"), *words]) == 0
    assert "ended by: 4 " in capsys.readouterr().out
    texts = [path.read_text("utf-8") for path in sorted((tmp_path / "match" / "games").iterdir())]
    assert len(texts) == 4 and any(re.search(r" [A-C][1-3]-[A-C][1-3]\b", text) for text in texts), texts
    path = tmp_path / "game.txt"
    path.write_text("game: morris\nmoves: A3 A1 B3 B1 C1 C3 A3-A2\n", "utf-8")
    assert cli.main(["review", str(path), "--depth", "5"]) == 0
    told = capsys.readouterr().out
    assert re.search(r"7\s+Black A3-A2  B3-B2 .* blunder", told), told
    assert cli.main(["review", str(path), "--exact", "5"]) == 2
    assert "--exact is for games of Reversi" in capsys.readouterr().err


def test_it_is_measured(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "--seconds", "0.05", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[game.name]["uct_sims_per_cpu_s"] > 1000
    told = []
    for _ in range(2):
        assert cli.main(["bench", "--signature", "--game", game.name]) == 0
        told.append(capsys.readouterr().out.strip())
    assert re.fullmatch(r"\d+|morris +\d+", told[0]) and told[0] == told[1]


def test_it_is_learned(game: Game, tmp_path: Path) -> None:
    """A generation of a run: games of self-play, steps, a gate; then its network plays. Other programs are started in
    processes of their own, which know no game of the tests: no match is played with one."""
    needs_openvino()
    pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from fakes_of_watching import Silent

    from tengen.tools.executors.local import Here
    from tengen.tools.train.play.work import work
    from tengen.tools.train.run.cycle import Loop
    from tengen.tools.train.run.learn import TorchLearning
    from tengen.tools.train.run.runs import opened
    from tengen.tools.train.settings.config import RunConfig, merge

    config = merge(RunConfig(), TINY)
    with opened(tmp_path / "run", "tiny", config) as run:
        learning = TorchLearning(config, tmp_path / "run")
        try:
            Loop(run, learning, Here(work), Silent(), lambda: False).sit()
        finally:
            learning.close()
        found = run.manifest
    assert [network.generation for network in found.networks] == [0, 1] and found.positions >= 8
    assert all(len(lot.scores) == 2 for lot in found.lots) and found.lots
    network = tmp_path / "run" / found.best.file.path
    live = Player(Config(game=game.name, player="puct", net=str(network), playouts=4, threads=1))
    assert live.genmove(MoveRequest(0)).notice == ""
    live.close()


def test_the_recipe_names_what_the_toy_consists_of() -> None:
    """Every file of the toy is of a step of the recipe, and its facts are those that the recipe asks for."""
    named = set(re.findall(r"`tests/toy/([\w.]+)`", RECIPE))
    assert named == {path.name for path in TOY.iterdir() if path.suffix in (".py", ".cpp", ".hpp")} - {
        "__init__.py",
        "gtp.py",
    }
    with registered():
        given = get_game("morris").parts._asdict()
    for name in ("core", "mcts", "alphabeta", "tree", "selfplay", "review"):
        assert given[name] and f"`{name}`" in RECIPE, name
