"""The screen of `tengen play`: keys typed into a pipe, nothing drawn."""

from __future__ import annotations

import asyncio
import time

import pytest

from tengen.engine.config import Config
from tengen.tools.play.console import GameConsole
from tengen.tools.play.seats import Person, seat_of
from tengen.tools.play.table import Table, new_live

UP, ENTER, UNDO, TAB, LEAVE = "\x1b[A", "\r", "\x1a", "\t", "\x03"


def played(game: str, *keys: str, opponent: str = "person") -> GameConsole:
    """What is on the board when these keys have been pressed, each when the one before was answered."""
    pytest.importorskip("prompt_toolkit")
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    from tengen.tools.play.screen import Screen

    config = Config(game=game, playouts=5, threads=1, seed=1, memory=80)
    live = new_live(config)
    console = GameConsole(Table(live, (Person(), seat_of(opponent, live.game, config)), config))

    async def press() -> None:
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
            screen = Screen(console)
            running = asyncio.ensure_future(screen.run())
            end = time.monotonic() + 60
            for key in (*keys, LEAVE, LEAVE):
                await asyncio.sleep(0.1)
                while (screen.is_thinking or not console.table.seat.is_person) and time.monotonic() < end:
                    await asyncio.sleep(0.02)
                screen._shown()
                if not running.done():
                    pipe.send_text(key)
            await asyncio.wait_for(running, 60)

    asyncio.run(press())
    console.table.close()
    return console


def test_arrows_and_enter_play() -> None:
    console = played("gomoku", UP, ENTER, opponent="random")
    assert console.table.live.moves[0] == (0, 6 * 15 + 7) and len(console.table.live.moves) == 2


def test_words_hints_and_undo() -> None:
    console = played("chess", "e4\r", TAB, "e5\r", UNDO)
    assert len(console.table.live.moves) == 1 and console.chances.startswith("White") and console.is_done
