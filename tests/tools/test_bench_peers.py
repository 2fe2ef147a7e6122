"""`tengen bench --peers`: other programs are found, played against, gone on with, and told of in a table."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from checkout import ROOT

from tengen.tools import cli
from tengen.tools.peers import matches
from tengen.tools.peers.peer import Peer

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the program is a script of a shell")
FAKE = ROOT / "tests" / "fakes" / "match_engines.py"
SMALL = Peer(
    "other", "Go 5x5, another", ("another-go", "othergo"), ("tc=move=60", "command={} gtp --game go"),
    ("--game", "go", "--size", "5", "--rules", "chinese"), ("command={tengen} gtp --net none --playouts 20 --threads 1",),
    "50.0 % of 10",
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the program one level below."""
    known = {"other": SMALL, "third": SMALL._replace(name="third", programs=("nowhere-at-all",))}
    monkeypatch.setattr(matches, "peers", lambda: known)
    program = tmp_path / "programs" / "other" / "othergo"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "{FAKE}" "$@"\n')
    program.chmod(0o755)
    return tmp_path / "programs"


def test_what_is_here_is_played_and_gone_on_with(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["bench", "--peers", "--folder", str(folder), "--out", str(tmp_path / "out")]
    assert cli.main([*words, "--games", "2"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("2 games with other\n") and f"Go 5x5, another: {folder}" in told
    assert told.splitlines()[-1].startswith("Go 5x5, another      2 ") and told.rstrip().endswith("  50.0 % of 10")
    assert all(len(line) <= 80 for line in told.splitlines()[-2:])
    report = (tmp_path / "out" / "other" / "report.html").read_bytes()
    assert cli.main([*words, "--games", "2"]) == 0, "nothing is left to play"
    assert "Go 5x5, another      2 " in capsys.readouterr().out
    assert (tmp_path / "out" / "other" / "games.jsonl").exists() and report


def test_mistakes_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "--peers", "othr"]) == 2
    assert "there is no peer 'othr' (did you mean 'other'?); there are other, third" in capsys.readouterr().err
    assert cli.main(["bench", "--peers", "third", "--folder", str(folder)]) == 2
    assert "not found: nowhere-at-all; looked in the path and in --folder" in capsys.readouterr().err
    assert cli.main(["bench", "--peers", "other", "--signature"]) == 2
    assert "--peers goes with --games, --out and --folder alone" in capsys.readouterr().err
    assert cli.main(["bench", "--peers", "other"]) == 2 and "not found: another-go" in capsys.readouterr().err


def test_every_match_is_one_that_match_understands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names are different, lines of the table are no wider than a terminal, and settings are those of `tengen match`."""
    known = list(matches.peers().values())
    assert len(known) > 10 and {peer.match[1] for peer in known} == {"go", "gomoku", "reversi", "chess"}
    assert all(len(line) <= 80 for line in matches.table(known, tmp_path)[1:])
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for peer in known:
        words = matches.command(peer, str(program), 4, tmp_path / peer.name)
        assert cli.main([words[0], "--dry-run", *words[1:]]) == 0, peer.name
        told = capsys.readouterr().out
        assert f"{peer.name}: " in told and os.fspath(program) in told
