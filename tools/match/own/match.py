"""A match of our own players: its openings and its games, by as many processes as there are jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tengen.tools.jobs import Jobs
from tengen.tools.match.openings.drawn import draw
from tengen.tools.match.own.game import Played, play_game
from tengen.tools.match.own.sides import Match, player_of


def openings(match: Match) -> list[tuple[int, ...]]:
    """The opening of every pair of games: random legal moves; none repeats while there are others."""
    player = player_of(match, match.a, 0)
    start, is_sensible = player.state.copy(), player.hooks.is_sensible
    player.close()
    plies = match.setting.plies if match.plies is None else match.plies
    return draw(start, is_sensible, match.setting.margin, plies, (match.games + 1) // 2, match.seed)


def play(
    match: Match, jobs: Jobs | None = None, done: Iterable[Played] = (), on_game: Callable[[Played], None] | None = None
) -> list[Played]:
    """Play what is not `done` and return all games by number; on_game is told of each new one as it ends."""
    games = {game.number: game for game in done}
    rows = openings(match)
    tasks = [(match, rows[number // 2], number) for number in range(match.games) if number not in games]
    for game in (jobs or Jobs(1)).run(play_game, tasks):
        games[game.number] = game
        if on_game is not None:
            on_game(game)
    return [games[number] for number in sorted(games)]
