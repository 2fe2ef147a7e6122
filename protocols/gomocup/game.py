"""The commands of the protocol proper: sizes, stones, asking for a move."""

from __future__ import annotations

from tengen.engine.version import __version__
from tengen.protocols.gomocup.framing import GomocupError, Request, coordinates, number, placed, quoted
from tengen.protocols.gomocup.handler import Gomocup
from tengen.protocols.gomocup.registry import command
from tengen.protocols.gomocup.thinking import answer


@command("ABOUT", rule=False, board=False)
def about(gomocup: Gomocup, request: Request) -> str:
    """Answer one line of name="value" pairs."""
    name, version = gomocup.config.name or "Tengen", gomocup.config.version_string or __version__
    facts = {"name": name, "version": version, "author": "Tengen developers", "country": "International"}
    return ", ".join(f'{key}="{value.replace(chr(34), chr(39))}"' for key, value in facts.items())


@command("START", board=False)
def start(gomocup: Gomocup, request: Request) -> str:
    """Begin a game on a square board; everything about the last game is forgotten, what INFO said is kept."""
    size = number(request.text)
    if size is None:
        raise GomocupError(f"{quoted(request.text)} is no board size")
    return _new_game(gomocup, size, size)


@command("RECTSTART", board=False)
def rect_start(gomocup: Gomocup, request: Request) -> str:
    """Begin a game on a board of `width,height`."""
    return _new_game(gomocup, *coordinates(request.text))


@command("RESTART")
def restart(gomocup: Gomocup, request: Request) -> str:
    """Begin a new game on a board of the same size."""
    gomocup.new_game(gomocup.position.width, gomocup.position.height)
    return "OK"


@command("BEGIN")
def begin(gomocup: Gomocup, request: Request) -> str:
    """Answer the first move of the game."""
    if gomocup.position.stones:
        raise GomocupError("the board is not empty")
    gomocup.position.us = 0
    return answer(gomocup, request)


@command("TURN")
def turn(gomocup: Gomocup, request: Request) -> str:
    """Take the opponent's move, whether the rules allow it or not, and answer ours."""
    position = gomocup.position
    cell = position.empty_cell(*coordinates(request.text))
    if position.us is None:
        position.us = 1 - position.next_colour
    position.put(1 - position.us, cell)
    return answer(gomocup, request)


@command("BOARD", block=True)
def board(gomocup: Gomocup, request: Request) -> str:
    """Take a whole position in which we are to move, and answer a move."""
    place(gomocup, request)
    return answer(gomocup, request)


@command("TAKEBACK")
def takeback(gomocup: Gomocup, request: Request) -> str:
    """Take back the stone on a point, whichever it is."""
    position = gomocup.position
    x, y = coordinates(request.text)
    cell = position.cell(x, y)
    if position.is_empty(cell):
        raise GomocupError(f"{x},{y} is empty")
    position.take(cell)
    return "OK"


@command("PLAY")
def play(gomocup: Gomocup, request: Request) -> str:
    """Play a move that the manager chose for us."""
    position = gomocup.position
    cell = position.empty_cell(*coordinates(request.text))
    if position.us is None:
        position.us = position.next_colour
    position.put(position.us, cell)
    return position.text(cell)


def place(gomocup: Gomocup, request: Request) -> None:
    """Replace the board by the lines of a block. Raises GomocupError; the board is then as before."""
    stones = []
    for line in request.lines:
        x, y, owner = placed(line)
        if owner is None:
            raise GomocupError(f"{quoted(line)} is not x,y,field")
        stones.append((x, y, owner))
    gomocup.position.place(stones, in_order=gomocup.player.rules.name == "renju")


def _new_game(gomocup: Gomocup, width: int, height: int) -> str:
    gomocup.new_game(width, height)
    gomocup.blocked.clear()
    return "OK"
