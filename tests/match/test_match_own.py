"""Matches between our own players: openings, pairs, the score, processes, and journals that are gone on with."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tengen.engine.config import Config, ConfigError
from tengen.engine.games import GAMES, get_game
from tengen.tools.jobs import Jobs
from tengen.tools.journal import Journal
from tengen.tools.match.own import __main__ as own
from tengen.tools.match.own.game import Played, as_json, from_json, tally
from tengen.tools.match.own.match import by_jobs, openings, play
from tengen.tools.match.own.sides import Match, parse_side, player_of
from tengen.tools.match.statistics.elo import wilson
from tengen.tools.match.statistics.tally import Tally

STRONG, WEAK = Config(playouts=40, player="rollout"), Config(player="random")
MATCH = Match(STRONG, WEAK, games=6, size=5)


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tengen.tools.match.own", *words], capture_output=True, text=True, timeout=120
    )


def test_a_match() -> None:
    games = play(MATCH)
    assert [game.number for game in games] == list(range(6)) and games == play_untimed(games)
    total = tally(games)
    assert total.score > 0.8 and total.wins + total.draws + total.losses == 6
    for even, odd in zip(games[::2], games[1::2], strict=True):
        assert even.moves[:2] == odd.moves[:2] and even.moves != odd.moves  # the same opening, other colours
    assert all(sum(game.thought) - free_moves(game) in (0, 1) for game in games)  # 1: and one that resigned
    assert total.cpu_per_move()[0] > total.cpu_per_move()[1] >= 0


def test_a_match_with_a_handicap() -> None:
    """`a` has Black in every game, the stones are there before White's first move, and komi is half a point."""
    match = replace(MATCH, a=WEAK, b=WEAK, size=9, games=4, handicap=5)
    assert [match.has_black(number) for number in range(4)] == [True] * 4
    player = player_of(match, match.a, 1)
    assert player.state.to_move == 1 and player.state.stones().count(1) == 5 and player.komi == 0.5
    games = play(match)
    assert all((game.score == 1) == (game.margin > 0) for game in games)
    assert all(game.moves[0] != game.moves[1] for game in games) and len({game.moves for game in games}) == 4
    assert play(replace(match, handicap=1, games=2))[0].margin % 1 == 0.5


def test_a_handicap_is_for_go(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["own", "--game", "reversi", "--handicap", "2"])
    assert own.main() == 2 and capsys.readouterr().err == "match of own players: handicap: reversi has none\n"


def free_moves(game: Played) -> int:
    """The moves after the opening for which there was another than the pass."""
    go = get_game("go")
    state = go.new_state(5, 5, go.rule_sets[str(MATCH.setting.rules)], 0.0)
    free = 0
    for ply, move in enumerate(game.moves):
        free += ply >= 2 and list(state.legal_moves()) != [state.pass_move]
        state.play(move)
    return free


def play_untimed(games: list[Played]) -> list[Played]:
    """The match once more by two processes, with the first run's times: all else is the same."""
    with Jobs(2) as jobs:
        again = play(MATCH, by_jobs(jobs))
    return [new._replace(cpu=old.cpu) for old, new in zip(games, again, strict=True)]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_openings_of_every_game(name: str) -> None:
    game = get_game(name)
    config = Config(game=name, player=list(game.players)[-1])
    rows = openings(Match(config, config, games=40))
    assert len(rows) == 20 == len(set(rows)) and rows == openings(Match(config, config, games=40))
    assert rows != openings(Match(config, config, games=40, seed=2))
    state = game.new_state(game.default_size, game.default_size, game.default_rules, game.default_komi)
    for row in openings(Match(config, config, games=4, size=game.default_size)):
        played = state.copy()
        for move in row:
            assert played.is_legal(move)
            played.play(move)
        assert row and not played.is_terminal()


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_is_played(name: str) -> None:
    config = Config(game=name, player="random")
    games = play(Match(config, config, games=2))
    assert len(games) == 2 and all(len(game.moves) > 4 and game.score in (0.0, 0.5, 1.0) for game in games)


def test_the_number_of_opening_moves() -> None:
    assert [len(row) for row in openings(replace(MATCH, plies=0))] == [0, 0, 0]
    assert [len(row) for row in openings(replace(MATCH, plies=5))] == [5, 5, 5]


@pytest.mark.parametrize(
    ("score", "games", "low", "high"),
    [(0.5, 100, 0.404, 0.596), (1.0, 10, 0.722, 1.0), (0.0, 10, 0.0, 0.278), (0.55, 200, 0.481, 0.617), (0.5, 0, 0.0, 1.0)],
)  # fmt: skip
def test_wilson(score: float, games: int, low: float, high: float) -> None:
    assert wilson(score, games) == pytest.approx((low, high), abs=5e-4)


def test_draws_count_half() -> None:
    total = tally([Played(n, score, 0, (), (1.0, 3.0), (2, 2)) for n, score in enumerate((1.0, 0.5, 0.5, 0.0))])
    assert total == Tally(1, 2, 1, (4.0, 12.0), (8, 8)) and total.score == 0.5 and total.cpu_per_move() == (0.5, 1.5)
    assert total.as_text().startswith("50.0% of 4 games (95 %: 15.0% to 85.0%), Elo +0 (-301 to +301), +1 =2 -1")
    assert Tally(wins=20).elo().as_text() == "over +287" and Tally(losses=20).elo().as_text() == "below -287"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("plaier=uct", "unknown option 'plaier' (did you mean 'player'?)"),
        ("player", "'player' is not of the form name=value"),
        ("playouts=many", "playouts must be a whole number from 1 to 1099511627776, not 'many'"),
        ("config=missing.toml", "cannot read the configuration file"),
    ],
)
def test_sides_that_are_refused(text: str, says: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse_side(text, Config())
    assert says in str(error.value)


def test_a_side(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("playouts = 5\nset.mcts.c = 0.5\n")
    side = parse_side(f"config={tmp_path / 'a.toml'}, player=uct,time=1,mcts.prior_edge=3", Config())
    assert (side.playouts, side.player, side.time) == (5, "uct", 1.0)
    assert side.set == {"mcts.c": 0.5, "mcts.prior_edge": "3"}


def test_a_journal_is_gone_on_with(tmp_path: Path) -> None:
    words = ("--a", "playouts=20,player=rollout", "--b", "player=random", "--size", "5", "--out", str(tmp_path / "out"))
    first = run(*words, "--games", "4")
    assert first.returncode == 0 and " of 4 games" in first.stdout and first.stderr.count(" games (95 %") == 4, (
        first.stderr
    )
    lines = (tmp_path / "out").read_text().splitlines()
    games = [from_json(json.loads(line)) for line in lines[1:]]
    assert len(games) == 4 and [json.dumps(as_json(game)) for game in games] == lines[1:]
    (tmp_path / "out").write_text("\n".join(lines[:3]) + '\n{"number": 2, "sc')  # killed while writing
    second = run(*words, "--games", "6", "--jobs", "2")
    assert second.returncode == 0 and " of 6 games" in second.stdout, second.stderr
    again = (tmp_path / "out").read_text().splitlines()
    assert again[:3] == lines[:3] and len(again) == 7
    moves = {game.number: game.moves for game in (from_json(json.loads(line)) for line in again[1:])}
    assert sorted(moves) == list(range(6)) and moves[3] == games[3].moves


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--game", "chss"), "unknown game 'chss'"),
        (("--a", "player=utc"), "unknown player 'utc' (did you mean 'uct'?)"),
        (("--a", "mcts.d=1"), "unknown option 'mcts.d'"),
        (("--a", "mcts.c=x"), "mcts.c must be a number from 0 to 10, not 'x'"),
        (("--games", "0"), "0 is not between"),
        (("--size", "99"), "99 is not between"),
        (("--b", "level=11"), "the player 'uct' of go has no level 11; it has 1, 2, 3"),
        (("--out", "/"), "/"),
    ],
)  # fmt: skip
def test_mistakes_get_one_sentence(
    words: tuple[str, ...], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["own", *words])
    try:
        code = own.main()
    except SystemExit as stop:
        code = stop.code
    errors = capsys.readouterr().err
    assert code == 2 and says in errors and errors.count("\n") == 1, errors


@pytest.mark.parametrize(
    ("content", "says"),
    [('{"other": 1}\n', "belongs to another run"), ("hello\n", "another run"), ("[" * 100_000 + "\n", "another run"),
     ('{"a": 1}\n[1]\n', "line 2"), ('{"a": 1}\n{"b"\n', "line 2")],
)  # fmt: skip
def test_files_that_are_no_journal(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "out"
    path.write_text(content)
    with pytest.raises(ValueError, match=says):
        Journal(str(path), {"a": 1})
    assert path.read_text() == content


def test_results_of_jobs() -> None:
    with Jobs(2) as jobs:
        assert sorted(jobs.run(abs, [(-number,) for number in range(10)])) == list(range(10))
        with pytest.raises(TypeError):
            list(jobs.run(abs, [("x",), ("y",)]))


def test_the_openings_stay_inside() -> None:
    rows = openings(Match(STRONG, WEAK, games=60, size=9))
    assert all(2 <= move // 9 <= 6 and 2 <= move % 9 <= 6 for row in rows for move in row)


def test_games_of_a_journal_sum_up_as_they_were() -> None:
    """In whatever order they were written: two processes end their games as they like."""
    played = [Played(n, 0.5, 0, (1, 2), (0.1 + n / 3e5, 1e-9 * n), (n, 7)) for n in range(40)]
    kept = [from_json(json.loads(json.dumps(as_json(game)))) for game in reversed(played)]
    assert kept == played[::-1] and tally(kept) == tally(played)
