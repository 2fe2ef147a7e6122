"""The lines of the pages for tasks (docs/howto), page by page in a folder with the files that they name: every one runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import networks
import pytest
from checkout import ROOT
from pasted_lines import CHECKED, Change, codes, lines_of, marked, said, stand_ins

PAGES = {path.stem: lines_of(path.read_text("utf-8")) for path in sorted((ROOT / "docs" / "howto").glob("*.md"))}
NEEDED = {"photo": "cv2", "train": "torch", "browser": "starlette", "review": "chess", "chess-cutechess": "chess"}
"""Page -> a package without which its lines tell what to install."""
CHANGES = (
    Change(r"^pip install .*$", "true", "the packages come from the environment of this test"),
    Change(r"--games \d+", "--games 2", "hours"),
    Change(r"--tc 10\+0\.1", "--tc 2+0.1", "minutes"),
    Change(r"time=1 ", "time=0.01 ", "minutes"),
    Change(r"playouts=(\d+)", "playouts=20", "minutes"),
    Change(r"visits=200", "visits=2", "minutes"),
    Change(
        r"(^tengen review game\.sgf)", r"\1 --net tiny.bin.gz --visits 2", "a network is its user's; this one is tiny"
    ),
    Change(r"(^tengen web(?: --lan)?)(?=\s*(?:#|$))", r"\1 --help", "it serves until Ctrl-C"),
    Change(r"--minutes 20", "--minutes 0.05", "minutes"),
    Change(r"^(tengen train go --size 9)(?=\s+#)", r"\1 --minutes 0.05", "it trains until Ctrl-C"),
)
GAMES = {
    "game.sgf": "(;GM[1]FF[4]SZ[9]KM[7];B[ee];W[gc];B[cg];W[gg];B[dc];W[fd])",
    "game.ggf": "(;GM[Othello]PC[x]DT[2020.01.01]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]"
                "B[F5]W[D6]B[C3]W[D3]B[C4]W[F4];)",
    "game.pgn": '[White "a"]\n[Black "b"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n',
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the lines are for a Unix shell")
@pytest.mark.parametrize("page", PAGES)
def test_every_line_of_a_page_runs(page: str, tmp_path: Path) -> None:
    if page in NEEDED:
        pytest.importorskip(NEEDED[page])
    if page == "photo":
        from readme_photos import draw_all

        draw_all(tmp_path)
    for name, text in GAMES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "tiny.bin.gz").write_bytes(networks.tiny().read_bytes())
    stand_ins(tmp_path)
    lines = PAGES[page]
    path = os.pathsep.join([str(tmp_path / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    script = tmp_path / "pasted.sh"
    script.write_text("\n".join(marked(lines, CHANGES)) + "\n")
    done = subprocess.run(
        ["bash", "--norc", str(script)], cwd=tmp_path, env=os.environ | {"PATH": path}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=900,
    )  # fmt: skip
    found = codes(done.stdout)
    for number, line in enumerate(lines):
        allowed = CHECKED if line.text.startswith("tengen photo") else {0}
        told = said(done.stdout, number)
        assert found.get(number) in allowed, f"exit code {found.get(number)} of: {line.typed(CHANGES)}\n{told}"
        assert "Traceback" not in told, f"{line.typed(CHANGES)}\n{told}"


def test_what_is_changed_is_there() -> None:
    """A change that fits no line any more is forgotten here, and the blocks are still found."""
    texts = [line.text for lines in PAGES.values() for line in lines]
    assert all(any(re.search(change.pattern, text) for text in texts) for change in CHANGES)
    assert len(PAGES) > 10 and all(PAGES.values()) and NEEDED.keys() <= PAGES.keys()
