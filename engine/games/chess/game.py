"""Chess and Chess960: static facts, players and text codec. The rules themselves are in the core (`_core.ChessState`).

8x8, White first. A move is from | to << 6 | promotion << 12 with squares a1 = 0, b1 = 1, ... h8 = 63; castling is the
king that takes its own rook. Text of moves is UCI's; FEN is `text.py`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from tengen.engine.games import network_levels
from tengen.engine.games.base import Game, Passes, Rules, State
from tengen.engine.games.chess import levels
from tengen.engine.games.chess.text import KING, ROOK, START, square_of, square_text, state_from_fen
from tengen.engine.games.conventions import Conventions, MatchSetting
from tengen.engine.games.hooks import Hooks, Table
from tengen.engine.games.parts import Parts, Weights
from tengen.engine.games.players import Entry
from tengen.engine.sentence import excerpt

if TYPE_CHECKING:
    from tengen.engine._core import ChessState

SIDE = 8
PROMOTIONS = ("", "n", "b", "r", "q")
"""Letters by the number in a move."""
NO_MOVE = "0000"
FIFTY = 100
"""Plies without progress after which a game is drawn."""

OWN_WEIGHTS = Weights("network", "tengen-chess.safetensors")
"""The weights of alpha-beta."""
PLAYERS: Mapping[str, Entry] = MappingProxyType(
    {
        "alphabeta": Entry(
            "alphabeta",
            "tables",
            {"alphabeta.weights": "auto"},
            levels=levels.LOOKING_AHEAD,
            full=levels.FULL,
        ),
        "human": Entry(
            "human",
            needs_network=True,
            network="tengen-chess-human.onnx",
            features=("chess-v1", "chess-v2"),
            levels=network_levels.HUMAN,
            full=network_levels.LIKELIEST,
        ),
        "fromto": Entry(
            "policy",
            needs_network=True,
            network="tengen-chess-fromto.onnx",
            features=("chess-fromto-v1",),
            levels={},
            full=network_levels.LIKELIEST,
        ),
        "minimax": Entry("minimax", levels={}),
        "random": Entry("random"),
    }
)
"""alphabeta: the default; looks ahead ply by ply. human: as people play, by a network. fromto, minimax: the chess
program that this project grew from. random: any legal move."""


@dataclass(frozen=True)
class ChessRules:
    """FIDE's laws. Fifty moves and the third repetition are draws that a player claims; both are taken for draws.

    is_chess960: the start is one of 960, and castling is written as the king that takes its rook.
    """

    name: str = "standard"
    repetition: str = "threefold"
    is_chess960: bool = False


RULE_SETS: Mapping[str, Rules] = MappingProxyType(
    {"standard": ChessRules(), "chess960": ChessRules("chess960", is_chess960=True)}
)


EVEN, SCALE = 110.0, 100.0
"""Centipawns at which a win is as likely as anything else, and of the logistic slope (search_position.hpp)."""
LONG = 100.0
"""Moves of each side: nearly all games are no longer, and none is sure to be over soon."""
HIGHEST = 10_000.0
"""Centipawns for a game that is won."""


def centipawns_of(expected: float) -> float:
    """The score with this expected result, 0..1, where wins are 1 / (1 + e^((EVEN - score) / SCALE)) and losses the
    same of -score: the root of a square equation in e^(score / SCALE)."""
    edge = max(-1.0, min(2 * expected - 1, 1.0))
    if abs(edge) == 1.0:
        return edge * HIGHEST
    k = math.exp(EVEN / SCALE)
    both = edge * (1 + k * k)
    found = (both + math.sqrt(both * both + 4 * k * k * (1 - edge * edge))) / (2 * k * (1 - edge))
    return max(-HIGHEST, min(SCALE * math.log(found), HIGHEST))


class ChessHooks(Hooks):
    """Hooks of chess: how long games last, and when it is late enough to resign."""

    def moves_left(self, state: State, ply: int) -> float:
        """Between 12 and 31: fewer as pieces leave the board, more in endings that are long already."""
        pieces = 64 - state.stones().count(0)
        return max(12.0, 10.0 + 0.65 * pieces - ply / 20)

    def most_moves(self, state: State, ply: int) -> float:
        """A hundred, however long the game is already."""
        return LONG

    def may_resign(self, state: State, table: Table) -> bool:
        """After ten moves of each side."""
        return len(table.moves) >= 20

    def search_state(self, state: State, table: Table, colour: int) -> State:
        """A copy that goes on while there is a move: a draw that has come, or may be claimed, is searched like any
        position, and counts from the next move on."""
        return cast(State, cast("ChessState", super().search_state(state, table, colour)).as_root())

    def is_drawn(self, state: State) -> bool:
        """Fifty moves of each side without a capture or a move of a pawn."""
        return cast("ChessState", state).halfmove >= FIFTY and not state.is_terminal()

    def recorded(self, start: State) -> State:
        """Neither a dead position nor seventy-five moves end it."""
        cast("ChessState", start).play_on()
        return start

    def score_of(self, expected: float) -> float:
        """Centipawns: what alpha-beta's chances to win and to lose are of, the other way round."""
        return centipawns_of(expected)

    def position(self, game: Game, text: str, rules: Rules) -> State:
        """Return the position of a FEN. Raises ValueError; also for one of Chess960 under standard rules."""
        is_chess960 = _is_chess960(rules)
        state = state_from_fen(text)
        if state.is_chess960 and not is_chess960:
            raise ValueError("the position is one of Chess960: its rules are chess960")
        return cast(State, state_from_fen(text, is_chess960))


@dataclass(frozen=True)
class Chess:
    """The game of chess; implements `tengen.engine.games.base.Game`."""

    name: str = "chess"
    gogui_id: str = "Chess"
    default_size: int = SIDE
    default_komi: float = 0.0
    passes: Passes = "none"
    conventions: Conventions = Conventions(
        record="pgn",
        position="fen",
        protocol="uci",
        book="a file in Polyglot's format or one that tengen book makes; shipped: tengen's own",
        has_points=False,
        match=MatchSetting(plies=8, images=(0,), longest=600),
        has_margin=False,
        title="Chess",
        guis=("cutechess", "Arena", "lichess-bot", "En Croissant", "BanksiaGUI", "XBoard"),
    )
    parts: Parts = Parts(
        alphabeta="ChessAlphaBeta",
        tree="ChessTree",
        selfplay="ChessSelfPlay",
        weights=OWN_WEIGHTS,
        model="chess",
        tablebases="tengen.engine.games.chess.syzygy:for_search",
        judge="tengen.tools.match.game.judge:ChessJudge",
        review="tengen.tools.review.chess:KIND",
        speed="tengen.tools.bench_chess:BENCHMARK",
        peers="tengen.tools.peers.chess:PEERS",
        bench="tengen.engine.games.chess.bench:BENCH",
        book="tengen.engine.games.chess.book:NOTATION",
    )
    default_rules: Rules = RULE_SETS["standard"]
    rule_sets: Mapping[str, Rules] = field(default_factory=lambda: RULE_SETS)
    players: Mapping[str, Entry] = field(default_factory=lambda: PLAYERS)
    hooks: ChessHooks = field(default_factory=ChessHooks)

    def check_size(self, width: int, height: int) -> None:
        """Raise ValueError("unacceptable size") unless the board is 8x8."""
        if (width, height) != (SIDE, SIDE):
            raise ValueError("unacceptable size")

    def new_state(self, width: int, height: int, rules: Rules, komi: float) -> State:
        """The start of standard chess, White to move; there is no komi."""
        self.check_size(width, height)
        return cast(State, state_from_fen(START, _is_chess960(rules)))

    def move_to_text(self, state: State, move: int) -> str:
        """UCI: "e2e4", "e7e8q"; castling "e1g1", in Chess960 (and where the king is not on its file) "e1h1"."""
        if move < 0:
            return NO_MOVE
        board = cast("ChessState", state)
        start, end, promotion = move & 63, move >> 6 & 63, move >> 12
        pieces = board.pieces()
        if not board.is_chess960 and start in (4, 60) and _is_castling(pieces, start, end):
            end = start + (2 if end > start else -2)
        return square_text(start) + square_text(end) + PROMOTIONS[promotion]

    def move_from_text(self, state: State, text: str) -> int:
        """Read UCI in any case, castling in either form. Raises ValueError for text that is no move of any position."""
        word = text.strip().lower()
        start, end = square_of(word[:2]), square_of(word[2:4])
        if start < 0 or end < 0 or start == end or word[4:] not in PROMOTIONS:
            raise ValueError(f"{excerpt(text.strip(), 20)} is no move: chess moves are e2e4, e7e8q, e1g1")
        board = cast("ChessState", state)
        if abs((end & 7) - (start & 7)) > 1 and end & 7 in (2, 6) and start >> 3 == end >> 3:
            end = _rook_of(board, start, end)
        return start | end << 6 | PROMOTIONS.index(word[4:]) << 12


def _is_chess960(rules: Rules) -> bool:
    return isinstance(rules, ChessRules) and rules.is_chess960


def _is_castling(pieces: bytes, start: int, end: int) -> bool:
    """Whether a king goes to a rook of its own."""
    return (pieces[start], pieces[end]) in ((KING, ROOK), (KING + 6, ROOK + 6))


def _rook_of(state: ChessState, start: int, end: int) -> int:
    """The rook of a castling that is written as where the king arrives; `end` where it is none."""
    pieces = state.pieces()
    if pieces[start] not in (KING, KING + 6) or _is_castling(pieces, start, end):
        return end
    colour = int(pieces[start] > KING)
    rook = state.castling[2 * colour + (end < start)]
    return rook if rook >= 0 else end


CHESS = Chess()
