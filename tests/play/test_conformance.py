"""One suite over every registered game: what engine/games/base.py promises, checked on seeded random games."""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Iterator

import networks
import pytest
from toy.game import TOY, registered
from whole_sets import portion

from tengen.engine.config import Config
from tengen.engine.games import GAMES, get_game
from tengen.engine.games.base import REPETITIONS, Game, State
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest

NAMES = sorted(GAMES)
GAMES_EACH = portion(9)
MOVES = 150


def new(game: Game, size: int | None = None) -> State:
    """The start position with default rules."""
    size = size or game.default_size
    return game.new_state(size, size, game.default_rules, game.default_komi)


def sizes(game: Game) -> list[int]:
    """A few board sizes the game has, its own first."""
    found = [game.default_size]
    for size in (5, 9):  # smaller boards meet captures and repetitions sooner
        try:
            game.check_size(size, size)
        except ValueError:
            continue
        found.append(size)
    return list(dict.fromkeys(found))


def random_move(game: Game, state: State, choose: random.Random, passes: float = 0.0) -> int:
    """A random legal move; a pass where there is no other, or with the probability `passes`."""
    moves = [move for move in state.legal_moves() if move != state.pass_move]
    may_pass = state.is_legal(state.pass_move)
    must_pass = not moves or (may_pass and choose.random() < passes)
    return state.pass_move if must_pass else choose.choice(moves)


def positions(game: Game) -> Iterator[State]:
    """Positions of seeded random games, every one before the end."""
    for seed in range(GAMES_EACH):
        choose = random.Random(seed)
        state = new(game, sizes(game)[seed % len(sizes(game))])
        for _ in range(MOVES):
            if state.is_terminal():
                break
            yield state.copy()
            state.play(random_move(game, state, choose, passes=0.03))


def facts(state: State) -> tuple[object, ...]:
    """Everything that must not change when an operation fails or works on a copy."""
    return state.stones(), state.to_move, state.position_key, state.state_key, tuple(state.legal_moves())


@pytest.fixture(params=[*NAMES, TOY.name])
def game(request: pytest.FixtureRequest) -> Iterator[Game]:
    """Every registered game, and the toy game of the tests."""
    with registered():
        yield get_game(request.param)


def test_facts(game: Game) -> None:
    assert game.name in GAMES
    game.check_size(game.default_size, game.default_size)
    for width, height in ((0, 0), (-1, 5), (1000, 1000)):
        with pytest.raises(ValueError, match="unacceptable size"):
            game.check_size(width, height)
    state = new(game)
    assert state.to_move == 0
    assert state.cells == state.width * state.height == len(state.stones())
    assert (state.pass_move == -1) == (game.passes == "none") and state.pass_move < state.move_bound
    assert state.is_legal(state.pass_move) == (game.passes == "free")
    assert game.players, "a game has at least one player"


def test_rules_are_frozen_values(game: Game) -> None:
    assert game.rule_sets[game.default_rules.name] == game.default_rules
    for name, rules in game.rule_sets.items():
        assert rules.name == name and rules.repetition in REPETITIONS
        assert dataclasses.is_dataclass(rules) and hash(rules) == hash(dataclasses.replace(rules))  # type: ignore[type-var]
        with pytest.raises(dataclasses.FrozenInstanceError):
            rules.name = "other"  # type: ignore[misc]
        game.new_state(game.default_size, game.default_size, rules, 0.0)


def test_legal_moves_are_those_that_can_be_played(game: Game) -> None:
    for state in positions(game):
        legal = set(state.legal_moves())
        assert legal <= set(range(state.move_bound))
        assert len(legal) == len(state.legal_moves())
        before = facts(state)
        bound = state.move_bound
        tried = range(-2, bound + 3)
        if bound > 1000:  # a sample, with the ends
            tried = [*legal, *random.Random(len(legal)).sample(range(bound), 60), -2, -1, *range(bound - 1, bound + 3)]
        for move in tried:
            assert state.is_legal(move) == (move in legal)
            child = state.copy()
            if move in legal:
                child.play(move)
                continue
            with pytest.raises(ValueError):
                child.play(move)
            assert facts(child) == before
        assert facts(state) == before


def test_a_copy_is_independent(game: Game) -> None:
    for state in positions(game):
        before = facts(state)
        first, second = state.copy(), state.copy()
        for move in state.legal_moves()[:3]:
            if not first.is_terminal() and first.is_legal(move):
                first.play(move)
        assert facts(state) == before == facts(second)


def test_keys(game: Game) -> None:
    """Equal stones have equal keys and different stones different ones; `key_after` foretells."""
    seen: dict[tuple[object, ...], int] = {}
    owners: dict[tuple[int, int], tuple[object, ...]] = {}
    for state in positions(game):
        what = (state.width, state.height, getattr(state, "pieces", state.stones)())
        assert seen.setdefault(what, state.position_key) == state.position_key
        assert owners.setdefault((state.width, state.position_key), what) == what
        for move in random.Random(1).sample(list(state.legal_moves()), min(8, len(state.legal_moves()))):
            child = state.copy()
            child.play(move)
            assert state.key_after(move) == child.position_key
            assert child.state_key != state.state_key


def test_play_as(game: Game) -> None:
    for state in positions(game):
        move = state.legal_moves()[0]
        plain, by_colour, other = state.copy(), state.copy(), state.copy()
        plain.play(move)
        by_colour.play_as(state.to_move, move)
        assert facts(plain) == facts(by_colour)
        try:
            other.set_to_move(1 - state.to_move)
        except ValueError:  # in chess the side that is not to move is never in check
            assert facts(other) == facts(state)
            with pytest.raises(ValueError):
                other.play_as(1 - state.to_move, move)
            assert facts(other) == facts(state)
            continue
        assert other.to_move == 1 - state.to_move and other.stones() == state.stones()
        by_other = state.copy()
        if other.is_legal(move):
            other.play(move)
            by_other.play_as(1 - state.to_move, move)
            assert other.stones() == by_other.stones() and other.to_move == by_other.to_move


def test_text_of_moves(game: Game) -> None:
    for state in positions(game):
        for move in state.legal_moves():
            text = game.move_to_text(state, move)
            assert text.isascii() and text == text.strip() and " " not in text
            for spelt in (text, text.lower(), text.upper()):
                assert game.move_from_text(state, spelt) == move
    state = new(game)
    for garbage in ("", "?", "a", "1", "zz99", "a0", "\u00e9", "a1a1", "a" * 1000, "a-1", "a\u00b2", "4a"):
        with pytest.raises(ValueError):
            game.move_from_text(state, garbage)


def test_games_end_with_a_result(game: Game) -> None:
    choose = random.Random(7)
    for size in sizes(game):
        state = new(game, size)
        for _ in range(max(300, game.conventions.match.length(size * size))):
            if state.is_terminal():
                break
            state.play(random_move(game, state, choose))
        while game.passes == "free" and not state.is_terminal():
            state.play(state.pass_move)
        assert state.is_terminal()
        assert math.isfinite(state.result())


def player(game: Game, name: str) -> Player:
    """A live game with a small, repeatable search."""
    found = networks.settings(game, name)
    return Player(Config(game=game.name, player=name, playouts=20, threads=1, seed=5, set=found))


def test_undo_works_back_to_the_start(game: Game) -> None:
    live = player(game, next(iter(game.players)))
    choose = random.Random(3)
    trail = [facts(live.state)]
    for _ in range(40):
        if live.state.is_terminal():
            break
        live.play(live.state.to_move, choose.choice(list(live.state.legal_moves())))
        trail.append(facts(live.state))
    for expected in reversed(trail[:-1]):
        live.undo()
        assert facts(live.state) == expected
    with pytest.raises(ValueError, match="cannot undo"):
        live.undo()
    live.close()


def test_every_player_plays_legal_moves_and_repeats_them(game: Game) -> None:
    for name in game.players:
        runs = []
        for _ in range(2):
            live = player(game, name)
            chosen = []
            for _ in range(4):
                if live.state.is_terminal():
                    break
                state, colour = live.state.copy(), live.state.to_move
                move = live.genmove(MoveRequest(colour, resign=False)).move
                assert move is not None and state.is_legal(move), name
                chosen.append(move)
            runs.append(chosen)
            live.close()
        assert runs[0] == runs[1], f"{name} is not repeatable"
