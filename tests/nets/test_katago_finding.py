"""Networks are found where people have them, and `auto` takes one by a rule that is written down."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from katago_files import file_of, network

from tengen.engine.evaluators import shipped
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.katago import finding
from tengen.engine.evaluators.katago.finding import Place, choose, find_networks, own_folder, places
from tengen.engine.evaluators.katago.model import glance
from tengen.nets import weights
from tengen.nets.cards import write_card

CARD = {
    "name": "tiny", "purpose": "tests", "licence": "MIT", "training": {"data": "none", "command": "none"},
    "input": {"shape": [0, 22, 0, 0], "channels": [], "normalisation": "none"}, "outputs": {},
}  # fmt: skip


def put(path: Path, version: int = 14, *, name: str = "tiny-net", has_metadata: bool = False, blocks: int = 1) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    model = network(("ordinary",) * blocks, version, has_metadata=has_metadata)
    path.write_bytes(file_of(replace(model, header=replace(model.header, name=name))))
    return path


def test_a_glance_reads_the_beginning(tmp_path: Path) -> None:
    path = put(tmp_path / "a.bin.gz", 15, name="b2-s7")
    path.write_bytes(path.read_bytes()[:600])  # the rest is not there yet
    seen = glance(path)
    assert (seen.header.name, seen.header.version, seen.blocks, seen.channels) == ("b2-s7", 15, 1, 8)
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(NetworkError, match="'a.bin.gz' cannot be used: it does not begin with a name and a version"):
        glance(path)


def test_it_looks_in_every_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "find_spec", lambda name: None)
    programs = tmp_path / "programs"
    for program in ("katago", "katrain"):
        (programs / "bin").mkdir(parents=True, exist_ok=True)
        (programs / "bin" / program).touch(mode=0o755)
    environment = {"PATH": str(programs / "bin")}
    home = tmp_path / "home"
    wanted = {
        put(own_folder(home, environment) / "own.bin.gz"): "Tengen",
        put(home / ".katago" / "a.bin.gz"): "KataGo",
        put(programs / "bin" / "default_model.bin.gz"): "KataGo",
        put(home / ".katrain" / "b.bin.gz"): "KaTrain",
        put(programs / "lib/python3.11/site-packages/katrain/models/c.bin.gz"): "KaTrain",
        put(home / ".local/pipx/venvs/katrain/lib/python3.12/site-packages/katrain/models/d.bin.gz"): "KaTrain",
    }
    (home / ".katrain" / "notes.txt").write_text("no network")
    (home / ".katrain" / "folder.bin.gz").mkdir()
    found = find_networks(places(home, environment))
    usable = {one.path: one.owner for one in found if one.known}
    if sys.platform == "win32":
        wanted = {path: owner for path, owner in wanted.items() if "programs" not in path.parts}
    assert {path: owner for path, owner in usable.items() if tmp_path in path.parents} == wanted
    assert [one.path.name for one in found if not one.known and tmp_path in one.path.parents] == ["folder.bin.gz"]
    assert found[0].path.name == "own.bin.gz"


def test_a_package_of_katrain_is_found_without_importing_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site" / "katrain"
    put(package / "models" / "its.bin.gz")
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(str(package.parent))
    found = find_networks(places(tmp_path / "home", {}))
    assert [one.path for one in found if tmp_path in one.path.parents] == [package / "models" / "its.bin.gz"]
    assert "katrain" not in sys.modules


# (what lies where, what lies elsewhere) -> the first beats the second. owner, version, name, blocks, age in seconds
BETTER = {
    "Tengen's folder": (("Tengen", 8, "x", 1, 9), ("KaTrain", 15, "x", 1, 0)),
    "the newer version": (("KaTrain", 15, "x", 1, 9), ("KataGo", 14, "x-s999-d1", 3, 0)),
    "the longer training": (("KaTrain", 14, "b6-s900-d1", 1, 9), ("KataGo", 14, "b6-s80-d1", 3, 0)),
    "training that is told": (("KaTrain", 14, "b6-s1", 1, 9), ("KataGo", 14, "b6", 3, 0)),
    "the larger file": (("KaTrain", 14, "x", 3, 9), ("KataGo", 14, "x", 1, 0)),
    "the newer file": (("KaTrain", 14, "x", 1, 0), ("KataGo", 14, "x", 1, 9)),
}


@pytest.mark.parametrize("rule", BETTER)
@pytest.mark.parametrize("turned", [False, True])
def test_the_rule_of_choice(rule: str, turned: bool, tmp_path: Path) -> None:
    where = []
    for name, (owner, version, title, blocks, age) in zip(("best", "other"), BETTER[rule], strict=True):
        path = put(tmp_path / name / "a.bin.gz", version, name=title, blocks=blocks)
        os.utime(path, (10**9 - age,) * 2)
        where.append(Place(owner, path.parent))
    chosen = choose(find_networks(where[::-1] if turned else where))
    assert chosen is not None and chosen.path.parent.name == "best"


def test_the_folder_of_shipped_networks_is_the_last(tmp_path: Path) -> None:
    assert places(tmp_path, {})[-1] == Place(finding.SHIPPED, weights.FOLDER)
    named = places(tmp_path, {"TENGEN_NETWORKS": str(tmp_path)})
    assert named == [Place("Tengen", tmp_path), Place(finding.SHIPPED, weights.FOLDER)]


@pytest.mark.parametrize("said", ["empty", "nowhere", f"empty{os.pathsep}nowhere{os.pathsep}"])
def test_a_folder_without_networks_hides_no_shipped_one(said: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    folders = os.pathsep.join(str(tmp_path / name) if name else "" for name in said.split(os.pathsep))
    found = find_networks(places(tmp_path, {"TENGEN_NETWORKS": folders}))
    assert {one.owner for one in found} == {finding.SHIPPED} and choose(found, (9, 9)) is not None
    put(tmp_path / "empty" / "a.bin.gz")
    chosen = choose(find_networks(places(tmp_path, {"TENGEN_NETWORKS": folders})), (9, 9))
    assert (chosen is not None and chosen.owner == "Tengen") == ("empty" in said)


@pytest.mark.parametrize("said", ["", os.pathsep])
def test_no_folder_at_all_means_no_network(said: str, tmp_path: Path) -> None:
    assert places(tmp_path, {"TENGEN_NETWORKS": said}) == []


def test_what_is_shipped_comes_between_large_and_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped, small, middling, large = (
        put(tmp_path / owner / "a.bin.gz", version, blocks=blocks)
        for owner, blocks, version in ((finding.SHIPPED, 1, 8), ("Katago", 1, 17), ("KataGo", 4, 8), ("KaTrain", 9, 17))
    )
    monkeypatch.setattr(finding, "LIGHT", middling.stat().st_size)
    monkeypatch.setattr(finding, "HEAVY", middling.stat().st_size)
    where = [Place(path.parent.name, path.parent) for path in (large, small, shipped, middling)]
    assert [one.path for one in find_networks(where)] == [middling, shipped, small, large]


def test_of_what_is_shipped_the_one_for_the_fewest_sizes_is_taken(tmp_path: Path) -> None:
    for name, boards, blocks in (("all", [9, 19], 9), ("small", [9, 9], 1), ("middle", [9, 13], 4)):
        path = put(tmp_path / f"{name}.bin.gz", blocks=blocks)
        write_card(path, {**CARD, "plays": {"game": "go", "features": "katago-v7", "boards": boards}})
    found = find_networks([Place(finding.SHIPPED, tmp_path)])
    taken = {size: choose(found, (size, size)) for size in (9, 13, 19)}
    assert {size: one and one.path.name for size, one in taken.items()} == {
        9: "small.bin.gz", 13: "middle.bin.gz", 19: "all.bin.gz",
    }  # fmt: skip


def test_one_that_has_to_be_named_is_passed_over(tmp_path: Path) -> None:
    for name, more in (("named", {"by_name": True}), ("taken", {})):
        path = put(tmp_path / f"{name}.bin.gz")
        write_card(path, {**CARD, "plays": {"game": "go", "features": "katago-v7", "boards": [9, 9], **more}})
    found = find_networks([Place(finding.SHIPPED, tmp_path)])
    chosen = choose(found, (9, 9))
    assert len(found) == 2 and chosen is not None and chosen.path.name == "taken.bin.gz"
    assert choose([one for one in found if one is not chosen], (9, 9)) is None


def test_a_shipped_network_goes_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless there is a file of that name; what is no such name stays what it was."""
    monkeypatch.chdir(tmp_path)
    path = shipped.named("tengen-go-9")
    assert Path(path).is_file() and Path(path).name == "tengen-go-9.bin.gz"
    for word in ("tengen-go-8", "./tengen-go-9", "none", "~/tengen-go-9", "", "a" * 4000, "a\0b"):
        assert shipped.named(word) == word
    (tmp_path / "tengen-go-9").write_text("mine")
    assert shipped.named("tengen-go-9") == "tengen-go-9"


# What a card says of its boards -> the sizes that its network is taken for.
BOARDS = {
    "boards = [9, 9]": [9], "boards = [9, 13]": [9, 13], "boards = [2, 99]": [5, 9, 13, 19], "": [5, 9, 13, 19],
    "boards = [13, 9]": [5, 9, 13, 19], "boards = 9": [5, 9, 13, 19],
}  # fmt: skip


@pytest.mark.parametrize("said", BOARDS)
def test_a_card_says_which_boards(said: str, tmp_path: Path) -> None:
    """One that cannot be read says nothing."""
    path = put(tmp_path / "a.bin.gz")
    write_card(path, {**CARD, "plays": {"game": "go", "features": "katago-v7"}})
    card = path.with_name("a.toml")
    card.write_text(card.read_text().replace('features = "katago-v7"', f'features = "katago-v7"\n{said}'))
    (found,) = find_networks([Place("KataGo", tmp_path)])
    assert [size for size in (5, 9, 13, 19) if choose([found], (size, size)) is found] == BOARDS[said]
    assert found.boards is None or choose([found], (found.boards[0] - 1, found.boards[1])) is None


def test_one_of_middling_size_comes_first_and_a_heavy_one_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small, middling, large = (
        put(tmp_path / f"{blocks}.bin.gz", version, blocks=blocks) for blocks, version in ((1, 17), (4, 8), (9, 17))
    )
    monkeypatch.setattr(finding, "LIGHT", middling.stat().st_size)
    monkeypatch.setattr(finding, "HEAVY", middling.stat().st_size)
    assert [one.path for one in find_networks([Place("KataGo", tmp_path)])] == [middling, small, large]


def test_what_cannot_play_is_listed_and_never_taken(tmp_path: Path) -> None:
    put(tmp_path / "human.bin.gz", 15, has_metadata=True)
    (tmp_path / "torn.bin.gz").write_bytes(b"\x1f\x8b torn")
    found = find_networks([Place("KataGo", tmp_path), Place("KaTrain", tmp_path / "none")])
    assert {one.path.name: one.problem for one in found} == {
        "human.bin.gz": "it imitates people and has to be told of them",
        "torn.bin.gz": "the network 'torn.bin.gz' cannot be used: it is damaged (gzip cannot unpack it); fetch it again: a KataGo network (.bin.gz) that is complete",
    }
    assert choose(found) is None and choose([]) is None


def test_one_file_in_two_places_is_one(tmp_path: Path) -> None:
    put(tmp_path / "a.bin.gz")
    assert len(find_networks([Place("KataGo", tmp_path), Place("KaTrain", tmp_path)])) == 1
