"""Patterns from a complete set of games: played by weights, learned from pass by pass, gone on with after an end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

torch = pytest.importorskip("torch")

from tengen.engine._core import ReversiState  # noqa: E402
from tengen.engine.evaluators.backends.features import feature_set  # noqa: E402
from tengen.nets import safetensors  # noqa: E402
from tengen.nets.checkpoint import CheckpointError  # noqa: E402
from tengen.nets.fitting import FitRecipe, Fitting, Positions, returns  # noqa: E402
from tengen.nets.models import build  # noqa: E402
from tengen.nets.patterns import Patterns  # noqa: E402
from tengen.nets.spec import ModelSpec  # noqa: E402
from tengen.tools import cli  # noqa: E402
from tengen.tools.train.data import shards  # noqa: E402
from tengen.tools.train.fitting import patterns  # noqa: E402

RECIPE = FitRecipe(passes=4, batch=256, rise=5)


def model() -> Patterns:
    torch.manual_seed(1)
    found = build(ModelSpec("pattern-network"), feature_set("reversi", "reversi-v1"), (8, 8))
    assert isinstance(found, Patterns)
    return found


def drawn(count: int, seed: int) -> Positions:
    """Boards at random with few discs, so that patterns come again; they are worth their discs, which a sum can say."""
    source = np.random.default_rng(seed)
    discs = source.choice([-1, 0, 1], (count, 64), p=[0.06, 0.88, 0.06])
    return Positions(packed(discs), discs.sum(1).astype(np.float32))


def packed(discs: NDArray[np.int64]) -> NDArray[np.uint64]:
    """n x 2 of n x 64, 1 own, -1 the enemy's."""
    sides = [np.packbits(discs == who, axis=1, bitorder="little").view(np.uint64) for who in (1, -1)]
    return np.concatenate(sides, 1)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """By weights that ship: two files of games."""
    folder = tmp_path_factory.mktemp("games")
    assert cli.main(selfplay(folder, 12)) == 0
    return folder


def selfplay(folder: Path, count: int) -> list[str]:
    weights = Path(__file__).parents[2] / "nets" / "weights" / "tengen-reversi.safetensors"
    settings = ("selfplay.unit_games=6", "search.depth=2", "search.exact=6", "search.noise=0.1")
    sets = [word for setting in settings for word in ("--set", setting)]
    return ["selfplay", str(weights), "--games", str(count), "--out", str(folder), "--workers", "1", *sets]


def test_what_patterns_can_say_is_learned_and_held_out_positions_tell_it() -> None:
    fitting, held = Fitting(model(), drawn(4096, 1), replace(RECIPE, passes=10)), drawn(512, 2)
    before, errors = fitting.error(held), [fitting.learn() for _ in range(10)]
    assert errors[-1] < errors[0] / 2
    assert fitting.error(held) < before / 2
    assert np.isnan(fitting.error(held, 61, 64))


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Several add up gradients in any order."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.usefixtures("one_thread")
def test_a_fitting_goes_on_as_if_it_had_not_ended(tmp_path: Path) -> None:
    whole = Fitting(model(), drawn(1024, 1), RECIPE)
    for _ in range(3):
        whole.learn()
    first = Fitting(model(), drawn(1024, 1), RECIPE)
    first.learn()
    first.save(tmp_path / "kept", [{"steps": 4.0}])
    second = Fitting(model(), drawn(1024, 1), RECIPE)
    assert second.load(tmp_path / "kept") == [{"steps": 4.0}]
    assert second.passes == 1
    for _ in range(2):
        second.learn()
    for mine, theirs in zip(whole.model.parameters(), second.model.parameters(), strict=True):
        assert torch.equal(mine, theirs)
    with pytest.raises(CheckpointError, match="another set of positions"):
        Fitting(model(), drawn(1024, 3), RECIPE).load(tmp_path / "kept")
    with pytest.raises(ValueError, match="there are 100 positions, and a batch has 256"):
        Fitting(model(), drawn(100, 3), RECIPE)


def test_positions_of_games_are_those_that_were_searched(games: Path) -> None:
    learned, held = patterns.files_of([str(games)])
    assert [path.name for path in (*learned, *held)] == ["games-1-00000.npz", "games-1-00001.npz"]
    played = shards.read(learned[0])
    found = patterns.read(learned)
    wanted = []
    for game in played:
        state = ReversiState()
        for move, value in zip(game.moves.tolist(), game.values[:, 2].tolist(), strict=True):
            if np.isfinite(value):
                stones = np.frombuffer(state.stones(), np.uint8)
                discs = (stones == 1 + state.to_move).astype(np.int64) - (stones == 2 - state.to_move)
                wanted.append((packed(discs[None])[0].tolist(), int((stones == 0).sum()), value))
            state.play(move)
    assert len(found.labels) == len(wanted)
    assert found.sides.tolist() == [row[0] for row in wanted]
    assert found.empties().tolist() == [row[1] for row in wanted]
    assert found.labels.tolist() == [row[2] for row in wanted]


def test_labels_mix_a_search_with_those_behind_it_and_the_margin(games: Path) -> None:
    learned, _ = patterns.files_of([str(games)])
    plain, mixed, last = (patterns.read(learned, share) for share in (0, 0.75, 1))
    wanted = []
    for game in shards.read(learned[0]):
        signs = [1 if ply % 2 == 0 else -1 for ply in range(len(game.moves))]
        after, labels = game.margin, list[float]()
        for sign, value in reversed(list(zip(signs, game.values[:, 2].tolist(), strict=True))):
            if np.isfinite(value):
                after = 0.25 * sign * value + 0.75 * after
                labels.append(sign * after)
        wanted += labels[::-1]
    assert np.allclose(mixed.labels, wanted, atol=1e-3)
    assert mixed.sides.tolist() == plain.sides.tolist() == last.sides.tolist()
    assert np.abs(mixed.labels - plain.labels).mean() > 1
    assert {abs(label) for label in last.labels.tolist()} == {abs(game.margin) for game in shards.read(learned[0])}


def test_an_end_that_is_unknown_is_what_the_last_search_said() -> None:
    said, starts = np.array([4.0, np.nan, 8.0, 1.0]), np.array([0, 3, 4])
    assert returns(said, np.array([np.inf, np.nan]), starts, 0.5).tolist()[2:] == [8, 1]
    found = returns(said, np.array([0.0, 3.0]), starts, 0.5)
    assert (found[0], found[2], found[3]) == (0.5 * 4 + 0.5 * 4, 4, 2) and np.isnan(found[1])
    assert not len(returns(np.empty(0), np.empty(0), np.zeros(1, np.int64), 0.5))


def test_returns_are_refused_for_games_with_random_moves(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = games / "mine.safetensors"
    assert cli.main(["train", "fit", str(games), "-o", str(out), "--returns", "0.8"]) == 2
    assert "have random moves (search.noise=0.1): use --returns 0" in capsys.readouterr().err
    assert not out.exists()


def test_an_option_of_other_weights_names_them(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["train", "fit", str(games), "-o", "x.safetensors", "--kind", "line-network", "--returns", "0.5"]
    assert cli.main(command) == 2
    assert "--returns is of patterns or a pattern-network or a chess-network, and" in capsys.readouterr().err


def test_games_that_are_there_are_kept(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = {path: path.read_bytes() for path in games.glob("*.npz")}
    assert cli.main(selfplay(games, 12)) == 2
    assert "has all of these games: give more --games, or another --seed" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in games.glob("*.npz")} == kept


def test_the_command_writes_patterns_that_play(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FitRecipe, "__init__", _small)
    out = tmp_path / "mine.safetensors"
    assert cli.main(["train", "fit", str(games), "-o", str(out), "--passes", "2", "--workers", "1"]) == 0
    told = capsys.readouterr()
    assert "pass 2 of 2: mean error" in told.err and "tengen train probcut" in told.out
    assert "vectors" in safetensors.loads(out.read_bytes())
    assert out.with_suffix(".svg").read_text().startswith("<?xml") and not out.with_suffix(".fitting").exists()
    assert (
        cli.main(["selfplay", str(out), "--games", "1", "--out", str(tmp_path / "more"), "--set", "search.depth=1"])
        == 0
    )


def _small(recipe: FitRecipe, passes: int = 5, rate: float = 0.01) -> None:
    for name, value in {**vars(RECIPE), "passes": passes, "rate": rate, "batch": 64}.items():
        object.__setattr__(recipe, name, value)


@pytest.mark.parametrize(("words", "said"), [
    (["fit"], "takes the folders of games to learn from"),
    (["fit", "none"], "say where to write the weights: -o NAME.safetensors"),
    (["fit", "none", "-o", "x.safetensors"], "none: 0 files of games, and one is held out: give two or more"),
    (["fit", "none", "-o", "x.safetensors", "--kind", "pattern"], "there are no weights of the kind pattern"),
    (["list", "-o", "x.safetensors"], "--out is for 'tengen train fit DIR' and 'tengen train label FILE' alone"),
])  # fmt: skip
def test_what_is_asked_for_wrongly_is_said(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["train", *words]) == 2
    assert said in capsys.readouterr().err
