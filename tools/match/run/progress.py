"""The progress of a match on the screen: a line that changes on a terminal, plain lines elsewhere; JSON on request."""

from __future__ import annotations

import json
import math
import sys
from typing import TextIO

from tengen.tools.live import Live, Pace, bar
from tengen.tools.match.run.standing import Standing
from tengen.tools.match.run.supervisor import Ending
from tengen.tools.match.settings.table import RunSpec
from tengen.tools.match.spec import GameResult, Reason

SPACE = "  "
"""The space between the parts of the line."""


class Progress:
    """Reports a run on stderr, and as JSON lines on stdout."""

    def __init__(
        self, spec: RunSpec, is_json: bool = False, err: TextIO | None = None, out: TextIO | None = None
    ) -> None:
        self._spec = spec
        self._is_json = is_json
        self._live = Live(err)
        self._out = out or sys.stdout
        self._pace = Pace()

    def begin(self, standing: Standing) -> None:
        """Before the first game."""
        self._pace = Pace(standing.played)
        if standing.played:
            self._live.line(f"{standing.played} of {self._spec.total} games are there; going on")
        self._live.update(self.parts(standing), separator=SPACE)

    def game(self, result: GameResult, standing: Standing) -> None:
        """After every game."""
        if self._is_json:
            self._json({"event": "game", **_facts(result), **self._numbers(standing)})
        note = _note(result)
        if note:
            self._live.line(note)
        self._live.update(self.parts(standing), is_last=standing.played == self._spec.total, separator=SPACE)

    def end(self, ending: Ending, standing: Standing) -> None:
        """Show the end of a run."""
        if self._is_json:
            self._json({"event": "end", "ending": ending.value, **self._numbers(standing)})
        self._live.clear()

    def text(self, standing: Standing) -> str:
        """All of it in one line."""
        return SPACE.join(self.parts(standing))

    def parts(self, standing: Standing) -> list[str]:
        """Bar and games, score, Elo, test, faults, time left."""
        done, total = standing.played, self._spec.total
        parts = [bar(done, total)]
        if self._spec.kind == "pair" and standing.games:
            score = standing.score(*self._spec.names)
            parts.append(f"{clean(self._spec.names[0])} {score.points:g}/{score.games} {score.as_text()}")
            parts.append(f"Elo {score.summary().elo.as_text()}")
            if self._spec.sprt is not None:
                low, high = self._spec.sprt.bounds
                parts.append(f"LLR {self._spec.sprt.llr(score.pentanomial):.2f} [{low:.2f}, {high:.2f}]")
        if faults := standing.faults():
            parts.append(f"faults {sum(sum(row.values()) for row in faults.values())}")
        parts.append(f"ETA {self._pace.left(done, total)}")
        return parts

    def _numbers(self, standing: Standing) -> dict[str, object]:
        numbers: dict[str, object] = {"played": standing.played, "total": self._spec.total}
        if self._spec.kind == "pair":
            score = standing.score(*self._spec.names)
            elo = score.summary().elo
            numbers |= {"trinomial": score.trinomial, "pentanomial": score.pentanomial}
            numbers["elo"] = [round(value, 2) if math.isfinite(value) else None for value in elo]
            if self._spec.sprt is not None:
                numbers["llr"] = round(self._spec.sprt.llr(score.pentanomial), 4)
        return numbers

    def _json(self, values: dict[str, object]) -> None:
        print(json.dumps(values), file=self._out, flush=True)


def clean(text: str) -> str:
    """An engine's text without what a terminal would obey."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _facts(result: GameResult) -> dict[str, object]:
    return {
        "id": result.id,
        "first": result.first,
        "second": result.second,
        "result": result.result,
        "reason": result.reason.value,
        "culprit": result.culprit,
        "detail": result.detail,
        "plies": result.plies,
        "seconds": round(result.seconds, 3),
    }


def _note(result: GameResult) -> str:
    """A line of its own for what should not happen."""
    if result.reason is Reason.VOID:
        return clean(f"{result.id} void: {result.detail}")
    if result.culprit is not None:
        return clean(f"{result.id} {result.reason.value}: {result.detail}")
    return ""
