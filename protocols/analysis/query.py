"""A query as requests to the analyst: one question for each turn. What cannot be used raises `BadField`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from tengen.engine.evaluators.katago.profiles import profile_of
from tengen.engine.games.base import BLACK, WHITE
from tengen.engine.games.go.rules import GoRules, parse_rules
from tengen.engine.human_choice import HumanChoice
from tengen.engine.limits import Limits
from tengen.engine.play.go.line import BadMove, Start, roots
from tengen.engine.search.base import Root
from tengen.engine.search.study import Inquiry
from tengen.protocols.analysis import fields
from tengen.protocols.analysis.fields import BadField, Move, Size
from tengen.protocols.analysis.params import NUMBERS, BadParam, Params, with_values
from tengen.protocols.analysis.points import text_of

LEAST_SIZE, LARGEST_SIZE = 2, 25
FOREVER = 10**9
SIZE = f"Must provide an integer from {LEAST_SIZE} to {LARGEST_SIZE}"
KOMI, LARGEST_KOMI = "Must be a integer or half-integer from -400.0 to 400.0", 400
RULES = (
    'Must specify rules string, such as "chinese" or "tromp-taylor", or a JSON object with detailed rules parameters.'
)
TURNS = "Must specify an array of integers indicating turns to analyze"
NO_TURN = "Must specify at least one turn to analyze"
HELD_BACK = "Must be a list of dicts with subfields 'player', 'moves', 'untilDepth'"
SECONDS = "Must be number of seconds from 0.001 to 1000000.0"
UNUSED = (
    "Unexpected or unused field, do you have a typo? (set warnUnusedFields=false in the config to disable this warning)"
)
INCLUDES = {
    "includeOwnership": "ownership",
    "includeOwnershipStdev": "ownership_stdev",
    "includeMovesOwnership": "moves_ownership",
    "includeMovesOwnershipStdev": "moves_ownership_stdev",
    "includePolicy": "policy",
    "includePVVisits": "pv_visits",
    "includeNoResultValue": "no_result",
}
KNOWN = {
    "id", "action", "terminateId", "turnNumbers", "boardXSize", "boardYSize", "initialStones", "moves", "initialPlayer",
    "analyzeTurns", "priorities", "rules", "komi", "whiteHandicapBonus", "overrideSettings", "maxVisits", "priority",
    "analysisPVLen", "rootFpuReductionMax", "rootPolicyTemperature", "reportDuringSearchEvery",
    "firstReportDuringSearchAfter", "allowMoves", "avoidMoves", *INCLUDES,
}  # fmt: skip
QUERY_PARAMS = {
    "maxVisits": "Must be an integer from 1 to 2^50",
    "analysisPVLen": "Must be an integer from 1 to 1000",
    "rootFpuReductionMax": "Must be a number from 0.0 to 2.0",
    "rootPolicyTemperature": "Must be a number from 0.01 to 100.0",
}
"""Settings that may stand in the query itself."""

Warn = Callable[[str, str], None]
"""Takes a field and a sentence."""


@dataclass(frozen=True)
class Wants:
    """The parts of an answer besides the moves, and the view of its values (None: of the side to move). human: how the
    policy of a human network counts in what speaks for a move."""

    perspective: int | None
    pv_length: int
    ownership: bool = False
    ownership_stdev: bool = False
    moves_ownership: bool = False
    moves_ownership_stdev: bool = False
    policy: bool = False
    pv_visits: bool = False
    no_result: bool = False
    human: HumanChoice = HumanChoice(share=0)


class Question(NamedTuple):
    """One turn of a query. repetition: what the rules forbid, as in `History`."""

    id: str
    turn: int
    priority: int
    inquiry: Inquiry
    wants: Wants
    first: float | None
    every: float | None
    repetition: str = "none"


def questions(query: Mapping[str, Any], name: str, base: Params, memory: float, warn: Warn) -> list[Question]:
    """The turns of a query, `name` being its id. memory: megabytes of a tree, at most. Raises BadField."""
    size = _side(query, "boardXSize"), _side(query, "boardYSize")
    stones = fields.moves(query, "initialStones", size, allows_pass=False) if "initialStones" in query else []
    if "moves" not in query:
        raise BadField("moves", "Must specify an array of [player,location] pairs")
    moves = fields.moves(query, "moves", size, allows_pass=True)
    first = fields.player(query, "initialPlayer") if query.get("initialPlayer") is not None else None
    turns = _turns(query, len(moves))
    priorities = _priorities(query, turns)
    rules, komi = _rules(query)
    params = _params(query, base, warn)
    included = {ours: fields.truth(query, theirs) for theirs, ours in INCLUDES.items()}
    wants = Wants(params.perspective, params.pv_length, **included, human=params.human)
    profile = profile_of(params.profile) if params.profile else None
    every, after = _reports(query)
    held_back = _held_back(query, size)
    start = Start(*size, rules, komi, _board(stones, size), first, has_history=not params.ignores_history)
    found = _roots(start, moves, turns)
    if params.warns_of_fields:
        for field in query.keys() - KNOWN:
            warn(field, UNUSED)
    limits = Limits(params.seconds, params.playouts, params.visits)
    owners = wants.moves_ownership or wants.moves_ownership_stdev
    return [
        Question(
            name, turn, priorities[turn],
            _inquiry(Inquiry(root, limits, held_back, params.tree, owners, memory, profile, params.human.symmetries)),
            wants, after, every, rules.repetition,
        )
        for turn, root in found.items()
    ]  # fmt: skip


def _side(query: Mapping[str, Any], field: str) -> int:
    return fields.whole(query, field, LEAST_SIZE, LARGEST_SIZE, SIZE)


def _inquiry(inquiry: Inquiry) -> Inquiry:
    """Where the root may play nothing, one look is enough."""
    state = inquiry.root.state
    plies = inquiry.held_back[state.to_move]
    if plies and all(plies[move] > 0 for move in state.legal_moves()):
        return replace(inquiry, limits=inquiry.limits._replace(visits=1))
    return inquiry


def _roots(start: Start, moves: Sequence[Move], turns: Sequence[int]) -> dict[int, Root]:
    try:
        return roots(start, moves, turns)
    except BadMove as error:
        where = text_of(moves[error.number][1], start.width, start.height)
        raise BadField("moves", f"Illegal move {error.number}: {where}") from None
    except ValueError as error:
        raise BadField("initialStones", f"The stones cannot be on a board: {error}") from None


def _board(stones: Sequence[Move], size: Size) -> bytes:
    board = bytearray(size[0] * size[1])
    for colour, cell in stones:
        board[cell] = colour + 1
    return bytes(board)


def _turns(query: Mapping[str, Any], last: int) -> list[int]:
    """Ascending, each once."""
    if "analyzeTurns" not in query:
        return [last]
    turns = fields.wholes(query, "analyzeTurns", TURNS)
    if not turns:
        raise BadField("analyzeTurns", NO_TURN)
    for turn in turns:
        if not 0 <= turn <= last:
            raise BadField("analyzeTurns", f"Invalid turn number: {_shown(turn)}")
    return sorted(set(turns))


def _priorities(query: Mapping[str, Any], turns: Sequence[int]) -> dict[int, int]:
    if "priorities" in query:
        values = fields.wholes(query, "priorities", "Must specify an array of integers indicating priorities")
        if "analyzeTurns" not in query:
            raise BadField("priorities", "Can only specify when also specifying analyzeTurns")
        if len(values) != len(query["analyzeTurns"]):
            raise BadField("priorities", "Must be of matching length to analyzeTurns")
        for value in values:
            if abs(value) > fields.LARGEST:
                raise BadField("priorities", f"Invalid priority: {_shown(value)}")
        if "priority" in query:
            raise BadField("priority", "Cannot specify both priority and priorities")
        return dict(zip(query["analyzeTurns"], values, strict=True))
    most, sentence = fields.LARGEST, "Must be a number between -2^62 and 2^62"
    one = fields.whole(query, "priority", -most, most, sentence) if "priority" in query else 0
    return dict.fromkeys(turns, one)


def _rules(query: Mapping[str, Any]) -> tuple[GoRules, float | None]:
    """Rules, and komi where the query has any."""
    given = query.get("rules")
    if not isinstance(given, str | dict):
        raise BadField("rules", RULES)
    word = given if isinstance(given, str) else json.dumps(given)
    try:
        rules, komi = parse_rules(word)
    except ValueError:
        raise BadField("rules", f"Could not parse rules: {word[: fields.SHOWN]}") from None
    if query.get("komi") is not None:
        komi = fields.number(query, "komi", -LARGEST_KOMI, LARGEST_KOMI, KOMI)
    if komi is not None and not (fields.is_half(komi) and abs(komi) <= LARGEST_KOMI):
        raise BadField("komi", KOMI)
    if "whiteHandicapBonus" in query:
        bonus = fields.text(query, "whiteHandicapBonus", "Must be a string")
        if bonus not in ("0", "N", "N-1"):
            raise BadField("whiteHandicapBonus", f"Could not parse whiteHandicapBonus: {bonus[: fields.SHOWN]}")
        rules = replace(rules, white_handicap_bonus=bonus)
    return rules, komi


def _params(query: Mapping[str, Any], base: Params, warn: Warn) -> Params:
    params = base
    if "overrideSettings" in query:
        settings = query["overrideSettings"]
        if not isinstance(settings, dict):
            raise BadField("overrideSettings", "Must be an object")
        try:
            params, warnings = with_values(params, settings)
        except BadParam as error:
            raise BadField("overrideSettings", f"Could not set settings: {error}") from None
        for sentence in warnings:
            warn("overrideSettings", sentence)
    for name, sentence in QUERY_PARAMS.items():
        if name not in query:
            continue
        kind = NUMBERS[name]
        value = fields.number(query, name, kind.low, kind.high, sentence)
        if kind.is_whole and not isinstance(query[name], int):
            raise BadField(name, sentence)
        params, warnings = with_values(params, {name: query[name] if kind.is_whole else value})
        for one in warnings:
            warn(name, one)
    return params


def _reports(query: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """Seconds between reports, and until the first."""
    every, first = (
        fields.number(query, name, 0.001, 1e6, SECONDS) if name in query else None
        for name in ("reportDuringSearchEvery", "firstReportDuringSearchAfter")
    )
    return every, first if first is not None else every


def _held_back(query: Mapping[str, Any], size: Size) -> tuple[Sequence[int], Sequence[int]]:
    """For each player by move, the ply before which it may not be played."""
    name = "allowMoves" if "allowMoves" in query else "avoidMoves"
    if "allowMoves" in query and "avoidMoves" in query:
        raise BadField("allowMoves", "Cannot specify both allowMoves and avoidMoves")
    given = query.get(name, [])
    if not isinstance(given, list) or not all(
        isinstance(one, dict) and {"player", "moves", "untilDepth"} <= one.keys() for one in given
    ):
        raise BadField(name, HELD_BACK)
    if name == "allowMoves" and len(given) > 2:
        raise BadField(name, "Currently allowMoves only allows at most one entry per player")
    found: dict[int, list[int]] = {}
    for one in given:
        colour = fields.player(one, "player")
        cells = fields.points(one, "moves", size)
        depth = fields.whole(one, "untilDepth", 1, FOREVER, "Must be a positive integer")
        if name == "allowMoves":
            if colour in found:
                raise BadField(name, "Cannot specify allowMoves more than once for the same player")
            found[colour] = [depth] * (size[0] * size[1] + 1)
            depth = 0
        plies = found.setdefault(colour, [0] * (size[0] * size[1] + 1))
        for cell in cells:
            plies[cell] = depth
    return found.get(BLACK, ()), found.get(WHITE, ())


def _shown(value: int) -> str:
    return str(value) if abs(value) < 2**64 else "too large"
