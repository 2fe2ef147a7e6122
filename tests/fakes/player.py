"""A Go player without the native core, for tests of protocols: sgfmill's rules, and searches that tests control.

`FakePlayer` keeps the contract of `tengen.engine.play.player.Player` as far as protocols use it. A search "thinks" for
`config.time` seconds or until it is stopped; `fail` makes the next call of a method raise.
"""

from __future__ import annotations

import threading
from collections import namedtuple
from types import SimpleNamespace

from fakes.stopping import wait
from sgfmill import boards

from tengen.engine.config import Config
from tengen.engine.games import get_game
from tengen.engine.games.base import IllegalMove
from tengen.engine.games.hooks import FinalStatus
from tengen.engine.history import Part
from tengen.engine.info import Info, Line
from tengen.engine.play.clock import Clocks

Decision = namedtuple("Decision", "move info notice", defaults=[""])


class FakeState:
    """A position on sgfmill's board."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.pass_move = self.cells = width * height
        self.move_bound = self.pass_move + 1
        self.board = boards.Board(max(width, height))
        self.to_move = self.passes = 0
        self.ko = None
        self.lost = [0, 0]

    def copy(self):
        other = FakeState(self.width, self.height)
        other.board = self.board.copy()
        other.to_move, other.passes, other.ko, other.lost = self.to_move, self.passes, self.ko, list(self.lost)
        return other

    def stones(self):
        cells = (self.board.get(self.height - 1 - r, c) for r in range(self.height) for c in range(self.width))
        return bytes({None: 0, "b": 1, "w": 2}[cell] for cell in cells)

    @property
    def state_key(self):
        return hash((self.stones(), self.to_move, self.ko, self.passes))

    def captured(self, colour):
        return self.lost[colour]

    def is_terminal(self):
        return self.passes >= 2

    def legal_moves(self):
        return [cell for cell, stone in enumerate(self.stones()) if not stone] + [self.pass_move]

    def result(self):
        return float(self.board.area_score())

    def play_as(self, colour, move):
        if move == self.pass_move:
            self.passes, self.ko = self.passes + 1, None
        else:
            row, column = self.height - 1 - move // self.width, move % self.width
            before = sum(map(bool, self.stones()))
            if self.board.get(row, column) is not None:
                raise ValueError("occupied")
            if self.ko == (row, column, colour):
                raise ValueError("ko")
            trial = self.board.copy()
            ko = trial.play(row, column, "bw"[colour])
            if trial.get(row, column) is None:
                raise ValueError("suicide")
            self.board, self.passes = trial, 0
            self.ko = (*ko, 1 - colour) if ko else None
            self.lost[1 - colour] += before + 1 - sum(map(bool, self.stones()))
        self.to_move = 1 - colour


class FakePlayer:
    """See above. `asked` records the requests of genmove (without their stop tokens), and the calls of analyse with their arguments."""

    def __init__(self, config=None):
        self.config = config or Config()
        self.game = get_game("go")
        self.rules, self.komi = self.game.default_rules, 7.5
        self.clock = Clocks()
        self.asked, self.fail, self.closed = [], {}, False
        self.new_game(19)

    def new_game(self, width, height=None):
        self.game.check_size(width, height or width)
        self._begin(FakeState(width, height or width))

    def _begin(self, state, handicap=0):
        self.handicap = handicap
        self.states, self.moves = [state], []

    @property
    def state(self):
        return self.states[-1]

    @property
    def history(self):
        start, is_setup = self.states[0], any(self.states[0].stones())
        return SimpleNamespace(
            start=start, moves=self.moves, is_setup=is_setup, parts=[Part(start, self.moves, is_setup)]
        )

    def clear(self):
        self.new_game(self.state.width, self.state.height)

    def set_komi(self, komi):
        self.komi = komi

    def set_rules(self, rules):
        self.rules = rules

    def configure(self, config):
        self.config = config

    def forget(self):
        self._raise("forget")

    def ponder_stop(self):
        self._raise("ponder_stop")

    def close(self):
        self.closed = True

    def play(self, colour, move):
        state = self.state.copy()
        try:
            state.play_as(colour, move)
        except ValueError as error:
            raise IllegalMove(str(error)) from None
        self.states.append(state)
        self.moves.append((colour, move))

    def play_sequence(self, moves):
        count = len(self.moves)
        try:
            for colour, move in moves:
                self.play(colour, move)
        except IllegalMove:
            self.undo(len(self.moves) - count)
            raise

    def undo(self, count=1):
        if count > len(self.moves):
            raise ValueError("cannot undo")
        if count:
            del self.states[-count:], self.moves[-count:]

    def setup(self, stones, to_move, handicap=0):
        state = FakeState(self.state.width, self.state.height)
        points = [("bw"[stone - 1], state.height - 1 - cell // state.width, cell % state.width)
                  for cell, stone in enumerate(stones) if stone]  # fmt: skip
        black, white = ([p[1:] for p in points if p[0] == colour] for colour in "bw")
        if not state.board.apply_setup(black, white, []):
            raise ValueError("no liberties")
        state.to_move = to_move
        self._begin(state, handicap)

    def handicap_fixed(self, count):
        cells = self.game.hooks.handicap_fixed(self.state.width, self.state.height, count)
        self.handicap_set(cells)
        return cells

    handicap_free = handicap_fixed

    def handicap_set(self, cells):
        stones = bytearray(self.state.cells)
        for cell in cells:
            stones[cell] = 1
        self.setup(bytes(stones), 1, len(cells))

    def genmove(self, request):
        colour, on_info = request.colour, request.on_info
        self.asked.append(request._replace(stop=None))
        self._raise("genmove")
        if on_info is not None:
            on_info(self._info(colour))
        wait(request.stop, 0.01 if self.config.time is None else self.config.time)
        info = self._info(colour)
        if request.play:
            self.play(colour, info.lines[0].move)
        return Decision(info.lines[0].move, info)

    def analyse(self, colour, on_info, interval, **options):
        self.asked.append((colour, interval, options))
        self._raise("analyse")
        return FakeAnalysis(self._info(colour, options.get("ownership", False)), on_info, interval)

    def final_status(self, stop=None):
        wait(stop, self.config.time or 0.0)
        stones = self.state.stones()
        alive = tuple((cell,) for cell, stone in enumerate(stones) if stone)
        return FinalStatus(alive=alive, score=self.state.result() - self.komi, ownership=(0.25,) * len(stones))

    def _info(self, colour, ownership=False):
        moves = self.state.legal_moves()
        line = Line(moves[0], (moves[0], moves[-1]), 9, win=0.5, draw=0.25, loss=0.25, score=1.5, lcb=0.4, prior=0.1)
        other = Line(moves[-1], (), 1, win=0.25)
        own = (0.5,) * self.state.cells if ownership else ()
        return Info((line, other), colour, visits=10, expected=0.6, score=1.25, ownership=own)

    def _raise(self, method):
        if method in self.fail:
            raise self.fail.pop(method)


class FakeAnalysis:
    """Reports the same again and again."""

    def __init__(self, info, on_info, interval):
        self.info, self._end = info, threading.Event()
        on_info(info)
        self._thread = threading.Thread(target=self._report, args=(on_info, interval), daemon=True)
        self._thread.start()

    def _report(self, on_info, interval):
        while not self._end.wait(interval):
            on_info(self.info)

    def stop(self):
        self._end.set()
        self._thread.join()
        return self.info
