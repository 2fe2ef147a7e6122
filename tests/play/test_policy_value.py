"""The players `policy` and `value`: what a network says of a position, and of those that are one move away."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

import go_players
import networks
import numpy as np
import pytest
from checkout import needs_openvino
from looking import GO, Asked, Slow, search, told
from puct_searches import after, empty, facts, run, with_banned

from tengen.engine._core import StopToken
from tengen.engine.evaluators.katago.network import load_katago
from tengen.engine.evaluators.network import Evaluation
from tengen.engine.games.go.rules import GoRules
from tengen.engine.history import History
from tengen.engine.limits import Limits
from tengen.engine.play.go.katago_inputs import encode
from tengen.engine.play.request import MoveRequest
from tengen.engine.search.base import Root
from tengen.engine.search.views import turned, turned_back

needs_openvino()
BOTH = ("policy", "value")
OPENING = "C3 C4 B3 D2"


def game(words: str, size: int = 5, rules: str = "chinese") -> History:
    named = GO.rule_sets[rules]
    history = History(GO.new_state(size, size, named, 7.5))
    for word in words.split():
        history.play(history.state.to_move, GO.move_from_text(history.state, word), named.repetition)
    return history


def root_of(history: History, rules: str = "chinese") -> Root:
    seen = history.seen(GO.rule_sets[rules].repetition)
    return Root(history.state, seen, history.recent(8), earlier=history.earlier(min(2, len(history.moves))))


def searched(history: History) -> list[int]:
    """The moves that searches know early in a game: all legal ones but the pass, where nobody has an eye."""
    return [move for move in history.state.legal_moves() if move != history.state.pass_move]


def followers(history: History, moves: Sequence[int]) -> list[History]:
    made = []
    for move in moves:
        names = [GO.move_to_text(history.state, played) for _, played in history.moves]
        made.append(game(" ".join([*names, GO.move_to_text(history.state, move)]), history.state.width))
    return made


def encoded(histories: Sequence[History]) -> tuple[Any, Any]:
    rules = GO.default_rules
    assert isinstance(rules, GoRules)
    rows = [encode(history, rules) for history in histories]
    return np.stack([planes for planes, _ in rows]), np.stack([numbers for _, numbers in rows])


def said(histories: Sequence[History]) -> Evaluation:
    """What the tiny network says of games."""
    net = load_katago(networks.tiny(), threads=1)
    found = net.submit(*encoded(histories), optimism=0.2).wait()
    net.close()
    return found


def even(asked: Asked) -> tuple[Any, Any, Any]:
    """Knows nothing."""
    count, _, height, width = asked.planes.shape
    return np.zeros((count, height * width + 1)), np.tile([0.5, 0.0, 0.5], (count, 1)), np.zeros(count)


# What is said


def test_the_policy_is_the_report() -> None:
    """Every move with its share, the largest first; win rate and score are the position's."""
    history = game(OPENING)
    info, found = run(search("policy"), root_of(history), seconds=60), said([history])
    legal = searched(history)
    powers = np.exp(found.policies[0][legal].astype(np.float64))
    shares = dict(zip(legal, powers / powers.sum(), strict=True))
    assert {line.move: line.prior for line in info.lines} == pytest.approx(shares, rel=5e-3, abs=1e-5)
    assert [line.prior for line in info.lines] == sorted((line.prior for line in info.lines), reverse=True)
    assert (info.visits, info.playouts) == (1, 1) and not any(line.visits for line in info.lines)
    assert found.scores is not None
    for one in (info, *info.lines):
        assert one.expected == pytest.approx(found.values[0][0] + found.values[0][1] / 2, abs=1e-4)
        assert one.score == pytest.approx(found.scores[0], abs=1e-3)


def test_the_value_takes_what_is_worth_least_to_the_opponent() -> None:
    history = game(OPENING)
    info = run(search("value"), root_of(history), seconds=60)
    moves = [line.move for line in info.lines]
    assert set(moves) == set(searched(history))
    found = said(followers(history, moves))
    assert found.scores is not None
    theirs = found.values[:, 0] + found.values[:, 1] / 2
    assert [1 - line.expected for line in info.lines] == pytest.approx(theirs.tolist(), abs=1e-5)
    assert [-line.score for line in info.lines] == pytest.approx(found.scores.tolist(), abs=1e-4)
    assert theirs[0] == theirs.min() < theirs.max() and list(theirs) == sorted(theirs)
    assert info.expected == info.lines[0].expected and info.visits == len(moves) + 1
    assert all(line.visits == 1 and line.pv == (line.move,) for line in info.lines)


def test_all_positions_are_asked_about_at_once_as_the_games_that_lead_to_them() -> None:
    history = game(OPENING)
    made, network = told("value", even)
    info = run(made, root_of(history), seconds=60)
    assert [len(batch.planes) for batch in network.batches] == [1, len(info.lines)]
    planes, numbers = encoded([history, *followers(history, [line.move for line in info.lines])])
    np.testing.assert_array_equal(np.concatenate([batch.planes for batch in network.batches]), planes)
    np.testing.assert_array_equal(np.concatenate([batch.numbers for batch in network.batches]), numbers)


def test_what_ends_the_game_is_worth_its_result() -> None:
    """A pass that ends a game; the network would have it the other way round."""
    for words, komi, result in (("C3 pass", 0.5, 1), ("C3 pass", 30.5, -1), ("C3 pass", 25, 0)):
        history = game(words)
        history.state.komi = komi  # type: ignore[attr-defined]
        made, network = told("value", even)
        info = run(made, root_of(history), seconds=60)
        line = next(line for line in info.lines if line.move == history.state.pass_move)
        assert line.proof is not None and line.proof.result == result and line.score == 25 - komi
        assert line.expected == (1 + result) / 2
        if result:
            assert info.lines[0 if result > 0 else -1] is line
        assert len(network.batches[1].planes) == len(info.lines) - 1


def test_of_equal_moves_the_policys_first_is_taken() -> None:
    def likes_the_seventh(asked: Asked) -> tuple[Any, Any, Any]:
        policies, values, scores = even(asked)
        policies[:, 7] = 5
        return policies, values, scores

    assert run(told("value", likes_the_seventh)[0], empty(5)).lines[0].move == 7
    assert run(told("policy", likes_the_seventh)[0], empty(5)).lines[0].move == 7


# What is played


def test_the_policy_is_drawn_from() -> None:
    """By a temperature of 1 unless another is named; 0 is the best move; a seed repeats."""

    def played(seed: int, **settings: Any) -> int:
        live = go_players.player(
            5, player="policy", net=str(networks.tiny()), precision="f32", playouts=None, seed=seed, **settings
        )
        move = live.genmove(MoveRequest(0)).move
        live.close()
        assert move is not None
        return move

    drawn = [played(seed) for seed in range(1, 21)]
    assert drawn == [played(seed) for seed in range(1, 21)] and len(set(drawn)) > 5
    sharp = [played(seed, temperature=0, set={"policy.symmetry": "none"}) for seed in range(1, 6)]
    assert len(set(sharp)) == 1


# Symmetries


@pytest.mark.parametrize("symmetry", range(8))
def test_turned_boards_are_turned_back(symmetry: int) -> None:
    boards = np.arange(2 * 9, dtype=np.float32).reshape(2, 3, 3)
    np.testing.assert_array_equal(turned_back(turned(boards, symmetry), symmetry), boards)
    assert len({turned(boards, one).tobytes() for one in range(8)}) == 8


@pytest.mark.parametrize("player", BOTH)
def test_the_mean_sees_no_difference_between_mirrored_positions(player: str) -> None:
    mirror = [(cell % 5) * 5 + cell // 5 for cell in range(25)]
    names = {"C4": "B3", "B2": "D4"}
    cells = {GO.move_from_text(empty(5), left): GO.move_from_text(empty(5), right) for left, right in names.items()}
    assert all(mirror[left] == right for left, right in cells.items())
    one, other = (
        run(search(player, symmetry="mean"), root_of(game(" ".join(way))), seconds=60)
        for way in (names, names.values())
    )
    found = {line.move: (line.prior, line.expected) for line in other.lines}
    for line in one.lines:
        assert (line.prior, line.expected) == pytest.approx(found[mirror[line.move]], rel=5e-3, abs=1e-5)
    owners = search(player, symmetry="mean")
    run(owners, root_of(game("C4 B2")), seconds=60)
    plain = run(search(player, symmetry="none"), root_of(game("C4 B2")), seconds=60)
    assert facts(plain) != facts(one) and any(owners.info(0, True).ownership)


@pytest.mark.parametrize("player", BOTH)
def test_a_board_that_is_no_square(player: str) -> None:
    state = GO.new_state(5, 3, GO.default_rules, 7.5)
    for symmetry in ("random", "mean", "none"):
        assert len(run(search(player, symmetry=symmetry), state, seconds=60).lines) == 15


@pytest.mark.parametrize("player", BOTH)
def test_a_seed_repeats(player: str) -> None:
    one, again = (run(search(player, symmetry="random", seed=5), empty(), seconds=60) for _ in range(2))
    others = {
        tuple(facts(run(search(player, symmetry="random", seed=seed), empty(), seconds=60))) for seed in range(1, 9)
    }
    assert facts(one) == facts(again) and len(others) > 1


# What bounds it


@pytest.mark.parametrize(
    ("limits", "looks"), [({"playouts": 5}, 4), ({"visits": 3}, 2), ({"visits": 3, "playouts": 9}, 2)]
)
def test_a_count_takes_what_the_policy_likes(limits: dict[str, int], looks: int) -> None:
    everything = run(search("policy"), empty(5))
    info = run(search("value"), empty(5), **limits)
    assert {line.move for line in info.lines} == {line.move for line in everything.lines[:looks]}
    assert info.playouts == looks + 1


def test_with_one_visit_the_value_is_the_policy() -> None:
    assert facts(run(search("value"), empty(5), visits=1)) == facts(run(search("policy"), empty(5)))


@pytest.mark.parametrize("player", BOTH)
def test_allow_avoid_and_superko(player: str) -> None:
    assert {line.move for line in run(search(player), Root(empty(5), allow=[3, 4])).lines} == {3, 4}
    assert 12 not in {line.move for line in run(search(player), Root(empty(5), avoid=[12])).lines}
    assert not run(search(player), Root(after(empty(5), "C3"), allow=[12])).lines
    history, banned = with_banned(1)
    informed = {line.move for line in run(search(player), root_of(history, "tromp-taylor")).lines}
    uninformed = {line.move for line in run(search(player), Root(history.state)).lines}
    assert informed and not set(banned) & informed and set(banned) <= uninformed


@pytest.mark.timing
@pytest.mark.parametrize("player", BOTH)
def test_a_slow_network_holds_nobody_up(player: str) -> None:
    made, stop = search(player), StopToken()
    made.use(lambda _size: Slow())  # type: ignore[attr-defined]
    threading.Timer(0.1, stop.stop).start()
    started = time.monotonic()
    info = made.run(Root(empty()), Limits(), stop)
    assert time.monotonic() - started < 0.3 and info.visits == 0 and not info.lines


@pytest.mark.parametrize(("slow", "visits"), [(2, [0] * 81), (3, [1] * 64)])
def test_time_takes_what_is_known(slow: int, visits: list[int]) -> None:
    """Batch number `slow` comes too late: of the followers' none (then it is the policy) or the second."""

    def slowly(asked: Asked) -> tuple[Any, Any, Any]:
        time.sleep(1.5 if len(network.batches) == slow else 0)
        return even(asked)

    made, network = told("value", slowly)
    assert [line.visits for line in run(made, empty(9), seconds=0.7).lines] == visits


@pytest.mark.parametrize("player", BOTH)
def test_another_position_begins_anew(player: str) -> None:
    made = search(player)
    first = facts(run(made, empty(5)))
    second = run(made, root_of(game("C3")))
    assert len(second.lines) == 24 and second.to_move == 1
    assert facts(run(made, empty(5))) == first
    made.clear()
    assert not made.info().lines


# Refusals


@pytest.mark.parametrize("player", BOTH)
def test_without_a_network(player: str, tengen: Any) -> None:
    done = tengen("gtp", "--player", player, "--net", "none", send="name\nquit\n")
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.count("\n") == 1
    assert "this player plays with a network, and none was named: --net FILE" in done.stderr
    done = tengen("gtp", "--player", player, send="genmove b\nquit\n")
    assert done.stdout.startswith("? no network for boards of 19x19 was found on this machine")
    done = tengen("gtp", "--player", player, "--level", "3", "--net", str(networks.tiny()), send="quit\n")
    assert done.returncode == 2 and f"the player '{player}' of go has no level 3; it has none" in done.stderr
    with pytest.raises(ValueError, match=r"symmetry must be one of random, mean, none, not 'all'"):
        search(player, symmetry="all")
