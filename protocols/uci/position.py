"""`position startpos | fen F [moves ...]`: the game that the GUI shows.

Legal moves are played up to the first that is not, which is told. A position that only goes on is not played anew.
Operations of an EPD behind the FEN are passed over.
"""

from __future__ import annotations

import re

from tengen.engine.games.chess.text import START
from tengen.engine.sentence import excerpt
from tengen.protocols.chess import position
from tengen.protocols.chess.position import Unusable, legal_move

MOVES = "moves"
FIELDS, COUNTERS = 4, 2
"""The numbers of fields and of counters of a FEN."""
_NUMBER = re.compile(r"[+-]?\d+", re.ASCII)


class Position(position.Position):
    """The start that was named, and the moves from there."""

    def __init__(self) -> None:
        super().__init__()
        self._base = (START, False)
        self._words: list[str] = []

    def set(self, words: list[str], is_chess960: bool) -> str:
        """Go to the position that the words behind `position` name; what to tell about it, "" for nothing.

        Raises Unusable and changes nothing where no position can be made of them.
        """
        at = _where_moves_begin(words)
        head, moves = words[:at], words[at + 1 :]
        kind = head[0].lower() if head else ""
        if kind == "startpos":
            fen = START
        elif kind == "fen":
            fen = " ".join(_fen_of(head[1:]))
        else:
            raise Unusable("position needs startpos or fen")
        base = (fen, is_chess960)
        if base != self._base:
            self.begin(fen, is_chess960=is_chess960)
            self._base, self._words = base, []
        elif moves[: len(self.moves)] != self._words:
            self._rewind(moves)
        return self._follow(moves)

    def _rewind(self, words: list[str]) -> None:
        """Back to the last position that both games have."""
        common = 0
        while common < min(len(words), len(self._words)) and words[common] == self._words[common]:
            common += 1
        self.take_back(len(self._words) - common)
        del self._words[common:]

    def _follow(self, words: list[str]) -> str:
        """Play what follows the moves that were played already."""
        done = len(self.moves)
        if len(words) == done:
            return ""
        state, complaint = self.state.copy(), ""
        moves: list[int] = []
        for word in words[done:]:
            move = legal_move(state, word)
            if move is None:
                complaint = f"illegal move {excerpt(word)[1:-1]} at ply {done + len(moves) + 1} ignored from here"
                break
            state.play(move)
            moves.append(move)
            self._words.append(word)
        self.play(moves)
        return complaint


def _where_moves_begin(words: list[str]) -> int:
    """Which word is "moves", outside of what an operation of an EPD has in quotes; how many there are where none is."""
    is_quoted = False
    has_pairs = sum(word.count('"') for word in words) % 2 == 0
    for at, word in enumerate(words):
        if word.lower() == MOVES and not is_quoted:
            return at
        is_quoted ^= has_pairs and word.count('"') % 2 == 1
    return len(words)


def _fen_of(words: list[str]) -> list[str]:
    """The fields of the FEN that the words begin with: four, then its counters where they are numbers."""
    fields = words[:FIELDS]
    for word in words[FIELDS : FIELDS + COUNTERS]:
        if not _NUMBER.fullmatch(word):
            break
        fields.append(word)
    return fields
