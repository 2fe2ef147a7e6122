"""GoGui: the menu of analyze commands, parameters, pictures of the last search, and the game ruler.

`gogui-rules_*` let GoGui play every game of the registry through us, knowing none of its rules; but Go, which it knows:
GoGui 1.6 asks an engine that lists them for the board, throws the open game away and begins an empty one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from tengen.protocols.gtp.arguments import cell, colour, count
from tengen.protocols.gtp.board import board_rows, row_number, size_text
from tengen.protocols.gtp.framing import Request
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.moves import decided, summary, text
from tengen.protocols.gtp.registry import COMMANDS, GO, command
from tengen.protocols.gtp.scoring import score

if TYPE_CHECKING:
    from tengen.engine._core import GomokuState


class Entry(NamedTuple):
    """One entry of the menu: how GoGui shows the answer, its label and the command.

    in_play: False when the command refuses while a game without passes goes on.
    """

    kind: str
    label: str
    words: str
    in_play: bool = True

    def serves(self, gtp: Gtp) -> bool:
        """Whether the entry is of use in the game in play."""
        return COMMANDS[self.words.split()[0]].serves(gtp.game) and (self.in_play or gtp.player.game.passes != "none")


MENU = (
    Entry("dboard", "Ownership", "tengen-ownership"),
    Entry("gfx", "Last Search", "tengen-search_gfx"),
    Entry("varc", "Best Line", "tengen-best_line %c"),
    Entry("plist", "Legal Moves", "tengen-legal_moves"),
    Entry("plist", "Dead Stones", "final_status_list dead"),
    Entry("plist", "Seki Stones", "final_status_list seki"),
    Entry("string", "Final Score", "final_score", in_play=False),
    Entry("string", "Explain Last Move", "gomill-explain_last_move"),
    Entry("string", "Rules", "kata-get-rules"),
    Entry("string", "Engine", "gomill-describe_engine"),
    Entry("string", "CPU Time", "cputime"),
    Entry("param", "Parameters", "tengen-param"),
    Entry("none", "Clear Cache", "clear_cache"),
)
"""The menu of GoGui. It never looks whether an entry has changed the board, so that none may."""


@command("gogui-analyze_commands")
def analyze_commands(gtp: Gtp, request: Request) -> str:
    """Answer the entries of GoGui's menu that the game in play has."""
    return "\n".join(f"{entry.kind}/{entry.label}/{entry.words}" for entry in MENU if entry.serves(gtp))


@command("tengen-search_gfx")
def search_gfx(gtp: Gtp, request: Request) -> str:
    """Show the last search: win rates as influence (black squares: good for Black), visits as labels, and how it goes
    on.

    Shown on the position that was searched and after the move that was chosen there.
    """
    search, pass_move = gtp.last_search, gtp.player.state.pass_move
    shown = search.on(gtp.player.state) if search else None
    if search is None or shown is None:
        return "TEXT no search of this position"
    info = search.info
    lines = [line for line in info.lines if line.visits and line.move != pass_move]
    sign = -1 if info.to_move else 1
    influence = " ".join(f"{text(gtp, line.move)} {sign * (2 * line.expected - 1):.2f}" for line in lines)
    labels = " ".join(f"{text(gtp, line.move)} {line.visits}" for line in lines[:20])
    moves = " ".join(f"{'bw'[(shown.colour + n) % 2]} {text(gtp, move)}" for n, move in enumerate(shown.rest))
    parts = [f"INFLUENCE {influence}", f"LABEL {labels}"] if lines else []
    parts += [f"VAR {moves}"] if moves else []
    return "\n" + "\n".join([*parts, f"TEXT {summary(gtp, info, shown.line)}"])


@command("tengen-best_line")
def best_line(gtp: Gtp, request: Request) -> str:
    """Answer the best line for the colour asked (default: to move), by a search that plays nothing; empty when it is
    over."""
    state = gtp.player.state
    words = count(request, 0, 1)
    side = colour(words[0]) if words else state.to_move
    if state.is_terminal():
        return ""
    decision = decided(gtp, side, play=False, resign=False)
    assert decision is not None and decision.move is not None, "neither cancelled nor resigned"
    line = next((line for line in decision.info.lines if line.move == decision.move), None)
    return " ".join(text(gtp, move) for move in (line.pv if line and line.pv else (decision.move,)))


@command("tengen-legal_moves")
def legal_moves(gtp: Gtp, request: Request) -> str:
    """Answer the cells where the side to move may play, repetition aside."""
    state = gtp.player.state
    return " ".join(text(gtp, move) for move in state.legal_moves() if move != state.pass_move)


@command("tengen-chain", games=GO)
def chain(gtp: Gtp, request: Request) -> str:
    """Answer the stones connected with the one on a vertex; nothing for an empty point."""
    point = cell(gtp, request.rest)
    find = getattr(gtp.player.state, "chain", None)
    if find is None or not gtp.player.state.stones()[point]:
        return ""
    return " ".join(text(gtp, member) for member in find(point))


@command("gogui-rules_game_id", not_for=GO)
def rules_game_id(gtp: Gtp, request: Request) -> str:
    """Answer the name by which GoGui knows the game."""
    return gtp.player.game.gogui_id


@command("gogui-rules_board_size", not_for=GO)
def rules_board_size(gtp: Gtp, request: Request) -> str:
    """Answer the size; width and height where they differ."""
    return size_text(gtp.player.state)


@command("gogui-rules_board", not_for=GO)
def rules_board(gtp: Gtp, request: Request) -> str:
    """Draw the rows with "X" black, "O" white, "." empty. GoGui shows the first one on top and numbers from the bottom,
    so that the highest row number comes first: Othello, which counts from the top, is shown upside down."""
    game, state = gtp.player.game, gtp.player.state
    rows = board_rows(state)
    if row_number(game, state, 0) < row_number(game, state, state.height - 1):
        rows.reverse()
    return "\n" + "\n".join(rows)


@command("gogui-rules_captured_count", games=("reversi",))
def rules_captured_count(gtp: Gtp, request: Request) -> str:
    """Answer the discs, which GoGui shows beside White and Black as captured stones."""
    discs = gtp.player.state.stones()
    return f"{discs.count(2)} {discs.count(1)}"


@command("gogui-rules_board_gfx", games=("gomoku",))
def rules_board_gfx(gtp: Gtp, request: Request) -> str:
    """Return the marks on the board: the row that won, and the points forbidden to Black when Black is to move."""
    state = cast("GomokuState", gtp.player.state)
    row = [text(gtp, move) for move in state.winning_line()]
    forbidden = [text(gtp, move) for move in (state.forbidden() if state.to_move == 0 and not row else ())]
    lines = [f"SQUARE {' '.join(row)}"] if row else []
    lines += [f"MARK {' '.join(forbidden)}"] if forbidden else []
    return "\n" + "\n".join(lines) if lines else ""


@command("gogui-rules_legal_moves", not_for=GO)
def rules_legal_moves(gtp: Gtp, request: Request) -> str:
    """Answer every legal move, "pass" last, in lower case as GoGui looks for it; nothing when the game is over."""
    state = gtp.player.state
    if state.is_terminal():
        return ""
    moves = sorted(state.legal_moves())
    return " ".join("pass" if move == state.pass_move else text(gtp, move) for move in moves)


@command("gogui-rules_side_to_move", not_for=GO)
def rules_side_to_move(gtp: Gtp, request: Request) -> str:
    """Answer the side to move."""
    return "bw"[gtp.player.state.to_move]


@command("gogui-rules_final_result", not_for=GO)
def rules_final_result(gtp: Gtp, request: Request) -> str:
    """Answer the result of a finished game, nothing before."""
    if not gtp.player.state.is_terminal():
        return ""
    return score(gtp)
