"""Both engines think the game even."""

from __future__ import annotations

from tengen.engine.options import number
from tengen.tools.match.adjudication.base import Rule, Settings, Sight, Verdict, all_last


def verdict(settings: Settings, sight: Sight) -> Verdict | None:
    """A draw by `draw_moves` scores in a row of each side within `draw_score` of even, from ply `draw_after` on."""
    count, most = settings["draw_moves"], settings["draw_score"]
    if sight.length < settings["draw_after"]:
        return None
    if not all(all_last(scores, count, lambda score: abs(score) <= most) for scores in (sight.own, sight.other)):
        return None
    return Verdict(None, f"even by {count} scores in a row of both")


RULE = Rule(
    (
        number("draw_moves", None, 1, 1000, "scores in a row of each side", is_whole=True),
        number("draw_score", 0.05, 0, 0.99, "how far such a score is from even at most"),
        number("draw_after", 40, 0, 10**5, "plies before which no game is even", is_whole=True),
    ),
    "draw_moves=8 draw_score=0.05 draw_after=40",
    verdict,
)
