"""Knowledge without a search: moves of an opening book, and what endgame tables say of the root.

A file or folder that cannot be used is told once, and done without until another one is named.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from tengen.engine.files import reason
from tengen.engine.sentence import printable

if TYPE_CHECKING:
    from tengen.engine._core import ChessState
    from tengen.engine.games.chess.book import ChessBook
    from tengen.engine.games.chess.polyglot import BookMove
    from tengen.engine.games.chess.syzygy import Tablebases, Verdict

Known = TypeVar("Known")


class Tables:
    """The book and the tables of one conversation, opened when they are first asked. One thread at a time."""

    def __init__(self, tell: Callable[[str], None], seed: int | None) -> None:
        """tell: a sentence for the user."""
        self._tell = tell
        self._random = random.Random(seed)
        self._book_path = self._table_path = ""
        self._book: ChessBook | None = None
        self._tables: Tablebases | None = None
        self._is_book_new = self._are_tables_new = False

    def use(self, book: str, tables: str) -> None:
        """From now on play from this file and ask these folders; "": none. What is in use stays open."""
        if book != self._book_path:
            self._close_book()
            self._book_path, self._is_book_new = book, bool(book)
        if tables != self._table_path:
            self._close_tables()
            self._table_path, self._are_tables_new = tables, bool(tables)

    def book_move(self, state: ChessState) -> int | None:
        """A legal move of the book; None where it has none."""
        return self._asked(lambda book: book.choose(state, self._random))

    def book_moves(self, state: ChessState) -> Sequence[BookMove]:
        """The legal moves of the book, the heaviest first."""
        return self._asked(lambda book: book.find(state)) or ()

    def verdict(self, state: ChessState) -> Verdict | None:
        """Return the endgame tables' verdict on a position that is not over; None if they have none."""
        tables = self._opened()
        found = None if tables is None else tables.probe(state)
        self.tell_news()
        return found

    def folders(self) -> str:
        """The folders of the endgame tables, for a search that asks them; "" where there are none that can be used."""
        return self._table_path if self._opened() is not None else ""

    def tell_news(self) -> None:
        """Tell of endgame tables that were left out, also by a search."""
        if self._tables is not None:
            for sentence in self._tables.news():
                self._tell(f"SyzygyPath: {printable(sentence, 200)}")

    def _opened(self) -> Tablebases | None:
        """The endgame tables; None if there are none, which is told once."""
        if self._are_tables_new:
            from tengen.engine.games.chess import syzygy

            self._are_tables_new = False
            try:
                self._tables = syzygy.opened(self._table_path)
            except (OSError, ValueError, ImportError) as error:
                self._tell(f"SyzygyPath: {_why(error)}; there are no endgame tables now")
        return self._tables

    def close(self) -> None:
        """Let all files go, at the end: no search asks any more."""
        self._close_book()
        if self._tables is not None:
            self._tables.close()
        self._close_tables()

    def _asked(self, ask: Callable[[ChessBook], Known]) -> Known | None:
        """What the book says; None where there is none."""
        try:
            if self._is_book_new:
                from tengen.engine.games.chess.book import opened

                self._is_book_new = False
                self._book = opened(self._book_path)
            return ask(self._book) if self._book is not None else None
        except (OSError, ValueError, ImportError) as error:
            self._close_book()
            self._tell(f"Book File: {_why(error)}; there is no book now")
            return None

    def _close_book(self) -> None:
        book, self._book, self._is_book_new = self._book, None, False
        if book is not None:
            book.close()

    def _close_tables(self) -> None:
        """A search may still ask them: their files go with the last who holds them."""
        self._tables, self._are_tables_new = None, False


def _why(error: Exception) -> str:
    """What was wrong, in one sentence."""
    if isinstance(error, OSError):
        return printable(f"'{error.filename}': {reason(error)}" if error.filename else reason(error), 200)
    missing = None
    if isinstance(error, ImportError):
        from tengen.engine import extras

        missing = extras.sentence("a book or tables", error)
    return printable(missing or str(error), 200)
