"""Matches between two of our own players in one process: the evidence for levels until `tengen match` exists.

    python -m tests.selfplay --a level=3 --b level=2 --games 100 --size 9
"""

from __future__ import annotations

import argparse
import math
import random
from dataclasses import replace
from typing import Any

from tengen.engine.config import Config
from tengen.engine.player import Player

KOMI = 7.0


def play_game(black: Player, white: Player, size: int, opening: list[int]) -> float:
    """Black's margin under Tromp-Taylor rules; a resignation counts as half the board."""
    sides = (black, white)
    for player in sides:
        player.new_game(size)
        player.set_komi(KOMI)
    colour = 0
    for number in range(3 * size * size):
        if number < len(opening):
            move: int | None = opening[number]
        else:
            move = sides[colour].genmove(colour, play=False).move
            if move is None:
                return (1 if colour else -1) * size * size / 2
        assert move is not None
        for player in sides:
            player.play(colour, move)
        if black.state.is_terminal():
            break
        colour = 1 - colour
    return float(black.state.result())


def play_match(a: Config, b: Config, games: int, size: int = 9, seed: int = 1) -> float:
    """Score of `a`, 0..1, over `games` games: every random two-move opening is played with both colours."""
    dice = random.Random(seed)
    score = 0.0
    cells = [row * size + column for row in range(2, size - 2) for column in range(2, size - 2)]
    opening: list[int] = []
    for number in range(games):
        if number % 2 == 0:
            opening = dice.sample(cells, 2)
        players = [Player(replace(c, seed=seed * 1000 + number + 1, rules="tromp-taylor", threads=1)) for c in (a, b)]
        black, white = players if number % 2 == 0 else players[::-1]
        margin = play_game(black, white, size, opening)
        for player in players:
            player.close()
        margin_a = margin if number % 2 == 0 else -margin
        score += 1.0 if margin_a > 0 else 0.5 if margin_a == 0 else 0.0
    return score / games


def interval(score: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval."""
    z = 1.96
    middle = (score + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(score * (1 - score) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return middle - half, middle + half


def _config(text: str) -> Config:
    values: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        if "." in name:
            values.setdefault("set", {})[name] = float(value)
        else:
            values[name] = value if name == "player" else float(value) if name in ("time", "resign") else int(value)
    return Config(**values)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--a", default="", help="e.g. level=3 or playouts=500,mcts.c=0.2")
    parser.add_argument("--b", default="")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    score = play_match(_config(options.a), _config(options.b), options.games, options.size, options.seed)
    low, high = interval(score, options.games)
    print(f"{options.a} - {options.b}: {score:.1%} of {options.games} games (95 %: {low:.1%} to {high:.1%})", flush=True)


if __name__ == "__main__":
    main()
