"""Self-play in the core: what is searched how, what is recorded, how games end, and that a seed repeats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import _tengen_toy as toy
import networks
import numpy as np
import pytest
from checkout import needs_openvino
from numpy.typing import NDArray
from puct_searches import GO, with_banned
from selfplay_games import MadeUp, play, same, starts, state
from stand_ins import StandIn

from tengen.engine._core import GomokuSelfPlay, GoSelfPlay, GoState, ReversiSelfPlay, feature_sets
from tengen.engine.games import get_game
from tengen.engine.play.go import katago_inputs
from tengen.engine.search.selfplay import SelfPlayed, Start, actor_settings, false_resignations, play_games

SCORED = {"rules", "decided", "length"}

# The record


@pytest.mark.parametrize("gumbel", [0, 1])
def test_every_game_adds_up(gumbel: int) -> None:
    """Moves, weights, targets and values of every move; the end is what the board says."""
    games = play(starts(12), gumbel=gumbel, full_share=0.4)
    assert [game.seed for game in games] == list(range(12)) == [game.number for game in games]
    for game in games:
        n = len(game.moves)
        assert game.weights.shape == (n,) and game.values.shape == (n, 3) and len(game.target_offsets) == n + 1
        assert 0 <= game.first <= n and game.end in SCORED
        assert not game.is_full[: game.first].any() and np.isnan(game.values[: game.first]).all()
        searched = game.values[game.first :]
        assert (searched[:, :2] >= 0).all() and (searched[:, 0] + searched[:, 1] <= 1.0001).all()
        assert np.isfinite(searched[:, 2]).all()
        assert ((game.weights > 0) == game.is_full).all()
        if game.is_full.any():
            assert game.weights[game.is_full].mean() == pytest.approx(1, abs=1e-5)
        at = game.start.state.copy()
        for ply, move in enumerate(game.moves):
            a, b = game.target_offsets[ply : ply + 2]
            assert (b > a) == game.is_full[ply]
            if b > a:
                assert game.target_shares[a:b].sum() == pytest.approx(1, abs=1e-5)
                assert all(at.is_legal(int(one)) for one in game.target_moves[a:b])
            assert at.is_legal(int(move))
            at.play(int(move))
        assert game.owners is not None and game.margin == game.owners.sum() - at.komi
        assert game.outcome == (1 if game.margin > 0 else 0.5 if game.margin == 0 else 0)
        if game.end == "rules":
            assert at.is_terminal() and game.margin == (at.area() == 1).sum() - (at.area() == 2).sum() - at.komi


def test_the_share_of_full_searches() -> None:
    for share in (0.0, 0.3, 1.0):
        games = play(starts(30), full_share=share, opening_share=0, visits=6, cheap_visits=2)
        full = np.concatenate([game.is_full for game in games])
        assert len(full) > 500 and full.mean() == pytest.approx(share, abs=0.06)


def test_a_network_without_scores() -> None:
    (game,) = play(starts(1), MadeUp(has_scores=False))
    assert np.isnan(game.values[:, 2]).all() and np.isfinite(game.values[game.first :, :2]).all()


def test_surprise_moves_weight() -> None:
    """Half of it stays; the rest goes by the divergence of the policy from the target; what is not searched fully has none."""
    even, half, full = (play(starts(4), surprise=share)[0] for share in (0, 0.5, 1))
    is_full = even.is_full
    assert (even.weights[is_full] == 1).all()
    expected = half.surprises[is_full] / half.surprises[is_full].mean()
    assert (half.surprises[~is_full] == 0).all() and (expected > 0).any()
    np.testing.assert_allclose(half.weights[is_full], 0.5 + 0.5 * expected, rtol=1e-4)
    np.testing.assert_allclose(full.weights[is_full], expected, rtol=1e-4, atol=1e-6)


# Repeatable


def test_a_game_depends_on_its_seed_alone() -> None:
    """Not on the slots, on the batches or on the games beside it; with answers that are kept or not."""
    alone = [play([start], slots=1, room=1, in_flight=1, cache_mb=0)[0] for start in starts(8)]
    for slots, room, in_flight, kept in [(1, 4, 2, 0), (3, 2, 1, 1), (8, 8, 2, 0), (8, 5, 3, 1), (20, 64, 2, 1)]:
        together = play(starts(8), slots=slots, room=room, in_flight=in_flight, cache_mb=kept)
        assert all(same(a, b) for a, b in zip(alone, together, strict=True)), (slots, room)
    other = play(starts(8, first_seed=100))
    assert not any(same(a, b) for a, b in zip(alone, other, strict=True))


@pytest.mark.parametrize("leaves", [1, 4])
def test_the_same_call_repeats(leaves: int) -> None:
    first, second = (play(starts(10), slots=4, leaves=leaves, gumbel=0) for _ in range(2))
    assert all(same(a, b) for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize("gumbel", [0, 1])
def test_a_network_repeats(gumbel: int) -> None:
    """One of KataGo's kind, two batches on their way."""
    needs_openvino()
    first, second = (play(starts(6), networks.guide(), gumbel=gumbel, max_moves=20) for _ in range(2))
    assert all(same(a, b) for a, b in zip(first, second, strict=True))
    assert all(np.isfinite(game.values[game.first :]).all() for game in first)


def test_batches_are_shared() -> None:
    evaluator = MadeUp()
    play(starts(40), evaluator, slots=16, room=8, in_flight=2)
    assert max(evaluator.batches) == 8 and np.median(evaluator.batches) == 8


# What is played


def test_without_temperature_the_target_is_played() -> None:
    """And with one it is drawn from."""
    cold = {"temperature": 0.0, "last_temperature": 0.0}
    for settings, at_least, at_most in [(cold, 1.0, 1.0), ({"temperature": 3.0, "last_temperature": 3.0}, 0.1, 0.8)]:
        games = play(starts(10), full_share=1, forced=0, visits=30, **settings)
        best = []
        for game in games:
            for ply in np.flatnonzero(game.is_full):
                a, b = game.target_offsets[ply : ply + 2]
                best.append(
                    game.target_shares[a:b].max() == game.target_shares[a:b][game.target_moves[a:b] == game.moves[ply]]
                )
        assert at_least <= np.mean([bool(one.any()) for one in best]) <= at_most


def test_an_opening_is_drawn_from_the_raw_policy() -> None:
    """Whatever the search would say: a point that is liked is played where the opening goes on, and counts as no choice."""
    games = play(
        starts(200),
        MadeUp(liking={12: 30.0}, wide=0),
        slots=50,
        room=50,
        visits=2,
        cheap_visits=1,
        max_moves=6,
        opening_share=0.08,
    )
    drawn = [game for game in games if game.first > 0]
    assert 0.5 < len(drawn) / len(games) < 0.7 and all(game.moves[0] == 12 for game in drawn)
    assert np.mean([game.first for game in games]) == pytest.approx(1.54, abs=0.4)


def test_an_opening_that_is_given() -> None:
    (game,) = play([Start(state(), (12, 7, 11), 1)], opening_share=0)
    assert list(game.moves[:3]) == [12, 7, 11] and game.first == 3
    assert np.isnan(game.values[:3]).all() and not game.weights[:3].any() and np.isfinite(game.values[3:]).all()


def test_what_is_proved_is_played_and_learned() -> None:
    """Black has passed and White leads by komi: passing wins."""
    (game,) = play([Start(state(), (25,), 1)], MadeUp(liking={25: 3.0}), full_share=1, visits=200, opening_share=0)
    assert list(game.moves) == [25, 25] and game.end == "rules" and game.margin == -0.5 and game.outcome == 0
    assert list(game.target_moves) == [25] and list(game.target_shares) == [1.0]
    assert list(game.values[1]) == [1, 0, 0.5] and game.visits < 200


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_superko_is_kept(seed: int) -> None:
    """The past of the game reaches the search and the encoder: bans, moves, ladders before them. The network wants nothing
    but what is forbidden."""
    rules = GO.rule_sets["tromp-taylor"]
    history, banned = with_banned(seed)
    opening = [move for _, move in history.moves]
    settings = {
        "visits": 9,
        "cheap_visits": 9,
        "symmetries": 0,
        "reuse": 0,
        "cache_mb": 0,
        "opening_share": 0,
        "ends_early": 0,
    }
    actor = GoSelfPlay(1, 4, 4, 1, settings)
    actor.start(GO.new_state(4, 4, rules, 0.5), opening, 3)
    evaluator = MadeUp(liking=dict.fromkeys(banned, 30.0))
    planes, numbers, is_root = np.empty((1, 22, 4, 4), np.float32), np.empty((1, 19), np.float32), np.zeros(1, np.bool_)
    roots = []
    while actor.collect(planes, numbers, is_root):
        if is_root[0]:
            roots.append((planes[0].copy(), numbers[0].copy()))
        found = evaluator.submit(planes, numbers).wait()
        actor.deliver(found.policies, found.values, found.scores)
    (game,) = actor.finished()
    assert list(game["moves"][: len(opening)]) == opening and len(roots) == len(game["moves"]) - len(opening) > 1
    for (seen, said), move in zip(roots, game["moves"][len(opening) :], strict=True):
        wanted, wanted_numbers = katago_inputs.encode(history, rules)
        np.testing.assert_array_equal(seen, wanted)
        np.testing.assert_array_equal(said, wanted_numbers)
        history.play(history.state.to_move, int(move), rules.repetition)


# How games end


def position(text: str, to_move: int = 0, **rules: object) -> GoState:
    made = state(5, **rules)
    made.setup(bytes(".XO".index(one) for one in text), to_move)
    return made


OPEN = "..OO.XXXOOX.XO.XXXOO.XOO."
"""Black lives; his upper left corner can still be entered: with a stone beside it every point is decided."""


@pytest.mark.parametrize(("ends_early", "end"), [(1, "decided"), (0, "rules")])
def test_a_board_that_is_decided_ends_the_game(ends_early: int, end: str) -> None:
    """Each side lives for ever and there is nothing between them; else somebody has to pass."""
    (game,) = play(
        [Start(position(OPEN), (), 2)], MadeUp(liking={1: 9.0, 25: -9.0}), ends_early=ends_early, opening_share=0
    )
    assert game.end == end
    if ends_early:
        at = game.start.state.copy()
        for move in game.moves[:-1]:
            at.play(int(move))
            assert not all(at.pass_alive(0)[i] or at.pass_alive(1)[i] for i in range(25))
        at.play(int(game.moves[-1]))
        alive = [at.pass_alive(0)[i] - at.pass_alive(1)[i] for i in range(25)]
        assert all(alive) and game.owners is not None and list(game.owners.reshape(-1)) == alive
        assert game.margin == sum(alive) - 0.5


def test_a_game_that_is_too_long() -> None:
    for game in play(starts(5), MadeUp(liking={25: -50.0}), max_moves=9, ends_early=0):
        assert game.end == "length" and len(game.moves) == 9 and game.owners is not None


class BlackWins(MadeUp):
    """Says that Black wins, mostly: the side to move is who komi is counted for."""

    def one(self, planes: NDArray[np.float32], numbers: NDArray[np.float32]) -> tuple[NDArray[Any], NDArray[Any]]:
        policy, _ = super().one(planes, numbers)
        policy[25] -= 50
        win = 0.02 if numbers[5] > 0 else 0.98
        return policy, np.array([win, 0, 1 - win])


@pytest.mark.parametrize("moves", [1, 3])
def test_who_is_lost_resigns(moves: int) -> None:
    """At the third own move in a row below the threshold; the move before which it happened is not played."""
    (game,) = play(starts(1), BlackWins(), resign=0.05, resign_moves=moves, play_on=0, opening_share=0, full_share=1)
    assert (game.end, game.resigner, game.resign_ply, len(game.moves)) == ("resigned", 1, 2 * moves - 1, 2 * moves - 1)
    assert game.margin == np.inf and game.outcome == 1 and game.owners is None and not game.plays_on


def test_games_are_played_on_to_measure_resigning() -> None:
    """They note when they would have ended, and are scored; a share of all is."""
    games = play(
        starts(60), BlackWins(), slots=20, room=20, resign=0.05, play_on=0.5, opening_share=0, max_moves=10, visits=3
    )
    on = [game for game in games if game.plays_on]
    assert 15 < len(on) < 45
    assert all((game.resign_ply, game.resigner, game.end) == (5, 1, "length") for game in on)
    assert all(game.end == "resigned" for game in games if not game.plays_on)
    wrong, tried = false_resignations(games)
    assert tried == len(on) and wrong == sum(game.outcome < 1 for game in on)
    never = play(starts(5), BlackWins(), resign=0, max_moves=10)
    assert all(game.resign_ply == game.resigner == -1 and game.end == "length" for game in never)


# Another game

PLACED, SHUFFLED = (0, 2, 1, 3, 5, 7), (62, 78, 86, 70)


def morris(starts: Sequence[Start], evaluator: StandIn, **settings: float) -> list[SelfPlayed]:
    actor = toy.MorrisSelfPlay(9, 3, 3, 1, {"visits": 10, "cheap_visits": 4, "max_moves": 60, **settings})
    left = iter(starts)
    return list(play_games(actor, evaluator, lambda: next(left, None), 8))


def test_another_game() -> None:
    """Three men's morris is bound by one line: no owners, no scores, results by who won."""
    games = morris([Start(toy.ToyState(), (), seed) for seed in range(60)], StandIn())
    assert len(games) == 60 and {game.outcome for game in games} == {0, 1}
    for game in games:
        assert game.end == "rules" and game.owners is None and np.isnan(game.values[:, 2]).all()
        assert game.margin in (-1, 1) and game.outcome == (game.margin > 0)


class Liking(StandIn):
    """Wants to play one move."""

    def one(self, planes: NDArray[np.float32], numbers: NDArray[np.float32]) -> tuple[NDArray[Any], NDArray[Any]]:
        policy, value = super().one(planes, numbers)
        policy[SHUFFLED[-1]] += 30
        return policy, value


def test_a_draw_by_repetition() -> None:
    opening = (*PLACED, *SHUFFLED, *SHUFFLED[:3])
    (game,) = morris(
        [Start(toy.ToyState(), opening, 1)], Liking(), visits=2, full_share=1, noise=0, opening_share=0, symmetries=0
    )
    assert list(game.moves) == [*opening, SHUFFLED[-1]] and game.end == "repetition"
    assert (game.margin, game.outcome) == (0, 0.5) and list(game.target_shares) == [1]


# Game, feature set, size -> how its games may end
OTHERS = [
    ("gomoku", "alphazero-gomoku-v1", 8, {"rules"}),
    ("reversi", "", 8, {"rules"}),
    ("go", "go-v1", 5, {"rules", "decided"}),
]


@pytest.mark.parametrize(("name", "features", "size", "ends"), OTHERS)
def test_every_game_plays_itself(name: str, features: str, size: int, ends: set[str]) -> None:
    """By a set that the network names; games end as their rules say."""
    game = get_game(name)
    sets = [one.name for one in feature_sets() if one.game == name]
    evaluator = MadeUp(name, features or sets[0], has_scores=False)
    kind = {"go": GoSelfPlay, "gomoku": GomokuSelfPlay, "reversi": ReversiSelfPlay}[name]
    actor: Any = kind(4, size, size, 1, {"visits": 8, "cheap_visits": 4}, **actor_settings(evaluator))
    left = iter(Start(game.new_state(size, size, game.default_rules, 0.5), (), seed) for seed in range(8))
    games = list(play_games(actor, evaluator, lambda: next(left, None), 8))
    assert len(games) == 8 and {one.end for one in games} <= ends
    for one in games:
        at = one.start.state.copy()
        for move in one.moves:
            assert not at.is_terminal() and at.is_legal(int(move))
            at.play(int(move))
        assert at.is_terminal() or one.end == "decided"
        if one.end == "rules":
            assert one.margin == at.result() and one.outcome == 0.5 + 0.5 * np.sign(one.margin)


# What is refused

REFUSED = [
    (lambda: GoSelfPlay(0, 5, 5), "slots must lie between"),
    (lambda: GoSelfPlay(1, 5, 5, 0, {"visit": 3}), "unknown option visit"),
    (lambda: GoSelfPlay(1, 5, 5, 0, {"full_share": 2}), "full_share must lie between"),
    (lambda: GoSelfPlay(1, 5, 5, features="clevergo"), "the game has no feature set clevergo"),
    (lambda: GoSelfPlay(1, 5, 5).start(state(7)), "another size"),
    (lambda: GoSelfPlay(1, 5, 5).start(state(5), [3, 3]), "move 2 of the opening is illegal"),
    (lambda: GoSelfPlay(1, 5, 5).start(state(5), [26]), "move 1 of the opening is illegal"),
    (lambda: GoSelfPlay(1, 5, 5).start(state(5), [25, 25]), "the opening ends the game"),
    (lambda: GoSelfPlay(1, 5, 5).start(state(5, scoring="territory")), "score areas without taxes"),
    (lambda: GoSelfPlay(1, 5, 5).start(state(5, tax="all")), "score areas without taxes"),
]


@pytest.mark.parametrize(("asked", "error"), REFUSED)
def test_refused(asked: Callable[[], object], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        asked()


def test_slots_that_are_taken() -> None:
    actor = GoSelfPlay(2, 5, 5)
    assert [actor.start(state()), actor.start(state())] == [0, 1] and actor.free == 0
    with pytest.raises(RuntimeError, match="no slot is free"):
        actor.start(state())


def test_a_game_is_watched() -> None:
    """Its moves grow while it goes on."""
    actor, evaluator, lengths = GoSelfPlay(2, 5, 5, 0, {"visits": 2, "cheap_visits": 1}), MadeUp(), []
    actor.start(state(), [12], 1)
    planes, numbers = np.empty((4, 22, 5, 5), np.float32), np.empty((4, 19), np.float32)
    while count := actor.collect(planes, numbers):
        number, moves = actor.game(0) or (-1, [])
        assert number == 0 and moves[0] == 12 and actor.game(1) is None
        lengths.append(len(moves))
        found = evaluator.submit(planes[:count], numbers[:count]).wait()
        actor.deliver(found.policies, found.values, found.scores)
    assert actor.game(0) is None and lengths == sorted(lengths) and lengths[-1] == len(actor.finished()[0]["moves"]) - 1  # type: ignore[arg-type]
    with pytest.raises(IndexError):
        actor.game(2)


def test_answers_that_are_none() -> None:
    """The batch waits for a right one."""
    actor = GoSelfPlay(2, 5, 5)
    actor.start(state())
    planes, numbers = np.empty((4, 22, 5, 5), np.float32), np.empty((4, 19), np.float32)
    with pytest.raises(ValueError, match="do not fit"):
        actor.collect(planes[:, :21].copy(), numbers)
    with pytest.raises(ValueError, match="do not fit"):
        actor.collect(planes)
    assert actor.collect(planes, numbers) == 1
    for rows, moves, win in [(2, 26, 0.3), (1, 25, 0.3), (1, 26, 1.5), (1, 26, np.nan)]:
        with pytest.raises(ValueError):
            actor.deliver(np.zeros((rows, moves), np.float32), np.full((rows, 3), win, np.float32))
    actor.deliver(np.zeros((1, 26), np.float32), np.full((1, 3), 0.3, np.float32))
    assert actor.counts["answered"] == 1 and actor.collect(planes, numbers) == 1


def test_an_evaluator_of_another_game() -> None:
    with pytest.raises(ValueError, match="the games encode katago-v7 of go, the evaluator takes morris-v1 of morris"):
        list(play_games(GoSelfPlay(1, 5, 5), StandIn(), lambda: None))
