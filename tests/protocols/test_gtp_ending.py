"""Ends of games of Go that went wrong, over GTP by real networks."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from checkout import needs_openvino

needs_openvino()

Tengen = Callable[..., "subprocess.CompletedProcess[str]"]
# The script -> options, and what is answered last, "quit" aside.
CASES: dict[str, tuple[list[str], list[str]]] = {
    "ending-capture": (["--rules", "tromp-taylor", "--playouts", "800", "--net", "b6c96"], ["E5"]),
    "japanese_last_move": (["--playouts", "200"], ["B+0.5", "pass"]),
    "bent4_japanese": (["--playouts", "200"], ["F9 F8 G8 H8 H7 H6 J6", "", "0"]),
}


@pytest.mark.parametrize("seed", ["1", pytest.param("2", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", CASES)
def test_ends_of_games(name: str, seed: str, shared: Callable[[str], Path], tengen: Tengen) -> None:
    options, expected = CASES[name]
    net = str(shared("data/go/katago/g170-b6c96.bin.gz"))
    words = [net if word == "b6c96" else word for word in options]
    script = shared(f"cases/go/{name}.gtp").read_text()
    done = tengen("gtp", "--threads", "1", "--seed", seed, *words, script=script)
    assert done.returncode == 0
    answers = [answer[1:].strip() for answer in done.stdout.split("\n\n")]
    places = [at for at in range(len(answers)) if answers[at : at + len(expected)] == expected]
    assert places, answers[-8:]
