"""What is told of a game beside its board: whose turn it is, the last moves, chances, help."""

from __future__ import annotations

from tengen.engine.games.base import BLACK, Game, State
from tengen.engine.info import Info
from tengen.tools.play.board import CHEQUERS, cells_of_move
from tengen.tools.play.moves import line_of, text_of
from tengen.tools.play.rendering import Marks
from tengen.tools.play.table import Table

HELP = """MOVE         play it: {moves}
undo         take back to your last move     hint [N]     the best moves
{strength:13}how strong Tengen plays         pass, resign
save [FILE]  {saved:32}moves        the moves so far
board        draw it again                   quit         leave"""


def help_text(table: Table) -> str:
    """What may be typed."""
    examples = {"lines": "d4, q16", "squares": "f5, c4", CHEQUERS: "e4, Nf3, e2e4, O-O, e8=Q"}
    has_ranks = any(entry.ranks for entry in table.game.players.values())
    return HELP.format(
        moves=examples[table.look.kind], saved=f"{table.extension[1:].upper()} by the name",
        strength="level, rank" if has_ranks else "level N",
    )  # fmt: skip


def header(table: Table) -> str:
    """Who plays whom."""
    first, second = table.names
    one, other = table.look.sides
    return f"{one}: {first}   {other}: {second}"


def status(table: Table) -> str:
    """Whose turn it is, or how the game ended."""
    if table.is_over:
        return f"The game is over: {table.result_text()}."
    state, side = table.live.state, table.look.sides[table.live.state.to_move]
    parts = [f"Move {len(table.live.moves) + 1}: {side} to move"]
    if getattr(state, "is_check", False):
        parts.append("check")
    if table.game.conventions.counts_discs:
        stones = state.stones()
        parts.append(f"{stones.count(1)} to {stones.count(2)} discs")
    captured = getattr(state, "captured", None)
    if captured is not None and (captured(0) or captured(1)):
        parts.append(f"captured: {captured(0)} black, {captured(1)} white")
    return ", ".join(parts) + "."


def move_texts(table: Table) -> list[str]:
    """Every move as people write it."""
    texts, state = [], table.live.history.start.copy()
    for colour, move in table.live.moves:
        if state.to_move != colour:
            state.set_to_move(colour)
        texts.append(text_of(table.game, state, move))
        state.play(move)
    return texts


def played(game: Game, state: State, move: int | None) -> str:
    """What somebody does: "plays Nf3", "resigns"."""
    return "resigns" if move is None else f"plays {text_of(game, state, move)}"


def numbered(table: Table, last: int | None = None) -> list[str]:
    """The moves in lines of two, "1. d4 Nf6"; last: so many lines from the end."""
    texts = move_texts(table)
    skipped = int(bool(table.live.moves) and table.live.moves[0][0] != BLACK)
    texts = ["..."] * skipped + texts
    lines = [f"{number // 2 + 1}. {' '.join(texts[number : number + 2])}" for number in range(0, len(texts), 2)]
    return lines if last is None else lines[-last:]


def chances(table: Table, info: Info) -> str:
    """What a search thinks of who moves first: "Black 54 %"; with the lead where the game counts one."""
    expected = info.expected if info.to_move == BLACK else 1 - info.expected
    side = table.look.sides[0]
    return f"{side} {100 * expected:.0f} %"


def hints(table: Table, info: Info, most: int) -> list[tuple[int, str, str]]:
    """(move, its letter, a line about it) of the best moves."""
    state, rows = table.live.state, []
    for letter, line in zip("abcdefghijklmnopqrstuvwxyz", info.lines[:most], strict=False):
        if not state.is_legal(line.move):
            continue
        text = " ".join(line_of(table.game, state, line.pv or (line.move,)))
        rows.append((line.move, letter, f"{letter}  {100 * line.expected:5.1f} %  {text}"))
    return rows


def marks_of(table: Table, shown: list[tuple[int, str, str]] | None = None, cursor: int | None = None) -> Marks:
    """The last move, and hints where they are shown."""
    live = table.live
    last: tuple[int, ...] = ()
    if live.moves:
        before = live.history.earlier(1)
        last = cells_of_move(table.game, before[-1] if before else live.state, live.moves[-1][1])
    letters: dict[int, str] = {}
    for move, letter, _ in shown or []:
        cells = cells_of_move(table.game, live.state, move)
        if cells:
            letters.setdefault(cells[-1], letter)
    return Marks(last, letters, cursor)
