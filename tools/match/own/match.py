"""A match of our own players: its openings and its games, by as many processes as there are jobs, or elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from tengen.tools.jobs import Jobs
from tengen.tools.match.openings.drawn import draw
from tengen.tools.match.own.game import Played, play_game
from tengen.tools.match.own.sides import Match, player_of

Task = tuple[int, tuple[int, ...]]
"""A game to play: its number and its opening."""
Hands = Callable[[Match, Sequence[Task], int], Iterator[Played]]
"""A function that plays games, so many together, and yields them as they end."""


def openings(match: Match) -> list[tuple[int, ...]]:
    """The opening of every pair of games: random legal moves; none repeats while there are others."""
    player = player_of(match, match.a, 0)
    start, is_sensible = player.state.copy(), player.hooks.is_sensible
    player.close()
    usual = 0 if match.handicap else match.setting.plies
    plies = usual if match.plies is None else match.plies
    return draw(start, is_sensible, match.setting.margin, plies, (match.games + 1) // 2, match.seed)


def play(
    match: Match,
    hands: Hands | None = None,
    done: Iterable[Played] = (),
    on_game: Callable[[Played], None] | None = None,
    together: int = 1,
) -> list[Played]:
    """Play the games that are not `done` and return all games by number; on_game gets each new one as it ends.

    hands: without, this process plays. together: so many games of networks at once in a process (`together.py`). Raises
    ConfigError for sides that cannot.
    """
    games = {game.number: game for game in done}
    rows = openings(match)
    numbers = [number for number in range(match.games) if number not in games]
    for game in (hands or by_jobs(Jobs(1)))(match, [(number, rows[number // 2]) for number in numbers], together):
        games[game.number] = game
        if on_game is not None:
            on_game(game)
    return [games[number] for number in sorted(games)]


def by_jobs(jobs: Jobs) -> Hands:
    """Games by processes of this machine."""

    def played(match: Match, tasks: Sequence[Task], together: int) -> Iterator[Played]:
        for games in jobs.run(play_lot, [(match, part, together) for part in lots(tasks, together)]):
            yield from games

    return played


def play_lot(match: Match, tasks: Sequence[Task], together: int) -> list[Played]:
    """Games one after the other, or side by side. Runs in a worker process."""
    if together == 1:
        return [play_game(match, opening, number) for number, opening in tasks]
    from tengen.tools.match.own.together import play_together

    return play_together(match, tasks)


def lots(tasks: Sequence[Task], size: int) -> list[list[Task]]:
    """The tasks in lots of so many."""
    return [list(tasks[at : at + size]) for at in range(0, len(tasks), size)]
