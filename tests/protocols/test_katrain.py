"""KaTrain's own game and engine driver, without a window, with `tengen` where its KataGo would be.

Skips unless `katrain` and what it needs can be imported; `pip install --no-deps katrain`, kivy, pysgf and chardet in a
folder on PYTHONPATH are enough.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from checkout import needs_openvino

needs_openvino()
os.environ.update(KIVY_NO_ARGS="1", KIVY_NO_CONSOLELOG="1", KIVY_NO_FILELOG="1", KIVY_NO_CONFIG="1")
for package in ("kivy", "katrain"):
    pytest.importorskip(package)

SIZE, MOVES, VISITS, FEW = 9, 24, 60, 20


class Talk:
    """What KaTrain wrote to its log, and what went wrong."""

    def __init__(self) -> None:
        self.lines: list[tuple[float, str]] = []

    def __call__(self, message: object, level: float = 0) -> None:
        self.lines.append((level, str(message)))

    @property
    def errors(self) -> list[str]:
        return [line for level, line in self.lines if level == -1]

    @property
    def stderr(self) -> list[str]:
        return [line for level, line in self.lines if level == -0.5]


@pytest.fixture(scope="module")
def katrain(shared: Callable[[str], Path]) -> Iterator[tuple[Any, Any, Talk]]:
    """KaTrain without a GUI, its engine, and what they say."""
    yield from started(shared)


def started(shared: Callable[[str], Path], **more: str) -> Iterator[tuple[Any, Any, Talk]]:
    """KaTrain with more settings of its engine."""
    from katrain.core.base_katrain import KaTrainBase
    from katrain.core.engine import KataGoEngine

    class Headless(KaTrainBase):  # type: ignore[misc]
        def __init__(self) -> None:
            self.talk = Talk()
            super().__init__(force_package_config=True, debug_level=0)

        def log(self, message: object, level: float = 0) -> None:
            self.talk(message, level)

        def __call__(self, *message: object) -> None:
            self.talk(message, -1)

    base = Headless()
    settings = {
        **base.config("engine"), "katago": str(Path(sys.executable).with_name("tengen")), "max_visits": VISITS,
        "fast_visits": FEW, "model": str(shared("data/go/katago/g170-b6c96.bin.gz")), **more,
    }  # fmt: skip
    engine = KataGoEngine(base, settings)
    yield base, engine, base.talk
    engine.shutdown(finish=False)


@pytest.fixture
def game(katrain: tuple[Any, Any, Talk]) -> Any:
    """A new game on a small board, analysed from its root on."""
    from katrain.core.game import Game

    base, engine, _ = katrain
    base.game = Game(base, engine, game_properties={"SZ": SIZE, "KM": 7, "RU": "chinese"})
    return base.game


def wait(condition: Callable[[], object], what: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def play(game: Any, moves: int) -> None:
    """The best move of each analysis."""
    from katrain.core.game import Move

    for _ in range(moves):
        node = game.current_node
        wait(lambda node=node: node.analysis_complete, "an analysis")
        best = node.candidate_moves[0]
        game.play(Move.from_gtp(best["move"], player=node.next_player))
    wait(lambda: game.current_node.analysis_complete, "the last analysis")


def test_a_game_is_played_and_analysed(katrain: tuple[Any, Any, Talk], game: Any) -> None:
    _, engine, talk = katrain
    play(game, MOVES)
    nodes = game.current_node.nodes_from_root
    assert len(nodes) == MOVES + 1
    for node in nodes:
        assert 0 <= node.winrate <= 1 and abs(node.score) < SIZE * SIZE
        assert node.root_visits == VISITS and len(node.ownership) == SIZE * SIZE and len(node.policy) == SIZE * SIZE + 1
        assert all(
            len(move["ownership"]) == SIZE * SIZE for move in node.analysis["moves"].values() if "ownership" in move
        )
    assert all(node.points_lost is not None and node.points_lost < 5 for node in nodes[1:]), (
        "the best moves lose little"
    )
    assert engine.is_idle() and talk.errors == []
    assert any("ready" in line.lower() for line in talk.stderr) and not any(
        "error" in line.lower() for line in talk.stderr
    )


def test_a_bad_move_is_seen(game: Any) -> None:
    from katrain.core.game import Move

    play(game, 4)
    game.play(Move.from_gtp("A1", player=game.current_node.next_player))
    wait(lambda: game.current_node.analysis_complete, "the bad move")
    assert game.current_node.points_lost > 3


def test_what_players_ask_for_beside(katrain: tuple[Any, Any, Talk], game: Any) -> None:
    """Alternatives, a region, every candidate, pondering, a new game in the middle of it all."""
    base, engine, talk = katrain
    base.pondering = False
    play(game, 2)
    node = game.current_node
    known = set(node.analysis["moves"])
    node.analyze(engine, find_alternatives=True, time_limit=False)
    wait(engine.is_idle, "alternatives")
    assert set(node.analysis["moves"]) > known
    node.analyze(engine, region_of_interest=[0, 3, 0, 3], time_limit=False)
    wait(engine.is_idle, "a region")
    node.analyze(engine, ponder=True, time_limit=False)
    wait(lambda: node.root_visits > 5 * VISITS, "pondering")
    engine.stop_pondering()
    wait(engine.is_idle, "the end of pondering")
    for _ in range(3):
        game.analyze_all_nodes(analyze_fast=True)
    engine.on_new_game()
    wait(engine.is_idle, "a new game")
    assert talk.errors == []


PLAYERS = {
    "ai:human": [{"human_kyu_rank": 8, "modern_style": True}, {"human_kyu_rank": -4, "modern_style": False}],
    "ai:pro": [{"pro_year": 1846}, {"pro_year": 2023}],
}


@pytest.fixture(scope="module")
def peopled(shared: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Any, Talk]]:
    """The same with a human network, of random weights, for its players that move as people do."""
    from katago_files import file_of, network

    path = tmp_path_factory.mktemp("human") / "human.bin.gz"
    path.write_bytes(file_of(network(("ordinary", "pooling"), 15, has_metadata=True)))
    yield from started(shared, humanlike_model=str(path))


@pytest.mark.parametrize("kind", PLAYERS)
def test_its_players_move_as_people_do(peopled: tuple[Any, Any, Talk], kind: str) -> None:
    """By rank and by year: KaTrain draws from `humanPolicy`, and complains where there is none."""
    from katrain.core.ai import generate_ai_move
    from katrain.core.game import Game

    base, engine, talk = peopled
    base.game = game = Game(base, engine, game_properties={"SZ": 19, "KM": 6.5, "RU": "japanese"})
    for turn in range(6):
        move, node = generate_ai_move(game, kind, PLAYERS[kind][turn % 2])
        assert node is game.current_node and node.move == move
        assert node.ai_thoughts and "fall" not in node.ai_thoughts.lower(), node.ai_thoughts
    assert len(game.current_node.nodes_from_root) == 7
    wait(engine.is_idle, "the last analysis")
    assert talk.errors == []
