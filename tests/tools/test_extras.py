"""Without the optional packages: everything of the base works, the rest says in one sentence what it lacks."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from katago_files import file_of, network

from tengen.engine import extras

BLOCKER = """
import sys
class Blocked:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Blocked)
"""
MODULES = {module for extra in extras.EXTRAS.values() for module in extra.packages}
SGF = "(;GM[1]FF[4]SZ[9];B[ee];W[gc])"
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def bare(tmp_path: Path) -> Run:
    """Runs Python in a folder of its own, with every optional package hidden, in the processes that it starts as well."""
    (tmp_path / "sitecustomize.py").write_text(BLOCKER.format(names=MODULES))
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}

    def run(*words: str, send: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *words], input=send, capture_output=True, text=True, timeout=120, cwd=tmp_path, env=environment
        )  # fmt: skip

    return run


FAST = "--playouts 20 --threads 1 --seed 1 --memory 80"
# command line, what is sent, a pattern of what it answers
BASE = [
    (f"gtp {FAST}", "boardsize 9\ngenmove b\nquit\n", r"(?s)=.*= [A-J]\d"),
    (f"gtp --game reversi {FAST}", "genmove b\nquit\n", r"= [A-H]\d"),
    (f"gomocup {FAST}", "START 15\nBEGIN\nEND\n", r"OK\s+\d+,\d+"),
    (f"nboard {FAST}", "nboard 2\nset depth 1\ngo\nquit\n", r"(?s).*=== [A-H]\d"),
    (f"xboard {FAST}", "protover 2\nnew\ngo\n", r"(?s).*move [a-h]\d"),
    ("perft reversi 4", "", "244"),
    (
        "play reversi --playouts 20 --threads 1 --memory 80",
        "f5\nhint\nsave a.sgf\nquit\n",
        r"(?s).*plays.*Saved: a\.sgf",
    ),
    ("watch random random --game chess --moves 4 --memory 80", "", r"(?s)(.*plays){4}"),
    ("convert game.sgf game.psq --format sgf", "", ""),
    ("match report out", "", "(?s).*"),
]
MATCH = "match --player random --player rollout --game reversi --each playouts=1 --games 2 --out out"


@pytest.mark.parametrize(("words", "send", "answer"), BASE, ids=[words[:30] for words, *_ in BASE])
def test_the_base_needs_no_extra(bare: Run, tmp_path: Path, words: str, send: str, answer: str) -> None:
    (tmp_path / "game.sgf").write_text(SGF)
    if words == "match report out":
        assert bare("-m", "tengen.tools", *MATCH.split()).returncode == 0
    done = bare("-m", "tengen.tools", *shlex.split(words), send=send)
    assert done.returncode == 0, done.stderr
    assert re.match(answer, done.stdout), done.stdout


# the command line, and what the one sentence on stderr begins with
LACKING = [
    ("-m tengen.tools photo board.jpg", "tengen: tengen photo needs the package opencv-python-headless", "photo"),
    ("-m tengen.tools photo --series game/", "tengen: tengen photo needs the package opencv-python-headless", "photo"),
    ("-m tengen.tools web", "tengen: tengen web needs the package starlette", "web"),
    ("-m tengen.tools net bench net.bin.gz", "tengen: a network needs the package openvino", "nets"),
    ("-m tengen.tools.lab.photo render --help", "python -m tengen.tools.lab.photo: ", "photo"),
    ("-m tengen.tools.lab.photo train finder", "python -m tengen.tools.lab.photo: ", "photo"),
    ("-m tengen.tools match --game chess --games 2 --out x --engine cmd=a proto=uci --engine cmd=b proto=uci",
     "tengen: a match of chess needs the package chess", "chess"),
    ("-m tengen.tools match --player random --player rollout --game reversi --games 2 --out x --executor ray",
     "tengen: tengen match needs the package ray", "cluster"),
    ("-m tengen.tools.match.own --a player=random --b player=random --executor ray --address head",
     "match of own players: a match needs the package ray", "cluster"),
]  # fmt: skip

IN_TURN = """
import contextlib, io, json, runpy, sys
found = []
for _, module, *rest in json.load(sys.stdin):
    sys.argv, code, out, errors = [module, *rest], 0, io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        try:
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        except SystemExit as stop:
            code = stop.code
    found.append((code, out.getvalue(), errors.getvalue()))
json.dump(found, sys.stdout)
"""
"""Runs command lines one after the other in one process: exit code, stdout and stderr of each."""


def in_turn(bare: Run, lines: list[str]) -> list[tuple[int, str, str]]:
    done = bare("-c", IN_TURN, send=json.dumps([line.split() for line in lines]))
    found = json.loads(done.stdout)
    assert len(found) == len(lines), done.stderr
    return [tuple(row) for row in found]


def test_one_sentence_names_the_remedy(bare: Run, tmp_path: Path) -> None:
    (tmp_path / "net.bin.gz").write_bytes(file_of(network(("ordinary",), 8)))
    for (words, begins, extra), row in zip(LACKING, in_turn(bare, [words for words, *_ in LACKING]), strict=True):
        code, out, errors = row
        assert code == 2 and out == "", (words, out, errors)
        assert errors.startswith(begins) and errors.count("\n") == 1, (words, errors)
        assert errors.endswith(f"; run: {extras.install_line(extra)}\n"), (words, errors)


def test_a_missing_package_ends_the_process_with_the_sentence(bare: Run) -> None:
    words, begins, _ = LACKING[0]
    done = bare(*words.split())
    assert done.returncode == 2 and done.stdout == "" and done.stderr.startswith(begins)


def test_help_needs_no_extra(bare: Run) -> None:
    commands = ("bench", "tune", "compliance", "photo")
    for command, row in zip(
        commands, in_turn(bare, [f"-m tengen.tools {name} --help" for name in commands]), strict=True
    ):
        assert row[0] == 0 and row[1].startswith(f"usage: tengen {command}"), row
        assert command != "photo" or "--corners" in row[1]


def test_the_environment_names_its_extra(bare: Run) -> None:
    done = bare("-c", "import tengen.tools.go_env")
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: GoEnv needs the package gymnasium, ") and extras.install_line("gym") in last


def test_doctor_tells_what_could_be_added(bare: Run) -> None:
    """For information: the installation is in order without them."""
    done = bare("-m", "tengen.tools", "doctor", *FAST.split())
    assert done.returncode == 0, done.stdout + done.stderr
    assert "FAILED" not in done.stdout
    for name in extras.EXTRAS:
        (line,) = [line for line in done.stdout.splitlines() if line.startswith(f"--      extra {name}: ")]
        assert extras.EXTRAS[name].gives in line and line.endswith(extras.install_line(name))


def test_doctor_knows_the_extras_that_are_there(called: Run) -> None:
    done = called("doctor", "--game", "go", *FAST.split())
    assert any(line.startswith("ok      extra photo: ") for line in done.stdout.splitlines()), done.stdout


def test_the_line_installs_from_where_tengen_came() -> None:
    """This test's own installation is an editable one or not, from a folder."""
    words = shlex.split(extras.install_line("photo"))
    assert words[:4] == [str(Path(sys.executable).absolute()), "-m", "pip", "install"]
    assert words[-1].endswith("[photo]") or words[4:] == list(extras.EXTRAS["photo"].packages.values())
    folder = Path(words[-1].removesuffix("[photo]"))
    assert len(words) > 5 or (folder / "pyproject.toml").exists() or folder.suffix == ".whl"


def test_a_package_that_does_not_load() -> None:
    said = extras.sentence("tengen photo", ImportError("libGL.so.1: cannot open shared object file", name="cv2"))
    assert said is not None and "which does not load (libGL.so.1: cannot open shared object file); run: " in said
    assert extras.sentence("tengen photo", ImportError("no", name="tengen.tools.x")) is None


def test_the_extras_are_those_of_the_project(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    optional = project["optional-dependencies"]
    names = {key: {re.split(r"[<>=\[]", text)[0] for text in rows} for key, rows in optional.items()}
    for key, extra in extras.EXTRAS.items():
        assert set(extra.packages.values()) == names[key] - {project["name"]}, key
    assert "openvino" not in str(project["dependencies"]) and "opencv" not in str(project["dependencies"])
    assert "tengen-engine[photo" in optional["all"][0] and "tengen-engine[all]" in optional["dev"]
