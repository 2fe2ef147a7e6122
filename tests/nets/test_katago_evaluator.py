"""A KataGo network keeps the contract of what answers a search's batches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from katago_files import file_of, network

from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.katago import ROOT_OPTIMISM, TREE_OPTIMISM
from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
from tengen.engine.evaluators.katago.network import KataGoNetwork, load_katago
from tengen.engine.evaluators.network import BatchEvaluator


def loaded(folder: Path, version: int = 14, *, has_metadata: bool = False) -> KataGoNetwork:
    path = folder / f"{version}.bin.gz"
    path.write_bytes(file_of(network(("ordinary", "pooling"), version, has_metadata=has_metadata)))
    return load_katago(path, threads=1)


def batch(count: int, height: int = 5, width: int = 7) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(count)
    planes = random.random((count, 22, height, width)).astype(np.float32)
    planes[:, 0] = 1
    return planes, random.random((count, 19)).astype(np.float32)


def test_it_answers_batches(tmp_path: Path) -> None:
    evaluator: BatchEvaluator = KataGoEvaluator(loaded(tmp_path))
    assert (evaluator.features.game, evaluator.features.name) == ("go", "katago-v7")
    few, many = evaluator.submit(*batch(2)), evaluator.submit(*batch(5))
    late, early = many.wait(), few.wait()
    assert early.policies.shape == (2, evaluator.features.policy_size(7, 5)) and late.policies.shape == (5, 36)
    assert late.values.shape == (5, 3) and late.scores is not None and late.scores.shape == (5,)
    np.testing.assert_allclose(late.values.sum(1), 1, atol=1e-6)
    assert late.extras["ownership"].shape == (5, 5, 7)
    for name in ("score_mean", "score_stdev", "var_time_left", "shortterm_value_error", "shortterm_score_error"):
        assert late.extras[name].shape == (5,), name
    evaluator.close()
    evaluator.close()
    with pytest.raises(RuntimeError, match="is closed"):
        evaluator.submit(*batch(1))


def test_optimism_is_that_of_the_tree_unless_rows_are_roots(tmp_path: Path) -> None:
    net = loaded(tmp_path)
    evaluator, inputs = KataGoEvaluator(net), batch(3)
    plain, hopeful = (net.submit(*inputs, optimism=share).wait().policies for share in (0.0, 1.0))
    assert np.abs(plain - hopeful).max() > 1e-3 and (TREE_OPTIMISM, ROOT_OPTIMISM) == (1.0, 0.2)
    np.testing.assert_allclose(evaluator.submit(*inputs).wait().policies, hopeful, rtol=1e-5, atol=1e-6)
    shares = np.array([1, 0.2, 0], np.float32)
    wanted = plain + (hopeful - plain) * shares[:, None]
    np.testing.assert_allclose(evaluator.submit(*inputs, optimism=shares).wait().policies, wanted, rtol=1e-5, atol=1e-6)


def test_the_header_says_what_to_encode(tmp_path: Path) -> None:
    assert [KataGoEvaluator(loaded(tmp_path, version)).suicide_in_life for version in (14, 15)] == [False, True]


def test_what_it_cannot_take_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NetworkError, match="'tiny-net' imitates people and has to be told of the players"):
        KataGoEvaluator(loaded(tmp_path, 15, has_metadata=True)).submit(*batch(1))
    evaluator = KataGoEvaluator(loaded(tmp_path))
    with pytest.raises(ValueError, match="'tiny-net' takes planes and globals"):
        evaluator.submit(batch(1)[0])
    with pytest.raises(ValueError, match="takes float32 nx22xanyxany"):
        evaluator.submit(batch(1)[0][:, :21], batch(1)[1])
