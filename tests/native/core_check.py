"""Compare the core as another system compiled it with this installation: `core_check.py PROGRAM...`.

PROGRAM is `tengen-core-check` (check.cpp), with what runs it before it, such as `wine` or `qemu-aarch64`. It counts the
leaves of the game trees, searches the positions of `tengen bench --signature`, and ends searches by a clock and from
another thread. Leaves must be those that are counted here, signatures those of `tests/data/signatures.txt`. Prints a
row for each; exit code 1 when one differs.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from tengen.engine.games import get_game
from tengen.engine.games.base import Game, State
from tengen.engine.games.bench import BenchPosition
from tengen.engine.games.naming import player_of
from tengen.engine.history import History
from tengen.engine.play.signature import RESOURCES, bench_of, limits_of, root_of, start_of
from tengen.engine.search import SEARCHES, make_search
from tengen.engine.search.alphabeta import AUTO, weights_file
from tengen.tools.perft import perft

SIGNATURES = Path(__file__).parent.parent / "data" / "signatures.txt"
LETTERS = ".PNBRQKpnbrqk"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
TREES = [
    ("chess", BenchPosition(), 4),
    ("chess", BenchPosition(KIWIPETE), 4),
    ("chess", BenchPosition("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"), 5),
    ("reversi", BenchPosition(), 9),
    ("gomoku", BenchPosition(), 2),
    ("gomoku", BenchPosition(moves="H8 H9 K10 G7 J9 J8", rules="renju"), 2),
    ("go", BenchPosition(size=9), 3),
    ("go", BenchPosition(size=2, rules="tromp-taylor"), 6),
]
"""Positions, and how deep their leaves are counted."""
CLOCK, CLOCK_THREADS, CLOCK_SLACK = 300, 2, 1500
"""Milliseconds of a search, its threads, and how much later it may be where a machine is emulated and busy."""


class Work(NamedTuple):
    """What the program is told, and what it must answer."""

    name: str
    words: str
    expected: int


def place(game: Game, position: BenchPosition) -> str:
    """A position in the words of positions.hpp."""
    state: Any = start_of(game, position)
    if game.name == "chess":
        pieces = "".join(LETTERS[piece] for piece in state.pieces())
        facts = (*state.castling, state.en_passant, state.halfmove, state.fullmove)
        return f"chess {pieces} {state.to_move} {' '.join(map(str, facts))}"
    if game.name == "reversi":
        for move in moves_of(game, position):
            state.play(move)
        discs = (sum(1 << cell for cell, disc in enumerate(state.stones()) if disc == colour) for colour in (1, 2))
        return f"reversi {' '.join(map(str, discs))} {state.to_move}"
    moves = moves_of(game, position)
    played = f"{len(moves)} {' '.join(map(str, moves))}"
    if game.name == "gomoku":
        return f"gomoku {state.width} {state.height} {state.rule} {played}"
    rules: Any = game.rule_sets[position.rules] if position.rules else game.default_rules
    words = f"{rules.ko} {rules.scoring} {rules.tax} {int(rules.suicide)}"
    return f"go {state.width} {state.height} {words} {game.default_komi} {played}"


def moves_of(game: Game, position: BenchPosition) -> list[int]:
    """The moves of a position, dense."""
    history = History(start_of(game, position))
    for word in position.moves.split():
        history.play(history.state.to_move, game.move_from_text(history.state, word), "none")
    return [move for _, move in history.moves]


def state_of(game: Game, position: BenchPosition) -> State:
    """A position with its moves played."""
    return root_of(game, position).state


def leaves() -> Iterator[Work]:
    """Trees to count."""
    for name, position, depth in TREES:
        game = get_game(name)
        count = perft(game, state_of(game, position), depth)
        yield Work(f"{name}: leaves at depth {depth}", f"perft {place(game, position)} {depth}", count)


def weights(game: Game) -> str:
    """The file that the default player reads and the places of its arrays; "" where there is none."""
    from tengen.engine.evaluators.safetensors import parse

    path = weights_file(game, AUTO)
    if path is None:
        return ""
    arrays = [
        f"{one.name} {one.type} {one.begin} {one.end} {len(one.shape)} {' '.join(map(str, one.shape))}"
        for one in parse(path.read_bytes())
    ]
    return f"weights {game.name} {path.as_posix()} {len(arrays)} {' '.join(arrays)}"


def searches(game: Game) -> list[str]:
    """The searches of a game's signature."""
    name, entry = player_of(game, None)
    search: Any = make_search(game, name, {})
    looks_ahead = SEARCHES[entry.search].looks_ahead
    reads = game.parts.weights if looks_ahead else None
    evaluator = reads.evaluator if reads is not None else entry.evaluator or search.usual
    prefix = search.prefix
    known = {option.name.removeprefix(prefix) for option in search.options()}
    options = [f"{key} {value}" for key, value in RESOURCES.items() if key in known]
    bench, out = bench_of(game), []
    limits = limits_of(bench, looks_ahead)
    for position in bench.positions:
        root = root_of(game, position)
        facts = " ".join(f"{len(some)} {' '.join(map(str, some))}" for some in (root.seen, root.recent))
        words = f"{len(options)} {' '.join(options)} {limits.depth or 0} {limits.playouts or 0}"
        out.append(f"search {game.name} {evaluator} {place(game, position)} {facts} {words}")
    return out


def signature(game: Game, answers: list[str]) -> int:
    """The number that `tengen bench --signature` makes of what the searches found."""
    if SEARCHES[player_of(game, None)[1].search].looks_ahead:
        return sum(int(answer.split("\n", 1)[0]) for answer in answers)
    found = 0
    for answer in answers:
        found = crc32(answer.encode(), found)
    return found


def signatures() -> dict[str, int]:
    """Game -> the number that is pinned."""
    lines = SIGNATURES.read_text(encoding="utf-8").splitlines()
    return {line.split()[0]: int(line.split()[1]) for line in lines if line[:1] not in ("#", "")}


def ask(program: list[str], words: list[str]) -> list[str]:
    """What the program answers to each piece of work. Raises ValueError where it gives up."""
    said = subprocess.run(program, input="\n".join(words) + "\n", capture_output=True, text=True, check=False)
    *answers, rest = said.stdout.replace("\r\n", "\n").split("done\n")
    if said.returncode or rest or len(answers) < len(words):
        raise ValueError(f"{' '.join(program)} ended with {said.returncode}: {rest.strip() or said.stderr[-500:]}")
    return [answer.removesuffix("\n") for answer in answers]


def times(program: list[str], milliseconds: int, threads: int) -> list[int]:
    """Milliseconds of a search that ends by its clock, and of one that another thread stops."""
    return [int(word) for word in ask(program, [f"clock {milliseconds} {threads}"])[0].split()]


def compare(program: list[str], *, clock: bool = True) -> int:
    """Print a row for each piece of work; return 1 when one is wrong. clock: also time searches."""
    wrong = 0

    def row(what: str, found: object, is_right: bool, began: float) -> None:
        nonlocal wrong
        wrong += not is_right
        print(f"{'ok' if is_right else 'WRONG':6}{what:34}{found!s:>14}{time.monotonic() - began:8.1f} s", flush=True)

    for work in leaves():
        began = time.monotonic()
        found = ask(program, [work.words])[0]
        row(work.name, found, found == str(work.expected), began)
    for name, number in signatures().items():
        began, game = time.monotonic(), get_game(name)
        first = [words] if (words := weights(game)) else []
        signed = signature(game, ask(program, first + searches(game))[len(first) :])
        row(f"{name}: signature", signed, signed == number, began)
    if clock:
        began, ended = time.monotonic(), times(program, CLOCK, CLOCK_THREADS)
        in_time = all(CLOCK * 0.9 <= one <= CLOCK + CLOCK_SLACK for one in ended)
        row(f"searches ended after {CLOCK} ms", " ".join(map(str, ended)), in_time, began)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(compare(sys.argv[1:]))
