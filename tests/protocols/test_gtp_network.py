"""`--net` and kata-raw-nn through the real process: KataGo's numbers, one sentence for what cannot be."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from checkout import needs_openvino
from gtp_client import Process
from katago_files import file_of, network

needs_openvino()

Tengen = Callable[..., subprocess.CompletedProcess[str]]
GRIDS = ("policy", "whiteOwnership")
KEYS = {
    "symmetry", "whiteWin", "whiteLoss", "noResult", "whiteLead", "whiteScoreSelfplay", "whiteScoreSelfplaySq", "varTimeLeft",
    "shorttermWinlossError", "shorttermScoreError", "policy", "policyPass", "whiteOwnership",
}  # fmt: skip


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nets") / "tiny.bin.gz"
    path.write_bytes(file_of(network(("ordinary", "pooling"), 15)))
    return path


def parsed(text: str) -> list[dict[str, Any]]:
    """Keys and numbers as clients read them, whatever stands between them; NAN is None."""
    found: list[dict[str, list[float | None]]] = []
    for word in text.removeprefix("= ").split():
        if word == "symmetry":
            found.append({})
        if word in KEYS:
            found[-1][key := word] = []
        else:
            found[-1][key].append(None if word == "NAN" else float(word))
    return [{key: numbers if key in GRIDS else numbers[0] for key, numbers in one.items()} for one in found]


def responses(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    return done.stdout.split("\n\n")[:-1]


def asked(position: dict[str, Any]) -> list[str]:
    """A position of the shared data over GTP."""
    moves = [f"play {colour} {vertex}" for colour, vertex in position["moves"]]
    begin = [f"boardsize {position['size']}", f"komi {position['komi']}", f"kata-set-rules {position['rules_json']}"]
    return [*begin, *moves, f"kata-raw-nn {position['to_play']} 0"]


def assert_close(found: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Within the bars of f32, and what is illegal is."""
    flat = [point for row in wanted["policy"] for point in row]
    assert [point is None for point in found["policy"]] == [point is None for point in flat]
    for mine, theirs in zip([*found["policy"], found["policyPass"]], [*flat, wanted["policyPass"]], strict=True):
        assert theirs is None or abs(mine - theirs) <= 1e-4 + 0.01 * theirs
    owners = [point for row in wanted["whiteOwnership"] for point in row]
    assert max(abs(a - b) for a, b in zip(found["whiteOwnership"], owners, strict=True)) <= 2e-3
    bars = {"whiteWin": 1e-3, "whiteLoss": 1e-3, "noResult": 1e-3, "whiteLead": 0.02, "whiteScoreSelfplay": 0.02,
            "varTimeLeft": 2e-3, "shorttermWinlossError": 2e-3, "shorttermScoreError": 2e-3}  # fmt: skip
    for key, bar in bars.items():
        assert found[key] == pytest.approx(wanted[key], abs=bar), key
    assert found["whiteScoreSelfplaySq"] == pytest.approx(wanted["whiteScoreSelfplaySq"], rel=1e-3)


NETWORKS = {"g170-b6c96": "raw_nn", "b7c96h3tfrs-test5-cnorm": "raw_nn_b7c96h3tfrs-test5-cnorm"}


@pytest.mark.parametrize("name", ["g170-b6c96", pytest.param("b7c96h3tfrs-test5-cnorm", marks=pytest.mark.slow)])
def test_the_numbers_are_katagos(name: str, shared: Callable[[str], Path], tengen: Tengen) -> None:
    """Positions of three sizes and four rules, one with handicap stones that are moves. All: tests/nets/test_katago_raw.py."""
    chosen = (*range(0, 60, 7), 58)
    positions, references = (
        [rows[at] for at in chosen]
        for rows in (
            json.loads(shared(f"data/go/katago/{file}.json").read_text()) for file in ("raw_nn", NETWORKS[name])
        )
    )
    lines = [line for position in positions for line in asked(position)]
    net = str(shared(f"data/go/katago/{name}.bin.gz"))
    done = tengen("gtp", "--net", net, "--precision", "f32", "--threads", "1", script="\n".join([*lines, "quit", ""]))
    answers = [parsed(text) for text in responses(done) if text.startswith("= symmetry")]
    assert len(answers) == len(positions) and {position["size"] for position in positions} == {9, 13, 19}
    assert len({position["rules_json"] for position in positions}) == 4
    for (answer,), reference in zip(answers, references, strict=True):
        assert_close(answer, reference.get("out", reference))


def test_symmetries_are_turned_back(tiny: Path, tengen: Tengen) -> None:
    send = "boardsize 5\nplay b B2\nkata-raw-nn all\nkata-raw-nn 3\nkata-raw-nn b 0\nquit\n"
    *_, every, third, black, _ = responses(
        tengen("gtp", "--net", str(tiny), "--precision", "f32", "--threads", "1", script=send)
    )
    found = parsed(every)
    assert [one["symmetry"] for one in found] == list(range(8)) and all(set(one) == KEYS for one in found)
    assert [[at for at, point in enumerate(one["policy"]) if point is None] for one in found] == [[16]] * 8
    assert parsed(third)[0] == found[3] != found[0]
    # KataGo's first symmetry mirrors the rows: the mirrored position is answered with the mirror image
    mirrored = "boardsize 5\nplay b B4\nkata-raw-nn 1\nquit\n"
    *_, other, _ = responses(tengen("gtp", "--net", str(tiny), "--precision", "f32", "--threads", "1", script=mirrored))
    rows = [parsed(other)[0]["whiteOwnership"][at : at + 5] for at in range(0, 25, 5)]
    assert [point for row in rows[::-1] for point in row] == pytest.approx(found[0]["whiteOwnership"], abs=1e-5)
    assert sum(point or 0 for point in found[5]["policy"]) + found[5]["policyPass"] == pytest.approx(1, abs=1e-4)
    assert parsed(black)[0]["whiteWin"] != found[0]["whiteWin"]


def test_a_board_that_is_no_square_has_four(tiny: Path, tengen: Tengen) -> None:
    send = "rectangular_boardsize 5 3\nplay b B2\nkata-raw-nn all\nkata-raw-nn 4\nquit\n"
    *_, every, refused, _ = responses(
        tengen("gtp", "--net", str(tiny), "--precision", "f32", "--threads", "1", script=send)
    )
    found = parsed(every)
    assert [one["symmetry"] for one in found] == list(
        range(4)
    ) and refused == "? expected a symmetry from 0 to 3 or all"
    assert [[at for at, point in enumerate(one["policy"]) if point is None] for one in found] == [[6]] * 4


def test_what_is_no_symmetry(tiny: Path, tengen: Tengen) -> None:
    words = ("8", "-1", "x", "0 1 1", "b w")
    send = "".join(f"kata-raw-nn {word}\n" for word in words) + "quit\n"
    done = tengen("gtp", "--net", str(tiny), "--precision", "f32", script=send)
    *answers, _ = responses(done)
    assert done.stderr == "Tengen: the network 'tiny.bin.gz' (tiny-net), named, in f32\n"
    assert answers == ["? expected a symmetry from 0 to 7 or all"] * len(words)


def test_an_optimism_comes_last(tiny: Path, tengen: Tengen) -> None:
    """As in KataGo; without one it is that of a root."""
    words = ("0", "0 0.2", "0 1", "w 0 0.5", "0 1.5", "0 much")
    script = "boardsize 5\n" + "".join(f"kata-raw-nn {word}\n" for word in words) + "quit\n"
    _, plain, root, whole, white, *refused, _ = responses(
        tengen("gtp", "--net", str(tiny), "--precision", "f32", script=script)
    )
    assert plain == root and len({text.split("policy")[1] for text in (root, whole, white)}) == 3
    assert refused == ["? expected an optimism from 0 to 1"] * 2


def test_without_a_network(tengen: Tengen) -> None:
    refused, *_ = responses(tengen("gtp", "--net", "none", send="kata-raw-nn 0\nquit\n"))
    assert refused == "? no network is loaded: start with --net FILE or --net auto"


PEOPLE = gzip.decompress(file_of(network(("ordinary",), 15, has_metadata=True)))

# What is at the place of the file -> what is said on stderr before anything is answered.
WRONG = {
    "missing": (None, "cannot read the network 'net.bin.gz': No such file or directory"),
    "folder": ("", "cannot read the network 'net.bin.gz': Is a directory"),
    "text": (
        b"hello",
        "the network 'net.bin.gz' cannot be used: it does not begin with a name and a version of KataGo's format",
    ),
    "human": (PEOPLE, "the network 'tiny-net' imitates people and has to be told of the players"),
    "old": (b"net 5 22 19", "the network 'net.bin.gz' cannot be used: it is of version 5, which takes other inputs"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_file_that_is_none_ends_the_program_at_once(kind: str, tmp_path: Path, called: Tengen) -> None:
    content, says = WRONG[kind]
    path = tmp_path / "net.bin.gz"
    if content == "":
        path.mkdir()
    elif content is not None:
        path.write_bytes(gzip.compress(content))  # type: ignore[arg-type]
    done = called("gtp", "--net", str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr and done.stderr.count("\n") == 1


def test_damage_further_behind_is_an_answer(tiny: Path, tmp_path: Path, tengen: Tengen) -> None:
    path = tmp_path / "cut.bin.gz"
    path.write_bytes(tiny.read_bytes()[:-2000])
    name, refused, again, _ = responses(tengen("gtp", "--net", str(path), send="name\nkata-raw-nn\nname\nquit\n"))
    assert (
        refused
        == "? the network 'cut.bin.gz' cannot be used: it is cut short; fetch it again: a KataGo network (.bin.gz) that is complete"
    )
    assert name == again == "= Tengen"


def test_it_is_told_once_which_network_plays(tengen: Tengen, tiny: Path) -> None:
    words = ("gtp", "--net", str(tiny), "--precision", "f32", "--playouts", "10", "--threads", "1")
    done = tengen(*words, script="boardsize 7\nkata-raw-nn 0\ngenmove b\ngenmove w\nquit\n")
    assert done.returncode == 0 and "?" not in done.stdout
    assert done.stderr.count("the network 'tiny.bin.gz'") == 1 and len(done.stderr.splitlines()) == 1


def test_who_plays_by_a_network_is_told_which(tiny: Path) -> None:
    """Also where nothing but moves was asked for."""
    words = ("gtp", "--net", str(tiny), "--precision", "f32", "--playouts", "10", "--threads", "1")
    with subprocess.Popen(
        [sys.executable, "-m", "tengen.tools", *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write("boardsize 7\ngenmove b\n")
        process.stdin.flush()
        answers = [process.stdout.readline() for _ in range(4)]
        process.stdin.write("quit\n")
        process.stdin.close()
        assert answers[2].startswith("= ") and "the network 'tiny.bin.gz'" in process.stderr.read()


@pytest.mark.parametrize("player", ["policy", "value"])
def test_players_that_only_look_report_like_every_search(player: str, tiny: Path) -> None:
    words = (
        "--net",
        str(tiny),
        "--precision",
        "f32",
        "--threads",
        "1",
        "--player",
        player,
        "--time",
        "30",
        "--temperature",
        "0",
    )
    with Process(*words) as talk:
        assert talk.ask("boardsize 7") == "="
        first = talk.ask("kata-search_analyze b 10 ownership true rootInfo true", 60).splitlines()
        info, best = first[-2], first[-1].removeprefix("play ")
        assert info.startswith(f"info move {best} ") and info.count("info move ") == 49 and "rootInfo" in info
        assert {"winrate", "scoreLead", "prior", "lcb", "order", "pv", "ownership"} <= set(info.split())
        assert talk.ask("genmove b", 30) == f"= {best}"
        assert talk.ask("lz-genmove_analyze w 10").splitlines()[1].startswith("info move ")
        talk.send("kata-analyze b 10")
        assert talk.line() == "=" and talk.line().startswith("info move ")
        talk.send("name")
        assert talk.take() == "" and talk.take() == "= Tengen"


def test_ranks_are_a_parameter_of_who_has_them(tengen: Tengen, tiny: Path) -> None:
    words = (
        "get-param rank",
        "set-param rank 15k",
        "get-param rank",
        "set-param level 3",
        "get-param rank",
        "set-param rank 99k",
    )
    send = "".join(f"kata-{line}\n" for line in words)
    said = tengen("gtp", "--net", str(tiny), "--rank", "3d", send=send)
    *answers, refused = [line.strip() for line in said.stdout.splitlines() if line]
    assert answers == ["= 3d", "=", "= 15k", "=", "= full"] and refused.startswith("? Could not set params: rank must")
    assert tengen("gtp", "--net", "none", send="kata-get-param rank\n").stdout.startswith("? ")
