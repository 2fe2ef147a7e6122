"""What people type at a board: moves and words, what they do, what is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tengen.tools.arguments import sentence
from tengen.tools.play import told
from tengen.tools.play.table import Table

MOST_HINTS = 10


@dataclass
class Desk:
    """A table and what was last asked about it. is_done: somebody wants to leave."""

    table: Table
    save_as: str = ""
    hints: list[tuple[int, str, str]] = field(default_factory=list)
    is_done: bool = False
    is_saved: bool = True
    chances: str = ""

    def type(self, line: str) -> str:
        """Do what was typed: a word of WORDS, else a move; what to tell, "" for nothing. Mistakes are told, too."""
        words = line.strip().split(None, 1)
        if not words:
            return ""
        known = WORDS.get(words[0].lower().lstrip("/:"))
        try:
            if known is not None:
                return known(self, words[1].strip() if len(words) > 1 else "")
            self.table.play_text(line)
        except (ValueError, OSError) as error:
            return f"{sentence(error)[:1].upper()}{sentence(error)[1:]}."
        self.played()
        return ""

    def played(self) -> None:
        """Something was played or taken back."""
        self.hints, self.is_saved = [], False


def _undo(desk: Desk, rest: str) -> str:
    count = desk.table.undo()
    desk.played()
    return f"Taken back: {count}." if count else "The game goes on."


def _hint(desk: Desk, rest: str) -> str:
    most = min(int(rest), MOST_HINTS) if rest.isdigit() else 3
    info = desk.table.hint()
    desk.chances = told.chances(desk.table, info)
    desk.hints = told.hints(desk.table, info, most)
    return "\n".join([desk.chances, *(text for _, _, text in desk.hints)])


def _level(desk: Desk, rest: str) -> str:
    if not rest.isdigit():
        raise ValueError("level is followed by a number, 1 the weakest")
    return f"{desk.table.set_level(int(rest))} plays from now on."


def _save(desk: Desk, rest: str) -> str:
    path = desk.table.save(rest or desk.save_as or f"{desk.table.game.name}{desk.table.extension}")
    desk.save_as, desk.is_saved = str(path), True
    return f"Saved: {path}."


def _resign(desk: Desk, rest: str) -> str:
    desk.table.resign()
    desk.is_saved = False
    return f"{desk.table.result_text()[:1].upper()}{desk.table.result_text()[1:]}."


def _score(desk: Desk, rest: str) -> str:
    info = desk.table.hint()
    desk.chances = told.chances(desk.table, info)
    return desk.chances


def _quit(desk: Desk, rest: str) -> str:
    desk.is_done = True
    return ""


def _unknown(desk: Desk, rest: str) -> str:
    return told.help_text(desk.table)


WORDS: dict[str, Callable[[Desk, str], str]] = {
    "undo": _undo,
    "hint": _hint,
    "level": _level,
    "save": _save,
    "resign": _resign,
    "score": _score,
    "moves": lambda desk, rest: "  ".join(told.numbered(desk.table)) or "No move yet.",
    "board": lambda desk, rest: "",
    "help": _unknown,
    "?": _unknown,
    "quit": _quit,
    "exit": _quit,
}
"""Word -> what it does."""
