"""One process at a time at what several could write, and what a folder was asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tengen.engine import system
from tengen.tools import cli, locking
from tengen.tools.journal import Journal
from tengen.tools.locking import LockError, beside, within
from tengen.tools.train.data.asked import NAME, Asked

HOLD = (
    "import sys\nfrom pathlib import Path\nfrom tengen.tools.locking import beside, within\n"
    "with {0}(Path(sys.argv[1]), 'writes'):\n    print('taken', flush=True); sys.stdin.readline()"
)


@pytest.mark.parametrize("kind", ["beside", "within"])
def test_a_killed_process_lets_go(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    hold = {"beside": beside, "within": within}[kind]
    with subprocess.Popen(
        [sys.executable, "-c", HOLD.format(kind), str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:  # fmt: skip
        assert other.stdout is not None and other.stdout.readline() == "taken\n"
        with (
            pytest.raises(LockError, match=rf"another process \(process {other.pid}\) grows '.*x': wait for it, or"),
            hold(path, "grows"),
        ):
            pass
        other.kill()
        other.wait(10)
    with hold(path, "grows"):
        pass
    assert not [one for one in tmp_path.rglob("*") if one.is_file()], "nothing is left of it"


@pytest.mark.skipif(os.name == "nt", reason="open files stay")
def test_a_lock_whose_file_went_is_taken_anew(tmp_path: Path) -> None:
    """The last owner removes the file while another one opens it."""
    with beside(tmp_path / "x", "writes"):
        first = os.stat(tmp_path / "x.lock").st_ino
        with pytest.raises(LockError), beside(tmp_path / "x", "writes"):
            pass
        assert os.stat(tmp_path / "x.lock").st_ino == first, "who is refused leaves it"


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, *_: object) -> None:
        raise OSError(30, "Read-only file system", str(path))

    monkeypatch.setattr("builtins.open", refuse)
    with (
        pytest.raises(OSError, match=r"Read-only file system: give a place that can be written to: '.*x'"),
        beside(tmp_path / "x", "writes"),
    ):
        pass


def test_a_journal_is_of_one_process(tmp_path: Path) -> None:
    path = str(tmp_path / "journal")
    with Journal(path, {"a": 1}) as one:
        one.write({"n": 1})
        with pytest.raises(LockError, match="writes '.*journal'"):
            Journal(path, {"a": 1})
        one.write({"n": 2})
    with Journal(path, {"a": 1}) as again:
        assert again.rows == [{"n": 1}, {"n": 2}] and not again.is_older
    with pytest.raises(ValueError, match="belongs to another run"):
        Journal(path, {"a": 2})
    with Journal(path, {"a": 1, "files": {"net": "0"}}, older=[{"a": 1}]) as older:
        assert older.is_older and len(older.rows) == 2
    assert os.listdir(tmp_path) == ["journal"]


def test_what_was_asked_is_known(tmp_path: Path) -> None:
    file = tmp_path / "games-1-00000.npz"
    asked = Asked(tmp_path, {"network": "a" * 64, "nodes": 5, "each": 1.5})
    asked.keep()
    assert not asked.is_older and not asked.is_done(file, 4)
    file.write_bytes(b"")
    assert not asked.is_done(file, 4), "nobody said what it was asked for"
    asked.keep(file, 4)
    again = Asked(tmp_path, {"each": 1.5, "nodes": 5, "network": "a" * 64})
    assert again.is_done(file, 4) and again.is_done(file, 3) and not again.is_done(file, 5)
    for change, said in (
        ({"nodes": 6}, r"nodes was '5', not '6'"), ({"network": "b" * 64}, r"network was aaaaaaaaaaaa\.\.\., not bbbb"),
        ({"more": 1}, "more was unset, not '1'"),
    ):  # fmt: skip
        with pytest.raises(
            ValueError, match=rf"holds what another question was answered by \({said}.*choose another --out"
        ):
            Asked(tmp_path, {"network": "a" * 64, "nodes": 5, "each": 1.5, **change})
    file.unlink()
    assert not again.is_done(file, 4)


def test_what_an_older_version_wrote_is_taken_as_it_is(tmp_path: Path) -> None:
    one, two = tmp_path / "games-1-00000.npz", tmp_path / "games-1-00001.npz"
    one.write_bytes(b"")
    asked = Asked(tmp_path, {"nodes": 5})
    assert asked.is_older and asked.is_done(one, 200) and not asked.is_done(two, 1)
    asked.keep()
    assert not Asked(tmp_path, {"nodes": 5}).is_older and Asked(tmp_path, {"nodes": 5}).is_done(one, 200)
    with pytest.raises(ValueError, match="another question"):
        Asked(tmp_path, {"nodes": 6})


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 2}', '{"format": 1, "question": 3, "files": {}}', "[" * 100_000,
                                  '{"format": 1, "question": {}, "files": {"a": "b"}}', "\udcff"])  # fmt: skip
def test_a_damaged_list_is_named_with_how_to_go_on(text: str, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(
        ValueError, match=rf"{NAME}' is not what tengen wrote: remove it to take the files beside it as they are"
    ):
        Asked(tmp_path, {})


@pytest.mark.parametrize(("words", "path"), [
    ("tune --player rollout --size 5 --playouts 9 --options mcts.c --pairs 1 --games 4 --out x.toml", "x.toml.state"),
    ("book x.book --new --positions 2 --depth 1 --jobs 1", "x.book"),
])  # fmt: skip
def test_commands_that_share_a_file_wait_for_nobody(
    words: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with locking.beside(Path(path), "writes"):
        assert cli.main(words.split()) == 2
    said = capsys.readouterr().err
    assert said.startswith("tengen: another process (process ") and said.count("\n") == 1
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="open files are not removed there")
def test_a_file_that_its_owner_removes_meanwhile_is_locked_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else two processes would each have a lock, of which one is on a file without a name."""
    path, times, take = tmp_path / "x.lock", [], system.take_lock

    def taking(descriptor: int) -> bool:
        times.append(descriptor)
        if len(times) == 1:
            path.unlink()
        return take(descriptor)

    monkeypatch.setattr(system, "take_lock", taking)
    with locking.Lock(path, "taken"):
        assert len(times) == 2 and path.read_text() == f"{os.getpid()}\n"
