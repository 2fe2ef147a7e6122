"""The engine that has moved thinks itself lost, and the other one agrees where it gives scores."""

from __future__ import annotations

from tengen.engine.options import number
from tengen.tools.match.adjudication.base import Rule, Settings, Sight, Verdict, all_last


def verdict(settings: Settings, sight: Sight) -> Verdict | None:
    """Lost by `resign_moves` own scores in a row of `resign_score` or below, of which the other's say the same."""
    count, least = settings["resign_moves"], settings["resign_score"]
    if not all_last(sight.own, count, lambda score: score <= least):
        return None
    told = [score for score in sight.other[-count:] if score is not None]
    if not all(score >= -least for score in told):
        return None
    return Verdict("other", f"lost by {count} scores in a row")


RULE = Rule(
    (
        number("resign_moves", None, 1, 1000, "scores in a row of the side that is lost", is_whole=True),
        number("resign_score", -0.95, -1, -0.01, "what such a score is at most"),
    ),
    "resign_moves=3 resign_score=-0.95",
    verdict,
)
