"""What the root of a search does otherwise, against plain references: noise, forced visits, pruning, Gumbel."""

from __future__ import annotations

from typing import Any

import _tengen_units as units
import numpy as np
import pytest
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def puct(**values: float) -> units.PuctSettings:
    made = units.PuctSettings()
    for name, value in values.items():
        setattr(made, name, value)
    return made


def softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max())
    return powers / powers.sum()


# Temperature and noise

LOGITS = np.log([0.5, 0.3, 0.15, 0.045, 0.004, 0.001])


def test_the_policy_is_the_softmax_of_the_logits() -> None:
    np.testing.assert_allclose(units.root_priors(puct(), list(LOGITS + 3), 1), np.exp(LOGITS), rtol=1e-6)


@pytest.mark.parametrize("temperature", [0.5, 1.1, 3.0])
def test_temperature_flattens_it(temperature: float) -> None:
    got = units.root_priors(puct(root_temperature=temperature), list(LOGITS), 1)
    powers = np.exp(LOGITS) ** (1 / temperature)
    np.testing.assert_allclose(got, powers / powers.sum(), rtol=1e-6)


def test_half_of_the_noise_is_for_all_moves_half_follows_the_policy() -> None:
    policy = np.exp(LOGITS)
    logs = np.log(np.minimum(policy, 0.01))
    above = np.maximum(0, logs - logs.mean())
    wanted = 10.83 * (0.5 / len(policy) + 0.5 * above / above.sum())
    np.testing.assert_allclose(units.noise_shape(list(policy), 10.83), wanted, rtol=1e-9)
    np.testing.assert_allclose(units.noise_shape([0.25] * 4, 2.0), [0.5] * 4)


@pytest.mark.parametrize("shape", [(0.03, 0.2, 0.77), (2.0, 5.0, 1.0, 0.5)])
def test_dirichlet_has_the_moments_of_dirichlet(shape: tuple[float, ...]) -> None:
    drawn = np.array([units.dirichlet(list(shape), seed) for seed in range(20000)])
    alpha, total = np.array(shape), sum(shape)
    np.testing.assert_allclose(drawn.sum(1), 1, atol=1e-9)
    np.testing.assert_allclose(drawn.mean(0), alpha / total, atol=0.012)
    np.testing.assert_allclose(drawn.var(0), alpha / total * (1 - alpha / total) / (total + 1), atol=0.006)


def test_noise_is_mixed_in_by_its_weight_and_repeats() -> None:
    first, again, other = (np.array(units.root_priors(puct(noise=0.25), list(LOGITS), seed)) for seed in (1, 1, 2))
    assert (first == again).all() and (first != other).any()
    noise = (first - 0.75 * np.exp(LOGITS)) / 0.25
    assert noise.min() > -1e-6 and noise.sum() == pytest.approx(1, abs=1e-5)


# Forced visits and what is pruned

FORCED = [
    ("none is forced unless asked for", {}, [90, 1, 9], -1),
    ("sqrt(2 x 0.3 x 100) = 7.7 are", {"forced": 2}, [80, 7, 13], 1),
    ("8 are enough", {"forced": 2}, [78, 8, 14], -1),
    ("what was never visited is not", {"forced": 2}, [85, 0, 15], -1),
]


@pytest.mark.parametrize(("values", "visits", "move"), [row[1:] for row in FORCED], ids=[row[0] for row in FORCED])
def test_moves_are_forced(values: dict[str, float], visits: list[int], move: int) -> None:
    assert units.forced_move(puct(**values), list(np.log([0.6, 0.3, 0.1])), visits) == move


def pruned_one_by_one(priors: Floats, values: Floats, visits: list[int], forced: float, scale: float) -> list[int]:
    """Visits are taken away one at a time, as the paper says."""
    out, best = list(visits), int(np.argmax(visits))
    bar = values[best] + scale * priors[best] / (1 + visits[best])
    for i in range(len(out)):
        if i == best:
            continue
        for _ in range(int(np.sqrt(forced * priors[i] * sum(visits)))):
            if out[i] > 0 and values[i] + scale * priors[i] / (1 + out[i] - 1) < bar:
                out[i] -= 1
        if out[i] == 1 and visits[i] > 1:
            out[i] = 0
    return out


@pytest.mark.parametrize("seed", range(20))
def test_pruning_is_what_the_paper_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    priors, values = rng.dirichlet([0.5] * 12), 0.5 + 0.1 * rng.standard_normal(12)
    visits, forced = [int(n) for n in rng.integers(0, 60, 12)], float(rng.uniform(0, 4))
    scale = float(rng.uniform(0.2, 2) * np.sqrt(sum(visits)))
    got = units.pruned(list(priors), list(values), visits, forced, scale)
    assert got == pruned_one_by_one(priors, values, visits, forced, scale)
    assert got[int(np.argmax(visits))] == max(visits)
    assert units.pruned(list(priors), list(values), visits, 0.0, scale) == visits


# Gumbel


def sigma(values: Floats, visits: Floats, value: float, policy: Floats, c_visit: float, c_scale: float) -> Floats:
    """Of completed values (Danihelka et al. 2022, appendix D)."""
    seen = visits > 0
    mixed = value
    if seen.any():
        mean = (policy[seen] * values[seen]).sum() / policy[seen].sum()
        mixed = (value + visits.sum() * mean) / (1 + visits.sum())
    return (c_visit + visits.max()) * c_scale * np.where(seen, values, mixed)


def halved(
    logits: Floats, values: Floats, value: float, budget: int, gumbels: Floats, c: dict[str, Any]
) -> tuple[list[int], int, Floats]:
    """Sequential halving, move by move: what is visited, what is played, the improved policy."""
    policy, visits = softmax(logits), np.zeros(len(logits))
    considered = min(int(c["considered"]), len(logits))
    rounds, order = max(1, int(np.ceil(np.log2(considered)))), list[int]()
    scores = lambda: gumbels + logits + sigma(values, visits, value, policy, c["c_visit"], c["c_scale"])  # noqa: E731
    left = considered
    while len(order) < budget:
        for _ in range(max(1, int(budget / (rounds * left)))):
            level = sorted(visits)[-left] if len(order) else 0
            for _ in range(left):
                if len(order) == budget:
                    break
                open_now = [i for i in range(len(logits)) if visits[i] == level]
                chosen = max(open_now, key=lambda i: scores()[i])
                visits[chosen] += 1
                order.append(chosen)
        left = max(left // 2, min(2, considered))
    best = max((i for i in range(len(logits)) if visits[i] == visits.max()), key=lambda i: scores()[i])
    return order, best, softmax(logits + sigma(values, visits, value, policy, c["c_visit"], c["c_scale"]))


BUDGETS = [(1, 16), (2, 16), (16, 16), (50, 16), (200, 16), (33, 5), (64, 1), (7, 4), (100, 40)]


@pytest.mark.parametrize(("budget", "considered"), BUDGETS)
@pytest.mark.parametrize("seed", range(5))
def test_gumbel_halves_as_the_paper_says(budget: int, considered: int, seed: int) -> None:
    rng = np.random.default_rng(100 * seed + budget)
    moves = 30
    logits, values = 2 * rng.standard_normal(moves), np.round(rng.random(moves), 3)
    c = {"considered": considered, "c_visit": 50.0, "c_scale": 0.1 + seed / 4}
    got = units.halve(puct(gumbel=1, **c), list(logits), list(values), 0.4, budget, seed)
    order, best, policy = halved(logits, values, 0.4, budget, np.array(got.gumbels), c)
    assert got.visited == order
    assert got.played == best
    np.testing.assert_allclose(got.target, policy, atol=1e-4)


def test_gumbel_noise_is_gumbel() -> None:
    got = np.concatenate(
        [units.halve(puct(gumbel=1), [0.0] * 50, [0.5] * 50, 0.5, 1, seed).gumbels for seed in range(200)]
    )
    assert got.mean() == pytest.approx(0.5772, abs=0.04) and got.var() == pytest.approx(np.pi**2 / 6, abs=0.1)


def test_gumbel_draws_moves_as_likely_as_the_policy_says() -> None:
    """With one visit, what is played is a sample of the policy."""
    policy = np.array([0.6, 0.3, 0.1])
    played = [units.halve(puct(gumbel=1), list(np.log(policy)), [0.5] * 3, 0.5, 1, seed).played for seed in range(3000)]
    np.testing.assert_allclose(np.bincount(played) / 3000, policy, atol=0.035)


def test_gumbel_needs_to_know_how_many_visits_there_are() -> None:
    assert units.halve(puct(gumbel=1), list(LOGITS), [0.5] * 6, 0.5, 0, 1).played == -1
