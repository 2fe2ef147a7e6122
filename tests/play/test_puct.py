"""Go searched with a network: the contract of a search, kept by batches that are answered from outside."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import networks
import numpy as np
import pytest
from katago_files import file_of, network

from tengen.engine._core import GoTree, StopToken
from tengen.engine.config import Config, ConfigError
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.katago.network import load_katago
from tengen.engine.games import get_game
from tengen.engine.games.base import State
from tengen.engine.history import History
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.options import Value
from tengen.engine.play.katago_inputs import encode
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.engine.search import make_search
from tengen.engine.search.base import Root, Search

pytest.importorskip("openvino")
GO = get_game("go")


def search(**options: Value) -> Search:
    """Repeatable, with the tiny network."""
    named = {"network": str(networks.tiny()), "seed": 7, "memory_mb": 32, **options}
    return make_search(GO, "puct", {f"puct.{name}": value for name, value in named.items()})


def empty(size: int = 9, rules: str = "chinese") -> State:
    return GO.new_state(size, size, GO.rule_sets[rules], 7.5)


def after(state: State, words: str) -> State:
    for word in words.split():
        state.play(GO.move_from_text(state, word))
    return state


def run(made: Search, root: Root | State, **limits: Any) -> Info:
    found = made.run(root if isinstance(root, Root) else Root(root), Limits(**limits), StopToken())
    return found


def facts(info: Info) -> list[tuple[Any, ...]]:
    return [(line.move, line.visits, line.win, line.score, line.lcb, line.prior, line.pv) for line in info.lines]


# Limits

@pytest.mark.parametrize("batch", [1, 3, 8, 64])
@pytest.mark.parametrize("visits", [1, 2, 17, 100, 257])
def test_visits_and_playouts_are_counted_to_the_one(visits: int, batch: int) -> None:
    made = search(batch=batch)
    info = run(made, empty(), visits=visits)
    assert (info.visits, info.playouts) == (visits, visits)
    assert sum(line.visits for line in info.lines) == visits - 1
    more = run(made, empty(), playouts=30)
    assert (more.visits, more.playouts) == (visits + 30, 30), "the tree was kept"
    assert run(made, empty(), visits=visits + 30).playouts == 0


def test_the_first_limit_ends_it() -> None:
    assert run(search(), empty(), visits=20, playouts=50).visits == 20
    assert run(search(), empty(), seconds=60, playouts=5).playouts == 5


@pytest.mark.timing
def test_seconds_bound_it() -> None:
    made = search()
    run(made, empty(), visits=40)  # the network is ready
    started = time.monotonic()
    info = run(made, empty(), seconds=0.3)
    assert 0.25 < time.monotonic() - started < 0.45 and info.playouts > 5 and info.seconds == pytest.approx(0.3, abs=0.1)


def test_a_depth_bounds_it() -> None:
    info = run(search(), empty(5), depth=2, playouts=5000)
    assert info.playouts < 5000 and info.lines[0].depth >= 2 and info.lines[0].seldepth >= 2


def test_it_ends_early_when_nothing_can_change() -> None:
    made = search()
    root = Root(empty(), allow=[40])
    assert run(made, root, visits=200).visits == 200
    made.clear()
    assert run(made, root, visits=200, early_stop=True).visits < 200


# Stopping

@pytest.mark.timing
@pytest.mark.parametrize("size", [9, 19])
def test_a_stop_ends_it_at_once(size: int) -> None:
    made, stop = search(), StopToken()
    run(made, empty(size), visits=40)
    threading.Timer(0.2, stop.stop).start()
    started = time.monotonic()
    made.run(Root(empty(size)), Limits(seconds=20), stop)
    assert time.monotonic() - started < 0.2 + 0.05 + 0.1  # of which 0.1 is the machine's
    assert run(made, empty(size), playouts=10).playouts == 10, "and nothing is left in flight"


class Slow:
    """A network that answers after a second."""

    suicide_in_life = False

    def submit(self, planes: Any, numbers: Any, *, optimism: float) -> Slow:
        return self

    def wait(self) -> Any:
        time.sleep(1)
        raise RuntimeError("nobody waits for this")


@pytest.mark.timing
def test_a_slow_network_holds_nobody_up() -> None:
    made, stop = search(), StopToken()
    made.use(Slow)  # type: ignore[attr-defined]
    threading.Timer(0.1, stop.stop).start()
    started = time.monotonic()
    info = made.run(Root(empty()), Limits(), stop)
    assert time.monotonic() - started < 0.3 and info.playouts == 0 and info.visits == 0


@pytest.mark.timing
def test_a_network_that_is_still_being_loaded_holds_nobody_up() -> None:
    made, stop, load = search(), StopToken(), threading.Event()

    def loading() -> Any:
        load.wait(10)
        raise RuntimeError("too late for anybody")

    made.use(loading)  # type: ignore[attr-defined]
    threading.Timer(0.1, stop.stop).start()
    started = time.monotonic()
    info = made.run(Root(empty()), Limits(), stop)
    assert time.monotonic() - started < 0.3 and info.visits == 0
    load.set()
    made.configure({"puct.network": str(networks.tiny())})
    assert run(made, empty(), visits=10).visits == 10


def test_a_stop_before_the_run() -> None:
    made, stop = search(), StopToken()
    stop.stop()
    assert made.run(Root(empty()), Limits(visits=1000), stop).playouts <= 1


def test_what_the_network_says_wrong_is_told() -> None:
    made = search()

    class Broken(Slow):
        def wait(self) -> Any:
            raise RuntimeError("the network broke")

    made.use(Broken)  # type: ignore[attr-defined]
    with pytest.raises(RuntimeError, match="the network broke"):
        run(made, empty(), visits=10)
    made.configure({"puct.network": str(networks.tiny())})
    assert run(made, empty(), visits=10).visits == 10, "and the tree is as it was"


# Repeatable

@pytest.mark.parametrize("symmetries", [False, True])
def test_a_seed_repeats(symmetries: bool) -> None:
    first, second = (run(search(symmetries=symmetries), empty(), visits=150) for _ in range(2))
    assert facts(first) == facts(second)


def test_symmetries_are_seen_where_they_are_asked_for() -> None:
    seen = {tuple(facts(run(search(symmetries=True, seed=seed), empty(), visits=60))) for seed in (1, 2, 3, 4)}
    plain = {tuple(facts(run(search(symmetries=False, seed=seed), empty(), visits=60))) for seed in (1, 2, 3, 4)}
    assert len(seen) > 1 and len(plain) == 1


# Reuse

def test_the_tree_is_kept_from_move_to_move() -> None:
    made, state = search(), empty()
    info = run(made, state, visits=300)
    best = info.lines[0]
    reply = best.pv[1]
    history = [best.move, reply]
    for move in history:
        state.play(move)
    before = run(made, Root(state, recent=history), playouts=0, visits=1)
    assert before.playouts == 0 and before.visits > 1
    ownership = made.info(0, True).ownership
    assert len(ownership) == 81 and any(ownership), "the root is looked at again for it"
    assert run(made, Root(state, recent=history), playouts=20).visits == before.visits + 20


def test_another_position_begins_anew() -> None:
    made = search()
    run(made, empty(), visits=50)
    assert run(made, after(empty(), "A1 B1 C1"), visits=10).playouts == 10
    assert run(made, empty(13), visits=10).playouts == 10


# What the root may play

def test_allow_and_avoid() -> None:
    made = search()
    info = run(made, Root(empty(), allow=[3, 4, 5]), visits=60)
    assert {line.move for line in info.lines} <= {3, 4, 5} and sum(line.visits for line in info.lines) == 59
    info = run(made, Root(empty(), avoid=[info.lines[0].move]), visits=120)
    assert all(line.move != info.lines[0].move for line in info.lines[1:]) and info.lines[0].move != 3


def test_a_root_that_may_play_nothing() -> None:
    state = after(empty(), "E5")
    info = run(search(), Root(state, allow=[40]), playouts=50)
    assert not info.lines and info.visits <= 1


def with_banned(seed: int) -> tuple[History, list[int]]:
    """A random game up to where superko alone forbids the side to move something that fills no eye."""
    rules, choose = GO.rule_sets["tromp-taylor"], random.Random(seed)
    while True:
        history = History(GO.new_state(4, 4, rules, 0.5))
        for number in range(60):
            state: Any = history.state
            sensible = [cell for cell in range(16) if state.is_legal(cell) and not state.is_playout_eye(number % 2, cell)]
            banned = [cell for cell in sensible if history.is_repetition(number % 2, cell, rules.repetition)]
            if banned:
                return history, banned
            if not sensible:
                break
            history.play(number % 2, choose.choice(sensible), rules.repetition)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_superko_is_not_searched(seed: int) -> None:
    history, banned = with_banned(seed)
    state = history.state
    told = run(search(), Root(state, history.seen("positional"), history.recent(8), earlier=history.earlier(2)), visits=400)
    untold = run(search(), Root(state), visits=400)
    assert not set(banned) & {line.move for line in told.lines} and told.lines
    assert set(banned) <= {line.move for line in untold.lines}, "only the game forbids them"


# Reports

def test_reports_are_in_range() -> None:
    made = search()
    info = run(made, after(empty(), "E5 C3"), visits=200)
    found = made.info(3, True)
    assert len(found.lines) == 3 and len(found.ownership) == 81
    assert all(-1 <= value <= 1 for value in found.ownership)
    assert info.to_move == 0 and 0 <= info.expected <= 1 and 0 < info.hashfull < 1 and info.nodes > 100
    assert sum(line.prior for line in info.lines) == pytest.approx(1, abs=0.2)
    for line in info.lines:
        assert line.win + line.draw + line.loss == pytest.approx(1) and 0 <= line.lcb <= line.expected
        assert line.pv[0] == line.move and 0 <= line.prior <= 1 and abs(line.score) < 400
    mean = sum(line.visits * line.expected for line in info.lines) / sum(line.visits for line in info.lines)
    assert info.expected == pytest.approx(mean, abs=0.02)


def test_one_visit_is_the_policy_and_the_value_of_the_root() -> None:
    info = run(search(), empty(), visits=1)
    (line,) = info.lines
    assert line.visits == 0 and line.prior > 1 / 82 and line.expected == pytest.approx(info.expected) != 0.5
    assert line.score == pytest.approx(info.score) != 0


def test_a_report_comes_from_another_thread() -> None:
    made, stop, reports = search(), StopToken(), list[Info]()
    thread = threading.Thread(target=made.run, args=(Root(empty()), Limits(seconds=5), stop))
    thread.start()
    deadline = time.monotonic() + 5
    while len(reports) < 20 and time.monotonic() < deadline:
        info = made.info(0, True)
        if info.lines and (not reports or info.visits > reports[-1].visits):
            reports.append(info)
        time.sleep(0.002)
    stop.stop()
    thread.join()
    assert len(reports) == 20
    assert all(sum(line.visits for line in info.lines) <= info.visits + 64 for info in reports)


def test_komi_of_the_search_only() -> None:
    """Points that are lent count in what is searched, not in what is told."""
    made = search(symmetries=False)
    lent = run(made, Root(empty(), komi_shift=-20.0), visits=1)
    kept = GO.new_state(9, 9, GO.default_rules, 27.5)
    other = run(search(symmetries=False), kept, visits=1)
    assert lent.expected == pytest.approx(other.expected, abs=1e-6)
    assert lent.score == pytest.approx(other.score + 20, abs=1e-3)


# Proofs and ends

def test_a_pass_that_wins_is_proved() -> None:
    """The opponent has passed, and on the board we are ahead."""
    state = after(empty(5, "tromp-taylor"), "C3 A1 C2 pass C4 pass C5 pass C1 pass B3 pass B2 pass")
    info = run(search(), state, visits=500)
    best = info.lines[0]
    assert best.move == state.pass_move and best.proof is not None and best.proof.result == 1
    assert info.visits < 500, "and it is searched no further"


def test_a_game_that_is_over_is_survived() -> None:
    state = after(empty(5), "C3 pass pass")
    assert state.is_terminal() and not run(search(), state, playouts=20).lines


# Memory

def test_memory_is_bounded() -> None:
    made = search(memory_mb=1)
    info = run(made, empty(19), visits=3000)
    assert info.visits == 3000 and info.hashfull <= 1 and info.nodes < 3000


# What is refused

BAD = [("missing", None, "cannot read the network"), ("text", b"words and nothing else\n", "cannot be used"), ("cut", 300, "cannot be used")]


@pytest.mark.parametrize(("name", "content", "says"), BAD, ids=[row[0] for row in BAD])
def test_a_file_that_is_no_network(tmp_path: Path, name: str, content: bytes | int | None, says: str) -> None:
    path = tmp_path / f"{name}.bin.gz"
    if content is not None:
        path.write_bytes(networks.tiny().read_bytes()[:content] if isinstance(content, int) else content)
    with pytest.raises(NetworkError, match=says) as error:
        make_search(GO, "puct", {"puct.network": str(path)})
    assert "\n" not in str(error.value)


def test_without_a_network_nobody_plays() -> None:
    assert any(option.name == "puct.network" for option in make_search(GO, "puct", {}).options())
    with pytest.raises(ConfigError, match="puct.network=FILE"):
        Player(Config(player="puct"))
    with pytest.raises(NetworkError, match="none was named"):
        run(make_search(GO, "puct", {}), empty(), visits=1)


def test_only_go_has_it() -> None:
    with pytest.raises(ValueError, match="unknown player|no player"):
        make_search(get_game("gomoku"), "puct", {})


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


@pytest.mark.parametrize(("size", "rules"), [(5, "aga"), (5, "chinese-ogs"), (7, "chinese"), (9, "japanese"), (13, "tromp-taylor")])
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
    made = search(network=str(path), symmetries=False)
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
    live = player(networks.tiny(), 5, playouts=12, resign=0.0)
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
    assert live.genmove(MoveRequest(0, play=False)).move == vertices("E3")[0], "what hangs is taken"
