"""An evaluator that learned: the toy's table of what cells are worth is read from a file and played by."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from toy.game import cell_text, registered

from tengen.engine._core import StopToken
from tengen.engine.config import Config
from tengen.engine.games.players import Entry
from tengen.engine.limits import Limits
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.engine.search import make_search
from tengen.engine.search.base import Root
from tengen.nets import safetensors


def table(folder: Path, liked: int) -> Path:
    """Weights that like one cell above all."""
    path = folder / f"likes-{liked}.safetensors"
    values = np.where(np.arange(9) == liked, 0.9, 0.1).astype(np.float32)
    card = {
        "name": path.stem, "purpose": "a test", "licence": "MIT", "plays": {"game": "morris", "evaluator": "table"},
        "training": {"data": "none", "credits": [], "command": "none"},
    }  # fmt: skip
    safetensors.save(path, {"values": values}, card)
    return path


def player(path: Path) -> Entry:
    return Entry("mcts", "table", {"mcts.c": 0.2}, weights=path)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("liked", range(9))
def test_a_player_likes_what_its_weights_like(tmp_path: Path, liked: int, threads: int) -> None:
    with registered(table=player(table(tmp_path, liked))) as game:
        live = Player(Config(game=game.name, player="table", playouts=60, threads=threads, seed=1))
        move = live.genmove(MoveRequest(live.state.to_move)).move
        live.close()
        assert move is not None and cell_text(move) == cell_text(liked)


def test_it_still_sees_a_win(tmp_path: Path) -> None:
    """A1 is what it likes; C3 makes three in a line."""
    with registered(table=player(table(tmp_path, 6))) as game:
        live = Player(Config(game=game.name, player="table", playouts=500, threads=1, seed=1))
        for text in "A3 B1 B3 C1".split():
            live.play(live.state.to_move, game.move_from_text(live.state, text))
        move = live.genmove(MoveRequest(live.state.to_move)).move
        live.close()
        assert move is not None and cell_text(move) == "C3"


def test_two_players_of_two_files(tmp_path: Path) -> None:
    """Each reads its own, and settings changed meanwhile change nothing of that."""
    with registered(**{f"likes{n}": player(table(tmp_path, n)) for n in (0, 8)}) as game:
        root = Root(game.new_state(3, 3, game.default_rules, 0.0))
        searches = {n: make_search(game, f"likes{n}", {"mcts.seed": 1, "mcts.threads": 1}) for n in (0, 8)}
        for n, search in searches.items():
            for memory in (16, 32):  # a new tree
                search.configure({"mcts.memory_mb": memory})
                best = search.run(root, Limits(playouts=60), StopToken()).best
                assert best is not None and best.move == n


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with registered(table=player(tmp_path / "lost.safetensors")) as game:
        with pytest.raises(ValueError, match="cannot read the network 'lost.safetensors': No such file"):
            make_search(game, "table", {})
