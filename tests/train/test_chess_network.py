"""A network of chess: what it sees, that whole numbers say what floats say and what the core says, what it learns."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

torch = pytest.importorskip("torch")

from tengen.engine._core import ChessAlphaBeta, ChessLearner, ChessState, StopToken, chess_evaluation  # noqa: E402
from tengen.engine.evaluators.weights import read_weights  # noqa: E402
from tengen.nets import safetensors  # noqa: E402
from tengen.nets.chess_fitting import ChessFitting, ChessRecipe, Labelled  # noqa: E402
from tengen.nets.chess_network import (  # noqa: E402
    BUCKETS,
    FEATURE_UNIT,
    HEAD_UNIT,
    INPUTS,
    KING_BUCKETS,
    MOST_PIECES,
    ChessNetwork,
    evaluated,
    export_network,
    seen,
)
from tengen.nets.fitting import UNKNOWN  # noqa: E402
from tengen.tools import cli  # noqa: E402
from tengen.tools.train.chess import store  # noqa: E402
from tengen.tools.train.chess.returns import returns  # noqa: E402
from tengen.tools.train.data import positions  # noqa: E402
from tengen.tools.train.fitting.chess import begun  # noqa: E402

VALUES = np.array([0, 100, 300, 300, 500, 900, 0, -100, -300, -300, -500, -900, 0])
CARD = {
    "name": "net", "purpose": "a test", "licence": "MIT", "training": {"data": "none", "command": "none"}, "figures": {},
}  # fmt: skip
RECIPE = ChessRecipe(passes=6, rate=0.01, rise=5, batch=256)


def states(count: int, seed: int) -> list[ChessState]:
    """Positions of games of random moves."""
    source, found = random.Random(seed), list[ChessState]()
    while len(found) < count:
        state = ChessState()
        for _ in range(source.randint(2, 150)):
            if state.is_terminal():
                break
            state.play(source.choice(state.legal_moves()))
        if not state.is_terminal():
            found.append(state)
    return found


def arrays_of(some: list[ChessState]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    squares = np.frombuffer(b"".join(bytes(state.pieces()) for state in some), np.uint8).reshape(-1, 64)
    return squares, np.array([state.to_move for state in some], np.uint8)


def packed(squares: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return squares[:, ::2] | squares[:, 1::2] << 4


def network(seed: int = 1, width: int = 64, scale: float = 1.0, kings: int = 1) -> ChessNetwork:
    """With heads that are large enough to be told from their rounding, and king buckets that differ."""
    torch.manual_seed(seed)
    found = ChessNetwork(width, kings)
    with torch.no_grad():
        if found.of_king is not None:
            found.of_king.uniform_(-0.1, 0.1)
        found.head.copy_(torch.empty(BUCKETS, 2 * width).uniform_(-1, 1) * scale)
        found.head_bias.uniform_(-0.5, 0.5)
    return found


def labelled(count: int, seed: int) -> Labelled:
    """Scored by their material, of games that the side ahead won."""
    squares, sides = arrays_of(states(count, seed))
    scores = VALUES[squares].sum(1) * np.where(sides, -1, 1)
    said = np.rint(65535 / (1 + np.exp(-scores / 400))).astype(np.uint16)
    return Labelled(packed(squares), sides, scores.astype(np.int16), np.sign(scores).astype(np.int8), said)


def test_inputs_are_pieces_by_squares_as_each_side_sees_them() -> None:
    squares, sides = np.zeros((1, 64), np.uint8), np.zeros(1, np.uint8)
    squares[0, [6, 58, 12]] = 6, 12, 7  # Kg1, kc8, pe2: White's king is mirrored to b1, Black's stands on c1 to it
    found = seen(squares, sides)
    own = [(1 ^ 0) + 5 * 64, (12 ^ 7) + 6 * 64, (58 ^ 7) + 11 * 64]
    enemy = [6 ^ 56, 12 ^ 56, 58 ^ 56]
    theirs = [enemy[0] + 11 * 64, enemy[1], enemy[2] + 5 * 64]
    assert sorted(found.rows[:3]) == sorted(own)
    assert sorted(found.rows[3:]) == sorted(theirs)
    assert (found.starts.tolist(), found.buckets.tolist()) == ([0, 3], [0])
    turned = seen(squares, np.ones(1, np.uint8))
    assert turned.rows.tolist() == found.rows.tolist()[3:] + found.rows.tolist()[:3]
    start = seen(*arrays_of([ChessState()]))
    assert start.buckets.tolist() == [7] and len(start.rows) == 64 and int(start.rows.max()) < INPUTS


def test_inputs_of_a_king_bucket_follow_those_of_the_one_before() -> None:
    squares, sides = np.zeros((2, 64), np.uint8), np.array([0, 1], np.uint8)
    squares[0, [6, 34]] = 6, 12  # Kg1, kc5: b1 and, from Black's side, c4
    squares[1, [11, 60]] = 6, 12  # Kd2, ke8: d1 to Black
    plain, found = seen(squares, sides), seen(squares, sides, KING_BUCKETS[4])
    assert (found.rows - plain.rows).tolist() == [INPUTS * bucket for bucket in (0, 0, 1, 1, 3, 3, 2, 2)]


@pytest.mark.parametrize("kings", KING_BUCKETS)
def test_mirrored_and_turned_positions_are_worth_the_same(kings: int) -> None:
    squares, sides = arrays_of(states(60, 4))
    arrays = network(kings=kings).arrays()
    worth = evaluated(arrays, squares, sides)
    boards = squares.reshape(-1, 8, 8)
    assert len(set(worth.tolist())) > 30
    assert (evaluated(arrays, boards[:, :, ::-1].reshape(-1, 64), sides) == worth).all()
    other = np.array([0, *range(7, 13), *range(1, 7)], np.uint8)
    assert (evaluated(arrays, other[boards[:, ::-1]].reshape(-1, 64), 1 - sides) == worth).all()


def test_whole_numbers_are_what_floats_are_but_for_rounding() -> None:
    squares, sides = arrays_of(states(200, 2))
    net = network(scale=0.3)
    with torch.no_grad():
        floats = net(packed(squares), sides).numpy() * 400
    off = np.abs(evaluated(net.arrays(), squares, sides) - floats)
    assert np.abs(floats).mean() > 50
    assert off.mean() < 10 and off.max() < 40


@pytest.mark.parametrize(("width", "kings"), [(64, 1), (96, 1), (512, 1), (64, 4), (512, 8)])
def test_the_core_says_the_same_to_the_last_bit(width: int, kings: int, tmp_path: Path) -> None:
    path, net = tmp_path / "net.safetensors", network(width=width, kings=kings)
    export_network(net, path, CARD)
    arrays = safetensors.loads(path.read_bytes())
    some = states(100, width)
    mine = evaluated(arrays, *arrays_of(some))
    weights = read_weights(path, "chess", "network")
    assert [chess_evaluation(state, weights) for state in some] == mine.tolist()
    search = ChessAlphaBeta("network", weights)
    search.run(ChessState(), depth=3, stop=StopToken())
    assert search.info().lines


@pytest.mark.parametrize("kings", [1, 4])
def test_the_largest_weights_stay_within_the_core_s_numbers(kings: int) -> None:
    net = network(width=512, kings=kings)
    with torch.no_grad():
        net.features.fill_(99.0)
        if net.of_king is not None:
            net.of_king.fill_(99.0)
        net.bias.fill_(99.0)
        net.head.fill_(-99.0)
        net.head_bias.zero_()
    arrays = {name: array.astype(np.int64) for name, array in net.arrays().items()}
    rows = arrays["features.weight"].max() * MOST_PIECES + arrays["features.bias"].max()
    assert rows < 1 << 15
    assert abs(arrays["head.weight"]).max() == 127 and FEATURE_UNIT * 127 < 1 << 15
    assert 2 * 512 * FEATURE_UNIT**2 * 127 < 1 << 63 and net.head.min() == -127 / HEAD_UNIT
    worth = evaluated(net.arrays(), *arrays_of([ChessState()]))
    assert worth.tolist() == [-2 * 512 * FEATURE_UNIT * 127 * 400 // (FEATURE_UNIT * HEAD_UNIT)]


def test_sizes_that_the_core_does_not_compute_are_refused() -> None:
    with pytest.raises(ValueError, match="a multiple of 32, not 100"):
        ChessNetwork(100)
    with pytest.raises(ValueError, match="one of 1, 4, 8, not 5"):
        ChessNetwork(64, 5)


def plainly(net: ChessNetwork, squares: NDArray[np.uint8], sides: NDArray[np.uint8]) -> torch.Tensor:
    """What a network says, by torch alone."""
    found = seen(squares, sides, KING_BUCKETS[net.kings])
    rows, starts = torch.from_numpy(found.rows), torch.from_numpy(found.starts)
    sums = torch.nn.functional.embedding_bag(rows, net.table(), starts, mode="sum") + net.bias
    active = sums.clamp(0, 1).square().view(2, len(sides), -1)
    answers = torch.cat([active[0], active[1]], 1) @ net.head.T + net.head_bias
    return answers.gather(1, torch.from_numpy(found.buckets)[:, None])[:, 0]


@pytest.mark.parametrize(("width", "kings"), [(64, 1), (96, 4), (512, 8)])
@pytest.mark.parametrize("threads", [1, 3])
def test_answers_and_gradients_are_those_of_torch(width: int, kings: int, threads: int) -> None:
    squares, sides = arrays_of(states(300, 5))
    net, before = network(width=width, kings=kings), torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        said = net(packed(squares), sides)
        said.square().mean().backward()
    finally:
        torch.set_num_threads(before)
    mine = [parameter.grad.clone() for parameter in net.parameters() if parameter.grad is not None]
    net.zero_grad()
    expected = plainly(net, squares, sides)
    assert torch.allclose(said, expected, atol=1e-4)
    expected.square().mean().backward()
    for one, parameter in zip(mine, net.parameters(), strict=True):
        assert parameter.grad is not None and parameter.grad.abs().max() > 0
        assert torch.allclose(one, parameter.grad, rtol=1e-3, atol=1e-4 * float(parameter.grad.abs().max()))


def test_a_unit_that_is_clipped_does_not_learn() -> None:
    squares, sides = arrays_of([ChessState()])
    net = network()
    with torch.no_grad():
        net.bias[0], net.bias[1] = 99, -99
    net(packed(squares), sides).sum().backward()
    grads = net.features.grad
    assert grads is not None and net.bias.grad is not None
    assert not grads[:, :2].any() and not net.bias.grad[:2].any() and net.bias.grad[2:].any()
    assert grads.any(1).sum() == 32, "the inputs of both sides of the first position are the same"


def test_gradients_are_of_the_last_positions_alone() -> None:
    squares, sides = arrays_of(states(40, 6))
    net = network()
    first = net(packed(squares), sides).sum()
    net(packed(squares[:10]), sides[:10])
    with pytest.raises(ValueError, match="not the positions of the last forward"):
        first.backward()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda board: board.fill(0), "one king each"),
        (lambda board: board.__setitem__(20, 6), "one king each"),
        (lambda board: board.__setitem__(slice(8, 56), 1), "more than 32 pieces"),
        (lambda board: board.__setitem__(30, 13), "other pieces"),
    ],
)
def test_a_board_that_is_none_is_refused(change: Callable[[NDArray[np.uint8]], None], reason: str) -> None:
    squares, sides = arrays_of([ChessState(), ChessState()])
    squares = squares.copy()
    change(squares[1])
    with pytest.raises(ValueError, match=reason):
        network()(packed(squares), sides)


def test_arrays_of_other_sizes_are_refused() -> None:
    squares, sides = arrays_of([ChessState()])
    with pytest.raises(ValueError, match="same number of positions"):
        network()(packed(squares), np.zeros(2, np.uint8))
    with pytest.raises(ValueError, match="1 to 16"):
        ChessLearner(64, 17, np.zeros((8, 4), np.int8), 1)
    with pytest.raises(ValueError, match="in one of them"):
        ChessLearner(64, 2, np.full((8, 4), 2, np.int8), 1)
    with pytest.raises(ValueError, match="a multiple of 32"):
        ChessLearner(100, 1, np.zeros((8, 4), np.int8), 1)
    with pytest.raises(ValueError, match="one thread"):
        ChessLearner(64, 1, np.zeros((8, 4), np.int8), 0)


def kept(*games: Sequence[tuple[int, int, int]]) -> positions.LabelledPositions:
    """Of games, by the side to move, its score and its result."""
    rows = [(*row, number) for number, game in enumerate(games) for row in game]
    sides, scores, results, numbers = np.array(rows).T
    empty = np.zeros((len(rows), 32), np.uint8)
    return positions.LabelledPositions(
        empty, sides.astype(np.uint8), scores.astype(np.int16), results.astype(np.int8), empty[:, 0],
        numbers.astype(np.int32),
    )  # fmt: skip


def test_returns_mix_a_search_with_those_behind_it_and_the_result() -> None:
    won = [(1, 0, -1), (0, 400, 1), (1, 0, -1)]  # by White; the last search is Black's
    found = returns(kept([(0, 400, UNKNOWN), *won], [(0, 400, 0)]), 0.5) / 65535
    high = 1 / (1 + np.exp(-1))
    last = 0.5 * 0.5 + 0.5
    middle = 0.5 * high + 0.5 * last
    wanted = [high, 1 - (0.25 + 0.5 * middle), middle, 1 - last, 0.5 * high + 0.25]
    assert np.allclose(found, wanted, atol=1e-4)
    assert np.allclose(returns(kept(won), 0) / 65535, [0.5, high, 0.5], atol=1e-4)
    assert np.allclose(returns(kept(won), 1) / 65535, [0, 1, 0], atol=1e-4)
    assert not len(returns(positions.Collector().positions(), 0.5))


def test_targets_mix_returns_with_results_where_these_are_known() -> None:
    some = kept([(0, 400, -1), (0, 400, UNKNOWN), (0, 0, 1)])
    high = 1 / (1 + np.exp(-1))
    labels = Labelled(some.boards, some.sides, some.scores, some.results, returns(some, 0))
    assert np.allclose(labels.expected(slice(None), 0.25), [0.75 * high, high, 0.75 * 0.5 + 0.25], atol=1e-4)
    assert np.allclose(labels.distances(torch.tensor([0.5, high, 0]), slice(None)), [high - 0.5, 0, 0.5], atol=1e-4)


def test_what_pieces_are_worth_is_learned() -> None:
    torch.manual_seed(1)
    fitting, held = ChessFitting(ChessNetwork(64), labelled(1500, 7), replace(RECIPE, passes=25)), labelled(300, 8)
    before, losses = fitting.error(held), [fitting.learn() for _ in range(25)]
    after = fitting.error(held)
    assert losses[-1] < losses[0] / 2
    assert after[0] < before[0] / 2 and after[1] < before[1] / 2


def test_the_command_learns_from_files_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(2):
        kept = positions.Collector()
        for state in states(400, 20 + number):
            kept.add(bytes(state.pieces()), state.to_move, 10.0, 0, 0, 1)
        positions.write(tmp_path / f"{number}.npz", kept.positions())
    out = tmp_path / "net.safetensors"
    command = ["train", "fit", str(tmp_path), "-o", str(out), "--width", "64", "--passes", "2", "--workers", "1"]
    assert cli.main(command) == 2
    assert "there are 400 positions, and a batch has" in capsys.readouterr().err
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tengen.tools.train.fitting.chess.ChessRecipe", _small)
        assert cli.main(command) == 0
    assert read_weights(out, "chess", "network") and out.with_suffix(".svg").is_file()
    assert not out.with_suffix(".fitting").exists() and not out.with_suffix(".positions").exists()
    assert "--width 64 --passes 2 --rate 0.01 --results 0.25 --returns 0.5" in out.with_suffix(".toml").read_text(
        "utf-8"
    )


def test_positions_are_stored_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two files that share most of their positions; blocks are small, so that some begin in a file's middle."""
    monkeypatch.setattr(store, "AT_ONCE", 64)
    all_states, files, expected = states(300, 31), list[Path](), dict[tuple[bytes, int], int]()
    for number, part in enumerate((all_states[:250], all_states[100:])):
        kept = positions.Collector()
        for at, state in enumerate(part):
            kept.add(bytes(state.pieces()), state.to_move, at + 1000 * number, 1, 0, 1)
            expected.setdefault((bytes(state.pieces()), state.to_move), at + 1000 * number)
        files.append(tmp_path / f"{number}.npz")
        positions.write(files[-1], kept.positions())
    found = store.store(files, tmp_path / "stored", 0.5)
    squares = positions.squares_of(found.boards)
    assert {
        (bytes(row), int(side)): int(score) for row, side, score in zip(squares, found.sides, found.scores, strict=True)
    } == expected
    assert len(found.sides) == len(expected) and found.again == 450 - len(expected) > 100
    assert set(found.results.tolist()) == {1} and found.returns.dtype == np.uint16
    files[1].write_bytes(b"no")
    with pytest.raises(positions.PositionsError, match="1.npz"):
        store.store(files, tmp_path / "stored")


def test_what_a_file_has_is_what_learning_goes_on_with(tmp_path: Path) -> None:
    model, other = ChessNetwork(64), ChessNetwork(64)
    other.begin_with(model.arrays())
    for name, array in model.arrays().items():
        assert np.array_equal(array, other.arrays()[name]), name
    safetensors.save(tmp_path / "a.safetensors", model.arrays(), {"name": "a"})
    assert begun(str(tmp_path / "a.safetensors"), None).width == 64
    with pytest.raises(ValueError, match="64 units and 4 king buckets do not fit in 64 units and 1 king buckets"):
        model.begin_with(ChessNetwork(64, 4).arrays())
    with pytest.raises(ValueError, match="a.safetensors': 96 units and 1 king buckets do not fit in 64 units"):
        safetensors.save(tmp_path / "a.safetensors", ChessNetwork(96).arrays(), {"name": "a"})
        begun(str(tmp_path / "a.safetensors"), 64)
    with pytest.raises(ValueError, match="'head.bias' is not the int32 \\[8\\] of a width of 64"):
        other.begin_with(model.arrays() | {"head.bias": np.zeros(7, np.int32)})
    with pytest.raises(ValueError, match="'features.weight' is not the int16 of 768 inputs for each king bucket"):
        other.begin_with({})


@pytest.mark.parametrize("kings", [1, 4])
def test_a_larger_network_says_at_first_what_the_smaller_one_said(kings: int, tmp_path: Path) -> None:
    squares, sides = arrays_of(states(100, 9))
    model = network(kings=kings)
    safetensors.save(tmp_path / "a.safetensors", model.arrays(), {"name": "a"})
    larger = begun(str(tmp_path / "a.safetensors"), 96, 4)
    worth = evaluated(model.arrays(), squares, sides)
    assert (evaluated(larger.arrays(), squares, sides) == worth).all()
    assert larger.features[:, 64:].abs().max() > 0, "what is new could not learn"
    same = begun(str(tmp_path / "a.safetensors"), None)
    with torch.no_grad():
        floats = [net(packed(squares), sides) for net in (same, larger)]
    assert torch.allclose(floats[0], floats[1], atol=1e-4)


def _small(passes: int = 2, rate: float = 0.01, results: float = 0.25) -> ChessRecipe:
    return replace(RECIPE, passes=passes, rate=rate, results=results)
