"""The page of `tengen web` in a real Chromium: games by clicks and keys to their ends, files, the phone's width."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import Browser
from web_server import Server, running

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

GAME = "fetch('/api/tables/' + location.hash.slice(1)).then(answer => answer.json())"
PEOPLE = '[{"kind":"person"},{"kind":"person"}]'


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    yield from running(tmp_path_factory.mktemp("games"), "--threads", "1", "--memory", "80")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    made = Browser(tmp_path_factory.mktemp("profile"))
    yield made
    made.close()


def begin(browser: Browser, server: Server, wish: str) -> None:
    """Open the page at a new game."""
    browser.resize(1400, 900)
    made = server.post("/api/tables", wish.encode())
    browser.open("about:blank")
    browser.open(f"http://127.0.0.1:{server.port}/#{made['id']}")
    browser.until("document.querySelector('#board svg *') !== null")
    assert not browser.console, browser.console


def click(browser: Browser, point: str) -> None:
    """Click the cell that is named so, as a hand does."""
    found = browser.run(
        "(() => { const root = document.querySelector('#board svg'), texts = [...root.querySelectorAll('.board-text')],"
        f"find = (word) => texts.filter(one => one.textContent === word)[0].getBoundingClientRect(),"
        f"a = find({point[0]!r}), b = find({point[1:]!r});"
        "return [a.x + a.width / 2, b.y + b.height / 2]; })()"
    )
    browser.click(*found)


def moves(browser: Browser, count: int) -> None:
    browser.until(f"document.querySelectorAll('#moves li').length >= {count}")


def status(browser: Browser, words: str) -> None:
    browser.until(f"document.getElementById('status').textContent.includes({words!r})")


def test_chess_by_clicks_to_mate(browser: Browser, server: Server) -> None:
    begin(browser, server, f'{{"game":"chess","seats":{PEOPLE}}}')
    for number, (start, end) in enumerate((("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")), 1):
        click(browser, start)
        click(browser, end)
        moves(browser, number)
    status(browser, "Black wins")
    assert browser.run("document.querySelector('#moves [aria-current]').textContent") == "Qh4#"
    assert browser.run("document.getElementById('resign').disabled")
    assert not browser.console, browser.console


def test_go_by_keys_and_passes(browser: Browser, server: Server) -> None:
    begin(browser, server, f'{{"game":"go","size":7,"seats":{PEOPLE}}}')
    browser.run("document.querySelector('#board svg').focus()")
    for key in ("ArrowUp", "ArrowUp", "Enter"):
        browser.press(key)
    moves(browser, 1)
    assert browser.run("document.querySelector('#moves button').textContent") == "D5"
    for count in (2, 3):
        browser.run("document.getElementById('pass').click()")
        moves(browser, count)
    status(browser, "Black wins by")


def test_gomoku_against_tengen_to_five(browser: Browser, server: Server) -> None:
    """Who plays at random hardly stops a row."""
    begin(browser, server, '{"game":"gomoku","seats":[{"kind":"person"},{"kind":"own","player":"random"}]}')
    while not (view := browser.run(GAME))["isOver"]:
        if view["legal"] and view["toMove"] == 0:
            click(browser, next_of_row(view["cells"]))
            moves(browser, view["ply"] + 1)
    status(browser, "Black wins")


def next_of_row(cells: str) -> str:
    """A free cell of the five in a row that need fewest more black stones."""
    rows = [range(15 * row + column, 15 * row + column + 5) for row in range(5, 10) for column in range(11)]
    open_rows = [five for five in rows if all(cells[cell] != "O" for cell in five)]
    best = max(open_rows, key=lambda five: sum(cells[cell] == "X" for cell in five))
    row, column = divmod(next(cell for cell in best if cells[cell] == "."), 15)
    return f"{'abcdefghijklmno'[column]}{15 - row}"


@pytest.mark.slow
def test_reversi_against_tengen_to_the_end(browser: Browser, server: Server) -> None:
    begin(browser, server, '{"game":"reversi","seats":[{"kind":"person"},{"kind":"own","player":"random"}]}')
    while not (view := browser.run(GAME))["isOver"]:
        if view["legal"] and view["toMove"] == 0:
            row, column = divmod(view["legal"][0], 8)
            click(browser, f"{'abcdefgh'[column]}{row + 1}")
            moves(browser, view["ply"] + 1)
    status(browser, "The game is over")


def test_a_file_and_what_is_shown_of_it(browser: Browser, server: Server, tmp_path: Path) -> None:
    """Names that are scripts stay text; the graph and the list of moves lead through the game."""
    begin(browser, server, f'{{"game":"go","size":9,"seats":{PEOPLE}}}')
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[1]SZ[9]PB[<img src=x onerror=alert(1)>]PW[<b>w</b>];B[ee];W[ce];B[gc])", "utf-8")
    browser.choose_file("#file", file)
    moves(browser, 3)
    assert "<img src=x" in browser.run("document.getElementById('seat-0').textContent")
    assert browser.run("document.querySelectorAll('#board-room img, #board-room b').length") == 0
    browser.run("document.getElementById('go-first').click()")
    browser.until("document.querySelector('#moves [aria-current]') === null")
    file.write_text("no game at all", "utf-8")
    browser.choose_file("#file", file)
    browser.until("!document.getElementById('error').hidden")
    assert not [line for line in browser.console if "400" not in line], browser.console
    browser.console.clear()


def test_the_dialog_begins_a_game(browser: Browser, server: Server) -> None:
    begin(browser, server, f'{{"game":"go","size":9,"seats":{PEOPLE}}}')
    browser.run("document.getElementById('open-new').click()")
    browser.until("document.getElementById('new-game').open")
    browser.run(
        "(() => { const game = document.querySelector('[name=game]'); game.value = 'chess';"
        "game.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )
    browser.run("document.querySelector('#new-game button[value=start]').click()")
    browser.until("document.querySelector('#board svg').getAttribute('aria-label').startsWith('Chess')")


@pytest.mark.parametrize("wish", ['{"game":"go","size":19}', '{"game":"chess"}'], ids=["go", "chess"])
def test_a_phone_needs_no_scrolling_sideways(browser: Browser, server: Server, wish: str) -> None:
    begin(browser, server, wish)
    browser.resize(390, 844)
    assert browser.run("document.documentElement.scrollWidth") == 390
    names = browser.run(
        "[...document.querySelectorAll('button, input, select, svg[role]')].filter(one => one.offsetParent !== null || one.role)"
        ".filter(one => !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length)).length"
    )
    assert names == 0  # everything says what it is
