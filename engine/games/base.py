"""The definition of a game: the contracts that rules, searches, protocols and tools share (docs/architecture.md).

A game joins by its rules in the core, a room of its own here and one line in `tengen.engine.games.GAMES`.
Moves are dense ints, 0 up to the state's `move_bound`, whose meaning is the game's business. On boards of stones they
are cells, row * width + column with row 0 on top, and the pass, where there is one, is the number of cells. Outside of
a game's own rooms only its text codec, `State.pass_move` and the rules say what a move is.
Colours are 0 for the side that moves first (black) and 1 for the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from tengen.engine.games.conventions import Conventions
from tengen.engine.games.parts import Parts

if TYPE_CHECKING:
    from tengen.engine.games.players import Entry

BLACK, WHITE = 0, 1
Passes = Literal["none", "free", "forced"]
"""When a game allows a pass: never, whenever a side may move, or only where a side has no other move."""
REPETITIONS = ("none", "positional", "situational", "threefold")
"""The rules for a position that recurs: nothing; forbidden, by the stones or with the side to move (superko); a draw
when it is there for the third time with the same side to move. `History` keeps the counts."""


class IllegalMove(ValueError):
    """A move the rules refuse; the message is the reason in a few words ("occupied", "ko", ...)."""


class State(Protocol):
    """One position: a small copyable value, implemented in the core. It remembers no earlier position."""

    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def cells(self) -> int:
        """width * height."""

    @property
    def move_bound(self) -> int:
        """Moves are 0..move_bound - 1; the same for every position of a game on this board."""

    @property
    def pass_move(self) -> int:
        """The move that means pass; -1, which is no move, where the game has none."""

    @property
    def to_move(self) -> int: ...
    @property
    def position_key(self) -> int:
        """64-bit key of the stones alone (superko, repetition)."""

    @property
    def state_key(self) -> int:
        """64-bit key of everything that decides what follows: stones, side, ko, passes, rules."""

    def set_to_move(self, colour: int) -> None: ...
    def stones(self) -> bytes:
        """width*height bytes, row-major from the top: 0 empty, 1 black, 2 white."""

    def is_legal(self, move: int) -> bool:
        """Whether the side to move may play `move`, repetition aside (History knows repetition)."""

    def legal_moves(self) -> Sequence[int]: ...
    def play(self, move: int) -> None:
        """Play for the side to move. Raises ValueError with the reason; the state is then unchanged."""

    def play_as(self, colour: int, move: int) -> None:
        """Play for `colour`, which need not be the side to move; afterwards the other side moves."""

    def key_after(self, move: int) -> int:
        """`position_key` after a legal move by the side to move, without playing it."""

    def is_terminal(self) -> bool: ...
    def result(self) -> float:
        """Score of the finished game, positive for black, in the game's unit, as the board stands."""

    def copy(self) -> State: ...


@runtime_checkable
class Rules(Protocol):
    """A frozen dataclass per game. `repetition` is what History enforces."""

    @property
    def name(self) -> str: ...
    @property
    def repetition(self) -> str:
        """One of REPETITIONS."""


class Game(Protocol):
    """Static facts and text codecs of one game. Frozen; one instance in GAMES."""

    @property
    def name(self) -> str: ...
    @property
    def gogui_id(self) -> str:
        """The answer to `gogui-rules_game_id`."""

    @property
    def default_size(self) -> int: ...
    @property
    def default_komi(self) -> float: ...
    @property
    def passes(self) -> Passes:
        """The rule for passes."""

    @property
    def conventions(self) -> Conventions:
        """The facts about the game that other programs and matches use."""

    @property
    def parts(self) -> Parts:
        """The code for this game outside of its room: classes of the core, parts of the tools."""

    @property
    def default_rules(self) -> Rules: ...
    @property
    def rule_sets(self) -> Mapping[str, Rules]: ...
    @property
    def players(self) -> Mapping[str, Entry]:
        """Player name -> its entry; the first is the default."""

    def check_size(self, width: int, height: int) -> None:
        """Raise ValueError("unacceptable size") for a board the game does not have."""

    def new_state(self, width: int, height: int, rules: Rules, komi: float) -> State: ...
    def move_to_text(self, state: State, move: int) -> str: ...
    def move_from_text(self, state: State, text: str) -> int:
        """Any case. Raises ValueError for text that names no cell of this board."""
