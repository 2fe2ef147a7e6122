"""Settings of a run: one TOML file, presets, what is refused and what the sentence says."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT

from tengen.engine import toml
from tengen.engine.config import ConfigError
from tengen.engine.games import get_game
from tengen.tools.arguments import Parser
from tengen.tools.train.commands import train
from tengen.tools.train.play.search import filled, settings
from tengen.tools.train.run.learn import recipe_of, spec_of
from tengen.tools.train.settings import preset as presets
from tengen.tools.train.settings.config import RunConfig, as_table, changed, load, merge, options
from tengen.tools.train.settings.kinds import KINDS, features_of, kind_of
from tengen.tools.train.settings.sections import SECTIONS, ModelConfig, Settling

# what is given, what is changed by it: full name -> value
GOOD: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"board": {"size": 13}}, {"board.size": "13"}),
    ({"board.size": "9,13,19"}, {"board.size": "9,13,19"}),
    ({"training": {"rate": 0.01}, "training.rise": "7"}, {"training.rate": 0.01, "training.rise": 7}),
    ({"search.visits": 100, "search": {"gumbel": True}}, {"search.visits": 100, "search.gumbel": True}),
    ({"seed": "5", "about": "a try"}, {"seed": 5, "about": "a try"}),
    ({"training.device": "CPU", "anchor.opponent": "GnuGo"}, {"training.device": "cpu", "anchor.opponent": "gnugo"}),
    ({"selfplay": {"precision": "bf16"}}, {"selfplay.precision": "bf16"}),
]
BAD = [
    ({"training": {"rte": 1}}, r"unknown setting 'training.rte' \(did you mean 'training.rate'\?\)"),
    ({"blocks": 3}, r"unknown setting 'blocks' \(did you mean 'model.blocks'\?\)"),
    ({"trainig": {"rate": 1}}, r"unknown setting 'trainig.rate' \(did you mean 'training.rate'\?\)"),
    ({"training.rate": 0}, r"training.rate must be a number from 1e-07 to 10, not '0'"),
    ({"model.blocks": 2.5}, r"model.blocks must be a whole number from 1 to 100, not '2.5'"),
    ({"model.blocks": True}, r"model.blocks must be a whole number"),
    ({"training.optimizer": "adagrad"}, r"training.optimizer must be one of adamw, adam, sgd, muon, not 'adagrad'"),
    ({"anchor.opponent": "rollouts"}, r"anchor.opponent must be one of auto, gnugo, uct, rollout, not 'rollouts'"),
    ({"kl.target": 0}, r"kl.target must be a number"),
    ({"gate.games": 7}, r"gate.games must be even"),
    ({"anchor.games": "5"}, r"anchor.games must be even"),
    ({"board.size": "nine"}, r"board.size must be a size or several, as 9,13, not 'nine'"),
    ({"board.size": ""}, r"board.size must be a size"),
    ({"window": {"minimum": 100, "maximum": 50}}, r"window.maximum \(50\) is less than minimum \(100\)"),
    ({"search.visits": [1]}, r"'search.visits' is neither a number"),
]


def flat(config: RunConfig) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in as_table(config).items():
        found |= {f"{key}.{name}": one for name, one in value.items()} if isinstance(value, dict) else {key: value}
    return found


@pytest.mark.parametrize(("given", "wanted"), GOOD, ids=str)
def test_what_is_given_is_set(given: dict[str, Any], wanted: dict[str, Any]) -> None:
    config = merge(RunConfig(), given)
    assert {name: value for name, value in flat(config).items() if flat(RunConfig()).get(name) != value} == wanted
    assert set(changed(RunConfig(), config)) == set(wanted)


@pytest.mark.parametrize(("given", "sentence"), BAD, ids=str)
def test_what_is_wrong_is_said(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        merge(RunConfig(), given)


def test_a_configuration_is_written_and_read(tmp_path: Path) -> None:
    config = merge(presets.preset("go-9-laptop"), {"search.c": 1.25, "about": 'with "quotes" and\na line'})
    path = tmp_path / "config.toml"
    path.write_text(toml.dumps(as_table(config)))
    assert load(path) == config
    path.write_text("[training]\nrat = 1\n")
    with pytest.raises(
        ConfigError, match=r"unknown key in '.*config.toml': 'training.rat' \(did you mean 'training.rate'\?\)"
    ):
        load(path)
    with pytest.raises(ConfigError, match=r"cannot read the configuration"):
        load(tmp_path / "none.toml")


def test_the_file_goes_over_the_preset() -> None:
    base = presets.preset("go-9-laptop")
    assert merge(base, {"model.blocks": 9}).model.channels == base.model.channels


@pytest.mark.parametrize("name", presets.names())
def test_presets_fit_this_build(name: str) -> None:
    """Every key exists, the search takes its options, and the name says what it is for."""
    found = presets.preset(name)
    named = f"{found.board.name}-", found.model.kind
    assert found.about and (name.startswith(named) or presets.is_for_any_game(name)) and found.board.sizes
    assert settings(found) and set(filled(found)) >= set(found.search)
    rules = get_game(found.board.name).rule_sets
    assert set(found.board.rule_names) <= set(rules)
    if features_of(found) == "katago-v7" and not presets.is_for_any_game(
        name
    ):  # what a network never saw another value of, it says anything about
        seen = [rules[name] for name in found.board.rule_names]
        assert found.board.komi_spread > 0 and all(
            len({getattr(one, fact) for one in seen}) > 1 for fact in ("ko", "suicide", "friendly_pass")
        )


def test_a_preset_may_be_made_from_another_one() -> None:
    """`classic` is the training of both classic networks, and of any game."""
    classic, known = presets.preset("classic"), {"alphazero-gomoku": ("gomoku", (8,)), "clevergo": ("go", (9,))}
    for name, (game, sizes) in known.items():
        found = presets.preset(name)
        assert (found.board.name, found.board.sizes, found.model.kind) == (game, sizes, name)
        assert (found.training, found.kl, found.selfplay) == (classic.training, classic.kl, classic.selfplay)
        rule = recipe_of(found).kl
        assert rule is not None and (rule.epochs, rule.target, found.search["visits"]) == (5, 0.02, 400)
    assert [name for name in presets.names() if presets.is_for_any_game(name)] == ["classic"]
    parser = Parser(prog="train")
    train.configure(parser)
    name, found = train.config_of("reversi", parser.parse_strictly(["reversi", "--preset", "classic"]))
    assert (name, found.board.name, found.board.sizes, kind_of(found)) == (
        "reversi-classic",
        "reversi",
        (8,),
        "residual",
    )


def test_the_usual_preset() -> None:
    assert presets.usual("go", 9)[0] == presets.usual("go")[0] == "go-9-laptop"
    name, found = presets.usual("go", 11)
    assert found.board.sizes == (11,) and found.model == presets.preset(name).model
    with pytest.raises(ConfigError, match=r"no preset is for 'goo' \(did you mean 'go'\?\)"):
        presets.usual("goo")
    with pytest.raises(
        ConfigError, match=r"there is no preset 'go-9-labtop' \(did you mean 'go-9-laptop'\?\); there are "
    ):
        presets.preset("go-9-labtop")


@pytest.mark.parametrize(("given", "sentence"), [
    ({"search.vists": 3}, r"unknown setting 'search.vists' \(did you mean 'visits'\?\)"),
    ({"search.visits": 0}, r"search.visits must be a whole number from 2"),
    ({"search.gumbel": "perhaps"}, r"search.gumbel must be true or false"),
], ids=str)  # fmt: skip
def test_options_of_the_search_are_the_cores(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        settings(merge(RunConfig(), given))


def test_a_run_keeps_all_options_of_its_search() -> None:
    config = merge(RunConfig(), {"search.visits": 77})
    whole = filled(config)
    assert whole["visits"] == 77 and whole["gumbel"] is False and len(whole) > 30
    assert settings(merge(config, {"search": whole})) == {**settings(config), **{k: float(v) for k, v in whole.items()}}


def test_the_page_names_every_preset_and_every_table() -> None:
    text = (ROOT / "docs" / "train.md").read_text("utf-8")
    assert {name for name in presets.names() if f"| `{name}` |" not in text} == set()
    assert {name for name in (*SECTIONS, "search") if f"`{name}`" not in text} == set()


def test_every_setting_says_what_it_is() -> None:
    known = options()
    assert all(option.doc for option in known.values()) and len(known) > 50
    assert {name.partition(".")[0] for name in known if "." in name} == set(SECTIONS)


def test_tables_of_the_networks_are_whole() -> None:
    """The sections of the file are the values that `tengen.nets` takes: nothing is missing, nothing is left over."""
    from tengen.nets.recipe import KLRule, LossWeights
    from tengen.nets.spec import ModelSpec

    assert [key.name for key in fields(ModelConfig) if key.name != "features"] == [
        key.name for key in fields(ModelSpec) if key.name != "heads"
    ]
    assert SECTIONS["losses"] is LossWeights and recipe_of(
        merge(RunConfig(), {"losses.score": 0.5})
    ).weights == LossWeights(score=0.5)
    assert spec_of(RunConfig()).kind == "katago" and recipe_of(RunConfig()).schedule.shape == "cosine"
    assert recipe_of(merge(RunConfig(), {"training.fall": 0})).schedule.shape == "constant"
    assert Settling() == Settling(**{**vars(KLRule()), "epochs": 0}) and recipe_of(RunConfig()).kl is None


def test_kinds_are_those_of_the_networks() -> None:
    pytest.importorskip("torch")
    from tengen.nets import models

    assert KINDS == tuple(models.KINDS)
