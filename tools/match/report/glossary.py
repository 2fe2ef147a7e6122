"""The words of the report, explained to somebody who reads one for the first time."""

from __future__ import annotations

WORDS = (
    ("+3 =1 -2", "three games won, one drawn, two lost; a win is one point, a draw half a point"),
    ("Elo", "strength on a scale where only differences count: 100 Elo more win 64 % of the points, 200 win 76 %, "
     "400 win 91 %. Of two engines it is the difference, of a table the distance from the mean of all engines, or "
     "from the anchors where there are any"),
    ("95 % interval", "the range that holds the true value in 95 of 100 such matches. When every game ended alike the "
     "difference has no upper bound: then only the lower one is told (\"over +166\"), and with too few games none"),
    ("normalized Elo", "Elo divided by the spread of the results, so that it does not depend on the rate of draws"),
    ("LOS", "likelihood of superiority: how probable these results make it that the first engine is the stronger one"),
    ("pair", "two games from the same opening with colours changed. They depend on each other, so the statistics count "
     "pairs: [both lost, a loss and a draw, equal, a win and a draw, both won]"),
    ("ply", "one move or pass of one side. The length of a game is its plies, those of the opening included"),
    ("fault", "a game lost by misbehaviour: time (used more than it had), illegal (move), crash (the process ended), "
     "stall (no answer, or one that is none), memory (one of these two, because memory_mb was not enough)"),
    ("void", "a game that ended by nobody's fault that can be told; it counts for nobody and is played again"),
    ("latency", "how long an engine takes to answer what needs no thought, the median in milliseconds: the cost of the "
     "pipe and of its own reading"),
    ("CPU", "processor seconds of the engine and its children; with several threads more than the time at the pipe"),
    ("SPRT", "sequential probability ratio test: plays on until the pairs tell two hypotheses apart, H0 (no stronger "
     "than the lower bound) and H1 (as strong as the upper bound), at the error rates asked for"),
    ("LLR", "log-likelihood ratio: what the pairs say so far, positive for H1. The test ends when it crosses a bound"),
)  # fmt: skip
"""(word, what it means)."""
