"""Back ends and cards: what runs network files, and what is refused."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import onnx_files
import pytest
from numpy.typing import NDArray

from tengen.engine.evaluators.backends import NetworkError, load, make_backend, openvino, read_card
from tengen.engine.evaluators.backends.base import Backend
from tengen.engine.evaluators.backends.openvino import OpenVinoBackend, _core
from tengen.engine.evaluators.backends.requests import KEPT_SHAPES
from tengen.nets import weights


def batch(n: int, side: int = 9, channels: int = 3) -> NDArray[np.float32]:
    return np.random.default_rng(n * 100 + side).normal(size=(n, channels, side, side)).astype(np.float32)


def backend(**settings: object) -> Backend:
    return OpenVinoBackend(onnx_files.network(), threads=1, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [1, 2, 4, 5, 11, 33])
@pytest.mark.parametrize("side", [9, 13])
def test_a_batch_is_answered_row_by_row(n: int, side: int) -> None:
    network = backend(buckets=(1, 4, 16))
    inputs = batch(n, side)
    found = network.run(inputs)
    assert tuple(found) == network.outputs == ("planes", "means")
    assert found["planes"].dtype == np.float32 and found["means"].shape == (n, 4, 1, 1)
    wanted = onnx_files.expected(inputs)
    np.testing.assert_allclose(found["planes"], wanted, atol=1e-5)
    np.testing.assert_allclose(found["means"][..., 0, 0], wanted.mean((2, 3)), atol=1e-5)


def test_any_memory_layout_is_taken() -> None:
    inputs = batch(4)
    turned = np.asfortranarray(inputs)
    np.testing.assert_array_equal(backend().run(turned)["planes"], backend().run(inputs)["planes"])


def test_answers_are_fresh_and_repeat_to_the_bit() -> None:
    network = backend()
    first = network.run(batch(3))
    kept = first["planes"].copy()
    network.run(batch(4))
    np.testing.assert_array_equal(first["planes"], kept)
    np.testing.assert_array_equal(network.run(batch(3))["planes"], kept)


@pytest.mark.parametrize("threads", [None, 1, 2])
def test_threads_change_nothing(threads: int | None) -> None:
    network = OpenVinoBackend(onnx_files.network(), threads=threads)
    np.testing.assert_allclose(network.run(batch(4))["planes"], onnx_files.expected(batch(4)), atol=1e-5)


def test_f32_is_asked_for_and_bf16_is_near() -> None:
    asked = {name: backend(precision=name)._settings["INFERENCE_PRECISION_HINT"] for name in ("f32", "bf16")}  # type: ignore[attr-defined]
    assert asked == {"f32": "f32", "bf16": "bf16"}
    np.testing.assert_allclose(
        backend(precision="bf16").run(batch(4))["planes"], onnx_files.expected(batch(4)), atol=0.15
    )


def test_few_shapes_are_compiled_and_kept() -> None:
    network = OpenVinoBackend(onnx_files.network(), threads=1, buckets=(1, 4))
    for n in (1, 2, 3, 4, 5, 9):
        network.run(batch(n))
    assert network._pool is not None
    assert network._pool.shapes == [((4, 3, 9, 9),), ((1, 3, 9, 9),)]
    for side in range(10, 10 + KEPT_SHAPES):
        network.run(batch(1, side))
    assert len(network._pool.shapes) == KEPT_SHAPES and ((4, 3, 9, 9),) not in network._pool.shapes


def test_the_next_batch_is_compiled_ahead_of_its_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the second use of a shape, by another thread; whoever comes before it is ready waits for that one."""
    network, compiled = OpenVinoBackend(onnx_files.network(), threads=1, buckets=(1, 4, 16)), list[tuple[int, bool]]()
    compile_model, is_begun = network._compile, threading.Event()

    def slowly(shapes: tuple[tuple[int, ...], ...]) -> object:
        compiled.append((shapes[0][0], threading.current_thread() is threading.main_thread()))
        is_begun.set()
        time.sleep(0.2)
        return compile_model(shapes)

    assert network._pool is not None
    monkeypatch.setattr(network._pool, "_compile", slowly)
    network.run(batch(1))
    assert compiled == [(1, True)]
    is_begun.clear()
    network.run(batch(1))
    assert is_begun.wait(10)
    np.testing.assert_allclose(network.run(batch(3))["planes"], onnx_files.expected(batch(3)), atol=1e-5)
    assert compiled == [(1, True), (4, False)]
    network.close()


def test_what_is_compiled_begins_at_once() -> None:
    """And its answer can be waited for in pieces; memory of an earlier, larger batch does not show."""
    network = OpenVinoBackend(onnx_files.network(inputs=TWO), threads=1, buckets=(1, 4))
    given = {name: batch(3) for name in TWO}
    assert not network.is_prompt(given)
    network.run({name: batch(4) + 5 for name in TWO})
    assert network.is_prompt(given) and not network.is_prompt({name: batch(1) for name in TWO})
    ticket = network.submit(given)
    while not ticket.is_there(0.001):
        pass
    alone = OpenVinoBackend(onnx_files.network(inputs=TWO), threads=1, buckets=(1, 4)).run(given)
    np.testing.assert_array_equal(ticket.wait()["planes"], alone["planes"])
    assert ticket.is_there(0)
    network.close()
    assert not network.is_prompt(given)


def test_compiled_networks_are_kept_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within bounds; a damaged file and a folder that cannot be written change nothing."""
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "cache", tmp_path / "cache", tmp_path / "file"):
        monkeypatch.setenv("TENGEN_CACHE", str(folder))
        np.testing.assert_allclose(backend().run(batch(4))["planes"], onnx_files.expected(batch(4)), atol=1e-5)
        if folder.name == "cache":
            (kept,) = (folder / "compiled").iterdir()
            kept.chmod(0o644)
            kept.write_bytes(kept.read_bytes()[:100])
    monkeypatch.setattr(openvino, "MOST_KEPT", 0)
    monkeypatch.setenv("TENGEN_CACHE", str(tmp_path / "cache"))
    backend().run(batch(1))
    assert len(list((tmp_path / "cache" / "compiled").iterdir())) == 1


TWO = ("x", "y")


def test_two_inputs_by_name() -> None:
    """The network adds them."""
    network = OpenVinoBackend(onnx_files.network(inputs=TWO), threads=1)
    assert network.inputs == dict.fromkeys(TWO, (0, 3, 0, 0))
    found = network.run({"y": batch(5), "x": 2 * batch(5)})
    np.testing.assert_allclose(found["planes"], onnx_files.expected(3 * batch(5)), atol=1e-5)


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        (batch(2), "takes x, y by name"),
        ({"x": batch(2)}, "takes x, y, not x"),
        ({"x": batch(2), "z": batch(2)}, "takes x, y, not x, z"),
        ({"x": batch(2), "y": batch(3)}, "as many rows of every input"),
        ({"x": batch(2), "y": batch(2, channels=4)}, "takes float32 nx3xanyxany, not float32 2x4x9x9"),
    ],
)
def test_inputs_that_do_not_fit(inputs: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        OpenVinoBackend(onnx_files.network(inputs=TWO), threads=1).run(inputs)  # type: ignore[arg-type]


def test_many_batches_on_their_way() -> None:
    """Answers come back to their ticket, in whatever order they are asked for; some are never asked for."""
    network = backend(buckets=(1, 4))
    sizes = [1, 3, 4, 9, 2, 1, 4, 5] * 8
    tickets = [(n, network.submit(batch(n))) for n in sizes]
    del tickets[5::7]
    for n, ticket in reversed(tickets):
        np.testing.assert_allclose(ticket.wait()["planes"], onnx_files.expected(batch(n)), atol=1e-5)
        assert ticket.wait() is ticket.wait()


def test_what_was_submitted_may_be_changed() -> None:
    network, inputs = backend(), batch(4)
    ticket = network.submit(inputs)
    inputs[:] = 0
    np.testing.assert_allclose(ticket.wait()["planes"], onnx_files.expected(batch(4)), atol=1e-5)


def test_two_threads_get_their_own_answers() -> None:
    """1,000 calls from two threads, of several sizes, some on their way at once."""
    network = backend(buckets=(1, 4))
    wanted = {(n, side): onnx_files.expected(batch(n, side)) for n in (1, 2, 4) for side in (9, 13)}
    wrong: list[tuple[int, int]] = []

    def call(offset: int) -> None:
        cases = list(wanted)
        before = None
        for step in range(500):
            case = cases[(step * (offset + 1) + offset) % len(cases)]
            now = (case, network.submit(batch(*case)))
            if before is not None and not np.allclose(before[1].wait()["planes"], wanted[before[0]], atol=1e-5):
                wrong.append(before[0])
            before = now

    threads = [threading.Thread(target=call, args=(offset,)) for offset in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_closing_while_a_batch_is_on_its_way() -> None:
    network = backend()
    ticket = network.submit(batch(4))
    network.close()
    np.testing.assert_allclose(ticket.wait()["planes"], onnx_files.expected(batch(4)), atol=1e-5)


def test_a_network_of_one_fixed_shape() -> None:
    network = OpenVinoBackend(onnx_files.network(batch=2, side=9), threads=1)
    np.testing.assert_allclose(network.run(batch(5))["planes"], onnx_files.expected(batch(5)), atol=1e-5)
    with pytest.raises(ValueError, match="takes float32 nx3x9x9, not float32 1x3x10x10"):
        network.run(batch(1, 10))


@pytest.mark.parametrize(
    "inputs",
    [batch(1, channels=4), batch(1)[0], batch(1).astype(np.float64), batch(1)[:0], batch(1)[..., :0]],
    ids=["channels", "rank", "type", "no row", "no column"],
)
def test_what_the_network_does_not_take(inputs: NDArray[np.float32]) -> None:
    with pytest.raises(ValueError, match="takes float32 nx3xanyxany, not "):
        backend().run(inputs)


def test_closed() -> None:
    network = backend()
    network.run(batch(1))
    network.close()
    network.close()
    with pytest.raises(RuntimeError, match="is closed"):
        network.run(batch(1))


@pytest.mark.parametrize(
    "settings", [{"threads": 0}, {"precision": "f16"}, {"buckets": ()}, {"buckets": (4, 1)}, {"buckets": (0, 1)}]
)
def test_settings_out_of_range(settings: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="must be"):
        OpenVinoBackend(onnx_files.network(), **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "model",
    [b"", b"no onnx", onnx_files.network()[:200], onnx_files.network(inputs=("x", "y"), batches=(1, 2))],
    ids=["empty", "text", "cut short", "two batch sizes"],
)
def test_models_that_cannot_be_used(model: bytes) -> None:
    with pytest.raises(NetworkError, match="the network 'odd'") as caught:
        OpenVinoBackend(model, "odd")
    assert "\n" not in str(caught.value)


# Files and cards


def test_load(tmp_path: Path) -> None:
    card, network = load(onnx_files.write(tmp_path), threads=1)
    assert (card.name, card.shape, card.channels) == ("tiny", (0, 3, 0, 0), ("blue", "green", "red"))
    assert card.settings == {"pitch": 12} and card.figures == {"points right": 0.5}
    assert set(card.outputs) == set(network.outputs) and card.credits == ("nobody",)
    np.testing.assert_allclose(network.run(batch(2))["planes"], onnx_files.expected(batch(2)), atol=1e-5)


def test_a_card_survives_writing(tmp_path: Path) -> None:
    from tengen.engine.toml import dumps

    path = onnx_files.write(tmp_path).with_suffix(".toml")
    card = read_card(path)
    path.write_text(dumps(card.as_table()), "utf-8")
    assert read_card(path) == card


BROKEN = {
    "no network": (lambda path: path.unlink(), "cannot read the network 'tiny.onnx': No such file"),
    "a folder": (lambda path: (path.unlink(), path.mkdir()), "cannot read the network 'tiny.onnx'"),
    "a pipe": (lambda path: (path.unlink(), os.mkfifo(path)), "'tiny.onnx': it is not a regular file"),
    "a device": (lambda path: (path.unlink(), path.symlink_to("/dev/zero")), "'tiny.onnx': it is not a regular file"),
    "a loop": (
        lambda path: (path.unlink(), path.symlink_to(path.name)),
        "'tiny.onnx': Too many levels of symbolic links",
    ),
    "a card that is a pipe": (
        lambda path: (path.with_suffix(".toml").unlink(), os.mkfifo(path.with_suffix(".toml"))),
        "cannot read the card 'tiny.toml': it is not a regular file",
    ),
    "a card without end": (
        lambda path: path.with_suffix(".toml").write_text("#" * 300_000, "utf-8"),
        "the card 'tiny.toml': it is larger than 256 kB",
    ),
    "a card of dots": (
        lambda path: path.with_suffix(".toml").write_text(".".join("a" * 50_000), "utf-8"),
        "a key of more than 16 parts",
    ),
    "another network": (lambda path: path.write_bytes(b"other"), "is not the one that its card describes"),
    "one bit": (lambda path: path.write_bytes(path.read_bytes()[:-1] + b"\0"), "is not the one that its card"),
    "no card": (lambda path: path.with_suffix(".toml").unlink(), "'tiny.toml' is missing beside it"),
    "no TOML": (lambda path: path.with_suffix(".toml").write_text("a = ", "utf-8"), "is not valid TOML"),
    "no text": (lambda path: path.with_suffix(".toml").write_bytes(b"\xff\xfe"), "is not valid TOML"),
    "an empty card": (lambda path: path.with_suffix(".toml").write_text("", "utf-8"), "lacks 'input'"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_files_that_cannot_be_used(tmp_path: Path, name: str) -> None:
    path = onnx_files.write(tmp_path)
    breaks, sentence = BROKEN[name]
    breaks(path)  # type: ignore[no-untyped-call]
    with pytest.raises(NetworkError, match=sentence) as caught:
        load(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('licence = "MIT"', "", "lacks 'licence'"),
        ('licence = "MIT"', "licence = 3", "lacks 'licence'"),
        ("credits = ", "credits = 3 #", "credits that are not a list of texts"),
        ("credits = ", 'credits = "somebody" #', "credits that are not a list of texts"),
        ("credits = ", "credits = [1] #", "credits that are not a list of texts"),
        ("[figures]", "[[figures]]", "lacks 'figures'"),
        ("[settings]", "[[settings]]", "lacks 'settings'"),
        ("shape = [0, 3, 0, 0]", 'shape = ["n", 3]', "a shape that is not of integers"),
        ('sha256 = "', 'sha256 = "x', "no sha256 of 64"),
    ],
)
def test_cards_that_lack_something(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    path = onnx_files.write(tmp_path).with_suffix(".toml")
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(NetworkError, match=sentence):
        read_card(path)


def test_unknown_back_end() -> None:
    with pytest.raises(NetworkError, match=r"unknown back end 'openvin' \(did you mean 'openvino'\?\)"):
        make_backend("openvin")


def test_missing_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openvino", None)
    _core.cache_clear()
    try:
        with pytest.raises(NetworkError, match=r"needs the package openvino, which is not installed; run: .*\[nets\]"):
            load(onnx_files.write(tmp_path))
    finally:
        _core.cache_clear()


def test_nothing_is_printed_and_no_telemetry_is_loaded(tmp_path: Path) -> None:
    path = onnx_files.write(tmp_path)
    code = (
        "import sys, numpy as np\n"
        "from tengen.engine.evaluators.backends import load\n"
        "assert 'openvino' not in sys.modules and 'torch' not in sys.modules\n"
        f"network = load({str(path)!r}, threads=1).backend\n"
        "network.run(np.zeros((3, 3, 9, 9), np.float32))\n"
        "assert 'openvino_telemetry' not in sys.modules and 'torch' not in sys.modules\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_shipped_networks_have_cards() -> None:
    """Every one is the file of its card."""
    from tengen.engine.evaluators.backends.cards import read_network

    assert all(read_network(weights.path_of(name))[0].name == name for name in weights.names())
    assert weights.path_of("photo").name == "photo.onnx"
