"""Long commands on a disk that is full or that cannot be written to: one sentence, the file's name, how to go on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tengen.tools import cli
from tengen.tools.match.own import __main__ as own

pytest.importorskip("resource", reason="what bounds the size of files")

ROOT = Path(__file__).parents[2]
WEIGHTS = ROOT / "nets" / "weights"
BOUNDED = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2); "
TENGEN = BOUNDED + "from tengen.tools import cli; sys.exit(cli.main(sys.argv[2:]))"
OWN = BOUNDED + "del sys.argv[1]; from tengen.tools.match.own import __main__ as own; sys.exit(own.main())"
PLAYERS = "--engine name=a player=random --engine name=b player=random --game reversi --tc move=1 --games 40"
GAME = '[Event "One"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n[WhiteElo "2400"]\n[BlackElo "2400"]\n\n'
GAME += "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 1-0\n\n"

# Bytes that a file may have, the program, the command line; the file that is named.
ROWS = {
    "tune": (1500, TENGEN, "tune --player rollout --size 5 --playouts 2 --options mcts.c --pairs 1 --games 400 --out OUT/x.toml",
             "OUT/x.toml.state"),
    "book": (200, TENGEN, "book OUT/x.book --new --depth 1 --jobs 1 --positions 90", "OUT/x.book"),
    "selfplay": (1000, TENGEN, f"selfplay {WEIGHTS}/tengen-reversi.safetensors --games 8 --workers 1 --out OUT/x --set search.depth=1",
                 "OUT/x/games-1-00000.npz"),
    "selfplay of chess": (1000, TENGEN, f"selfplay {WEIGHTS}/tengen-chess.safetensors --games 2 --workers 1 --out OUT/x "
                          "--set search.nodes=30", "OUT/x/games-1-00000.npz"),
    "label": (500, TENGEN, "train label GAMES --out OUT/x --nodes 30 --workers 1", "OUT/x/label-1-00000.npz"),
    "match": (4000, TENGEN, f"match {PLAYERS} --out OUT/x", "OUT/x/games.jsonl"),
    "own match": (1500, OWN, "--game reversi --a player=random --b player=random --games 400 --out OUT/x", "OUT/x"),
    "review": (500, TENGEN, "review GAMES --depth 1 -o OUT/x.pgn", "OUT/x.pgn"),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_a_file_that_cannot_grow_is_named_with_how_to_go_on(name: str, tmp_path: Path) -> None:
    bound, program, line, file = ROWS[name]
    (tmp_path / "games.pgn").write_text(GAME * 4)
    words = [word.replace("OUT", str(tmp_path)).replace("GAMES", str(tmp_path / "games.pgn")) for word in line.split()]
    done = subprocess.run(
        [sys.executable, "-c", program, str(bound), *words],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},  # Python would leave a .pyc cut at the bound
    )
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
    assert (
        f"'{file.replace('OUT', str(tmp_path))}': File too large: make room, then give the same command again" in last
    )


@pytest.mark.parametrize("name", ROWS)
def test_a_folder_that_cannot_be_written_to_is_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """/proc takes no files, whoever asks."""
    if not Path("/proc/self").is_dir():
        pytest.skip("no /proc")
    _, program, line, _ = ROWS[name]
    (tmp_path / "games.pgn").write_text(GAME)
    words = [
        word.replace("OUT", "/proc/self/fdinfo").replace("GAMES", str(tmp_path / "games.pgn")) for word in line.split()
    ]
    monkeypatch.setattr(sys, "argv", ["own", *words])
    code = cli.main(words) if program == TENGEN else own.main()
    said = capfd.readouterr().err
    assert code == 2 and "Traceback" not in said and "'/proc/self/fdinfo/x" in said.splitlines()[-1], said
