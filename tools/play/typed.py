"""A game by typed moves: the board is drawn with rich where there is a colour terminal, in plain letters elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from tengen.tools.play import messages
from tengen.tools.play.console import GameConsole
from tengen.tools.play.rendering import Row, board_rows, text_of, width_of
from tengen.tools.play.seats import Answer, SeatError

if TYPE_CHECKING:
    from rich.console import Console

BESIDE = 26
"""Columns that the list of moves needs beside the board."""


class Paper:
    """Writes boards and sentences one below the other; or, is_in_place, each board over the last one on a terminal."""

    def __init__(self, console: Console, *, is_in_place: bool = False) -> None:
        self._console = console
        self._is_in_place = is_in_place and console.is_terminal
        self.has_colour = console.is_terminal and console.color_system is not None

    def board(self, console: GameConsole) -> None:
        """The board with its last moves beside it where the terminal is wide enough."""
        table = console.table
        marks = messages.marks_of(table, console.hints)
        rows = board_rows(table.game, table.live.state, marks, has_colour=self.has_colour)
        self._console.clear() if self._is_in_place else self.say("")
        if self._console.width >= width_of(rows) + BESIDE:
            rows = _beside(rows, messages.numbered(table, len(rows) - 2))
        if self.has_colour:
            from rich.text import Text

            for row in rows:
                self._console.print(Text.assemble(*((text, ink.rich()) for ink, text in row)), no_wrap=True, crop=True)
        else:
            self.say(text_of(rows))
        self.say(messages.status(table))

    def say(self, text: str) -> None:
        """A sentence, or several lines; never read as mark-up."""
        self._console.print(text, markup=False, highlight=False, emoji=False, soft_wrap=not self.has_colour)


def paper(*, is_in_place: bool = False) -> Paper:
    """On this process's stdout."""
    from rich.console import Console

    return Paper(Console(), is_in_place=is_in_place)


def play(console: GameConsole, ask: Callable[[str], str] = input) -> int:
    """Play until the game is over and left, or the input ends; the exit code."""
    page, table = paper(), console.table
    page.say(messages.header(table))
    page.board(console)
    while not console.is_done:
        if not table.is_over and table.forced_pass():
            page.say("No move: a pass.")
            page.board(console)
        elif not table.is_over and not table.seat.is_person:
            _answer(console, page)
        else:
            try:
                line = ask("> " if table.is_over else f"{table.look.sides[table.live.state.to_move]}> ")
            except EOFError:
                page.say("")
                break
            except KeyboardInterrupt:
                page.say("")
                line = "quit"
            before = (len(table.live.moves), table.is_over, bool(console.hints), line.strip() == "board")
            _said(console, page, line, before[:3] if line.strip() != "board" else ())
    return _leave(console, page)


def _said(console: GameConsole, page: Paper, line: str, before: tuple[object, ...]) -> None:
    said = console.type(line)
    table = console.table
    if (len(table.live.moves), table.is_over, bool(console.hints)) != before:
        page.board(console)
    if said:
        page.say(said)


def _answer(console: GameConsole, page: Paper) -> None:
    """The one to move decides. A program that fails leaves its seat to a person, so that nothing is lost."""
    from tengen.tools.play.seats import Person

    table = console.table
    side = table.live.state.to_move
    name = table.seat.name
    state = table.live.state
    try:
        answer: Answer = table.decide()
    except SeatError as error:
        table.seats[side] = Person()
        page.say(f"{error}: its moves are yours from now on; save keeps the game.")
        return
    console.played()
    said = f"{name} {messages.played(table.game, state, answer.move)}."
    if answer.info is not None and answer.info.lines:
        console.chances = messages.chances(table, answer.info)
        said += f" ({console.chances})"
    page.board(console)
    page.say(said)
    if answer.notice:
        page.say(f"{answer.notice}.")


def _leave(console: GameConsole, page: Paper) -> int:
    """Save what is named to be saved; say so."""
    if console.table.live.moves and not console.is_saved and console.save_as:
        page.say(console.type("save"))
    return 0


def _beside(rows: list[Row], texts: list[str]) -> list[Row]:
    """The rows with a text behind each, from the second on."""
    from tengen.tools.play.rendering import Ink

    width = width_of(rows)
    out = []
    for number, row in enumerate(rows):
        text = texts[number - 1] if 0 < number <= len(texts) else ""
        gap = " " * (width - sum(len(part) for _, part in row) + 2)
        out.append([*row, (Ink(), gap + text)] if text else row)
    return out


def watch(console: GameConsole, most: int) -> int:
    """Show a game of two that decide alone, to its end or so many moves; the exit code."""
    page, table = paper(is_in_place=True), console.table
    page.board(console)
    page.say(messages.header(table))
    while not table.is_over and len(table.live.moves) < most:
        if table.forced_pass():
            page.board(console)
            continue
        state, name = table.live.state, table.seat.name
        try:
            answer = table.decide()
        except SeatError as error:
            print(f"tengen watch: {error}", file=sys.stderr)
            return 1
        page.board(console)
        chances = f" ({messages.chances(table, answer.info)})" if answer.info is not None and answer.info.lines else ""
        page.say(f"{messages.header(table)}\n{name} {messages.played(table.game, state, answer.move)}.{chances}")
    if console.save_as:
        page.say(f"Saved: {table.save(console.save_as)}.")
    return 0
