"""A game by typed moves: the board is drawn with rich where there is a colour terminal, in plain letters elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from tengen.tools.play import told
from tengen.tools.play.commands import Desk
from tengen.tools.play.draw import Row, board_rows, text_of, width_of
from tengen.tools.play.seats import Answer, SeatError

if TYPE_CHECKING:
    from rich.console import Console

BESIDE = 26
"""Columns that the list of moves needs beside the board."""


class Paper:
    """Writes boards and sentences one below the other."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.has_colour = console.is_terminal and console.color_system is not None

    def board(self, desk: Desk) -> None:
        """The board with its last moves beside it where the terminal is wide enough."""
        table = desk.table
        marks = told.marks_of(table, desk.hints)
        rows = board_rows(table.game, table.live.state, marks, has_colour=self.has_colour)
        self.say("")
        if self._console.width >= width_of(rows) + BESIDE:
            rows = _beside(rows, told.numbered(table, len(rows) - 2))
        if self.has_colour:
            from rich.text import Text

            for row in rows:
                self._console.print(Text.assemble(*((text, ink.rich()) for ink, text in row)), no_wrap=True, crop=True)
        else:
            self.say(text_of(rows))
        self.say(told.status(table))

    def say(self, text: str) -> None:
        """A sentence, or several lines; never read as mark-up."""
        self._console.print(text, markup=False, highlight=False, emoji=False, soft_wrap=not self.has_colour)


def paper() -> Paper:
    """On this process's stdout."""
    from rich.console import Console

    return Paper(Console())


def play(desk: Desk, ask: Callable[[str], str] = input) -> int:
    """Play until the game is over and left, or the input ends; the exit code."""
    page, table = paper(), desk.table
    page.say(told.header(table))
    page.board(desk)
    while not desk.is_done:
        if not table.is_over and table.forced_pass():
            page.say("No move: a pass.")
            page.board(desk)
        elif not table.is_over and not table.seat.is_person:
            _answer(desk, page)
        else:
            try:
                line = ask("> " if table.is_over else f"{table.look.sides[table.live.state.to_move]}> ")
            except EOFError:
                page.say("")
                break
            before = (len(table.live.moves), table.is_over, bool(desk.hints), line.strip() == "board")
            _said(desk, page, line, before[:3] if line.strip() != "board" else ())
    return _leave(desk, page)


def _said(desk: Desk, page: Paper, line: str, before: tuple[object, ...]) -> None:
    said = desk.type(line)
    table = desk.table
    if (len(table.live.moves), table.is_over, bool(desk.hints)) != before:
        page.board(desk)
    if said:
        page.say(said)


def _answer(desk: Desk, page: Paper) -> None:
    """The one to move decides. A program that fails leaves its seat to a person, so that nothing is lost."""
    from tengen.tools.play.seats import Person

    table = desk.table
    side = table.live.state.to_move
    name = table.seat.name
    state = table.live.state
    try:
        answer: Answer = table.decide()
    except SeatError as error:
        table.seats[side] = Person()
        page.say(f"{error}: its moves are yours from now on; save keeps the game.")
        return
    desk.played()
    said = f"{name} {told.played(table.game, state, answer.move)}."
    if answer.info is not None and answer.info.lines:
        desk.chances = told.chances(table, answer.info)
        said += f" ({desk.chances})"
    page.board(desk)
    page.say(said)
    if answer.notice:
        page.say(f"{answer.notice}.")


def _leave(desk: Desk, page: Paper) -> int:
    """Save what is named to be saved; say so."""
    if desk.table.live.moves and not desk.is_saved and desk.save_as:
        page.say(desk.type("save"))
    return 0


def _beside(rows: list[Row], texts: list[str]) -> list[Row]:
    """The rows with a text behind each, from the second on."""
    from tengen.tools.play.draw import Ink

    width = width_of(rows)
    out = []
    for number, row in enumerate(rows):
        text = texts[number - 1] if 0 < number <= len(texts) else ""
        gap = " " * (width - sum(len(part) for _, part in row) + 2)
        out.append([*row, (Ink(), gap + text)] if text else row)
    return out


def watch(desk: Desk, most: int) -> int:
    """Show a game of two that decide alone, to its end or so many moves; the exit code."""
    page, table = paper(), desk.table
    page.say(told.header(table))
    page.board(desk)
    while not table.is_over and len(table.live.moves) < most:
        if table.forced_pass():
            page.board(desk)
            continue
        state, name = table.live.state, table.seat.name
        try:
            answer = table.decide()
        except SeatError as error:
            print(f"tengen watch: {error}", file=sys.stderr)
            return 1
        page.board(desk)
        chances = f" ({told.chances(table, answer.info)})" if answer.info is not None and answer.info.lines else ""
        page.say(f"{name} {told.played(table.game, state, answer.move)}.{chances}")
    if desk.save_as:
        page.say(f"Saved: {table.save(desk.save_as)}.")
    return 0
