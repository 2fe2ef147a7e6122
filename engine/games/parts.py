"""Parts: the code for a game outside of its room, by name: its classes in the core and its parts of the tools, by name.

Every entry is a name that is imported when it is asked for, so that a game knows nothing of who stands above it, and a
front end loads what it uses. `tests/play/test_parts.py` loads every one.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple


class Weights(NamedTuple):
    """The weights of a game's alpha-beta: the evaluator that reads one, and the name of the file that tengen ships."""

    evaluator: str
    shipped: str


class Parts(NamedTuple):
    """core: the module of the game's classes in C++, which are named next; "" is what the game does not have.
    mcts, alphabeta: its native searches, which list its evaluators (`GoMcts.evaluators()`). tree: of live games by
    networks (`LiveTree`). selfplay: its `Actor`. Functions `encode_rows_GAME_SET` of `core` serve training.
    weights: see there. model: the kind of network that a training run learns if it names none (`nets/models.py`).
    opponent: the program that networks are measured against where it is installed.

    tablebases: of folders of endgame tables makes what its alpha-beta search asks, as "module:attribute".
    bench: its `Bench`, what signs its search, likewise. book: how its opening books are written, a
    `tengen.engine.games.book.Notation`, in the same way.

    Of the tools, as "module:attribute": judge: the `BoardJudge` of its matches. review: its `Kind` of reviews.
    speed: its `Benchmark`, the rows of `tengen bench`. peers: the programs of `tengen bench --peers`, `Peer`s.
    """

    core: str = "tengen.engine._core"
    mcts: str = ""
    alphabeta: str = ""
    tree: str = ""
    selfplay: str = ""
    weights: Weights | None = None
    model: str = "residual"
    opponent: str = ""
    tablebases: str = ""
    judge: str = "tengen.tools.match.game.judge:BoardJudge"
    review: str = ""
    speed: str = ""
    peers: str = ""
    bench: str = "tengen.engine.games.bench:FROM_THE_START"
    book: str = ""

    def native(self, name: str) -> Any:
        """The class of the core with that name. Raises AttributeError where it has none."""
        return getattr(import_module(self.core), name)


def load(target: str) -> Any:
    """Import and return the object that "module:attribute" names."""
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)
