"""Networks of Go that begin with the weights of a file: they answer as the file does, and go on learning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import tengen.nets.weights as shipped  # noqa: E402
from tengen.engine.evaluators.backends.features import feature_set  # noqa: E402
from tengen.engine.evaluators.katago.layers import BatchNorm  # noqa: E402
from tengen.engine.evaluators.katago.model import Model, glance  # noqa: E402
from tengen.engine.evaluators.katago.reading import read_model  # noqa: E402
from tengen.nets.katago_export import as_katago, export_katago  # noqa: E402
from tengen.nets.katago_file import save  # noqa: E402
from tengen.nets.katago_import import import_katago  # noqa: E402
from tengen.nets.models import KataGoNet, build  # noqa: E402
from tengen.nets.spec import ModelSpec  # noqa: E402

SHIPPED = Path(shipped.__file__).parent / "tengen-go-9-19.bin.gz"


def network(seed: int, channels: int = 8, blocks: int = 3, **more: Any) -> KataGoNet:
    torch.manual_seed(seed)
    spec = ModelSpec(kind="katago", blocks=blocks, channels=channels, **more)
    model = build(spec, feature_set("go", "katago-v7"))
    assert isinstance(model, KataGoNet)
    for name, values in model.named_buffers():  # as if it had learned
        if name.endswith("running_mean"):
            values.uniform_(-1, 1)
        elif name.endswith("running_var"):
            values.uniform_(0.5, 2)
    return model


def answers(model: KataGoNet) -> dict[str, Any]:
    random = torch.Generator().manual_seed(3)
    planes = (torch.rand(2, 22, 9, 9, generator=random) > 0.7).float()
    planes[:, 0] = 1
    with torch.no_grad():
        return model.eval()(planes, torch.rand(2, 19, generator=random))


def told(model: KataGoNet) -> Iterator[tuple[str, Any]]:
    """All that a file holds; of what it does not hold, nothing is compared."""
    return ((name, values) for name, values in answers(model).items() if name not in ("next_policy", "soft_policy"))


def test_a_network_answers_as_the_one_whose_file_it_begins_with(tmp_path: Path) -> None:
    first, path = network(1), tmp_path / "first.bin.gz"
    save(as_katago(first, "first"), path, CARD)
    second = network(2, soft_policy=True)
    before = answers(second)["next_policy"]
    import_katago(second, path)
    theirs = answers(first)
    for name, values in told(second):
        torch.testing.assert_close(values, theirs[name], msg=name)
    assert answers(second)["next_policy"].shape == before.shape


def test_a_larger_network_answers_as_the_file_until_it_learns(tmp_path: Path) -> None:
    """And what is new in it is not idle: other weights of it give other answers once the old ones read them."""
    first, path = network(1), tmp_path / "first.bin.gz"
    save(as_katago(first, "first"), path, CARD)
    second = network(2, channels=20, blocks=5, pooled=3, head=40, hidden=70)
    import_katago(second, path)
    theirs = answers(first)
    for name, values in told(second):
        torch.testing.assert_close(values, theirs[name], msg=name)
    second.train()
    random = torch.Generator().manual_seed(3)
    said = second((torch.rand(4, 22, 9, 9, generator=random) > 0.5).float(), torch.rand(4, 19, generator=random))
    said["policy"].square().sum().backward()
    reads_new = second.get_submodule("policy.conv").weight.grad[:32, 8:]
    assert (reads_new != 0).all()
    assert (second.get_submodule("trunk.blocks.4.conv2").weight.grad != 0).any(), "and new blocks learn"


CARD: dict[str, Any] = {
    "name": "first", "purpose": "tests", "licence": "MIT",
    "training": {"data": "none", "command": "tengen train"},
    "input": {"shape": [0, 22, 0, 0], "channels": [], "normalisation": "none"}, "outputs": {},
}  # fmt: skip


def test_the_shipped_network_comes_back_layer_by_layer(tmp_path: Path) -> None:
    told = glance(SHIPPED)
    model = network(1, channels=told.channels, blocks=told.blocks)
    import_katago(model, SHIPPED)
    export_katago(model, tmp_path / "again.bin.gz", {**CARD, "name": "again"})
    again, wanted = read_model(tmp_path / "again.bin.gz"), read_model(SHIPPED)
    np.testing.assert_array_equal(again.value.ownership.weights, wanted.value.ownership.weights)
    np.testing.assert_array_equal(again.policy.pass_matrix.weights, wanted.policy.pass_matrix.weights)
    assert isinstance(again.trunk.norm, BatchNorm) and isinstance(wanted.trunk.norm, BatchNorm)
    for mine, theirs in zip(again.trunk.norm.merged(), wanted.trunk.norm.merged(), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-6)


def test_a_normalisation_by_another_epsilon_answers_the_same(tmp_path: Path) -> None:
    first, path = network(1), tmp_path / "first.bin.gz"
    made = as_katago(first, "first")
    assert isinstance(made.trunk.norm, BatchNorm)
    norm = replace(made.trunk.norm, epsilon=0.1, variance=made.trunk.norm.variance + first.trunk.norm.eps - 0.1)
    save(Model(made.header, replace(made.trunk, norm=norm), made.policy, made.value), path, CARD)
    second = network(2)
    import_katago(second, path)
    torch.testing.assert_close(answers(second)["policy"], answers(first)["policy"])


@pytest.mark.parametrize("other", [{"channels": 16}, {"blocks": 4}, {"pooling": 0}, {"hidden": 80}])
def test_a_file_of_another_shape_is_refused_and_changes_nothing(tmp_path: Path, other: dict[str, Any]) -> None:
    path, model = tmp_path / "other.bin.gz", network(2)
    save(as_katago(network(1, **other), "other"), path, CARD)
    before = answers(model)
    with pytest.raises(ValueError, match="has other blocks or more channels than this network"):
        import_katago(model, path)
    for name, values in answers(model).items():
        torch.testing.assert_close(values, before[name], rtol=0, atol=0)
