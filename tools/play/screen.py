"""A game on the whole terminal: arrow keys choose a point, Enter plays it, words are typed below. By prompt_toolkit."""

from __future__ import annotations

import asyncio

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.processors import BeforeInput

from tengen.tools.play import messages
from tengen.tools.play.console import GameConsole
from tengen.tools.play.cursor import BoardCursor
from tengen.tools.play.rendering import Ink, Row, board_rows, width_of
from tengen.tools.play.seats import Person, SeatError

KEYS = "arrows, Enter: play   Tab: hint   Ctrl-Z: undo   ?: help   Ctrl-C: leave   or type a move"
STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
SINGLE = {"tab": "hint", "c-z": "undo", "c-c": "quit", "c-d": "quit"}
"""Words by one key."""
PANEL = 30
LONGEST = 8
"""Lines that are told below the board."""


class Screen:
    """What is shown of a console, and what keys do to it. Searches run in a thread; the screen stays awake."""

    def __init__(self, console: GameConsole) -> None:
        self.console, self.said = console, ""
        self.cursor = BoardCursor(console.table)
        self.is_thinking = False
        self.input = Buffer(multiline=False, accept_handler=self._typed)
        upper = Window(FormattedTextControl(self._shown), wrap_lines=False)
        lower = Window(BufferControl(self.input, input_processors=[BeforeInput("> ")]), height=1)
        self.app: Application[None] = Application(
            Layout(HSplit([upper, lower]), focused_element=lower), key_bindings=self._keys(), full_screen=True
        )

    async def run(self) -> None:
        """Until somebody leaves."""
        driver = asyncio.ensure_future(self._drive())
        try:
            await self.app.run_async()
        finally:
            self.console.table.interrupt()
            driver.cancel()

    # What is shown

    def _shown(self) -> StyleAndTextTuples:
        table, columns = self.console.table, self.app.output.get_size().columns
        marks = messages.marks_of(table, self.console.hints)._replace(cursor=self.cursor.cell, held=self.cursor.held)
        rows: list[Row] = board_rows(table.game, table.live.state, marks)
        width = width_of(rows)
        is_wide = columns >= width + PANEL
        room = columns - width - 3 if is_wide else columns - 1
        side = [
            *_wrapped(messages.header(table), room),
            "",
            *_wrapped(self._status(), room),
            *_wrapped(self.said, room),
        ]
        if is_wide:
            side += ["", *messages.numbered(table, max(2, len(rows) - len(side) - 1))]
            rows = _joined(rows, side, width + 2)
        else:
            rows = [*rows, *([(Ink(), text)] for text in side[2:][:LONGEST])]
        rows = [*rows, [(Ink(), "")], [(Ink("#808080"), KEYS[: max(1, columns - 1)])]]
        return [(ink.prompt_toolkit(), text) for row in rows for ink, text in [*row, (Ink(), "\n")]]

    def _status(self) -> str:
        table = self.console.table
        if self.is_thinking:
            return f"{table.seat.name} is thinking ..."
        where = f" [{self.cursor.text}]" if self.cursor.cell is not None and not table.is_over else ""
        chances = f" {self.console.chances}" if self.console.chances else ""
        return messages.status(table) + where + chances

    # What keys do

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        is_blank = Condition(lambda: not self.input.text)

        def step(event: KeyPressEvent) -> None:
            self.cursor.step(*STEPS[event.key_sequence[0].key])

        for key in STEPS:
            keys.add(key, filter=is_blank)(step)

        def word(key: str, text: str) -> None:
            keys.add(key)(lambda event: self._do(text))

        for key, text in SINGLE.items():
            word(key, text)

        @keys.add("enter", filter=is_blank)
        @keys.add("space", filter=is_blank)
        def play(event: KeyPressEvent) -> None:
            if self.is_thinking or self.console.table.is_over:
                return
            text = self.cursor.press()
            if text:
                self._do(text)

        @keys.add("escape", eager=True)
        def drop(event: KeyPressEvent) -> None:
            self.input.reset()
            self.cursor.held, self.said = None, ""

        return keys

    def _typed(self, buffer: Buffer) -> bool:
        self._do(buffer.text)
        return False

    def _do(self, line: str) -> None:
        """A word or a move, unless somebody thinks: then only to leave."""
        if self.is_thinking and line.strip().lower() not in ("quit", "exit"):
            self.said = "One moment: the other side is thinking."
            return
        if line.strip().split(" ")[0].lower() in ("hint", "score", "resign"):
            self.is_thinking = True
            self.app.create_background_task(self._later(line))
            return
        self.said = self.console.type(line)
        self.cursor.held = None
        if self.console.is_done:
            self.app.exit()

    async def _later(self, line: str) -> None:
        try:
            self.said = await asyncio.to_thread(self.console.type, line)
        finally:
            self.is_thinking = False
            self.app.invalidate()

    async def _drive(self) -> None:
        """Let whoever is no person move."""
        while True:
            await asyncio.sleep(0.05)
            table = self.console.table
            if self.is_thinking or table.is_over or self.console.is_done:
                continue
            if table.forced_pass():
                self.said = "No move: a pass."
                self.app.invalidate()
            elif not table.seat.is_person:
                await self._decided()

    async def _decided(self) -> None:
        table, side = self.console.table, self.console.table.live.state.to_move
        state, name = table.live.state, table.seat.name
        self.is_thinking = True
        self.app.invalidate()
        try:
            answer = await asyncio.to_thread(table.decide)
        except SeatError as error:
            table.seats[side] = Person()
            self.said = f"{error}: its moves are yours from now on."
            return
        finally:
            self.is_thinking = False
            self.app.invalidate()
        self.console.played()
        self.said = f"{name} {messages.played(table.game, state, answer.move)}. {answer.notice}"
        if answer.info is not None and answer.info.lines:
            self.console.chances = messages.chances(table, answer.info)


def play(console: GameConsole) -> int:
    """Play on the screen; what was saved is said when it is left."""
    asyncio.run(Screen(console).run())
    if console.table.live.moves and not console.is_saved and console.save_as:
        print(console.type("save"))
    if console.table.is_over:
        print(messages.status(console.table))
    return 0


def _wrapped(text: str, width: int) -> list[str]:
    from textwrap import wrap

    return [part for line in text.split("\n") for part in (wrap(line, max(10, width)) or [""])] if text else []


def _joined(rows: list[Row], side: list[str], column: int) -> list[Row]:
    """The rows with the texts beside them."""
    out: list[Row] = []
    for number in range(max(len(rows), len(side))):
        row = rows[number] if number < len(rows) else []
        text = side[number] if number < len(side) else ""
        gap = " " * (column - sum(len(part) for _, part in row))
        out.append([*row, (Ink(), gap + text)])
    return out
