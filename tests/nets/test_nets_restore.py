"""Weights that come back from the shipped files: training goes on from what people have."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

import tengen.nets.weights as shipped  # noqa: E402
from tengen.nets.export import export  # noqa: E402
from tengen.nets.restore import load_onnx, mix, settle_norms  # noqa: E402
from tengen.tools.lab.photo.exporting import SHAPES  # noqa: E402
from tengen.tools.lab.photo.training import NETWORKS, new_network  # noqa: E402
from tengen.tools.photo.networks import run  # noqa: E402

FOLDER = Path(shipped.__file__).parent


@pytest.mark.parametrize("name", NETWORKS)
def test_a_shipped_network_answers_the_same_in_its_model(name: str) -> None:
    torch.manual_seed(1)
    given = torch.rand(2, *SHAPES[name])
    model = new_network(name)
    load_onnx(model, FOLDER / f"photo-{name}.onnx", given)
    expected = run(name, given.numpy())

    def agrees() -> None:
        with torch.no_grad():
            answer = model.eval()(given)
        for got, key in zip(answer if isinstance(answer, tuple) else (answer,), expected, strict=True):
            assert np.abs(got.numpy() - expected[key]).max() < 1e-3 * max(1.0, np.abs(expected[key]).max())

    agrees()
    settle_norms(model, [given])
    agrees()
    norms = [module for module in model.modules() if isinstance(module, torch.nn.BatchNorm2d)]
    assert max(norm.running_mean.abs().max() for norm in norms) > 0.1, "it knows what passes through"


def test_weights_of_another_network_are_refused() -> None:
    model = new_network("finder")
    with pytest.raises(ValueError, match="another network"):
        load_onnx(model, FOLDER / "photo-reader.onnx", torch.zeros(1, *SHAPES["finder"]))


def test_mixed_weights_lie_between(tmp_path: Path) -> None:
    import onnx
    from onnx import numpy_helper

    new, old = tmp_path / "new.onnx", FOLDER / "photo-reader.onnx"
    given, model = torch.zeros(1, *SHAPES["reader"]), new_network("reader")
    for weight in model.parameters():  # the export writes equal ones once
        torch.nn.init.normal_(weight)
    export(model, new, given, ("points",), {"name": "photo-reader"}, free=(0, 2, 3))
    start, end = (numpy_helper.to_array(onnx.load(str(path)).graph.initializer[0]) for path in (new, old))
    mix(new, old, 0.25)
    got = numpy_helper.to_array(onnx.load(str(new)).graph.initializer[0])
    assert np.allclose(got, 0.75 * start + 0.25 * end, atol=1e-6) and not np.allclose(start, end)
    with pytest.raises(ValueError, match="another network"):
        mix(new, FOLDER / "photo-finder.onnx", 0.5)
