"""Games of our own players of networks, played side by side: the leaves of all their trees share the network's batches.

A game at a time leaves a network with batches of a tree, and a sequential search with batches of one. Here every game
is one of many, so that the same match costs a fraction of the time. Each tree is searched as it would be alone: as many
leaves at once, as many batches on their way, the same choice of moves by the same seeds; levels choose as freely as
they do in a live game. What a game corrects at its end (friendly passes) is left out: games are played out.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

from tengen.engine.config import Config, ConfigError
from tengen.engine.games import get_game
from tengen.engine.games.base import WHITE, State
from tengen.engine.games.hooks import Table, hooks_of
from tengen.engine.games.naming import player_of, rules_named
from tengen.engine.games.players import Level
from tengen.engine.history import History
from tengen.engine.info import Info
from tengen.engine.play.choice import choose_line
from tengen.engine.play.levels import level_in_force
from tengen.engine.play.networks import check_named, network_of, outline_named, player_for
from tengen.engine.play.resignation import GUIDED_VISITS, RESIGN_AFTER
from tengen.engine.play.setup import black_stones, state_with
from tengen.engine.search import is_resource, make_search
from tengen.engine.search.base import EARLIER, RECENT, Root
from tengen.engine.search.batching import Place, new_place
from tengen.engine.search.katago_facts import tell
from tengen.engine.search.native import info_of, terms_of
from tengen.engine.search.puct import PuctSearch, errors_of, owners_of
from tengen.tools.match.own.game import Played
from tengen.tools.match.own.sides import Match

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
    from tengen.engine.evaluators.network import NetworkEvaluator

ROWS = 64
"""Positions in a batch, at most."""
TREE_MB = 24
"""The memory for the tree of one side of one game."""


class Answers(NamedTuple):
    """The answers for a batch or a part of one, as `GoTree.deliver` takes them."""

    policies: NDArray[float32]
    values: NDArray[float32]
    scores: NDArray[float32] | None
    owners: NDArray[float32] | None
    errors: NDArray[float32] | None

    def part(self, start: int, rows: int) -> Answers:
        """Some of the rows."""
        policies, values, scores, owners, errors = (None if one is None else one[start : start + rows] for one in self)
        assert policies is not None and values is not None
        return Answers(policies, values, scores, owners, errors)


class Side(NamedTuple):
    """One side of a match: its settings, how strongly they mean it to play, and the network that it shares with all
    its games."""

    config: Config
    level: Level
    evaluator: KataGoEvaluator | NetworkEvaluator


def side_of(config: Config, size: int) -> Side:
    """A side with its network for boards of a size loaded. Raises ConfigError for what cannot play like this."""
    config = replace(config, threads=1)
    game = get_game(config.game)
    name, entry = player_of(game, player_for(game, config))
    level = level_in_force(game, replace(config, player=name), size * size)
    if entry.search != "puct" or not (level.limits.playouts or level.limits.visits) or config.time:
        raise ConfigError("games are played together by players of networks, bounded by playouts or visits alone")
    loading = network_of(config, (size, size))
    if loading is None:
        raise ConfigError("this player plays with a network, and none was named: net=FILE")
    return Side(config, level, loading.get().evaluator)


class Seat:
    """One side of one game: a tree and its batches on their way."""

    def __init__(self, side: Side, seed: int) -> None:
        config = side.config
        game = get_game(config.game)
        self.side = side
        self.search = cast(PuctSearch, make_search(game, player_for(game, config) or "", {}))
        given = {"seed": seed, "memory_mb": TREE_MB, "threads": 1}
        names = {option.name for option in self.search.options() if is_resource(option)}
        self.search.configure({name: given[name.rpartition(".")[2]] for name in names})
        self.search.configure(config.set)
        self.search.tree.see_by(side.evaluator.features.name)
        self.answers: deque[Answers] = deque()
        """The answers to the batches that count as on their way, oldest first."""
        self.has_asked = False
        self.cpu, self.thought, self.hopeless = 0.0, 0, 0
        self.random = random.Random(seed)

    def begin(self, root: Root) -> None:
        """Start on a position."""
        self.state = root.state
        limits = self.side.level.limits
        tell(self.search.tree, root, self.side.evaluator)
        self.search.tree.begin(root.state, list(root.earlier), *terms_of(root, limits))

    def room(self) -> int:
        """Leaves of the next batch, at most."""
        return self.search.room(sum(len(answers.policies) for answers in self.answers))

    def collect(self, place: Place) -> int:
        """Write the leaves of the next batch, where there may be one."""
        room = self.room()
        count = int(self.search.tree.collect(*place.first(room))) if room else 0
        self.has_asked = count > 0
        return count

    def deliver(self) -> None:
        """Bring the oldest answer home."""
        self.search.tree.deliver(*self.answers.popleft())

    def end(self) -> Info:
        """End the run and keep its result as `last`."""
        self.search.tree.end()
        self.thought += 1
        self.last = info_of(self.search.tree.info(0, False))
        return self.last


class Game:
    """One game between two seats, `a` and `b`."""

    def __init__(self, match: Match, sides: Sequence[Side], number: int, opening: Sequence[int]) -> None:
        game, setting = get_game(match.a.game), match.setting
        self.rules = rules_named(game, match.a.rules or setting.rules or game.default_rules.name)
        size = size_of(match)
        self.komi = game.default_komi if match.komi is None else match.komi
        self.hooks, self.handicap = hooks_of(game), match.handicap
        self.history = History(game.new_state(size, size, self.rules, self.komi))
        if match.handicap >= 2:
            cells = self.hooks.handicap_fixed(size, size, match.handicap)
            self.history.setup(state_with(game, self.state.copy(), black_stones(self.state, cells), WHITE))
        seed = match.seed * 1000 + number + 1
        self.number, self.opening = number, len(opening)
        self.seats = [Seat(side, seed) for side in sides]
        self.has_black = match.has_black(number)
        self.order = self.seats if self.has_black else self.seats[::-1]
        self.margin: float | None = None
        for move in opening:
            self._play(move)
        self._begin()

    @property
    def state(self) -> State:
        return self.history.state

    @property
    def mover(self) -> Seat:
        return self.order[self.state.to_move]

    @property
    def is_over(self) -> bool:
        return self.margin is not None

    def step(self) -> None:
        """After answers came, deliver those that are due, and move when the search is over."""
        seat = self.mover
        if seat.answers and (len(seat.answers) >= seat.search.in_flight or not seat.has_asked):
            seat.deliver()
        if not seat.answers and seat.search.tree.is_over:
            self._move(seat.end())

    def played(self) -> Played:
        """The game as it ended."""
        assert self.margin is not None
        margin = self.margin if self.has_black else -self.margin
        moves = tuple(move for _, move in self.history.moves)
        a, b = self.seats
        score = 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0
        return Played(self.number, score, self.margin, moves, (a.cpu, b.cpu), (a.thought, b.thought))

    def _move(self, info: Info) -> None:
        """Play what was found, or resign."""
        state, seat, best = self.state, self.mover, info.best
        config = seat.side.config
        if self._may_resign(info):
            seat.hopeless = seat.hopeless + 1 if best is not None and best.expected < config.resign else 0
        if seat.hopeless >= RESIGN_AFTER:
            self.margin = (1 if state.to_move else -1) * state.cells / 2
            return
        chosen = choose_line(info, seat.side.level, seat.random)
        self._play(state.pass_move if chosen is None else chosen.move)
        if self.state.is_terminal() or len(self.history.moves) >= 3 * state.cells:
            self.margin = float(self.state.result())
        else:
            self._begin()

    def _may_resign(self, info: Info) -> bool:
        """Whether a live player would give up a lost game here."""
        table = Table(self.rules, self.komi, self.handicap, self.history.moves)
        return info.visits >= GUIDED_VISITS and self.hooks.may_resign(self.state, table)

    def _play(self, move: int) -> None:
        self.history.play(self.state.to_move, move, self.rules.repetition)

    def _begin(self) -> None:
        history = self.history
        recent = history.recent(RECENT)
        earlier = history.earlier(min(EARLIER, len(recent)))
        has_passed = any(move == self.state.pass_move for _, move in history.moves)
        seen = history.seen(self.rules.repetition)
        self.mover.begin(Root(self.state, seen, recent, earlier=earlier, rules=self.rules, has_passed=has_passed))


def size_of(match: Match) -> int:
    """The size of the boards of a match."""
    return match.size or match.setting.size or get_game(match.a.game).default_size


def play_together(match: Match, tasks: Sequence[tuple[int, Sequence[int]]]) -> list[Played]:
    """Play games (number, opening) side by side and return them in any order. Runs in a worker process.

    Raises ConfigError for sides that cannot play like this, NetworkError for networks of another game or board.
    """
    size = size_of(match)
    for config in (match.a, match.b):
        check_named(config)
        outline_named(config).check_board(size, size)
    return play_sides(match, [side_of(match.a, size), side_of(match.b, size)], tasks)


def play_sides(match: Match, sides: Sequence[Side], tasks: Sequence[tuple[int, Sequence[int]]]) -> list[Played]:
    """The same between sides whose networks are loaded."""
    games = [Game(match, sides, number, opening) for number, opening in tasks]
    done: list[Played] = []
    while games:
        for side in sides:
            play_round([game for game in games if game.mover.side is side and not game.is_over], side)
        done += [game.played() for game in games if game.is_over]
        games = [game for game in games if not game.is_over]
    return done


def play_round(games: Sequence[Game], side: Side) -> None:
    """One batch more for every game whose mover is of this side, and what follows from the answers."""
    start = time.process_time()
    seats = [game.mover for game in games]
    for asked, found in _answered(seats, side):
        at = 0
        for seat, count in asked:
            seat.answers.append(found.part(at, count))
            at += count
    for game in games:
        game.step()
    spent = time.process_time() - start
    for seat in seats:
        seat.cpu += spent / len(seats)


def _answered(seats: Sequence[Seat], side: Side) -> Iterator[tuple[list[tuple[Seat, int]], Answers]]:
    """A batch of every tree that has room for one, answered ROWS at most at a time, and who asked for how many."""
    asked: list[tuple[Seat, int]] = []
    rows = 0
    for number, seat in enumerate(seats):
        if number == 0:
            place = new_place(side.evaluator.features, seat.state.height, seat.state.width, ROWS)
        if ROWS - rows < seat.room():
            yield asked, _answers(side, place, rows)
            asked, rows = [], 0
        count = seat.collect(place.part(rows))
        if count:
            asked.append((seat, count))
            rows += count
    if rows:
        yield asked, _answers(side, place, rows)


def _answers(side: Side, place: Place, rows: int) -> Answers:
    found = place.first(rows).asked(side.evaluator).wait()
    return Answers(found.policies, found.values, found.scores, owners_of(found), errors_of(found))
