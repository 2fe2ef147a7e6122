"""How strong generations are: differences add up, pairs are one observation, anchors stand apart."""

from __future__ import annotations

import pytest

from tengen.tools.match.statistics.elo import elo_of
from tengen.tools.train.run.manifest import Kept, Lot, Manifest, Network
from tengen.tools.train.run.strength import anchored, difference, pair_counts, standings


def scores(wins: int, draws: int, losses: int) -> dict[str, float]:
    rows = [1.0] * wins + [0.5] * draws + [0.0] * losses
    return {str(number): score for number, score in enumerate(rows)}


def manifest(*lots: Lot) -> Manifest:
    networks = tuple(Network(number, (Kept("x", "", 0),), 0, 0, 0, 0.0, True) for number in range(4))
    return Manifest("x", "", {}, networks=networks, lots=lots)


@pytest.mark.parametrize(("wins", "draws", "losses"), [(75, 0, 25), (50, 0, 50), (20, 40, 40), (10, 0, 90)])
def test_a_difference_is_that_of_the_score(wins: int, draws: int, losses: int) -> None:
    found = difference({int(number): score for number, score in scores(wins, draws, losses).items()})
    assert found.value == pytest.approx(elo_of((wins + draws / 2) / 100), abs=12)
    assert found.low < found.value < found.high


def test_a_perfect_score_has_a_finite_difference() -> None:
    found = difference(dict.fromkeys(range(20), 1.0))
    assert 300 < found.value < 2000 and 0 < found.low
    with pytest.raises(ValueError, match="no games"):
        difference({})


def test_differences_add_up_along_those_that_played() -> None:
    lots = [Lot("a", 1, "0", scores(15, 0, 5)), Lot("b", 2, "1", scores(5, 0, 15)), Lot("c", 3, "1", scores(12, 0, 8))]
    zero, one, two, three = standings(manifest(*lots))
    assert zero.elo == (0, 0, 0) and zero.match is None
    assert one.elo.value > 100 and two.elo.value < one.elo.value < three.elo.value
    assert three.elo.value == pytest.approx(
        one.elo.value + difference({i: s for i, s in enumerate([1.0] * 12 + [0.0] * 8)}).value
    )
    assert three.elo.error > one.elo.error, "errors add up too"
    assert one.match is not None and one.match.samples == 10 and one.opponent == 0


def test_lots_of_one_match_are_one_match() -> None:
    first, second = scores(6, 0, 4), {str(int(number) + 10): score for number, score in scores(6, 0, 4).items()}
    (_, one) = standings(manifest(Lot("a", 1, "0", first), Lot("b", 1, "0", second)))
    (_, whole) = standings(manifest(Lot("a", 1, "0", first | second)))
    assert one == whole and one.match is not None and one.match.score.value == 0.6


def test_games_without_their_partner_do_not_count_as_pairs() -> None:
    assert pair_counts({0: 1.0, 1: 1.0, 2: 0.0, 5: 1.0}) == [0, 0, 0, 0, 1]
    assert pair_counts({}) == [0] * 5


def test_anchors_stand_apart() -> None:
    found = manifest(Lot("a", 1, "0", scores(5, 0, 5)), Lot("b", 1, "gnugo-1", scores(4, 0, 4)))
    assert [row.generation for row in standings(found)] == [0, 1]
    (row,) = anchored(found)
    assert (row.generation, row.opponent, row.match.score.value) == (1, "gnugo-1", 0.5)
