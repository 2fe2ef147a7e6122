"""Muon: orthogonal steps for the hidden layers, AdamW's for the others."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from tengen.engine.evaluators.backends.features import feature_set  # noqa: E402
from tengen.nets.learning import make_optimizer  # noqa: E402
from tengen.nets.models import build  # noqa: E402
from tengen.nets.muon import LIKE_ADAM, Muon, orthogonal  # noqa: E402
from tengen.nets.recipe import LearningRecipe, Schedule  # noqa: E402
from tengen.nets.spec import ModelSpec  # noqa: E402


@pytest.mark.parametrize("shape", [(32, 288), (48, 96), (96, 24)])
def test_a_matrix_becomes_about_orthogonal(shape: tuple[int, int]) -> None:
    """All its singular values are near 1, and its singular vectors stay: U S V' becomes about U V'."""
    matrix = torch.randn(shape)
    found = orthogonal(matrix)
    values = torch.linalg.svdvals(found)
    assert found.shape == shape and 0.5 < float(values.min()) and float(values.max()) < 1.3
    left, _, right = torch.linalg.svd(matrix, full_matrices=False)
    aligned = (left.T @ found @ right.T).diagonal()
    assert float(aligned.min()) > 0.45


def test_other_layers_learn_as_by_adamw() -> None:
    rows, wanted = torch.randn(64, 5), torch.randn(64, 3)
    nets = [nn.Linear(5, 3) for _ in range(2)]
    nets[1].load_state_dict(nets[0].state_dict())
    makers = (
        Muon([{"params": list(nets[0].parameters()), "weight_decay": 0.1}], lr=0.01),
        torch.optim.AdamW(nets[1].parameters(), lr=0.01, weight_decay=0.1),
    )
    for _ in range(20):
        for net, maker in zip(nets, makers, strict=True):
            maker.zero_grad()
            nn.functional.mse_loss(net(rows), wanted).backward()
            maker.step()
    for mine, theirs in zip(nets[0].parameters(), nets[1].parameters(), strict=True):
        torch.testing.assert_close(mine, theirs)


def test_a_hidden_step_has_the_size_of_one_of_adamw_whatever_the_gradient() -> None:
    sizes = []
    for scale in (1e-6, 1.0, 1e6):
        weight = nn.Parameter(torch.zeros(32, 16, 3, 3))
        weight.grad = scale * torch.randn(weight.shape)
        Muon([{"params": [weight], "is_hidden": True}], lr=0.01).step()
        sizes.append(float(weight.detach().square().mean().sqrt()))
    assert sizes == pytest.approx([0.01 * LIKE_ADAM] * 3, rel=0.25)


def test_blocks_alone_are_hidden_and_decay_is_of_weights() -> None:
    spec = ModelSpec(kind="katago", blocks=2, channels=16, pooling=2, pooled=8, head=8, hidden=16)
    model = build(spec, feature_set("go", "katago-v7"), (9, 9))
    maker = make_optimizer(model, LearningRecipe(schedule=Schedule(0.01), optimizer="muon", decay=0.1))
    hidden = {id(one): group["is_hidden"] for group in maker.param_groups for one in group["params"]}
    decay = {id(one): group["weight_decay"] for group in maker.param_groups for one in group["params"]}
    for name, one in model.named_parameters():
        assert hidden[id(one)] == (".blocks." in name and one.dim() > 1), name
        assert decay[id(one)] == (0.1 if one.dim() > 1 else 0.0), name
    with pytest.raises(ValueError, match="muon is for networks with residual blocks; choose adamw"):
        make_optimizer(nn.Linear(3, 3), LearningRecipe(optimizer="muon"))
