"""GoGui: the menu of analyze commands, parameters, pictures of the last search, and the game ruler.

`gogui-rules_*` let GoGui play every game of the registry through us, knowing none of its rules.
"""

from __future__ import annotations

from typing import Any

from tengen.protocols.gtp.arguments import cell
from tengen.protocols.gtp.board import board_rows, row_number
from tengen.protocols.gtp.framing import Request
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.moves import text
from tengen.protocols.gtp.registry import COMMANDS, GO, command
from tengen.protocols.gtp.scoring import score

ANALYZE_COMMANDS = """\
dboard/Ownership/tengen-ownership
gfx/Last Search/tengen-search_gfx
varc/Best Line/tengen-best_line %c
plist/Legal Moves/tengen-legal_moves
plist/Dead Stones/final_status_list dead
plist/Seki Stones/final_status_list seki
string/Final Score/final_score
string/Explain Last Move/gomill-explain_last_move
string/Rules/kata-get-rules
string/Engine/gomill-describe_engine
string/CPU Time/cputime
param/Parameters/tengen-param
none/Clear Cache/clear_cache
none/Take Back Moves/gg-undo"""


@command("gogui-analyze_commands")
def analyze_commands(gtp: Gtp, request: Request) -> str:
    """Those of the menu that the game in play has."""
    lines = ANALYZE_COMMANDS.split("\n")
    return "\n".join(line for line in lines if COMMANDS[line.split("/")[2].split()[0]].serves(gtp.game))


@command("tengen-search_gfx")
def search_gfx(gtp: Gtp, request: Request) -> str:
    """The last search: win rates as influence, visits as labels, the best line as a variation."""
    info = gtp.last_info
    if info is None or info.best is None:
        return "TEXT no search yet"
    lines = [line for line in info.lines if line.visits and line.move != gtp.player.state.pass_move]
    side = "b" if info.to_move == 0 else "w"
    influence = " ".join(f"{text(gtp, line.move)} {2 * line.win + line.draw - 1:.2f}" for line in lines)
    labels = " ".join(f"{text(gtp, line.move)} {line.visits}" for line in lines[:20])
    other = {"b": "w", "w": "b"}
    moves = []
    for move in info.best.pv:
        moves.append(f"{side} {text(gtp, move)}")
        side = other[side]
    parts = [f"INFLUENCE {influence}", f"LABEL {labels}"] if lines else []
    return "\n" + "\n".join([*parts, f"VAR {' '.join(moves)}", f"TEXT {info.visits} visits, {info.win:.1%} to win"])


@command("tengen-best_line")
def best_line(gtp: Gtp, request: Request) -> str:
    """The best line of the last search."""
    best = gtp.last_info.best if gtp.last_info else None
    return " ".join(text(gtp, move) for move in best.pv) if best else ""


@command("tengen-legal_moves")
def legal_moves(gtp: Gtp, request: Request) -> str:
    """The cells where the side to move may play, repetition aside."""
    state = gtp.player.state
    return " ".join(text(gtp, move) for move in state.legal_moves() if move != state.pass_move)


@command("tengen-chain", games=GO)
def chain(gtp: Gtp, request: Request) -> str:
    """The stones connected with the one on a vertex; nothing for an empty point."""
    point = cell(gtp, request.rest)
    find = getattr(gtp.player.state, "chain", None)
    if find is None or not gtp.player.state.stones()[point]:
        return ""
    return " ".join(text(gtp, member) for member in find(point))


@command("gogui-rules_game_id")
def rules_game_id(gtp: Gtp, request: Request) -> str:
    return gtp.player.game.gogui_id


@command("gogui-rules_board_size")
def rules_board_size(gtp: Gtp, request: Request) -> str:
    """The size; width and height where they differ, but for Go, of which GoGui knows square boards only."""
    state = gtp.player.state
    is_square = state.width == state.height or gtp.game == "go"
    return f"{state.width}" if is_square else f"{state.width} {state.height}"


@command("gogui-rules_board")
def rules_board(gtp: Gtp, request: Request) -> str:
    """Rows with "X" black, "O" white, "." empty. GoGui shows the first one on top and numbers from the bottom, so
    that the highest row number comes first: Othello, which counts from the top, is shown upside down.
    """
    game, state = gtp.player.game, gtp.player.state
    rows = board_rows(state)
    if row_number(game, state, 0) < row_number(game, state, state.height - 1):
        rows.reverse()
    return "\n" + "\n".join(rows)


@command("gogui-rules_captured_count", games=("reversi",))
def rules_captured_count(gtp: Gtp, request: Request) -> str:
    """GoGui shows the two numbers beside White and Black: the discs."""
    discs = gtp.player.state.stones()
    return f"{discs.count(2)} {discs.count(1)}"


@command("gogui-rules_board_gfx", games=("gomoku",))
def rules_board_gfx(gtp: Gtp, request: Request) -> str:
    """What to draw on the board: the row that won, and the points forbidden to Black when Black is to move."""
    state: Any = gtp.player.state
    row = [text(gtp, move) for move in state.winning_line()]
    forbidden = [text(gtp, move) for move in (state.forbidden() if state.to_move == 0 and not row else ())]
    lines = [f"SQUARE {' '.join(row)}"] if row else []
    lines += [f"MARK {' '.join(forbidden)}"] if forbidden else []
    return "\n" + "\n".join(lines) if lines else ""


@command("gogui-rules_legal_moves")
def rules_legal_moves(gtp: Gtp, request: Request) -> str:
    """Every legal move, "pass" at the end, in lower case as GoGui looks for it; nothing when the game is over."""
    state = gtp.player.state
    if state.is_terminal():
        return ""
    moves = sorted(state.legal_moves())
    return " ".join("pass" if move == state.pass_move else text(gtp, move) for move in moves)


@command("gogui-rules_side_to_move")
def rules_side_to_move(gtp: Gtp, request: Request) -> str:
    return "bw"[gtp.player.state.to_move]


@command("gogui-rules_final_result")
def rules_final_result(gtp: Gtp, request: Request) -> str:
    """The result of a finished game, nothing before."""
    if not gtp.player.state.is_terminal():
        return ""
    return score(gtp)
