"""The replay window: which shards are in it, what is drawn from it, and that it goes on where it was."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from played_games import assert_equal, record, searched

from tengen.tools.train.data import shards
from tengen.tools.train.data.shards import ShardEntry
from tengen.tools.train.data.window import EVERYTHING, Picks, Window, WindowPlan


@pytest.mark.parametrize(
    ("plan", "total", "rows"),
    [
        (WindowPlan(), 0, 0),
        (WindowPlan(), 250_000, 250_000),
        (WindowPlan(), 500_000, 340_906),  # KataGo's figures: 250,000 (1 + 0.4 (2^0.75 - 1) / 0.75)
        (WindowPlan(), 241_000_000, 23_183_953),
        (WindowPlan(maximum=300_000), 500_000, 300_000),
        (WindowPlan(beta=0), 10**9, 250_000),
        (WindowPlan(1000, alpha=0, beta=1), 2718, 2000),
        (WindowPlan(1000, alpha=1, beta=1), 5000, 5000),
        (WindowPlan(1000, alpha=1, beta=0.5), 5000, 3000),
        (EVERYTHING, 123_456_789, 123_456_789),
    ],
)
def test_how_the_window_grows(plan: WindowPlan, total: int, rows: int) -> None:
    assert plan.rows(total) == pytest.approx(rows, abs=1)


@pytest.mark.parametrize("facts", [{"minimum": 0}, {"alpha": 1.5}, {"alpha": -1}, {"beta": 2}, {"maximum": -1}])
def test_plans_that_are_none(facts: dict[str, int]) -> None:
    with pytest.raises(ValueError):
        WindowPlan(**facts)


def folder_of(path: Path, count: int, games: int = 4) -> list[ShardEntry]:
    """Shards of records on 5x5, 10 rows a game; the first move of each says which it is."""
    made = [
        [record([number, *range(number + 1, number + 10)], size=(25, 25)) for _ in range(games)]
        for number in range(count)
    ]
    return [shards.write(path / f"{number}.npz", one) for number, one in enumerate(made)]


def drawn(picks: Picks) -> list[tuple[int, int]]:
    """The first move of each game, which says which it is, and the ply."""
    return [
        (int(picks.games[number].moves[0]), ply)
        for number, ply in zip(picks.numbers.tolist(), picks.plies.tolist(), strict=True)
    ]


def held(window: Window) -> list[str]:
    return list(window.contents.names)


def test_the_newest_rows_are_held(tmp_path: Path) -> None:
    entries = folder_of(tmp_path, 10)
    window = Window(WindowPlan(minimum=100, beta=0))
    for made, names in [(0, []), (1, ["0"]), (3, ["0", "1", "2"]), (4, ["1", "2", "3"]), (10, ["7", "8", "9"])]:
        window.update(tmp_path, entries[:made])
        assert held(window) == [f"{name}.npz" for name in names] and window.rows == 40 * len(names)
        before = window.contents
        window.update(tmp_path, entries[:made])
        assert window.contents is before  # what was drawn ahead stays good
    grown = Window(WindowPlan(minimum=100, alpha=1, beta=0.5))
    grown.update(tmp_path, entries)
    assert grown.rows == 280 >= grown.plan.rows(400) == 250


def test_rows_are_drawn_from_all_of_it_by_their_weights(tmp_path: Path) -> None:
    heavy, light = (
        record([0, 1, 2], weights=np.array([0, 3, 1], np.float32)),
        record([5, 6, 7, 8], first=1, weights=np.array([0, 1, 1, 1], np.float32)),
    )
    never = record([9, 10], weights=np.zeros(2, np.float32))
    entries = [shards.write(tmp_path / "a.npz", [heavy, never]), shards.write(tmp_path / "b.npz", [light])]
    window = Window()
    window.update(tmp_path, entries)
    picks = window.contents.draw(7000, np.random.default_rng(1))
    seen = Counter(drawn(picks))
    assert set(seen) == {(0, 1), (0, 2), (5, 1), (5, 2), (5, 3)}
    for row, count in seen.items():
        assert count == pytest.approx(3000 if row == (0, 1) else 1000, rel=0.12), row


def test_sizes_are_mixed_by_their_share(tmp_path: Path) -> None:
    games = [record([1, 2, 3], size=(9, 9)), record([1, 2, 3, 4, 5, 6], size=(13, 13)), record([1], size=(9, 5))]
    window = Window()
    window.update(tmp_path, [shards.write(tmp_path / "a.npz", games)])
    assert window.contents.shares() == pytest.approx({(9, 9): 0.3, (13, 13): 0.6, (9, 5): 0.1})
    rng = np.random.default_rng(2)
    seen = Counter[tuple[int, int]]()
    for _ in range(600):
        picks = window.contents.draw(3, rng)
        sizes = {(picks.games[number].width, picks.games[number].height) for number in picks.numbers.tolist()}
        assert len(sizes) == 1
        seen[sizes.pop()] += 1
    assert [seen[size] for size in ((9, 9), (13, 13), (9, 5))] == pytest.approx([180, 360, 60], rel=0.3)


def test_a_damaged_shard_is_left_out_with_a_warning(tmp_path: Path) -> None:
    entries = folder_of(tmp_path, 4)
    (tmp_path / "2.npz").write_bytes(b"half a shard")
    (tmp_path / "1.npz").unlink()
    told: list[str] = []
    window = Window(WindowPlan(minimum=80, beta=0), told.append)
    for _ in range(3):
        window.update(tmp_path, entries)
    assert held(window) == ["0.npz", "3.npz"] and list(window.skipped) == ["2.npz", "1.npz"]
    assert len(told) == 2 and all("is left out" in text and "\n" not in text for text in told)
    assert "sha256" in told[0] and "No such file" in told[1]


def test_the_games_stay_what_they_are_while_shards_come_and_go(tmp_path: Path) -> None:
    made = [[searched(n), record([n, n + 1], size=(9, 5))] for n in range(6)]
    entries = [shards.write(tmp_path / f"{n}.npz", games) for n, games in enumerate(made)]
    window = Window(WindowPlan(minimum=50, beta=0))
    for count in (1, 3, 4, 6):
        window.update(tmp_path, entries[:count])
        assert window.contents.sizes is not None
        picks = window.contents.sizes[9, 9].draw(200, np.random.default_rng(count))
        for number, ply in set(zip(picks.numbers.tolist(), picks.plies.tolist(), strict=True)):
            game = picks.games[number]
            assert game.weights[ply] > 0
            (wanted,) = [games[0] for games in made if np.array_equal(games[0].moves, game.moves)]
            assert_equal(game, wanted)


def test_an_empty_window_says_so(tmp_path: Path) -> None:
    window = Window()
    window.update(tmp_path, [])
    with pytest.raises(ValueError, match="the window is empty"):
        window.contents.draw(1, np.random.default_rng(0))


def test_a_window_is_restored_as_it_was(tmp_path: Path) -> None:
    entries = folder_of(tmp_path, 6)
    window, again = Window(WindowPlan(minimum=80, beta=0)), Window(WindowPlan(minimum=80, beta=0))
    window.update(tmp_path, entries[:4])
    again.restore(tmp_path, entries, json.loads(json.dumps(held(window))))
    assert held(again) == held(window) == ["2.npz", "3.npz"]
    draws = [one.contents.draw(50, np.random.default_rng(9)) for one in (window, again)]
    assert drawn(draws[0]) == drawn(draws[1])
    (tmp_path / "2.npz").unlink()
    with pytest.raises(ValueError, match="'2.npz' of the window is gone or damaged"):
        Window(warn=lambda text: None).restore(tmp_path, entries, held(window))


def test_a_million_rows_of_self_play_take_100_mb(tmp_path: Path) -> None:
    """As `window.py` says: visits of a quarter of the positions, eight moves each at the least."""
    made = searched(1, plies=60)
    counts = np.where(np.arange(60) % 4, 0, 24)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    shares = np.full(offsets[-1], 1 / 24, np.float32)
    game = replace(
        made,
        target_offsets=offsets,
        target_moves=np.zeros(len(shares), np.int16),
        target_shares=shares,
        weights=np.ones(60, np.float32),
    )
    window = Window()
    window.update(tmp_path, [shards.write(tmp_path / "a.npz", [game] * 50)])
    assert window.rows == 3000
    assert window.memory / window.rows < 100
