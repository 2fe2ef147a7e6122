"""The network of a configuration: loaded once, in a thread, and never in the way of the end of the process."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from checkout import needs_openvino
from katago_files import file_of, network

from tengen.engine.config import Config
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.background import Chosen, Loading, Unwanted, chosen_file
from tengen.engine.evaluators.katago import finding
from tengen.engine.play.networks import begun_network, named_network, network_of

needs_openvino()


CARD = """sha256 = "{digest}"
name = "tiny"
purpose = "tests"
licence = "MIT"
[plays]
game = "go"
features = "katago-v7"
boards = {{boards}}
[input]
shape = [0, 22, 0, 0]
channels = []
normalisation = "none"
[outputs]
[training]
data = "none"
command = "none"
""".format(digest="0" * 64)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "tiny.bin.gz"
    made.write_bytes(file_of(network(("ordinary",), 14)))
    return made


def test_all_who_play_by_it_share_it(path: Path) -> None:
    config = Config(net=str(path), threads=1, precision="f32")
    first, second = network_of(config), network_of(config)
    assert first is second is not None and first.get() is second.get()
    assert first.get().precision == "f32" and first.get().evaluator.name == "tiny-net"
    assert first.sentences() == ["the network 'tiny.bin.gz' (tiny-net), named, in f32"]
    assert network_of(Config(net=str(path), threads=2, precision="f32")) is not first
    first.get().evaluator.close()


@pytest.mark.parametrize(
    "config", [Config(), Config(net="none"), Config(net="None"), Config(net="auto", game="gomoku")]
)
def test_nobody_wants_one(config: Config) -> None:
    assert network_of(config) is None and named_network(config) is None and begun_network(config) is None


def test_auto_takes_what_is_found(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = [finding.Place("KaTrain", tmp_path)]
    monkeypatch.setattr(finding, "places", lambda: places)
    assert named_network(Config(net="Auto")) == "auto"
    assert chosen_file("auto") == Chosen(path, "found in KaTrain's folder")
    places.clear()
    loading = network_of(Config(net="auto"))
    assert loading is not None
    with pytest.raises(NetworkError, match=r"no network was found on this machine \('tengen net get' fetches one\)"):
        loading.get()
    places.append(finding.Place("KaTrain", tmp_path))  # where somebody puts one meanwhile
    loading = network_of(Config(net="auto"))
    assert loading is not None and loading.get().evaluator.header.name == "tiny-net"
    loading.get().evaluator.close()


def test_auto_goes_by_the_size_of_the_board(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One for 5x5 to 9x9 by its card, one for all others; each is loaded once, and neither is found for what it is not."""
    small = tmp_path / "small" / "tiny.bin.gz"
    small.parent.mkdir()
    small.write_bytes(path.read_bytes())
    (small.parent / "tiny.toml").write_text(CARD.format(boards="[5, 9]"))
    monkeypatch.setattr(
        finding, "places", lambda: [finding.Place("Tengen", small.parent), finding.Place("KataGo", tmp_path)]
    )
    config = Config(net="auto", precision="f32", threads=1)
    found = {size: network_of(config, size) for size in ((9, 9), (5, 7), (13, 13), (9, 10), (19, 19))}
    chosen = {size: loading.future.result()[0].path for size, loading in found.items() if loading is not None}
    assert chosen == {(9, 9): small, (5, 7): small, (13, 13): path, (9, 10): path, (19, 19): path}
    evaluators = {size: loading.get().evaluator for size, loading in found.items() if loading is not None}
    assert len({id(one) for one in evaluators.values()}) == 2
    path.unlink()
    loading = network_of(Config(net="auto", precision="f32", threads=2), (25, 25))
    assert loading is not None
    with pytest.raises(NetworkError, match="no network for boards of 25x25 was found on this machine"):
        loading.get()
    for one in evaluators.values():
        one.close()


def test_one_that_failed_is_tried_again(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:500])
    config = Config(net=str(path), threads=1)
    for _ in range(2):
        loading = network_of(config)
        assert loading is not None
        with pytest.raises(NetworkError, match="'tiny.bin.gz' cannot be used: it is cut short"):
            loading.get()
    path.write_bytes(whole)
    loading = network_of(config)
    assert loading is not None
    loading.get().evaluator.close()


def test_what_is_not_wanted_ends_between_two_steps() -> None:
    def load(go_on: Callable[[], None]) -> None:
        while True:
            go_on()
            time.sleep(0.001)

    loading = Loading(load)  # type: ignore[arg-type]
    assert not loading.is_done and loading.error is None
    loading.cancel()
    assert isinstance(loading.future.exception(1), Unwanted) and isinstance(loading.error, Unwanted)
    with pytest.raises(Unwanted):
        loading.get()


ENDING = """
import sys, time
from tengen.engine.config import Config
from tengen.engine.play.networks import network_of
network_of(Config(net=sys.argv[1], precision="bf16", threads=1))
time.sleep(float(sys.argv[2]))
"""


PREPARING = """
import sys, time
from tengen.engine.config import Config
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
live = Player(Config(net=sys.argv[1], threads=1, time=0.1))
live.genmove(MoveRequest(0))
time.sleep(float(sys.argv[2]))
"""


@pytest.mark.parametrize("code", [ENDING, PREPARING], ids=["loading", "preparing"])
@pytest.mark.parametrize("seconds", [0, 0.3, 0.7, *(pytest.param(one, marks=pytest.mark.slow) for one in (0.5, 1.0))])
def test_a_process_may_end_while_it_loads(seconds: float, code: str, shared: Callable[[str], Path]) -> None:
    """It was ended by SIGABRT or SIGSEGV when a thread was compiling."""
    net = shared("data/go/katago/b7c96h3tfrs-test5-cnorm.bin.gz")
    done = subprocess.run(
        [sys.executable, "-c", code, str(net), str(seconds)], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
