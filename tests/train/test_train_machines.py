"""Units on other machines, over a wire that is made up: bytes for files, what is lost is done again, everything once."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cluster_work import note
from fakes.wire import MadeUpWire

from tengen.tools.executors import machines, node
from tengen.tools.executors.base import Collected, Result, Unit, WorkError, needed
from tengen.tools.executors.machines import ATTEMPTS, Machines
from tengen.tools.executors.ray_wire import checked


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where "other machines" keep files."""
    folder = tmp_path / "kept"
    monkeypatch.setattr(node, "cache_folder", lambda: folder)
    return folder


def unit(folder: Path, name: str, files: Mapping[str, str] | None = None, **facts: Any) -> Unit:
    return Unit(name, "note", facts, str(folder / "drafts" / name), files or {})


def collect(wire: MadeUpWire, units: Sequence[Unit], **settings: Any) -> dict[str, Result]:
    collected = Collected(Machines(wire, note, **settings), set())
    for one in units:
        assert collected.submit(one)
    found: dict[str, Result] = {}
    for _ in range(50):
        for result in collected.poll(0):
            assert result.unit.name not in found, "every unit counts once"
            found[result.unit.name] = result
    assert collected.executor.pending == 0
    return found


def test_what_is_lost_is_done_again_and_counts_once(tmp_path: Path) -> None:
    names = [f"u{number}" for number in range(8)]
    wire = MadeUpWire(losses={"u2": 1, "u5": ATTEMPTS - 1})
    found = collect(wire, [unit(tmp_path, name) for name in names])
    assert sorted(found) == names
    assert {name: wire.sent.count(name) for name in names} == dict.fromkeys(names, 1) | {"u2": 2, "u5": ATTEMPTS}
    for name, result in found.items():
        assert result.path == str(tmp_path / "drafts" / name) and Path(result.path).read_text() == f"{name} "


def test_what_is_lost_again_and_again_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(
        WorkError, match=rf"the unit u0 was lost {ATTEMPTS} times, the last time because its machine is dead"
    ):
        collect(MadeUpWire(losses={"u0": ATTEMPTS}), [unit(tmp_path, "u0")])


def test_a_file_is_held_once_and_fetched_once_for_a_machine(tmp_path: Path, kept: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "g1.onnx").write_text("weights")
    (run / "g1.toml").write_text("card")
    files = needed(run / "g1.onnx")
    assert sorted(Path(path).name for path in files) == ["g1.onnx", "g1.toml"]
    wire = MadeUpWire()
    found = collect(wire, [unit(tmp_path, f"u{number}", files, network=str(run / "g1.onnx")) for number in range(5)])
    assert sorted(wire.held) == [b"card", b"weights"] and sorted(wire.fetched) == sorted(files.values())
    for name, result in found.items():
        assert Path(result.path).read_text() == f"{name} weights"
        there = Path(result.figures["network"])
        assert there.is_relative_to(kept) and there.with_suffix(".toml").read_text() == "card"
        there.write_text("torn")  # the next one sees that
        again = collect(wire, [unit(tmp_path, "again", files, network=str(run / "g1.onnx"))])
        assert Path(again["again"].path).read_text() == "again weights"


def test_few_files_are_kept(tmp_path: Path, kept: Path) -> None:
    for number in range(node.KEPT + 5):
        path = tmp_path / f"n{number}"
        path.write_text(f"{number}")
        found = collect(MadeUpWire(), [unit(tmp_path, "u", needed(path), network=str(path))])
        assert Path(found["u"].path).read_text() == f"u {number}"
    assert len(list(kept.iterdir())) == node.KEPT


def test_a_file_that_comes_damaged_is_no_file(tmp_path: Path) -> None:
    path = tmp_path / "network"
    path.write_text("weights")
    with pytest.raises(WorkError, match=r"a worker failed: .*the file 'network' came damaged"):
        collect(MadeUpWire(), [unit(tmp_path, "u", {str(path): "0" * 64}, network=str(path))])


def test_another_release_is_refused_in_one_sentence(tmp_path: Path) -> None:
    wire = MadeUpWire()
    wire.wanted = replace(node.release(), sources="f" * 64)
    with pytest.raises(
        WorkError, match=r"has tengen \S+ \(.{8}\), this machine \S+ \(ffffffff\): install the same on both"
    ):
        collect(wire, [unit(tmp_path, "u")])


def test_what_a_machine_could_not_do_is_told_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(WorkError, match=r"a worker failed: \S+: the disk is full"):
        collect(MadeUpWire(), [unit(tmp_path, "u", fails="the disk is full")])


LIMITS: list[tuple[Callable[[MadeUpWire], None], int, int]] = [
    # what happens to the cluster, the limit, units at a time
    (lambda wire: None, 0, 4),
    (lambda wire: None, 3, 3),
    (lambda wire: None, 100, 4),
    (lambda wire: wire.cores.append(8), 0, 12),
    (lambda wire: wire.cores.clear(), 0, 1),
]


@pytest.mark.parametrize(("happens", "limit", "workers"), LIMITS)
def test_machines_come_and_go(happens: Callable[[MadeUpWire], None], limit: int, workers: int) -> None:
    wire = MadeUpWire()
    executor = Machines(wire, note, limit)
    happens(wire)
    assert executor.workers == workers


def test_no_more_at_a_time_than_was_asked_for(tmp_path: Path) -> None:
    wire = MadeUpWire()
    executor = Machines(wire, note, 3)
    for number in range(5):
        executor.submit(unit(tmp_path, f"u{number}"))
    assert wire.sent == ["u0", "u1", "u2"] and executor.pending == 5
    assert len(executor.poll(0)) == 3 and wire.sent[3:] == ["u3", "u4"]


def test_without_any_machine_the_driver_does_not_wait_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machines, "PATIENCE", 0.0)
    wire = MadeUpWire()
    executor = Machines(wire, note)
    executor.submit(unit(tmp_path, "u"))
    wire.cores = [0]
    with pytest.raises(
        WorkError, match=r"no machine of the cluster is left to work: start one, and the same command goes on"
    ):
        for _ in range(3):
            executor.poll(0.01)
    executor.close()
    assert wire.is_closed and executor.pending == 0


ADDRESSES: list[tuple[str, str | None]] = [
    # what was given, what is said of it
    (
        "127.0.0.2:{closed}",
        r"no cluster of Ray answers at 127\.0\.0\.2:\d+: Connection refused \(on this machine: ray start --head, or ",
    ),
    ("127.0.0.2:{open}", None),
    ("localhost:99999", r"'localhost:99999' is no address of a cluster: give auto or HOST:PORT"),
    ("ray://head:10001", r"'ray://head:10001' is no address"),
    (":6379", r"':6379' is no address"),
    ("", r"'' is no address"),
    ("no.such.host.invalid", r"no cluster of Ray answers at no\.such\.host\.invalid:6379: "),
]


@pytest.mark.parametrize(("given", "said"), ADDRESSES)
def test_an_address_where_nobody_answers_is_told_at_once(given: str, said: str | None) -> None:
    with socket.socket() as heard, socket.socket() as deaf:
        heard.bind(("127.0.0.2", 0))
        heard.listen()
        deaf.bind(("127.0.0.2", 0))
        address = given.format(open=heard.getsockname()[1], closed=deaf.getsockname()[1])
        if said is None:
            assert checked(address) == address
        else:
            with pytest.raises(WorkError, match=said):
                checked(address)
