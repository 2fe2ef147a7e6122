"""What a network sees of the leaves of a tree is what it sees of the same positions as roots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tengen.engine._core import GoTree
from tengen.engine.games import get_game
from tengen.engine.games.go.rules import RULE_SETS, GoRules
from tengen.engine.history import History
from tengen.engine.play.go.katago_inputs import EARLIER, RECENT, Facts, encode
from tengen.engine.search.native import info_of

GO = get_game("go")
SIZE = 3
KOMI = 20.0
"""Black cannot end the game by a pass that wins."""


def started(rules: GoRules, words: str) -> History:
    """A game by moves in turn; komi counts the button as the player does."""
    history = History(GO.new_state(SIZE, SIZE, rules, KOMI))
    for word in words.split():
        play(history, rules, GO.move_from_text(history.state, word))
    return history


def play(history: History, rules: GoRules, move: int) -> None:
    state: Any = history.state
    if rules.has_button and move == state.pass_move and all(one != move for _, one in history.moves):
        komi = state.komi + (-0.5 if state.to_move == 0 else 0.5)
        history.play(state.to_move, move, rules.repetition)
        after: Any = history.state
        after.komi = komi
        return
    history.play(state.to_move, move, rules.repetition)


def below(game: History, rules: GoRules, depth: int) -> Iterator[None]:
    """Plays and takes back every line of so many plies at most; stops at each position."""
    yield
    here: Any = game.state
    if depth == 0 or here.passes >= 2:
        return
    for move in range(here.pass_move + 1):
        if here.is_legal(move) and not game.is_repetition(here.to_move, move, rules.repetition):
            play(game, rules, move)
            yield from below(game, rules, depth - 1)
            game.undo()


def kept_facts(facts: Facts, plies: int) -> Facts:
    return Facts(-facts.doublings if plies % 2 else facts.doublings, facts.hides_end, facts.suicide_in_life)


STARTS = [("", 3, 60), ("B2 pass", 3, 60), ("B2 A1 C1", 3, 60), ("B2 A1 B1 A3 B3", 6, 20)]
"""Moves, plies looked at, visits. In the last, passes are worth a look."""
TOLD = [Facts(), Facts(doublings=1.5), Facts(hides_end=True, suicide_in_life=True)]


@pytest.mark.parametrize(
    ("words", "depth", "visits", "facts"),
    [
        pytest.param(*start, facts, marks=[] if facts == TOLD[0] or start == STARTS[-1] else [pytest.mark.slow])
        for start in STARTS
        for facts in TOLD
    ],
)
@pytest.mark.parametrize(
    "name", ["chinese", "tromp-taylor", "japanese", "aga", "aga-button", "new-zealand", "stone-scoring"]
)
def test_leaves_are_seen_as_roots_are(name: str, words: str, depth: int, visits: int, facts: Facts) -> None:
    rules = RULE_SETS[name]
    wanted = {}
    root, game = started(rules, words), started(rules, words)
    for _ in below(game, rules, depth):
        line = game.moves[len(root.moves) :]
        planes, numbers = encode(game, rules, facts=kept_facts(facts, len(line)))
        wanted[planes.tobytes() + numbers.tobytes()] = line
    tree, rng = GoTree(), np.random.default_rng(3)
    for option, value in {"symmetries": 0, "c": 5, "seed": 1, "cache_mb": 0}.items():
        tree.set(option, value)
    tree.tell(
        doublings=facts.doublings,
        hides_end=facts.hides_end,
        suicide_in_life=facts.suicide_in_life,
        friendly_pass=rules.friendly_pass,
        has_button=rules.has_button and all(move != root.state.pass_move for _, move in root.moves),
    )
    state: Any = root.state
    recent = [move for _, move in root.moves[-RECENT:]]
    tree.begin(state, root.earlier(min(EARLIER, len(recent))), root.seen(rules.repetition), recent, visits=visits)
    planes, numbers = np.zeros((1, 22, SIZE, SIZE), np.float32), np.zeros((1, 19), np.float32)
    found = set()
    while not tree.is_over:
        if not tree.collect(planes, numbers):
            continue
        seen = planes.tobytes() + numbers.tobytes()
        assert seen in wanted, f"nothing within {depth} plies is seen so"
        found.add(seen)
        policy = rng.random((1, SIZE * SIZE + 1)).astype(np.float32)
        policy[0, -1] = 1.5  # passes are looked at
        tree.deliver(policy, np.array([[0.5, 0.0, 0.5]], np.float32))
    tree.end()
    assert len(found) > visits / 4
    lines = [wanted[one] for one in found]
    passes = [line for line in lines if line and line[-1][1] == state.pass_move]
    assert passes or words != STARTS[-1][0]


def test_the_button_decides_a_game_in_the_tree() -> None:
    """Who passes first has half a point more: without it White wins by a quarter when both pass, with it Black does."""
    results = {}
    for has_button in (False, True):
        tree = GoTree()
        tree.tell(has_button=has_button)
        state: Any = GO.new_state(SIZE, SIZE, RULE_SETS["aga-button"], 4.25)
        for word in STARTS[-1][0].split():
            state.play(GO.move_from_text(state, word))
        state.set_to_move(0)
        tree.begin(state, visits=40)
        planes, numbers = np.zeros((1, 22, SIZE, SIZE), np.float32), np.zeros((1, 19), np.float32)
        while not tree.is_over:
            if tree.collect(planes, numbers):
                policy = np.zeros((1, 10), np.float32)
                policy[0, -1] = 4
                tree.deliver(policy, np.array([[0.5, 0.0, 0.5]], np.float32))
        tree.end()
        (line,) = (line for line in info_of(tree.info()).lines if line.move == state.pass_move)
        results[has_button] = line
    assert results[False].proof is not None and results[False].win == 0
    assert results[True].win > 0.5
