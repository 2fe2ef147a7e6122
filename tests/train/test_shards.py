"""Files of games: what is written is read again, what is damaged is refused in one sentence."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from played_games import assert_equal, moves_of, record, searched

from tengen.tools.train.data import shards
from tengen.tools.train.data.game import PlayedGame
from tengen.tools.train.data.games import join, together
from tengen.tools.train.data.shards import ShardEntry, ShardError

GAMES: dict[str, list[PlayedGame]] = {
    "self-play": [searched(seed) for seed in range(6)],
    "sizes and rules": [searched(1), searched(2, size=(7, 9), rules="japanese"), searched(3, size=(19, 19))],
    "records": [record([40, 41, 42], rating=2900.0), record([40, 81], margin=-np.inf, outcome=0.0)],
    "records and self-play": [record([40, 41, 42]), searched(4), record([1, 2], size=(5, 5), rules="korean")],
    "gomoku": [record(moves_of("gomoku", 15, 15, "renju", 20, 1), game="gomoku", size=(15, 15), rules="renju", margin=1.0)],
    "reversi": [record(moves_of("reversi", 8, 8, "standard", 80, 1), game="reversi", size=(8, 8), rules="standard", outcome=0.5, margin=0.0)],
}  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_what_is_written_is_read_again(name: str, tmp_path: Path) -> None:
    games = GAMES[name]
    entry = shards.write(tmp_path / "one.npz", games)
    again = shards.read(tmp_path / "one.npz", entry.sha256)
    assert len(again) == len(games) == entry.games
    for one, other in zip(games, again, strict=True):
        assert_equal(one, other)
    assert entry.rows == sum(int((game.weights > 0).sum()) for game in games) == again.rows
    assert entry.weight == pytest.approx(sum(float(game.weights.sum()) for game in games))
    assert again.totals.tolist() == pytest.approx([float(game.weights.sum()) for game in games])
    assert (
        shards.inspect(tmp_path / "one.npz") == entry == ShardEntry.from_dict(json.loads(json.dumps(entry.as_dict())))
    )
    assert [path.name for path in tmp_path.iterdir()] == ["one.npz"]


def test_the_same_games_make_the_same_file(tmp_path: Path) -> None:
    first, second = (shards.write(tmp_path / f"{name}.npz", GAMES["self-play"]) for name in "ab")
    assert first.sha256 == second.sha256 and (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_records_cost_two_bytes_a_move_in_memory() -> None:
    games = together([record([n % 81 for n in range(start, start + 80)]) for start in range(100)])
    assert sum(array.nbytes for array in games.columns.values()) < 100 * (2 * 80 + 60)


def test_shards_that_are_joined_and_cut_have_the_same_games() -> None:
    """Also where some lack what others have: nothing was found, all weights are the usual, nobody owns anything."""
    parts = [GAMES[name] for name in ("records", "self-play", "sizes and rules", "records and self-play")]
    for order in (parts, parts[::-1], parts[:1] * 2):
        joined = join([together(part) for part in order])
        assert joined.rows == sum(int((game.weights > 0).sum()) for part in order for game in part)
        first = 0
        for part in order:
            cut = joined.part(first, first + len(part))
            for one, other, again in zip(part, cut, join([cut]), strict=True):
                assert_equal(one, other)
                assert_equal(one, again)
            first += len(part)
    with pytest.raises(ValueError, match="of one kind"):
        join([together(GAMES["gomoku"]), together(GAMES["records"])])


def test_files_of_two_kinds_or_none_are_refused(tmp_path: Path) -> None:
    for games in ([], [*GAMES["gomoku"], *GAMES["records"]]):
        with pytest.raises(ValueError):
            shards.write(tmp_path / "one.npz", games)
    assert not list(tmp_path.iterdir())


def content(tmp_path: Path) -> bytes:
    shards.write(tmp_path / "good.npz", GAMES["self-play"])
    return (tmp_path / "good.npz").read_bytes()


def flipped(data: bytes, at: int, bits: int) -> bytes:
    return data[:at] + bytes([data[at] ^ bits]) + data[at + 1 :]


def changed(name: str, change: Callable[[Any], Any]) -> Callable[[bytes], bytes]:
    """A file with one other array."""

    def damage(data: bytes) -> bytes:
        with np.load(io.BytesIO(data)) as arrays:
            columns = {key: arrays[key].copy() for key in arrays}
        columns[name] = change(columns[name])
        out = io.BytesIO()
        np.savez_compressed(out, **columns)
        return out.getvalue()

    return damage


def header(**facts: Any) -> Callable[[bytes], bytes]:
    def change(array: Any) -> Any:
        return np.frombuffer(json.dumps({**json.loads(array.tobytes()), **facts}).encode(), np.uint8)

    return changed("header", change)


def without(name: str) -> Callable[[bytes], bytes]:
    def damage(data: bytes) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
            for info in old.infolist():
                if info.filename != f"{name}.npy":
                    new.writestr(info.filename, old.read(info))
        return out.getvalue()

    return damage


def raw(name: str, text: bytes) -> Callable[[bytes], bytes]:
    """A file in which one array is these bytes."""

    def damage(data: bytes) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(without(name)(data))) as old, zipfile.ZipFile(out, "w") as new:
            for info in old.infolist():
                new.writestr(info.filename, old.read(info))
            new.writestr(f"{name}.npy", text)
        return out.getvalue()

    return damage


def promise(shape: tuple[int, ...]) -> bytes:
    """The header of an array that is larger than what follows."""
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, {"descr": "<i2", "fortran_order": False, "shape": shape})
    return out.getvalue() + b"\0\0"


def with_one(value: Any) -> Callable[[Any], Any]:
    def change(array: Any) -> Any:
        array[len(array) // 2] = value
        return array

    return change


DAMAGE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda data: b"", "damaged or no shard"),
    "text": (lambda data: b"(;GM[1])", "damaged or no shard"),
    "half of it": (lambda data: data[: len(data) // 2], "damaged or no shard"),
    "a flipped bit": (lambda data: flipped(data, data.index(b"moves.npy") + 60, 8), "damaged or no shard"),
    "no moves": (without("moves"), "damaged or no shard"),
    "no header": (without("header"), "damaged or no shard"),
    "another version": (header(version=2), "not of version 1"),
    "a game that nobody knows": (header(game="shogi"), "unknown game"),
    "rules that nobody knows": (header(rules=["go-on"]), "has no rules 'go-on'"),
    "no rules": (header(rules=[]), "names rules that it lacks"),
    "rules that are numbers": (header(rules=[1]), "which game and rules"),
    "another game": (header(game="reversi", rules=["standard"]), "no board of 9x9"),
    "moves of another type": (changed("moves", lambda old: old.astype(np.int64)), "another type"),
    "moves in a table": (changed("moves", lambda old: old.reshape(-1, 1)), "another type or length"),
    "a promise of more moves": (raw("moves", promise((1 << 50,))), "another type or length"),
    "a pickle": (raw("moves", b"cos\nsystem\n(S'true'\ntR."), "damaged or no shard"),
    "a move too many": (changed("moves", lambda old: np.append(old, old[:1])), "moves are not all there"),
    "a move off the board": (changed("moves", with_one(82)), "none of its board"),
    "a negative move": (changed("moves", with_one(-1)), "none of its board"),
    "a board of 0": (changed("width", with_one(0)), "no board of 0x9"),
    "a board of 30": (changed("height", with_one(30)), "no board of 9x30"),
    "a game less": (changed("komi", lambda old: old[1:]), "not all described"),
    "a negative length": (changed("length", with_one(-3)), "no moves"),
    "an opening longer than the game": (changed("first", with_one(31)), "longer than its game"),
    "komi NaN": (changed("komi", with_one(np.nan)), "komi"),
    "margin NaN": (changed("margin", with_one(np.nan)), "margin"),
    "outcome 2": (changed("outcome", with_one(2)), "outcome"),
    "a weight less": (changed("weights", lambda old: old[1:]), "lack a weight"),
    "a negative weight": (changed("weights", with_one(-1)), "weight is negative"),
    "a weight NaN": (changed("weights", with_one(np.nan)), "weight is negative or no number"),
    "a value less": (changed("values", lambda old: old[3:]), "lack a weight or a value"),
    "values without end": (changed("values", with_one(np.inf)), "infinite"),
    "a chance of 2": (changed("values", lambda old: np.where(np.arange(len(old)) == 0, 2, old).astype(np.float32)), "chance"),
    "a target off the board": (changed("target_moves", with_one(82)), "target is no move"),
    "a target less": (changed("target_moves", lambda old: old[1:]), "targets are not all there"),
    "a share less": (changed("target_shares", lambda old: old[1:]), "targets are not all there"),
    "shares of 2": (changed("target_shares", with_one(2)), "add up"),
    "a share NaN": (changed("target_shares", with_one(np.nan)), "share is negative or no number"),
    "owners of nobody": (changed("owners", with_one(2)), "owner"),
    "owners of half a board": (changed("owned", with_one(40)), "owners do not fit"),
    "owners less": (changed("owners", lambda old: old[1:]), "owners are not all there"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_one_sentence(name: str, tmp_path: Path) -> None:
    damage, reason = DAMAGE[name]
    path = tmp_path / "bad.npz"
    path.write_bytes(damage(content(tmp_path)))
    with pytest.raises(ShardError, match=reason) as error:
        shards.read(path)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_the_manifests(tmp_path: Path) -> None:
    entry = shards.write(tmp_path / "one.npz", GAMES["self-play"])
    shards.write(tmp_path / "one.npz", GAMES["self-play"][1:])
    with pytest.raises(ShardError, match="sha256"):
        shards.read(tmp_path / "one.npz", entry.sha256)


def test_any_flipped_byte_is_refused_or_changes_nothing_that_is_read(tmp_path: Path) -> None:
    """No exception but ShardError, whatever byte it is."""
    data = content(tmp_path)
    rng = np.random.default_rng(1)
    for at in rng.integers(0, len(data), 150):
        try:
            games = shards.loads(flipped(data, int(at), 1 << int(rng.integers(0, 8))))
        except ShardError:
            continue
        assert len(games) == len(GAMES["self-play"])


@pytest.mark.parametrize(
    "facts", [{"name": "a.npz"}, {"name": "../a.npz"}, {"name": 3}, {"games": -1}, {"rows": "many"}, {"more": 1}]
)
def test_entries_that_are_none(facts: dict[str, Any]) -> None:
    good = ShardEntry("a.npz", "0" * 64, 1, 2, 3.0).as_dict()
    if facts == {"name": "a.npz"}:
        good.pop("rows")
    with pytest.raises(ValueError):
        ShardEntry.from_dict({**good, **facts})
