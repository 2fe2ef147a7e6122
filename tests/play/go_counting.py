"""Whether a network of Go counts: leads by komi, by handicap and at the end of games, beside those of a teacher.

    python tests/play/go_counting.py NETWORK.bin.gz TEACHER.bin.gz [--games 200] [--seed 5] [--plays FILE.bin.gz] [--playouts N] [--out FILE]

A lead is White's, in points, by kata-raw-nn over all symmetries; with `--playouts`, at the end of games, that of a search
by each network besides. The endings are positions 10 moves before the end of
games that the policy of the teacher, or of the network that `--plays` names, plays from 6 random stones, a third each on
9x9, 13x13 and 19x19, under five rule sets in turn. `--out` gets a JSON line for each: its moves and the two leads.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
from collections import defaultdict
from typing import TextIO

SIZES = (9, 13, 19)
RULES = ("chinese", "japanese", "korean", "aga", "tromp-taylor")
KOMIS = (-60, -40, -20, -10, 0, 6.5, 10, 20, 40, 60)
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
TELL = 10
"""Games from one line of progress to the next."""
BEFORE_END = 10
FAR = 8
"""Points; a few positions further apart than these can make much of a mean."""


class Engine:
    """`tengen gtp` with a network, so many playouts a move, the same ones for the same seed."""

    def __init__(self, network: str, seed: int, playouts: int = 1) -> None:
        command = [sys.executable, "-m", "tengen", "gtp", "--net", network, "--playouts", str(playouts)]
        command += ["--resign", "0", "--threads", "1", "--seed", str(seed)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def ask(self, line: str) -> str:
        """The answer, without its sign. Raises RuntimeError for a refusal."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        found: list[str] = []
        while (got := self._process.stdout.readline()).strip() or not found:
            if not got:
                raise RuntimeError(f"the engine ended at: {line}")
            if got.strip():
                found.append(got.rstrip("\n"))
        if not found[0].startswith("="):
            raise RuntimeError(f"{line}: {found[0]}")
        return "\n".join(found)[1:].strip()

    def begin(self, size: int, rules: str, komi: float) -> None:
        for line in (f"boardsize {size}", "clear_board", f"kata-set-rules {rules}", f"komi {komi}"):
            self.ask(line)

    def lead(self) -> float:
        """White's, the mean over the symmetries."""
        told = self.ask("kata-raw-nn all").splitlines()
        leads = [float(line.split()[1]) for line in told if line.startswith("whiteLead")]
        return statistics.fmean(leads)

    def searched_lead(self, to_move: str) -> float:
        """White's, by a search of its playouts. to_move: B or W."""
        self.ask("kata-raw-nn 0")  # which waits until the network is there
        told = self.ask(f"kata-search_analyze {to_move} interval 100000 rootInfo true")
        words = told[told.rindex("rootInfo") :].split()
        lead = float(words[words.index("scoreLead") + 1])
        return lead if to_move == "W" else -lead


def komi_slopes(engine: Engine) -> dict[int, list[float]]:
    """Leads on the empty boards, by komi."""
    found: dict[int, list[float]] = defaultdict(list)
    for size in SIZES:
        for komi in KOMIS:
            engine.begin(size, "chinese", komi)
            found[size].append(engine.lead())
    return found


def handicaps(engine: Engine) -> list[float]:
    """Leads on 19x19 at komi 0.5 with 0, 2 to 9 stones; Black has moved last in none."""
    found = []
    for stones in (0, *range(2, 10)):
        engine.begin(19, "japanese", 0.5)
        if stones:
            engine.ask(f"fixed_handicap {stones}")
        found.append(engine.lead())
    return found


def game(engine: Engine, size: int, rules: str, dice: random.Random) -> list[str]:
    """Moves as `play` takes them, until both pass."""
    engine.begin(size, rules, 6.5)
    moves: list[str] = []
    while len(moves) < 6:
        move = f"{'BW'[len(moves) % 2]} {LETTERS[dice.randrange(2, size - 2)]}{dice.randrange(3, size - 1)}"
        try:
            engine.ask(f"play {move}")
        except RuntimeError:
            continue
        moves.append(move)
    while len(moves) < 2 * size * size and not all("pass" in move for move in moves[-2:]):
        colour = "BW"[len(moves) % 2]
        answer = engine.ask(f"genmove {colour}")
        if answer == "resign":
            break
        moves.append(f"{colour} {answer}")
    return moves


def endings(
    both: tuple[Engine, Engine], searching: tuple[Engine, Engine] | None, plays: Engine, games: int,
    dice: random.Random, out: TextIO | None,
) -> dict[str, list[float]]:  # fmt: skip
    """Distances of the leads, by rules and by size. both: the network and its teacher. searching: the same, if leads of
    searches are wanted: their distance, and that of the network's search from what the teacher says without one."""
    found: dict[str, list[float]] = defaultdict(list)
    for number in range(games):
        size, rules = (
            SIZES[number * len(SIZES) // games],
            RULES[number % len(RULES)],
        )  # a network is compiled for a size
        moves = game(plays, size, rules, dice)[:-BEFORE_END]
        for one in (*both, *(searching or ())):
            one.begin(size, rules, 6.5)
            for move in moves:
                one.ask(f"play {move}")
        leads = [one.lead() for one in both]
        row = {"size": size, "rules": rules, "network": leads[0], "teacher": leads[1], "moves": moves}
        for name in ("all", rules, f"{size}x{size}"):
            found[name].append(abs(leads[0] - leads[1]))
        if searching is not None:
            searched = [one.searched_lead("BW"[len(moves) % 2]) for one in searching]
            row |= {"searched": searched[0], "teacher_searched": searched[1]}
            for name in ("all", rules, f"{size}x{size}"):
                found[f"searched {name}"].append(abs(searched[0] - searched[1]))
            found["searched, teacher not"].append(abs(searched[0] - leads[1]))
            found["teacher, searched or not"].append(abs(searched[1] - leads[1]))
        if out is not None:
            print(json.dumps(row), file=out, flush=True)
        if (number + 1) % TELL == 0:
            mean = statistics.fmean(found["all"])
            print(f"{number + 1} of {games} games: mean distance {mean:.2f} points", file=sys.stderr, flush=True)
    return found


def told(distances: list[float]) -> str:
    """Their mean and median, and the part of their sum by those beyond FAR."""
    mean, median = statistics.fmean(distances), statistics.median(distances)
    far = sum(one for one in distances if one > FAR) / (sum(distances) or 1)
    return f"mean distance {mean:.2f} points, median {median:.2f}, {far:.0%} of the sum beyond {FAR} points"


def slope(leads: list[float]) -> float:
    """Points of lead for a point of komi, by least squares."""
    return statistics.linear_regression(KOMIS, leads).slope


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network")
    parser.add_argument("teacher")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--plays", help="the network that plays the games; without it the teacher, which is slow")
    parser.add_argument("--playouts", type=int, help="of a search by each network at the end of games")
    parser.add_argument("--out", type=argparse.FileType("w"), help="a JSON line for each ending")
    values = parser.parse_args()
    engine, teacher = Engine(values.network, values.seed), Engine(values.teacher, values.seed)
    mine, theirs = komi_slopes(engine), komi_slopes(teacher)
    print("komi          " + "".join(f"{komi:7}" for komi in KOMIS) + "  slope")
    for size in SIZES:
        for name, leads in (("network", mine[size]), ("teacher", theirs[size])):
            print(f"{size:2} {name:9}  " + "".join(f"{lead:7.1f}" for lead in leads) + f"{slope(leads):7.2f}")
    for name, one in (("network", engine), ("teacher", teacher)):
        print(f"handicap 0, 2 to 9 {name}: " + " ".join(f"{lead:.1f}" for lead in handicaps(one)))
    if values.games:
        plays = Engine(values.plays, values.seed) if values.plays else teacher
        searching = None
        if values.playouts:
            searching = (
                Engine(values.network, values.seed, values.playouts),
                Engine(values.teacher, values.seed, values.playouts),
            )
        dice = random.Random(values.seed)
        found = endings((engine, teacher), searching, plays, values.games, dice, values.out)
        for key, distances in found.items():
            print(f"endings {key:24} {len(distances):4} games: {told(distances)}")


if __name__ == "__main__":
    main()
