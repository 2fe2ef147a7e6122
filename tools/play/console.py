"""What people type at a board: moves and words, what they do, what is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tengen.tools.arguments import sentence
from tengen.tools.play import messages
from tengen.tools.play.table import Table

MOST_HINTS = 10


@dataclass
class GameConsole:
    """A table and what was last asked about it. is_done: somebody wants to leave."""

    table: Table
    save_as: str = ""
    hints: list[tuple[int, str, str]] = field(default_factory=list)
    is_done: bool = False
    is_saved: bool = True
    is_warned: bool = False
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
        self.hints, self.is_saved, self.is_warned = [], False, False


def _undo(console: GameConsole, rest: str) -> str:
    count = console.table.undo()
    console.played()
    return f"Taken back: {count}." if count else "The game goes on."


def _hint(console: GameConsole, rest: str) -> str:
    most = min(int(rest), MOST_HINTS) if rest.isdigit() else 3
    info = console.table.hint()
    console.chances = messages.chances(console.table, info)
    console.hints = messages.hints(console.table, info, most)
    return "\n".join([console.chances, *(text for _, _, text in console.hints)])


def _level(console: GameConsole, rest: str) -> str:
    if not rest.isdigit():
        raise ValueError("level is followed by a number, 1 the weakest")
    return f"{console.table.set_strength(int(rest))} plays from now on."


def _rank(console: GameConsole, rest: str) -> str:
    if not rest:
        raise ValueError("rank is followed by a rank, as 5k or 2d")
    return f"{console.table.set_strength(None, rest)} plays from now on."


def _save(console: GameConsole, rest: str) -> str:
    path = console.table.save(rest or console.save_as or f"{console.table.game.name}{console.table.extension}")
    console.save_as, console.is_saved = str(path), True
    return f"Saved: {path}."


def _resign(console: GameConsole, rest: str) -> str:
    console.table.resign()
    console.is_saved = False
    return f"{console.table.result_text()[:1].upper()}{console.table.result_text()[1:]}."


def _score(console: GameConsole, rest: str) -> str:
    info = console.table.hint()
    console.chances = messages.chances(console.table, info)
    return console.chances


def _quit(console: GameConsole, rest: str) -> str:
    is_lost = bool(console.table.live.moves) and not console.is_saved and not console.save_as
    if is_lost and not console.is_warned:
        console.is_warned = True
        return "The game is not saved: save FILE keeps it, quit once more leaves it."
    console.is_done = True
    return ""


def _unknown(console: GameConsole, rest: str) -> str:
    return messages.help_text(console.table)


WORDS: dict[str, Callable[[GameConsole, str], str]] = {
    "undo": _undo,
    "hint": _hint,
    "level": _level,
    "rank": _rank,
    "save": _save,
    "resign": _resign,
    "score": _score,
    "moves": lambda console, rest: "  ".join(messages.numbered(console.table)) or "No move yet.",
    "board": lambda console, rest: "",
    "help": _unknown,
    "?": _unknown,
    "quit": _quit,
    "exit": _quit,
}
"""Word -> what it does."""
