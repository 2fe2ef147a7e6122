"""README's lines, pasted one after another into one new shell in a fresh copy of the repository: every one runs."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import networks
import pytest
from checkout import ROOT, tracked
from pasted_lines import CHECKED, Change, Line, codes, lines_of, marked, said, stand_ins
from readme_photos import SERIES, draw_all

README = (ROOT / "README.md").read_text("utf-8")
LINES = lines_of(README)
CHANGES = (
    Change(r"^pip install '\.\[\w+\]'", "reuse", "built above; the packages come from the environment of this test"),
    Change(r"\S*pip install -e '\.\[dev\]'", "reuse", "the same; .ci/run types it as it stands"),
    Change(
        r"-m pytest -m .*$",
        "-m pytest -q tests/play/test_history.py && forget",
        "all of the tests is what runs this one",
    ),
    Change(r"--games 200", "--games 2", "hours"),
    Change(r"--tc 10\+0\.1", "--tc 2+0.1", "minutes"),
    Change(r"time=1 ", "time=0.01 ", "minutes"),
    Change(
        r"^tengen review ", "tengen review --net tiny.bin.gz --visits 2 ", "a network is its user's; this one is tiny"
    ),
    Change(r"^tengen web$", "tengen web --help", "it serves until Ctrl-C"),
    Change(r"^tengen gtp ", r"printf 'name\\nquit\\n' | tengen gtp ", "a person types at it, or a GUI"),
)
"""Everything else is pasted as it stands. The engines that README measures are stand-ins (see `stand_ins`)."""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A fresh copy of the repository, with the pictures and the engines that the lines name."""
    folder = tmp_path_factory.mktemp("readme") / "tengen"
    for path in tracked():
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    draw_all(folder)
    stand_ins(folder)
    yield folder
    shutil.rmtree(folder.parent)


def script(folder: Path, lines: list[Line]) -> str:
    """What the shell reads: each line, then its exit code.

    `reuse` adds the packages of this test's own environment to the new one, `forget` takes them away again.
    """
    packages = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    pth = shlex.quote(str(folder / ".venv" / "lib" / python / "site-packages" / "reused.pth"))
    parts = [f"reuse() {{ printf '%s\\n' {shlex.join(packages)} > {pth}; }}", f"forget() {{ rm {pth}; }}"]
    return "\n".join([*parts, *marked(lines, CHANGES)]) + "\n"


def new_shell(folder: Path) -> dict[str, str]:
    """An environment that knows nothing of the one in which the tests run."""
    hidden = ("VIRTUAL_ENV", "PYTHON", "TENGEN", "PIP_REQUIRE_VIRTUALENV")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    base = Path(getattr(sys, "_base_executable", sys.executable)).parent
    own = Path(sys.executable).parent
    path = [part for part in kept.get("PATH", "").split(os.pathsep) if Path(part) != own]
    return kept | quick_build(folder) | {"PATH": os.pathsep.join([str(folder / "bin"), str(base), *path])}


def quick_build(folder: Path) -> dict[str, str]:
    """Return what makes the build of a checkout soon done: how fast it is itself is of no matter here.

    A compiler cache that `.ci/run` found has the objects of its first build, if they are built alike. It knows files by
    their paths below the folder around the checkout, where `packages` holds nanobind.
    """
    around = os.environ.get("CCACHE_BASEDIR")
    if around is None:
        return {"SKBUILD_CMAKE_DEFINE": "CMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"}
    shutil.copytree(Path(around, "packages"), folder.parent / "packages")  # CMake would follow a link
    nanobind = folder.parent / "packages" / "nanobind" / "cmake"
    return {
        "CCACHE_BASEDIR": str(folder.parent),
        "CMAKE_ARGS": f"-Dnanobind_DIR={nanobind}",
        "SKBUILD_BUILD_DIR": "build/readme",
    }


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the lines are for a Unix shell")
def test_every_line_runs_as_pasted(checkout: Path) -> None:
    (checkout / "tiny.bin.gz").write_bytes(networks.tiny().read_bytes())
    file = checkout.parent / "pasted.sh"
    file.write_text(script(checkout, LINES))
    done = subprocess.run(
        ["bash", "--norc", str(file)], cwd=checkout, env=new_shell(checkout), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1800,
    )  # fmt: skip
    found = codes(done.stdout)
    for number, line in enumerate(LINES):
        allowed = CHECKED if line.text.startswith("tengen photo") else {0}
        told = said(done.stdout, number)
        assert found.get(number) in allowed, f"exit code {found.get(number)} of: {line.typed(CHANGES)}\n{told}"
        assert "Traceback" not in told, f"{line.typed(CHANGES)}\n{told}"
    assert "FAILED" not in done.stdout
    assert len(re.findall(r"[;\s][BW]\[[a-i]{2}\]", (checkout / "game.sgf").read_text())) == SERIES
    for made in ("board.sgf", "check.png", "positions/summary.csv", "game.log", "uct-rollout/report.html"):
        assert (checkout / made).stat().st_size > 0, made


def test_what_is_changed_is_there() -> None:
    """A change that fits no line any more is forgotten here, and the blocks are still found."""
    lines = [line.text for line in LINES if not line.is_python]
    for change in CHANGES:
        assert any(re.search(change.pattern, line) for line in lines), change
    assert len(lines) >= 20 and sum(line.is_python for line in LINES) >= 3


def test_the_guis_of_readme_are_those_of_the_doctor() -> None:
    from tengen.engine.games import GAMES, get_game
    from tengen.tools.gui_settings import GUIS

    table = README.partition("| game | GUI |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    told = {(game, gui) for games, guis, *_ in rows for game in games.split(", ") for gui in guis.split(", ")}
    played = {game: get_game(game).conventions for game in GAMES}
    for conventions in played.values():
        title = conventions.title.split(",")[0]
        for gui in conventions.guis:
            assert (title, gui) in told, f"{gui} for {title}"
            told.remove((title, gui))
    assert {gui for conventions in played.values() for gui in conventions.guis} == {gui.name for gui in GUIS}
    assert told == {("Go", "LizzieYzy"), ("Gomoku", "Gomocup's manager")}  # the same lines as their neighbours
