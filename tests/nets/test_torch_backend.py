"""KataGo's networks by PyTorch say what they say by OpenVINO, and what KataGo says; devices that are not there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx_files
import pytest
from katago_answers import BAR, cut, difference, game_of
from katago_files import network

from tengen.engine.evaluators.backends import BACKENDS, backend_for, make_backend
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.katago import ROOT_OPTIMISM
from tengen.engine.evaluators.katago.network import load_katago
from tengen.engine.evaluators.katago.source import KataGoSource
from tengen.engine.play.go.katago_inputs import Facts, encode_all

torch = pytest.importorskip("torch")

KINDS = ("ordinary", "pooling", "bottleneck", "learned", "fixed", "plain", "feed_forward")
"""All kinds of block."""


@pytest.mark.parametrize("is_masked", [True, False])
@pytest.mark.parametrize(
    ("version", "norm", "has_metadata"), [(8, "batch", False), (15, "rms", True), (17, "spatial", False)]
)
def test_both_say_the_same(version: int, norm: str, has_metadata: bool, is_masked: bool) -> None:
    source = KataGoSource(network(KINDS, version, norm=norm, has_metadata=has_metadata), is_masked=is_masked)
    random = np.random.default_rng(version)
    made = {
        name: make_backend(name)(source, "tiny", threads=1, precision="f32", buckets=(1, 4))
        for name in ("openvino", "torch")
    }
    assert made["torch"].inputs == made["openvino"].inputs and set(made["torch"].outputs) == set(
        made["openvino"].outputs
    )
    for count, side in ((3, 7), (1, 9)):
        inputs = {
            name: random.random((count, *(size or side for size in shape[1:]))).astype(np.float32)
            for name, shape in source.ports.items()
        }
        inputs["planes"][:, 0] = 1
        inputs["planes"][0, :, -1:] = 0 if is_masked else inputs["planes"][0, :, -1:]
        wanted, found = (made[name].run(inputs) for name in ("openvino", "torch"))
        for name, rows in wanted.items():
            np.testing.assert_allclose(found[name], rows, rtol=1e-3, atol=2e-4, err_msg=name)


@pytest.mark.parametrize("name", ["g170-b6c96", "b7c96h3tfrs-test5-cnorm", "b7c96h6kv3qk32v16tflrs-fson-bnh"])
def test_it_says_what_katago_says(name: str, shared: Callable[[str], Path]) -> None:
    """The bars of f32, 9x9."""
    positions = [row for row in json.loads(shared("data/go/katago/raw_nn.json").read_text())]
    reference = "raw_nn" if name == "g170-b6c96" else f"raw_nn_{name}"
    said = [row.get("out", row) for row in json.loads(shared(f"data/go/katago/{reference}.json").read_text())]
    chosen = [at for at, position in enumerate(positions) if position["size"] == 9]
    games = [game_of(positions[at]) for at in chosen]
    net = load_katago(shared(f"data/go/katago/{name}.bin.gz"), backend="torch", threads=1, is_masked=False)
    planes, numbers = encode_all(games, facts=Facts(suicide_in_life=net.header.has_suicide_life))
    answer = cut(net.submit(planes, numbers, optimism=ROOT_OPTIMISM).wait(), 9)
    far = [difference(game, answer, row, said[at]) for row, (at, game) in enumerate(zip(chosen, games, strict=True))]
    assert len(far) == 30 and [one for one in far if not one.is_within(BAR)] == []


def test_what_it_cannot_run() -> None:
    make = make_backend("torch")
    settings = {"threads": 1, "buckets": (1,)}
    with pytest.raises(NetworkError, match="is an ONNX file, which the torch back end does not run"):
        make(onnx_files.network(), "x.onnx", precision="f32", **settings)  # type: ignore[arg-type]
    source = KataGoSource(network(("ordinary",), 14))
    with pytest.raises(NetworkError, match="does not run 'x' in int8"):
        make(source, "x", precision="int8", **settings)  # type: ignore[arg-type]
    made = make(source, "x", precision="f32", **settings)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="takes planes, globals"):
        made.submit({"planes": np.zeros((1, 22, 5, 5), np.float32)})
    with pytest.raises(ValueError, match="takes float32 nx22xanyxany"):
        made.submit({"planes": np.zeros((1, 21, 5, 5), np.float32), "globals": np.zeros((1, 19), np.float32)})
    made.close()
    with pytest.raises(RuntimeError, match="is closed"):
        made.submit({})


def test_devices() -> None:
    """A device that is not there is named with those that are."""
    from tengen.engine.evaluators.backends.openvino import OpenVinoBackend, _core

    assert backend_for("cpu") == "openvino"
    there = {name.partition(".")[0].lower() for name in _core().available_devices}
    for device in {"gpu", "npu"} - there:
        if device == "gpu" and torch.cuda.is_available():
            assert backend_for(device) == "torch"
            continue
        with pytest.raises(NetworkError, match=f"OpenVINO finds no {device} on this machine, but (\\w+ and )*cpu"):
            backend_for(device)
        with pytest.raises(NetworkError, match=f"OpenVINO finds no {device}"):
            make_backend(f"openvino-{device}")(onnx_files.network(), "x", threads=1, precision="f32", buckets=(1,))
    assert set(BACKENDS) == {"openvino", "openvino-gpu", "openvino-npu", "torch"} and OpenVinoBackend.DEVICE == "CPU"


def test_a_device_that_is_not_there_ends_the_program(tengen: Callable[..., object], tmp_path: Path) -> None:
    from katago_files import file_of

    from tengen.engine.evaluators.backends.openvino import _core

    if any(name.startswith("NPU") for name in _core().available_devices):
        pytest.skip("this machine has one")
    path = tmp_path / "tiny.bin.gz"
    path.write_bytes(file_of(network(("ordinary",), 14)))
    done = tengen("gtp", "--net", str(path), "--device", "npu", send="name\nquit\n")
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1  # type: ignore[attr-defined]
    assert "OpenVINO finds no npu on this machine, but cpu" in done.stderr  # type: ignore[attr-defined]
