"""What a network sees of a live game and says of it, what is refused, and games that are played by it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import networks
import numpy as np
import pytest
from checkout import needs_openvino
from katago_files import file_of, network
from puct_searches import GO, after, empty, run, search

from tengen.engine._core import GoTree
from tengen.engine.config import Config, ConfigError
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.katago.network import load_katago
from tengen.engine.games import get_game
from tengen.engine.history import History
from tengen.engine.play.go.katago_inputs import encode
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.engine.search import make_search
from tengen.engine.search.base import Root

needs_openvino()

# What is refused

BAD = [
    ("missing", None, "cannot read the network"),
    ("text", b"words and nothing else\n", "cannot be used"),
    ("short", 30, "cannot be used"),
]


@pytest.mark.parametrize(("name", "content", "says"), BAD, ids=[row[0] for row in BAD])
def test_a_file_that_is_no_network(tmp_path: Path, name: str, content: bytes | int | None, says: str) -> None:
    path = tmp_path / f"{name}.bin.gz"
    if content is not None:
        path.write_bytes(networks.tiny().read_bytes()[:content] if isinstance(content, int) else content)
    with pytest.raises(NetworkError, match=says) as error:
        make_search(GO, "puct", {"puct.network": str(path)})
    assert "\n" not in str(error.value)


def test_damage_further_behind_is_told_by_the_run(tmp_path: Path) -> None:
    path = tmp_path / "cut.bin.gz"
    path.write_bytes(networks.tiny().read_bytes()[:600])
    with pytest.raises(NetworkError, match="'cut.bin.gz' cannot be used: it is cut short"):
        run(make_search(GO, "puct", {"puct.network": str(path)}), empty(), visits=1)


def test_a_network_that_imitates_people_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "human.bin.gz"
    path.write_bytes(file_of(network(("ordinary",), 15, has_metadata=True)))
    with pytest.raises(NetworkError, match="imitates people and has to be told of the players"):
        make_search(GO, "puct", {"puct.network": str(path)})


def test_without_a_network_nobody_plays() -> None:
    assert any(option.name == "puct.network" for option in make_search(GO, "puct", {}).options())
    with pytest.raises(ConfigError, match="--net FILE"):
        Player(Config(player="puct"))
    with pytest.raises(NetworkError, match="none was named"):
        run(make_search(GO, "puct", {}), empty(), visits=1)


def test_a_network_of_go_plays_go_alone() -> None:
    with pytest.raises(NetworkError, match=r"the network 'tiny\.bin\.gz' plays go, not gomoku"):
        make_search(get_game("gomoku"), "puct", {"puct.network": str(networks.tiny())})


def zeros(*shape: int) -> Any:
    return np.zeros(shape, np.float32)


def test_answers_that_do_not_fit() -> None:
    tree: Any = GoTree()
    with pytest.raises(RuntimeError, match="no search was begun"):
        tree.collect(zeros(1, 22, 0, 0), zeros(1, 19))
    tree.begin(empty())
    assert tree.collect(zeros(4, 22, 9, 9), zeros(4, 19)) == 1
    good = zeros(1, 82), zeros(1, 3), zeros(1), zeros(1, 81)
    for index, wrong in [(0, zeros(1, 81)), (0, zeros(2, 82)), (1, zeros(1, 2)), (2, zeros(2)), (3, zeros(1, 80)),
                         (0, zeros(1, 82) + np.nan), (1, zeros(1, 3) - 1), (2, zeros(1) + np.inf), (3, zeros(1, 81) + 2)]:  # fmt: skip
        with pytest.raises(ValueError):
            tree.deliver(*(wrong if place == index else one for place, one in enumerate(good)))
    tree.deliver(*good)
    assert tree.info().visits == 1
    with pytest.raises(ValueError):
        tree.deliver(*good)


# What the network sees and says


def random_game(size: int, moves: int, seed: int, rules: str) -> tuple[History, list[int]]:
    """A history, and moves that go on from it."""
    choose = random.Random(seed)
    named = GO.rule_sets[rules]
    history, played = History(GO.new_state(size, size, named, 6.5)), list[int]()
    for number in range(moves):
        state: Any = history.state
        fair = [
            cell
            for cell in range(size * size)
            if state.is_legal(cell)
            and not state.is_playout_eye(number % 2, cell)
            and not history.is_repetition(number % 2, cell, named.repetition)
        ]
        played.append(choose.choice(fair))
        history.play(number % 2, played[-1], named.repetition)
    return history, played


@pytest.mark.parametrize(
    ("size", "rules"), [(5, "aga"), (5, "chinese-ogs"), (7, "chinese"), (9, "japanese"), (13, "tromp-taylor")]
)
@pytest.mark.parametrize("told", [0, 1, 3, 12])
def test_a_leaf_is_encoded_as_the_game_that_leads_to_it(size: int, rules: str, told: int) -> None:
    """Last moves, positions before them, what superko forbids: behind the root and before it."""
    named = GO.rule_sets[rules]
    _, moves = random_game(size, 24, size + told, rules)
    history = History(GO.new_state(size, size, named, 6.5))
    for number, move in enumerate(moves[:told]):
        history.play(number % 2, move, named.repetition)
    tree: Any = GoTree()
    tree.set("symmetries", 0)
    seen = history.seen(named.repetition)
    tree.begin(history.state, history.earlier(2), seen, history.recent(8))
    planes, numbers = zeros(1, 22, size, size), zeros(1, 19)
    for number, move in enumerate(moves[told:], told):
        assert tree.collect(planes, numbers) == 1
        expected = encode(history, named)  # type: ignore[arg-type]
        np.testing.assert_array_equal(planes[0], expected[0])
        np.testing.assert_array_equal(numbers[0], expected[1])
        policy = zeros(1, size * size + 1) - 50
        policy[0, move] = 0
        tree.deliver(policy, np.array([[0.5, 0, 0.5]], np.float32), zeros(1), zeros(1, size * size))
        history.play(number % 2, move, named.repetition)


def test_a_root_has_the_priors_that_the_network_says(tmp_path: Path) -> None:
    """Of which a fifth is optimistic, where the network has both."""
    path = tmp_path / "two.bin.gz"
    path.write_bytes(file_of(network(("ordinary", "pooling"), 12)))
    state = after(empty(), "E5 C3 G7")
    history = History(empty())
    for number, word in enumerate("E5 C3 G7".split()):
        history.play(number % 2, GO.move_from_text(history.state, word))
    made = search(network=str(path), precision="f32", symmetries=False)
    info = run(made, Root(state, recent=history.recent(8), earlier=history.earlier(2)), visits=400)
    planes, numbers = encode(history, GO.default_rules)  # type: ignore[arg-type]
    net = load_katago(path, threads=1)
    right, wrong = (net.submit(planes[None], numbers[None], optimism=share).wait().policies[0] for share in (0.2, 1.0))
    net.close()
    for line in info.lines[1:]:
        ratio = info.lines[0].prior / line.prior
        assert ratio == pytest.approx(np.exp(right[info.lines[0].move] - right[line.move]), rel=1e-3)
    assert any(abs((right - wrong)[line.move] - (right - wrong)[info.lines[0].move]) > 0.01 for line in info.lines)


# A whole game


@pytest.fixture
def player() -> Iterator[Callable[..., Player]]:
    made: list[Player] = []

    def make(path: Path, size: int = 9, **config: Any) -> Player:
        live = Player(Config(player="puct", threads=1, seed=3, set={"puct.network": str(path)}, **config))
        live.new_game(size)
        made.append(live)
        return live

    yield make
    for live in made:
        live.close()


def test_a_game_is_played_to_its_end(player: Callable[..., Player]) -> None:
    live = player(networks.tiny(), 5, playouts=6, resign=0.0)
    for number in range(60):
        if live.is_over:
            break
        decision = live.genmove(MoveRequest(number % 2))
        assert decision.move is not None
    assert live.state.move_number > 4
    live.final_status()


def vertices(words: str) -> Sequence[int]:
    return [GO.move_from_text(empty(), word) for word in words.split()]


def test_a_real_network_plays_go(player: Callable[..., Player], shared: Callable[[str], Path]) -> None:
    live = player(shared("data/go/katago/g170-b6c96.bin.gz"), playouts=100)
    move = live.genmove(MoveRequest(0, play=False)).move
    assert move is not None and 2 <= move // 9 <= 6 and 2 <= move % 9 <= 6, "somewhere in the middle"
    live.play_sequence([(0, cell) for cell in vertices("C4 G4 D5 E5 F5 D3 F3")])
    live.play_sequence([(1, cell) for cell in vertices("D4 E4 F4 D6 E6 F6 G5")])
    # E3 takes three stones at once; C5 leaves them hanging and is better (2,000 visits: 90 % and 11 points, 88 % and 5)
    assert live.genmove(MoveRequest(0, play=False)).move in vertices("E3 C5")


def test_the_command_plays(tengen: Callable[..., Any], called: Callable[..., Any]) -> None:
    words = "gtp", "--player", "puct", "--seed", "4", "--playouts", "20"
    moves = "boardsize 7\ngenmove b\nplay w A1\ngenmove b\nundo\nkata-search_analyze b 1\nquit\n"
    done = tengen(*words, "--set", f"puct.network={networks.tiny()}", script=moves)
    answers = [line for line in done.stdout.splitlines() if line]
    assert done.returncode == 0 and done.stderr == "" and not any(line.startswith("?") for line in answers)
    assert sum(len(line) > 3 for line in answers) >= 3
    refused = called(*words, "--net", "none")
    assert refused.returncode == 2 and refused.stdout == "" and "none was named: --net FILE" in refused.stderr
