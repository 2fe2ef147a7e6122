"""Turn a stored game into one to learn from, or return the reason why it cannot be used."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

import numpy as np

from tengen.engine.games import forced_passes, get_game
from tengen.engine.games.base import BLACK, WHITE, State
from tengen.engine.games.hooks import hooks_of
from tengen.engine.records import Record, RecordError
from tengen.engine.records.base import CUT
from tengen.engine.records.replay import start_of
from tengen.tools.train.data.game import PlayedGame
from tengen.tools.train.data.setting_up import set_up
from tengen.tools.train.records.rating import rating_of


@dataclass(frozen=True)
class Choice:
    """The choice of games. min_rating: of both players (`rating.py`), None: any, also unrated ones. handicap: take
    games of Go with one, too. shortest: moves. sizes: of square boards; none: all that the game has. needs_result:
    leave out games without one; else nobody asks how a game ended, it is cut before the first two passes in turn and
    where sides do not move in turn, and boards of Go that are set up are taken, too.
    """

    game: str
    min_rating: float | None = None
    handicap: bool = False
    shortest: int = 8
    sizes: tuple[int, ...] = ()
    needs_result: bool = True


class Unwanted(ValueError):
    """A game that is not learned from; the message is the reason in a few words, the same for all of a kind."""


_WINNER = re.compile(r"\s*(B|W|BLACK|WHITE)\s*\+\s*([^\s(,]*)", re.IGNORECASE)
_DRAWN = re.compile(r"\s*(?:0|DRAW|JIGO|TIE|和|和棋)\s*", re.IGNORECASE)
_CHINESE = re.compile(r"\s*([黑白]).*[胜勝]")
_RESULTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
"""Of PGN."""
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3})?")


def played_game(record: Record, choice: Choice) -> PlayedGame:
    """The game. Raises Unwanted, and RecordError for one that its rules do not allow."""
    if record.game != choice.game:
        raise Unwanted("another game")
    if record.cut:
        raise RecordError(record.cut.removesuffix(CUT))
    if choice.sizes and (record.width != record.height or record.width not in choice.sizes):
        raise Unwanted("another size of board")
    ratings = _ratings(record)
    known = [one for one in ratings if one is not None]
    rating = min(known) if len(known) == 2 else None
    if choice.min_rating is not None and (rating is None or rating < choice.min_rating):
        raise Unwanted("no rating" if rating is None else "players below the rating")
    moves, first = _moves(record, choice)
    if not moves or len(moves) - first < choice.shortest:
        raise Unwanted("too short")
    rules, komi = _go_rules(record) if get_game(record.game).conventions.has_komi else (_rules(record), 0.0)
    if choice.needs_result:
        end = _played(record, rules, komi, moves)
        outcome, margin = _result(record, end)
    else:
        moves = _until_the_end(record, rules, komi, moves)
        outcome, margin = 0.5, float("inf")
    weights = np.ones(len(moves), np.float32)
    weights[:first] = 0
    return PlayedGame(
        record.game, record.width, record.height, rules, komi, np.array(moves, np.int16), first, weights,
        np.full((len(moves), 3), np.nan, np.float32), np.zeros(len(moves) + 1, np.int32), np.zeros(0, np.int16),
        np.zeros(0, np.float32), margin, outcome, rating=rating,
        ratings=(ratings[0], ratings[1]),
    )  # fmt: skip


RATINGS = ("BR", "RB", "WhiteElo"), ("WR", "RW", "BlackElo")
"""The properties with the ratings of the first player and of the other, in SGF, GGF and PGN."""


def _ratings(record: Record) -> list[float | None]:
    """Of who moves first and of the other."""
    told = [[record.properties[name] for name in names if record.properties.get(name)] for names in RATINGS]
    return [rating_of(texts[0]) if texts else None for texts in told]


def _moves(record: Record, choice: Choice) -> tuple[list[int], int]:
    """Moves in turn from the game's own beginning, and how many of them are an opening that nobody chose."""
    stones = [] if record.setup is None else [cell for cell, stone in enumerate(record.setup) if stone]
    if record.position or record.changes:
        raise Unwanted("a position that is set up")
    has_handicap = get_game(record.game).conventions.has_komi
    if has_handicap and record.setup is not None and not choice.needs_result:
        return _set_up_moves(record)
    if record.setup is not None and (not has_handicap or any(stone == 2 for stone in record.setup)):
        raise Unwanted("a position that is set up")
    if stones or record.handicap > 1:
        return _handicap_moves(record, stones, choice)
    played = [move for _, move in record.moves]
    if any(colour != number % 2 for number, (colour, _) in enumerate(record.moves)):
        if has_handicap and not choice.needs_result:
            return _in_turn(record, 0), 0
        if get_game(record.game).passes != "forced":
            raise Unwanted("moves that do not alternate")
        played = [move for _, move in _with_passes(record)]
    return played, 0


def _set_up_moves(record: Record) -> tuple[list[int], int]:
    """A board that is set up as moves, and those that were played from there on, as far as the sides moved in turn."""
    assert record.setup is not None
    cells = record.width * record.height
    try:
        opening = set_up(record.setup, cells, random.Random(0), record.first == WHITE)
    except ValueError:
        raise Unwanted("a position that is set up") from None
    return [*opening, *_in_turn(record, len(opening))], len(opening)


def _in_turn(record: Record, before: int) -> list[int]:
    """The moves up to the first that is not of the side to move, after so many others."""
    turns = (colour == (before + number) % 2 for number, (colour, _) in enumerate(record.moves))
    count = next((number for number, is_right in enumerate(turns) if not is_right), len(record.moves))
    return [move for _, move in record.moves[:count]]


def _handicap_moves(record: Record, stones: list[int], choice: Choice) -> tuple[list[int], int]:
    """Handicap stones as moves of Black's, each but the last answered by a pass."""
    if not choice.handicap:
        raise Unwanted("a handicap")
    colours = [colour for colour, _ in record.moves]
    if not stones or any(colour != (WHITE, BLACK)[number % 2] for number, colour in enumerate(colours)):
        raise Unwanted("moves that do not alternate")
    cells = record.width * record.height
    opening = [move for stone in stones for move in (stone, cells)][:-1]
    return [*opening, *(move for _, move in record.moves)], len(opening)


def _with_passes(record: Record) -> list[tuple[int, int]]:
    try:
        return forced_passes.with_passes(get_game(record.game), start_of(record), record.moves)
    except ValueError as error:
        raise RecordError(str(error)) from None


def _played(record: Record, rules: str, komi: float, moves: list[int]) -> State:
    """The position at the end. Raises RecordError naming the first illegal move."""
    game = get_game(record.game)
    try:
        game.check_size(record.width, record.height)
    except ValueError:
        raise RecordError(f"{record.game} has no board of {record.width}x{record.height}") from None
    state = game.new_state(record.width, record.height, hooks_of(game).parse_rules(game, rules), komi)
    for number, move in enumerate(moves, 1):
        try:
            state.play(move)
        except ValueError as error:
            raise RecordError(f"move {number} is illegal: {error}") from None
    return state


def _until_the_end(record: Record, rules: str, komi: float, moves: list[int]) -> list[int]:
    """The moves before the one that ends the game. Raises RecordError naming the first illegal move among them."""
    passing = record.width * record.height
    ends = (at for at in range(1, len(moves)) if moves[at] == moves[at - 1] == passing)
    kept = moves[: next(ends, len(moves))]
    _played(record, rules, komi, kept)
    return kept


def _result(record: Record, end: State) -> tuple[float, float]:
    """Outcome and margin of Black: of the board where the game's own rules end it, else as the record says."""
    conventions = get_game(record.game).conventions
    if not conventions.is_agreed and end.is_terminal():
        margin = float(end.result())
        return 0.5 + 0.5 * float(np.sign(margin)), margin
    if conventions.record == "pgn":
        if record.result not in _RESULTS:
            raise Unwanted("no result")
        return _RESULTS[record.result], 2 * _RESULTS[record.result] - 1
    outcome, margin = result_of(record.result)
    if not conventions.has_margin:
        return outcome, 2 * outcome - 1
    return outcome, margin if abs(margin) <= end.cells else float(np.copysign(np.inf, margin))


def result_of(text: str) -> tuple[float, float]:
    """Outcome and margin of Black by RE: "B+3.5" 3.5, "W+R" and "W+T" minus infinity. Raises Unwanted for no result."""
    if _DRAWN.fullmatch(text):
        return 0.5, 0.0
    winner, how = _WINNER.match(text), ""
    if winner:
        is_black, how = winner[1][0] in "Bb", winner[2]
    elif chinese := _CHINESE.match(text):
        is_black = chinese[1] == "黑"
    else:
        raise Unwanted("no result")
    if how.upper().startswith(("F", "OFFLINE")):
        raise Unwanted("forfeited")
    margin = float(how) if _NUMBER.fullmatch(how) else np.inf
    if margin == 0:
        return 0.5, 0.0
    return (1.0, margin) if is_black else (0.0, -margin)


def _rules(record: Record) -> str:
    """The name of rules of other games than Go."""
    game = get_game(record.game)
    try:
        return hooks_of(game).parse_rules(game, record.rules).name if record.rules else game.default_rules.name
    except ValueError:
        return game.default_rules.name


def _go_rules(record: Record) -> tuple[str, float]:
    """The name of the rules and the komi. Without rules the komi tells: Chinese with 7 and 7.5, else Japanese;
    of rules that have no name, the way of counting."""
    from tengen.engine.games.go.rules import RULE_SETS, read_rules

    komi = record.komi
    try:
        rules = read_rules(record.rules)[0] if record.rules else None
    except ValueError:
        rules = None
    if rules is None:
        rules = RULE_SETS["chinese" if komi in (7.0, 7.5) else "japanese"]
    elif rules.name == "custom":
        rules = RULE_SETS["chinese" if rules.scoring == "area" else "japanese"]
    if komi is None:
        komi = 6.5 if rules.scoring == "territory" else 7.5
    if (2 * komi) % 1 or abs(komi) > 50:
        raise Unwanted("a komi that is none")
    return rules.name, komi
