"""The board: size, clearing, komi, placing stones, showing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.engine.games.vertex import COLUMNS
from tengen.protocols.gtp.arguments import cell, colour, count, integer, number
from tengen.protocols.gtp.framing import GtpError, Request, quoted
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.registry import GO, command

if TYPE_CHECKING:
    from tengen.engine.games.base import Game, State

PAIRS = "Expected a space-separated sequence of <COLOR> <VERTEX> pairs but got "
PLACEMENT = "Illegal stone placements - overlapping stones or stones with no liberties?"


@command("boardsize", "rectangular_boardsize")
def boardsize(gtp: Gtp, request: Request) -> str:
    """Set the size: `boardsize N`, KataGo's `boardsize X Y` and `X:Y`. The board becomes empty."""
    words = request.rest.replace(":", " ").split()
    if not 1 <= len(words) <= 2:
        raise GtpError("boardsize not an integer")
    sizes = [integer(word, "boardsize not an integer") for word in words]
    if not all(1 <= size <= len(COLUMNS) for size in sizes):
        raise GtpError("unacceptable size")
    try:
        gtp.player.new_game(sizes[0], sizes[-1])
    except ValueError:
        raise GtpError("unacceptable size") from None
    return ""


@command("query_boardsize")
def query_boardsize(gtp: Gtp, request: Request) -> str:
    """Answer the size; width and height when they differ."""
    return size_text(gtp.player.state)


@command("clear_board")
def clear_board(gtp: Gtp, request: Request) -> str:
    """Begin a new game on a board of the same size."""
    gtp.player.clear()
    return ""


@command("komi")
def komi(gtp: Gtp, request: Request) -> str:
    """Set the komi, any finite number: Sabaki sends 0 when a record names none, handicap games have negative ones.

    Controllers send it in every game; where there is no komi it changes nothing.
    """
    words = request.words
    if len(words) != 1:
        raise GtpError("komi not a float")
    value = number(words[0], "komi not a float")
    if has_komi(gtp.player.game):
        gtp.player.set_komi(value)
    return ""


@command("get_komi", games=GO)
def get_komi(gtp: Gtp, request: Request) -> str:
    """Answer the komi."""
    return f"{gtp.player.komi:.10g}"


@command("set_position")
def set_position(gtp: Gtp, request: Request) -> str:
    """Replace the board by the given stones, no moves before, Black to move; no arguments: empty board (KataGo).

    Doubled blanks are refused as KataGo does (katago_gtp/set_position.txt).
    """
    if not request.rest:
        gtp.player.clear()
        return ""
    stones = placed(gtp, bytes(_cells(gtp)), request)
    _set_up(gtp, stones, 0)
    return ""


@command("gogui-setup")
def gogui_setup(gtp: Gtp, request: Request) -> str:
    """Put stones on the board as it is, all of them or none; the side to move stays (GoGui)."""
    state = gtp.player.state
    _set_up(gtp, placed(gtp, state.stones(), request), state.to_move)
    return ""


@command("gogui-setup_player")
def gogui_setup_player(gtp: Gtp, request: Request) -> str:
    """Set who moves next in a position that was set up (GoGui)."""
    (word,) = count(request, 1)
    _set_up(gtp, gtp.player.state.stones(), colour(word))
    return ""


@command("showboard")
def showboard(gtp: Gtp, request: Request) -> str:
    """Draw the position as text."""
    player = gtp.player
    state = player.state
    lines = [*diagram(player.game, state), f"Next player: {'White' if state.to_move else 'Black'}"]
    lines.append(f"Rules: {player.rules.name}" + (f"  Komi: {player.komi:.10g}" if has_komi(player.game) else ""))
    captured, discs = getattr(state, "captured", None), getattr(state, "discs", None)
    if captured is not None:
        lines += [f"B stones captured: {captured(0)}", f"W stones captured: {captured(1)}"]
    if discs is not None:
        lines.append(f"Discs: X {discs(0)}  O {discs(1)}")
    return "\n" + "\n".join(lines)


def diagram(game: Game, state: State) -> list[str]:
    """The board with the game's own coordinates, "X" black and "O" white, top row first."""
    columns = [game.move_to_text(state, column)[0].upper() for column in range(state.width)]
    lines = ["   " + " ".join(columns)]
    for row, cells in enumerate(board_rows(state)):
        lines.append(f"{row_number(game, state, row):2d} {cells}")
    return lines


def size_text(state: State) -> str:
    """The size as one number, two for a board that is not square."""
    return f"{state.width}" if state.width == state.height else f"{state.width} {state.height}"


def board_rows(state: State) -> list[str]:
    """Rows from the top: "X" black, "O" white, "." empty, with blanks between."""
    stones, width = state.stones(), state.width
    starts = range(0, len(stones), width)
    return [" ".join(".XO"[stone] for stone in stones[start : start + width]) for start in starts]


def row_number(game: Game, state: State, row: int) -> int:
    """Return the game's number of the row that is `row` below the top."""
    return int(game.move_to_text(state, row * state.width)[1:])


def has_komi(game: Game) -> bool:
    """Whether komi means anything in the game."""
    return bool(game.default_komi)


def placed(gtp: Gtp, before: bytes, request: Request) -> bytes:
    """`before` with the stones that the request names. Raises GtpError for anything but pairs on free points."""
    stones = bytearray(before)
    words = request.rest.split(" ")
    bad = PAIRS + quoted(request.rest)
    if len(words) % 2 or "" in words:
        raise GtpError(bad)
    for i in range(0, len(words), 2):
        side = colour(words[i], bad)
        point = cell(gtp, words[i + 1], f"{bad}: could not parse vertex: {quoted(words[i + 1])}")
        if stones[point]:
            raise GtpError(PLACEMENT)
        stones[point] = 1 + side
    return bytes(stones)


def _set_up(gtp: Gtp, stones: bytes, to_move: int) -> None:
    try:
        gtp.player.setup(stones, to_move)
    except ValueError:
        raise GtpError(PLACEMENT) from None


def _cells(gtp: Gtp) -> int:
    return gtp.player.state.width * gtp.player.state.height
