"""The folder of a run: what survives a kill, what a second writer and a different run are told, what counts."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whole_sets import some_of

from tengen.engine import cpu, toml
from tengen.tools.match.run import store
from tengen.tools.match.run.machine import Session
from tengen.tools.match.run.store import Store, StoreError
from tengen.tools.match.spec import GameResult, MoveRecord, Opening, Reason

TABLE: dict[str, Any] = {"game": "go", "games": 4, "engine": [{"name": "a"}, {"name": "b", "env": {"X Y": "1"}}]}


def game(number: int, order: str = "a", **changes: Any) -> GameResult:
    first, second = ("a", "b") if order == "a" else ("b", "a")
    values: dict[str, Any] = {
        "id": f"{number:06d}{order}", "pair": number, "first": first, "second": second, "opening": "<o>",
        "result": "1-0", "reason": Reason.SCORE, "moves": (MoveRecord("D4", 0.25, score=-0.5), MoveRecord("pass", 1)),
        "hash": f"{number}{order}", "versions": {"a": ("Ann", "1\n2")}, "latency": {"a": (0.1, 2.0)},
    }  # fmt: skip
    return GameResult(**{**values, **changes})


def test_games_come_back(tmp_path: Path) -> None:
    with Store(tmp_path / "run", TABLE) as run:
        run.add(game(1))
        run.add(game(1, "b"))
    with Store(tmp_path / "run", TABLE) as run:
        assert run.results == [game(1), game(1, "b")]
        run.add(game(2))
    assert store.read(tmp_path / "run") == [game(1), game(1, "b"), game(2)]
    assert store.read_table(tmp_path / "run") == TABLE


@pytest.mark.parametrize(
    ("features", "amx"), [({"avx2", "amx_tile"}, "AMX"), ({"avx2"}, "no AMX"), (None, "AMX unknown")]
)
def test_a_session_says_on_what_it_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, features: set[str] | None, amx: str
) -> None:
    monkeypatch.setattr(cpu, "present", lambda: features)
    now = Session.now()
    with Store(tmp_path, TABLE) as run:
        run.begin(now)
        run.begin(now)
    with open(tmp_path / store.SESSIONS, "a") as file:
        file.write('[1]\n{"start": 1}\n{"torn')
    assert store.read_sessions(tmp_path) == [now, now] and store.read_sessions(tmp_path / "none") == []
    assert f", {now.processors} core" in now.machine and now.machine.endswith(f", {amx}")


@pytest.mark.parametrize("torn", [b"{", b'{"id":"000002a"', b"\xff\x00", json.dumps(game(2).to_json()).encode()])
def test_a_torn_last_line_is_cut_off(tmp_path: Path, torn: bytes) -> None:
    with Store(tmp_path, TABLE) as run:
        run.add(game(1))
    with open(tmp_path / store.GAMES, "ab") as file:
        file.write(torn)
    assert store.read(tmp_path) == [game(1)]
    with Store(tmp_path, TABLE) as run:
        run.add(game(3))
    assert store.read(tmp_path) == [game(1), game(3)]


@pytest.mark.parametrize("line", [b"[]", b"{}", b"12", b'{"id":1,"reason":"joy"}', b"[" * 100_000])
def test_a_broken_line_within_is_named(tmp_path: Path, line: bytes) -> None:
    (tmp_path / store.GAMES).write_bytes(line + b"\n")
    with pytest.raises(StoreError, match="line 1 of"):
        store.read(tmp_path)


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    with Store(tmp_path, TABLE), pytest.raises(StoreError, match="another process is running"):
        Store(tmp_path, TABLE)
    Store(tmp_path, TABLE).close()


CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"game": "gomoku"}, "game is 'go', not 'gomoku'"),
    ({"seed": 3}, "seed is None, not 3"),
    ({"engine": [{"name": "a", "nodes": 1}, TABLE["engine"][1]]}, "engine 'a' differs"),
]


@pytest.mark.parametrize(("change", "sentence"), CHANGES)
def test_another_run_is_refused(tmp_path: Path, change: dict[str, Any], sentence: str) -> None:
    Store(tmp_path, TABLE).close()
    with pytest.raises(StoreError, match=sentence):
        Store(tmp_path, {**TABLE, **change})
    Store(tmp_path, TABLE).close()  # and the refusal has let go of the lock


def test_games_and_engines_may_be_added(tmp_path: Path) -> None:
    Store(tmp_path, TABLE).close()
    more = {**TABLE, "games": 10, "engine": [{"name": "c"}, *TABLE["engine"]], "concurrency": 2}
    Store(tmp_path, more).close()
    with Store(tmp_path, TABLE) as run:  # the old command goes on with the grown run
        assert (run.table["games"], [row["name"] for row in run.table["engine"]]) == (10, ["a", "b", "c"])


def test_games_without_a_run_are_not_touched(tmp_path: Path) -> None:
    (tmp_path / store.GAMES).write_bytes(b"{}\n")
    with pytest.raises(StoreError, match=r"holds games but no run\.toml"):
        Store(tmp_path, TABLE)


@pytest.mark.parametrize("name", ["games/mine.sgf", "logs/mine.log", "report.html", "crosstable.csv", "openings.jsonl"])
def test_files_of_others_are_not_written_over(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(StoreError, match="choose another folder"):
        Store(tmp_path, TABLE)
    assert not (tmp_path / store.RUN).exists() and (tmp_path / name).read_text() == "mine"


def test_openings_come_back_whatever_their_names(tmp_path: Path) -> None:
    rows = [Opening("Sicilian\u2028Najdorf\x85", ("e2e4",)), Opening("\n", (), "position")]
    with Store(tmp_path, TABLE) as run:
        run.freeze(rows)
    assert store.read_openings(tmp_path) == rows


@pytest.mark.skipif(os.name == "nt", reason="fcntl")
def test_a_disk_without_locks_is_no_other_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def refuse(*_: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(StoreError, match="cannot be locked"):
        Store(tmp_path, TABLE)


def test_duplicates_and_void_games_are_sorted_out() -> None:
    again = game(2, hash="1a")
    crash = game(3, hash="1a", reason=Reason.CRASH)
    void = game(4, reason=Reason.VOID, result="*")
    found = store.counted([game(1), game(1), again, crash, void, game(4), game(1, "b", hash="1a")])
    assert [row.id for row in found.games] == ["000001a", "000003a", "000004a", "000001b"]
    assert found.duplicates == [again]
    assert found.void == 1


def test_a_game_is_no_duplicate_of_a_fault() -> None:
    """An engine that hangs over its first move leaves the same moves as one that resigns there."""
    found = store.counted([game(1, hash="1a", reason=Reason.STALL), game(2, hash="1a", reason=Reason.RESIGN)])
    assert len(found.games) == 2


WRITER = """
import sys
from tengen.tools.match.spec import GameResult, Reason
from tengen.tools.match.run.store import Store
with Store(sys.argv[1], {}) as run:
    for number in range(len(run.results), 10**6):
        run.add(GameResult(f"{number:06d}a", number, "a", "b", "o", "1-0", Reason.SCORE))
        print(number, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_killed_writer_loses_nothing_it_has_told_of(tmp_path: Path) -> None:
    """Many times: kill -9 at a random moment; every game that was reported is there, and the next writer goes on."""
    dice = random.Random(9)
    for _ in some_of(40):
        command = [sys.executable, "-c", WRITER, str(tmp_path / "run")]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        told = [process.stdout.readline()]
        time.sleep(dice.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        told += process.stdout.read().splitlines()
        process.wait()
        process.stdout.close()
        numbers = [row.pair for row in store.read(tmp_path / "run")]
        assert numbers == list(range(len(numbers)))
        last = [line for line in told if line.strip()][-1:]
        assert last and numbers[-1] >= int(last[0])


texts = st.text(st.characters(codec="utf-8"), max_size=20)
plain = st.one_of(st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), texts)
values = st.recursive(
    st.one_of(plain, st.lists(plain, max_size=3)),
    lambda inner: st.one_of(
        st.dictionaries(texts, inner, max_size=3), st.lists(st.dictionaries(texts, inner, max_size=2), max_size=3)
    ),
    max_leaves=10,
)


@given(st.dictionaries(texts, values, max_size=5))
def test_toml_is_read_back(table: dict[str, Any]) -> None:
    assert tomllib.loads(toml.dumps(table)) == table
