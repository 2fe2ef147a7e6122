"""Answers: the results of a position as KataGo's JSON. All values are in the view of one player: `Wants.perspective`.

Utility is that of winning alone, from -1 to 1; a visit weighs 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from tengen.engine.games.base import BLACK
from tengen.engine.info import Info, Line
from tengen.engine.play.human_move import mixed
from tengen.engine.search.study import Study, Sums
from tengen.protocols.analysis.points import text_of
from tengen.protocols.analysis.query import Question

if TYPE_CHECKING:
    from tengen.engine._core import GoState

DIGITS = 8
RAW = {
    "rawStWrError": ("shortterm_value_error", 0.5),
    "rawStScoreError": ("shortterm_score_error", 1.0),
    "rawVarTimeLeft": ("var_time_left", 1.0),
}
"""The root's fields by KataGo's names: ours, and at which scale (errors of results count from a loss to a win as 2)."""
UNKNOWN = -1.0
"""KataGo's number for a value that an older network does not report, scaled like the rest."""


def no_answer(question: Question) -> dict[str, Any]:
    """Return the answer for a position without results."""
    return {"id": question.id, "turnNumber": question.turn, "isDuringSearch": False, "noResults": True}


def answer(question: Question, study: Study, is_during: bool) -> dict[str, Any]:
    """Return the answer with the results so far; the study has a visit."""
    return _Answer(question, study).whole(is_during)


class _Answer:
    """One report."""

    def __init__(self, question: Question, study: Study) -> None:
        self.question, self.study, self.wants = question, study, question.wants
        self.root = question.inquiry.root
        self.state = self.root.state
        view = self.wants.perspective
        self.is_flipped = view is not None and view != self.state.to_move
        """Whether values for the side to move are those of the other player."""
        self.human = self._human()
        """The policy of the human network, {} without one."""
        self.worth: dict[int, float] = {}
        self.sign = 1.0 if (view if view is not None else self.state.to_move) == BLACK else -1.0
        """The sign of values that are for Black."""

    def whole(self, is_during: bool) -> dict[str, Any]:
        wants, info = self.wants, self.study.info()
        policy = self._policy()
        self.worth = self._worth(info)
        found: dict[str, Any] = {
            "id": self.question.id,
            "turnNumber": self.question.turn,
            "isDuringSearch": is_during,
            "moveInfos": [self._move(line, order) for order, line in enumerate(info.lines)],
            "rootInfo": self._root(info.expected, info.score, info.visits),
        }
        found.update(self._owners(self.study.sums(), wants.ownership, wants.ownership_stdev))
        if wants.policy:
            found["policy"] = [_rounded(share) if share >= 0 else -1.0 for share in policy]
            if self.human:
                found["humanPolicy"] = [_rounded(self.human.get(move, -1.0)) for move in range(len(policy))]
        return found

    def _worth(self, info: Info) -> dict[int, float]:
        """What speaks for each move: its visits, or what the human policy of the moves that were searched makes of
        them."""
        how, visits = self.wants.human, {line.move: float(line.visits) for line in info.lines}
        searched = {move: share for move, share in self.human.items() if visits.get(move)}
        return mixed(info, searched, self.state.pass_move, how) if searched and how.share else visits

    def _move(self, line: Line, order: int) -> dict[str, Any]:
        win, lcb, lead = self._share(line.expected), self._share(line.lcb), self._signed(line.score)
        sums = self.study.sums(line.move)
        pv = line.pv[: 1 + self.wants.pv_length]
        found: dict[str, Any] = {
            "move": self._text(line.move),
            "visits": line.visits,
            "edgeVisits": line.visits,
            "weight": float(line.visits),
            "edgeWeight": float(line.visits),
            "utility": _rounded(2 * win - 1),
            "winrate": _rounded(win),
            "scoreMean": _rounded(lead),
            "scoreLead": _rounded(lead),
            "scoreSelfplay": _rounded(self.sign * sums.score_mean if sums.answers else lead),
            "scoreStdev": _rounded(sums.score_stdev),
            "prior": _rounded(line.prior),
            **({"humanPrior": _rounded(self.human[line.move])} if line.move in self.human else {}),
            "lcb": _rounded(lcb),
            "utilityLcb": _rounded(2 * lcb - 1),
            "order": order,
            "playSelectionValue": _rounded(self.worth.get(line.move, float(line.visits))),
            "pv": [self._text(move) for move in pv],
        }
        if self.wants.no_result:
            found["noResultValue"] = _rounded(line.draw)
        if self.wants.pv_visits:
            found["pvVisits"] = found["pvEdgeVisits"] = self.study.visits_along(pv)
        found.update(self._owners(sums, self.wants.moves_ownership, self.wants.moves_ownership_stdev))
        return found

    def _root(self, expected: float, score: float, visits: int) -> dict[str, Any]:
        raw, sums, win = self.study.raw, self.study.sums(), self._share(expected)
        found = {
            "visits": visits,
            "weight": float(visits),
            "winrate": _rounded(win),
            "scoreLead": _rounded(self._signed(score)),
            "scoreSelfplay": _rounded(self.sign * sums.score_mean),
            "scoreStdev": _rounded(sums.score_stdev),
            "utility": _rounded(2 * win - 1),
            "rawWinrate": _rounded(self._share(raw["win"] + raw["no_result"] / 2)),
            "rawLead": _rounded(self._signed(raw["lead"])),
            "rawScoreSelfplay": _rounded(self._signed(raw["score_mean"])),
            "rawScoreSelfplayStdev": _rounded(raw["score_stdev"]),
            "rawNoResultProb": _rounded(raw["no_result"]),
            "currentPlayer": "BW"[self.state.to_move],
        }
        found.update({key: _rounded(raw.get(ours, UNKNOWN) * scale) for key, (ours, scale) in RAW.items()})
        if (seen := self.study.human) is not None:
            result, points = seen.errors or (UNKNOWN, UNKNOWN)
            found["humanWinrate"] = _rounded(self._share(0.5 + 0.5 * (seen.win - seen.loss)))
            found["humanScoreMean"] = _rounded(self._signed(seen.score_mean))
            found["humanScoreStdev"] = _rounded(seen.score_stdev)
            found["humanStWrError"], found["humanStScoreError"] = _rounded(result / 2), _rounded(points)
        this, symmetric = _hashes(self.state)
        return {**found, "thisHash": this, "symHash": symmetric}

    def _owners(self, sums: Sums, ownership: bool, deviation: bool) -> Iterator[tuple[str, list[float]]]:
        if ownership:
            yield "ownership", [round(self.sign * owner, 6) for owner in sums.owners]
        if deviation:
            yield "ownershipStdev", [round(one, 6) for one in sums.scatter]

    def _policy(self) -> list[float]:
        """The shares of all moves by the network alone; -1 where a move is illegal."""
        if not self.wants.policy:
            return []
        logits = self.study.policy()
        legal = self._legal()
        most = max(logits[move] for move in legal)
        powers = {move: math.exp(logits[move] - most) for move in legal}
        total = sum(powers.values())
        return [powers[move] / total if move in powers else -1.0 for move in range(len(logits))]

    def _human(self) -> dict[int, float]:
        seen, legal = self.study.human, self._legal()
        return seen.shares(legal) if seen is not None and legal else {}

    def _legal(self) -> list[int]:
        return [move for move in self.state.legal_moves() if not self._repeats(move)]

    def _repeats(self, move: int) -> bool:
        """Whether the rules forbid a legal move because it repeats a position."""
        state, rule = cast("GoState", self.state), self.question.repetition
        if rule == "none" or move == state.pass_move:
            return False
        after = state.situational_key_after if rule == "situational" else state.key_after
        return after(move) in self.root.seen

    def _share(self, value: float) -> float:
        return 1 - value if self.is_flipped else value

    def _signed(self, value: float) -> float:
        return -value if self.is_flipped else value

    def _text(self, move: int) -> str:
        return text_of(move, self.state.width, self.state.height)


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _hashes(state: Any) -> tuple[str, str]:
    """Two hashes of stones, board, side and ko; the second is the same for positions that are mirrored or turned."""
    import hashlib

    width, height, side, ko = state.width, state.height, state.to_move, state.ko_point
    stones = bytearray(state.stones())
    if ko >= 0:
        stones[ko] = 3
    rows = [bytes(stones[row * width : (row + 1) * width]) for row in range(height)]
    found = []
    for turned in (rows, [bytes(column) for column in zip(*rows, strict=True)]):
        for upright in (turned, turned[::-1]):
            for one in (upright, [row[::-1] for row in upright]):
                data = bytes([len(one[0]), len(one), side]) + b"".join(one)
                found.append(hashlib.blake2b(data, digest_size=16).hexdigest().upper())
    return found[0], min(found)
