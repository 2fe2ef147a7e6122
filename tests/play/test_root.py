"""The root of a live search: noise, Gumbel, and what it should teach; a kept root is asked about as a root."""

from __future__ import annotations

from typing import Any

import networks
import numpy as np
import pytest
from checkout import needs_openvino
from puct_searches import after, empty, facts, run, search
from stand_ins import StandIn, forest, nodes

from tengen.engine.search.base import Root
from tengen.engine.search.forest import drive

PLAIN = {"noise": 0.0}
ROOTS: list[dict[str, float]] = [
    {"noise": 0.25},
    {"root_temperature": 1.3, "forced": 2},
    {"gumbel": 1, "considered": 8},
]


@pytest.mark.parametrize("options", ROOTS)
def test_every_way_repeats_and_keeps_the_limit(options: dict[str, float]) -> None:
    """The same seed grows the same trees, another seed or tree others; visits are kept to the one."""
    made = [forest(5, visits=40, seed=seed, options=options) for seed in (1, 1, 2)]
    for trees in made:
        drive(trees, StandIn(), 100000, room=4)
        assert [trees.report(tree).visits for tree in range(5)] == [40] * 5
    assert nodes(made[0]) == nodes(made[1])
    if "noise" in options or "gumbel" in options:
        assert nodes(made[0]) != nodes(made[2])


@pytest.mark.parametrize("options", [PLAIN, *ROOTS])
def test_targets_are_shares_of_the_moves(options: dict[str, float]) -> None:
    trees = forest(3, visits=60, seed=1, options=options)
    drive(trees, StandIn(), 100000)
    for tree in range(3):
        shares = dict(trees.target(tree))
        lines = trees.report(tree).lines
        assert sum(shares.values()) == pytest.approx(1) and {line.move for line in lines} <= set(shares)
        visits = {line.move: line.visits for line in lines}
        if options == PLAIN:
            assert all(shares[move] == pytest.approx(count / 59) for move, count in visits.items())
        elif "gumbel" in options:
            assert min(shares.values()) > 0, "every move is in the improved policy"
        else:
            assert all(share == 0 or move in visits for move, share in shares.items())


def test_gumbel_visits_as_many_moves_as_it_considers() -> None:
    trees = forest(1, visits=33, seed=3, options={"gumbel": 1, "considered": 4})
    drive(trees, StandIn(), 100000, room=1, in_flight=1)
    counts = sorted(line.visits for line in trees.report(0).lines if line.visits)
    assert counts == [4, 4, 12, 12], "two rounds of 16 visits: four moves, then two"


def test_options_have_to_be_known() -> None:
    with pytest.raises(ValueError, match="unknown option"):
        forest(1, options={"nose": 1.0})
    with pytest.raises(ValueError, match="noise"):
        forest(1, options={"noise": 2.0})


# Live


@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_a_live_root_plays_by_either(root: str) -> None:
    needs_openvino()
    first, second = (run(search(root=root), empty(), visits=64) for _ in range(2))
    assert facts(first) == facts(second) and first.visits == 64
    (option,) = (option for option in search(root=root).options() if option.name == "puct.root")
    assert option.default == root


def test_gumbel_begins_anew_from_move_to_move() -> None:
    needs_openvino()
    made = search(root="gumbel", considered=4)
    info = run(made, empty(), visits=33)
    assert sorted(line.visits for line in info.lines) == [4, 4, 12, 12]
    assert info.lines[0].visits == 12
    move = info.lines[0].move
    again = run(made, Root(after(empty(), ""), recent=[]), visits=33)
    assert sorted(line.visits for line in again.lines) == [4, 4, 12, 12]
    assert move == info.lines[0].pv[0]


class Noting:
    """Notes of each row whether it is a root, and what it says of the position."""

    def __init__(self) -> None:
        self.guide = networks.guide()
        self.roots: list[bool] = []
        self.told = {"suicide_in_life": False}

    def submit(self, planes: Any, numbers: Any, *, is_root: Any) -> Any:
        self.roots.extend(np.broadcast_to(is_root, len(planes)).tolist())
        return self.guide.submit(planes, numbers, is_root=is_root)


def test_a_kept_root_is_asked_about_as_a_root() -> None:
    """Once a run, and its moves get the priors that are said of it then."""
    needs_openvino()
    made, noting = search(batch=1, symmetries=False), Noting()
    made.use(lambda _size: noting)  # type: ignore[attr-defined]
    info = run(made, empty(), visits=120)
    best = info.lines[0]
    assert noting.roots.count(True) == 1 and len(noting.roots) == 120
    noting.roots.clear()
    state = after(empty(), "")
    state.play(best.move)
    kept = run(made, Root(state, recent=[best.move], earlier=[empty()]), playouts=30)
    assert kept.visits > 30 and noting.roots[0]
    assert noting.roots.count(True) == 1 and len(noting.roots) == 31


def test_the_priors_of_a_kept_root_are_refreshed() -> None:
    """By noise, they are other than an inner node's; without, the same network says the same."""
    needs_openvino()
    priors = []
    for noise in (0.0, 0.5):
        made = search(batch=1, symmetries=False, noise=noise)
        best = run(made, empty(), visits=120).lines[0]
        state = empty()
        state.play(best.move)
        kept = run(made, Root(state, recent=[best.move], earlier=[empty()]), playouts=30)
        fresh = run(search(batch=1, symmetries=False), Root(state, recent=[best.move], earlier=[empty()]), visits=200)
        known = {line.move: line.prior for line in fresh.lines}
        priors.append(max(abs(line.prior - known[line.move]) for line in kept.lines if line.move in known))
    assert priors[0] < 1e-3 < 0.01 < priors[1]


def test_what_is_set_after_a_run_changes_no_report_of_it() -> None:
    needs_openvino()
    made = search()
    before = facts(run(made, empty(), visits=40))
    made.configure({"puct.root": "gumbel"})
    assert facts(made.info()) == before
    made.configure({"puct.root": "puct", "puct.noise": 0.25})
    assert run(made, empty(), visits=60).visits == 60
