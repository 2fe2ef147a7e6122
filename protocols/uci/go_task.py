"""Turn a `go` into a search of this conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.protocols.chess.tasks import task_of
from tengen.protocols.uci.go_search import GoSearch

if TYPE_CHECKING:
    from tengen.protocols.chess.bounds import Go
    from tengen.protocols.uci.handler import Uci


def search(talk: Uci, go: Go, started: float) -> GoSearch:
    """The search, not yet begun. started: when the `go` came, by `time.monotonic`. Raises ValueError, as the player
    does."""
    moves = _searchmoves(talk, go.moves)
    return GoSearch(task_of(talk, talk.position, go, started, moves=moves, is_debugging=talk.is_debugging))


def _searchmoves(talk: Uci, words: tuple[str, ...]) -> list[int]:
    """The legal ones; the others are told."""
    moves = {word: talk.position.move(word) for word in words}
    illegal = [word for word, move in moves.items() if move is None]
    if illegal:
        talk.tell(f"searchmoves: {' '.join(illegal[:20])} illegal here, ignored")
    return [move for move in moves.values() if move is not None]
