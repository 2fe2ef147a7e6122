"""Options have kinds: what fits each of them, how a mistake is told, and what the players' own ones are."""

from __future__ import annotations

import pytest

from tengen.engine.config import OPTIONS, Config, ConfigError
from tengen.engine.games import GAMES, get_game
from tengen.engine.options import Option, Value, check, choice, number, text
from tengen.engine.play.options import options_of
from tengen.engine.play.player import Player
from tengen.engine.search import make_search

THREADS = number("threads", 4, 1, 256, "", is_whole=True)
SHARE = number("share", 0.5, 0, 1, "")
FIRST = number("first", 1, 1, float("inf"), "", is_whole=True)
FLAG = check("flag", False, "")
STYLE = choice("style", "calm", ("calm", "Wild"), "")
NAME = text("name", "", "")

# option, given, what it means
FITS = [
    (THREADS, "2", 2),
    (THREADS, 2.0, 2),
    (THREADS, " 256 ", 256),
    (SHARE, "0.25", 0.25),
    (SHARE, "1e-3", 0.001),
    (SHARE, 1, 1.0),
    (FIRST, 10**15, 10**15),
    *((FLAG, word, True) for word in ("true", "on", "yes", "1", "TRUE", " On ", 1, 1.0, True)),
    *((FLAG, word, False) for word in ("false", "off", "no", "0", "False", 0, 0.0, False)),
    (STYLE, "calm", "calm"),
    (STYLE, "wild", "Wild"),
    (choice("level", "1", ("1", "2"), ""), 2, "2"),
    (NAME, "a b=c", "a b=c"),
]

# option, given, the sentence
MISFITS = [
    (THREADS, "2.5", "threads must be a whole number from 1 to 256, not '2.5'"),
    (THREADS, "0", "threads must be a whole number from 1 to 256, not '0'"),
    (THREADS, "two", "threads must be a whole number from 1 to 256, not 'two'"),
    (THREADS, True, "threads must be a whole number from 1 to 256, not 'true'"),
    (THREADS, 10**5000, "threads must be a whole number from 1 to 256, not what was given"),
    (SHARE, "nan", "share must be a number from 0 to 1, not 'nan'"),
    (SHARE, "1.5", "share must be a number from 0 to 1, not '1.5'"),
    (SHARE, "", "share must be a number from 0 to 1, not ''"),
    (FIRST, "inf", "first must be a whole number from 1, not 'inf'"),
    (number("t", 1, 0.001, 1e6, ""), 0, "t must be a number from 0.001 to 1000000, not '0'"),
    (FLAG, "maybe", "flag must be true or false, not 'maybe'"),
    (FLAG, "2", "flag must be true or false, not '2'"),
    (FLAG, 0.5, "flag must be true or false, not '0.5'"),
    (STYLE, "bold", "style must be one of calm, Wild, not 'bold'"),
    (STYLE, True, "style must be one of calm, Wild, not 'true'"),
    (NAME, 3, "name must be text, not '3'"),
    (NAME, ["a\nb"], "name must be text, not '['a\\nb']'"),
]


@pytest.mark.parametrize(("option", "given", "means"), FITS)
def test_what_fits(option: Option, given: object, means: Value) -> None:
    value = option.parse(given)
    assert value == means and type(value) is type(means)


@pytest.mark.parametrize(("option", "given", "sentence"), MISFITS, ids=[row[2][:50] for row in MISFITS])
def test_what_does_not_fit_is_one_sentence(option: Option, given: object, sentence: str) -> None:
    with pytest.raises(ValueError) as error:
        option.parse(given)
    assert str(error.value) == sentence


PLAYERS = [(game, player) for game in GAMES for player in get_game(game).players]


@pytest.mark.parametrize(("game", "player"), PLAYERS)
def test_every_option_of_a_player_holds_its_default(game: str, player: str) -> None:
    for option in options_of(get_game(game), player):
        assert option.doc, option.name
        if option.default is not None:
            assert option.parse(option.default) == option.default, option.name
            assert option.parse(str(option.default)) == option.default, option.name


WHOLE = {"threads", "memory", "seed", "playouts", "visits", "level"}


def test_settings_declare_their_kinds() -> None:
    assert {name for name, option in OPTIONS.items() if option.is_whole} == WHOLE
    assert {name for name, option in OPTIONS.items() if option.kind == "check"} == {"ponder"}
    defaults = Config()
    assert {name: option.default for name, option in OPTIONS.items()} == {
        name: getattr(defaults, name) for name in OPTIONS
    }


# game, player, the options of its search that are whole numbers
COUNTS = [
    ("reversi", "uct", {"mcts.leaf_empties", "mcts.root_empties"}),
    ("reversi", "mix", {"mcts.leaf_empties", "mix.middlegame_from", "mix.endgame_from"}),
    ("go", "random", {"random.seed"}),
    ("go", "uct", {"mcts.threads", "mcts.seed", "mcts.expand_visits"}),
    ("gomoku", "uct", {"mcts.candidates", "mcts.root_candidates", "mcts.four_search", "mcts.root_four_search",
                       "mcts.playout_moves"}),
]  # fmt: skip


@pytest.mark.parametrize(("game", "player", "names"), COUNTS)
def test_searches_declare_their_whole_numbers(game: str, player: str, names: set[str]) -> None:
    options = {option.name: option for option in make_search(get_game(game), player, {}).options()}
    assert {name for name in names if options[name].is_whole} == names
    assert not any(options[name].is_whole for name in options if name in ("mcts.c", "mcts.memory_mb", "mix.w1_opening"))


def test_the_options_of_a_player_name_their_choices() -> None:
    options = {option.name: option for option in options_of(get_game("gomoku"), "uct")}
    assert options["game"].choices == tuple(GAMES)
    assert options["player"].choices == (
        "alphabeta", "uct", "rollout", "puct", "policy", "value", "alphazero-gomoku", "random",
    )  # fmt: skip
    assert options["rules"].choices[:2] == ("freestyle", "standard") and options["rules"].default == "freestyle"
    assert (options["level"].low, options["level"].high) == (1, 10)
    assert "mcts.c" in options
    assert {"threads", "memory", "seed"} <= set(options), "the settings that the search's own follow"
    assert not {"mcts.threads", "mcts.memory_mb", "mcts.seed"} & set(options)


@pytest.mark.parametrize(
    ("config", "says"),
    [
        (Config(set={"mcts.c": "x"}), "mcts.c must be a number from 0 to 10, not 'x'"),
        (Config(set={"mcts.c": "1e400"}), "mcts.c must be a number from 0 to 10, not '1e400'"),
        (Config(set={"mcts.c": True}), "mcts.c must be a number from 0 to 10, not 'true'"),
        (Config(game="reversi", player="uct", set={"mcts.leaf_empties": "2.5"}), "mcts.leaf_empties must be a whole number from 0 to 16, not '2.5'"),
        (Config(game="reversi", player="mix", set={"mix.endgame_from": 12.5}), "mix.endgame_from must be a whole number"),
        (Config(player="random", set={"random.seed": "x"}), "random.seed must be a whole number from 0 to 9007199254740992"),
    ],
)  # fmt: skip
def test_a_player_refuses_what_does_not_fit(config: Config, says: str) -> None:
    with pytest.raises(ConfigError) as error:
        Player(config)
    assert says in str(error.value)
