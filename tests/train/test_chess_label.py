"""Chess positions to learn from: games read, positions drawn and searched, quiet ones kept, files gone on with."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from tengen.engine._core import ChessState  # noqa: E402
from tengen.engine.games.chess.text import state_from_fen  # noqa: E402
from tengen.tools import cli  # noqa: E402
from tengen.tools.train.chess import selfplay  # noqa: E402
from tengen.tools.train.chess.label import Labeller, Plan, is_quiet  # noqa: E402
from tengen.tools.train.data import positions  # noqa: E402
from tengen.tools.train.data.positions import UNKNOWN, Collector, PositionsError  # noqa: E402
from tengen.tools.train.records.pgn import games_of, lots, move_of  # noqa: E402

OPERA = (
    "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 "
    "Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"
)
WEIGHTS = str(Path(__file__).parents[2] / "nets/weights/tengen-chess.safetensors")
TABLES = str(Path(__file__).parents[1] / "data/syzygy")
QUIET = "d4 d5 Nf3 Nf6 c4 e6 Nc3 Be7 Bg5 O-O e3 h6 Bh4 b6 cxd5 Nxd5 Bxe7 Qxe7 Nxd5 exd5 Rc1 Be6 Qa4 c5 Qa3 Rc8"
GAME = '[Event "One"]\n[White "A"]\n[Black "B"]\n[Result "{}"]\n[WhiteElo "{}"]\n[BlackElo "2400"]\n\n{} {}\n\n'


def pgn(path: Path, count: int) -> Path:
    """Games won by White and drawn ones in turn."""
    games = [GAME.format("1-0", 2500, OPERA, "1-0"), GAME.format("1/2-1/2", 2100, QUIET, "1/2-1/2")]
    path.write_text("".join(games[number % 2] for number in range(count)), "utf-8")
    return path


def move(fen: str, san: str) -> int:
    return move_of(state_from_fen(fen), san)


def test_games_are_read_with_and_without_numbers_comments_and_variations() -> None:
    text = GAME.format("0-1", 2500, "1. e4 {best (by test)} e5 $1 2. Nf3 (2. f4 exf4 (2... d5) 3. Nf3) 2... Nc6", "0-1")
    other = text.replace('[White "A"]', '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]')
    unfinished = GAME.format("*", 2500, "e4", "*")
    found = list(games_of((text + other + unfinished + GAME.format("1-0", "?", OPERA, "1-0")).encode()))
    assert [(game.result, game.moves[:4], game.elo) for game in found] == [
        (-1, ["e4", "e5", "Nf3", "Nc6"], 2400), (1, OPERA.split()[:4], 0),
    ]  # fmt: skip


def test_moves_are_those_that_their_san_names() -> None:
    state = ChessState()
    for san in OPERA.split():
        state.play(move_of(state, san))
    assert state.ending() == "checkmate"
    castled = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert (move(castled, "O-O"), move(castled, "O-O-O+")) == (4 | 7 << 6, 4)
    assert move("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=N") == 48 | 56 << 6 | 1 << 12
    knights = "4k3/8/8/8/1N3N2/8/8/1N2K3 w - - 0 1"
    assert move(knights, "Nfd5") == 29 | 35 << 6
    assert [move(knights, san) for san in ("Nd5", "Ke7", "O-O", "nonsense", "", "Ke9")] == [-1] * 6


def test_lots_are_whole_games_and_together_the_file(tmp_path: Path) -> None:
    path = pgn(tmp_path / "games.pgn", 9)
    cut, data = lots(path, 600), path.read_bytes()
    assert len(cut) > 2
    assert b"".join(data[begin:end] for begin, end in cut) == data
    assert sum(len(list(games_of(data[begin:end]))) for begin, end in cut) == 9
    (tmp_path / "packed.zst").write_bytes(b"\x28\xb5\x2f\xfd nothing")
    with pytest.raises(ValueError, match="holds no PGN game: unpack it first"):
        lots(tmp_path / "packed.zst", 600)


def test_quiet_moves_take_and_promote_nothing() -> None:
    castled = state_from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert is_quiet(castled, 4 | 7 << 6)
    assert not is_quiet(castled, 7 | 63 << 6)
    assert not is_quiet(state_from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"), 48 | 56 << 6 | 4 << 12)
    assert not is_quiet(state_from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), 36 | 43 << 6)


def test_what_is_kept_is_quiet_and_its_result_is_the_movers(tmp_path: Path) -> None:
    data = pgn(tmp_path / "games.pgn", 2).read_bytes()
    labeller = Labeller(Plan(nodes=100, each=40, strayed=0), 1)
    for number, game in enumerate(games_of(data)):
        labeller.take(game, number)
    found = labeller.kept.positions()
    positions.check(found)
    assert 10 < len(found) < labeller.searches
    assert ((found.results == 0) == (found.games == 1)).all()
    assert (found.results[found.games == 0] == np.where(found.sides[found.games == 0], -1, 1)).all()
    strayed = Labeller(Plan(nodes=100, each=40, strayed=1, least_elo=2200), 1)
    for number, game in enumerate(games_of(data)):
        strayed.take(game, number)
    others = strayed.kept.positions()
    assert (others.results == UNKNOWN).all() and (others.games == 0).all() and len(others)


def test_boards_come_back_as_they_were_and_damage_is_refused(tmp_path: Path) -> None:
    kept, state = Collector(), ChessState()
    kept.add(state.pieces(), 0, 99_999.0, 1, 300, 7)
    found = kept.positions()
    assert positions.squares_of(found.boards).tobytes() == bytes(state.pieces())
    assert (found.scores[0], found.halfmoves[0], found.games[0]) == (positions.HIGHEST, 255, 7)
    path = tmp_path / "one.npz"
    positions.write(path, found)
    again = positions.read(path)
    assert all((getattr(again, name) == getattr(found, name)).all() for name in positions.COLUMNS)
    assert len(positions.together([found, again])) == 2
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(PositionsError, match="damaged"):
        positions.read(path)
    kept.add(bytes(64), 0, 0.0, 1, 0, 7)
    positions.write(path, kept.positions())
    with pytest.raises(PositionsError, match="not one king of each side"):
        positions.read(path)


def test_the_command_keeps_what_is_there_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, out = pgn(tmp_path / "games.pgn", 4), tmp_path / "labelled"
    command = ["train", "label", str(games), "--out", str(out), "--nodes", "50", "--each", "9", "--workers", "1"]
    assert cli.main(command) == 0
    (path,) = out.glob("*.npz")
    before = path.read_bytes()
    assert "positions of them now" not in capsys.readouterr().out
    assert cli.main(command) == 2
    assert "nothing is left to label" in capsys.readouterr().err
    path.unlink()
    assert cli.main(command) == 0
    assert path.read_bytes() == before


@pytest.mark.parametrize(("words", "message"), [
    (["label", "games.pgn"], "say where to write the positions: --out DIR"),
    (["label", "--out", "x"], "'tengen train label' takes a file of games (.pgn)"),
    (["list", "--nodes", "9"], "--nodes is for 'tengen train label FILE' alone"),
    (["list", "--from-network", "x"], "--from-network is for a run, as 'tengen train go', not for 'tengen train list'"),
    (["rate", "x", "--minutes", "3"], "--minutes is for a run, as 'tengen train go', not for 'tengen train rate NAME'"),
    (["fit", "x", "-o", "x.safetensors", "--width", "128"], "--width is of a chess-network"),
    (["fit", "x", "-o", "x.safetensors", "--king-buckets", "4"], "--king-buckets is of a chess-network"),
])  # fmt: skip
def test_what_makes_no_sense_is_one_sentence(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["train", *words]) == 2
    assert message in capsys.readouterr().err


def test_own_games_end_and_their_positions_say_how() -> None:
    plan = selfplay.plan_of({"nodes": 60, "strayed": 0.1})
    player = selfplay.SelfPlay("", plan, 3)
    results = [player.game(number) for number in range(3)]
    found = player.kept.positions()
    positions.check(found)
    known = found.results != UNKNOWN
    assert known.any() and not known.all()
    of_white = np.where(found.sides == 0, found.results, -found.results)[known]
    assert (of_white == np.array(results)[found.games[known]]).all()
    again = selfplay.SelfPlay("", plan, 3)
    assert [again.game(number) for number in range(3)] == results
    with pytest.raises(ValueError, match="has no search.depth"):
        selfplay.plan_of({"depth": 3})


def test_a_share_of_the_games_begins_as_chess960() -> None:
    plan = selfplay.plan_of({"nodes": 1, "opening_least": 0, "opening_most": 0, "chess960": 0.5})
    player = selfplay.SelfPlay("", plan, 5)
    starts = [player._start() for _ in range(40)]
    standard = [state for state in starts if state.pieces() == ChessState().pieces()]
    others = [state for state in starts if state.is_chess960]
    assert 10 <= len(standard) == 40 - len(others) <= 30
    assert len({state.pieces()[:8] for state in others}) > 5
    assert {tuple(sorted(state.pieces()[:8])) for state in others} == {(2, 2, 3, 3, 4, 4, 5, 6)}
    assert all(min(state.castling) >= 0 for state in others)
    player.game(0)
    positions.check(player.kept.positions())


@pytest.mark.parametrize("setting", ["search.chess960=1", f"search.syzygy={TABLES}"])
def test_what_needs_python_chess_says_so_before_anything_is_written(
    setting: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "chess", None)
    assert cli.main(["selfplay", WEIGHTS, "--games", "1", "--out", str(tmp_path / "own"), "--set", setting]) == 2
    said = capsys.readouterr().err
    assert "needs the package chess" in said and "[chess]" in said and not (tmp_path / "own").exists()


def test_a_folder_of_an_older_version_is_gone_on_with() -> None:
    older = {"nodes", "opening_least", "opening_most", "balance", "strayed"}
    assert set(selfplay.plan_of({"strayed": 0}).asked()) == older
    assert set(selfplay.plan_of({"chess960": 0.5}).asked()) == older | {"chess960"}


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", -10_000),  # White has the opposition
        ("8/8/4k3/8/8/8/4P3/4K3 w - - 0 1", 0),
        ("8/8/8/8/4k3/8/4P3/4K3 b - - 0 1", 0),
        ("8/8/8/8/k7/8/7P/K7 b - - 0 1", -10_000),
    ],
)
def test_endings_are_worth_what_tables_say(fen: str, score: int) -> None:
    state = state_from_fen(fen)
    labeller = Labeller(Plan(nodes=1, syzygy=TABLES), 1)
    found = labeller.search(state)
    assert found and (found.score, found.is_known, found.is_mate) == (score, True, False)
    state.play(found.move)
    after = labeller.search(state)
    assert after and after.score == -score  # its move keeps the result
    without = Labeller(Plan(nodes=1), 1).search(state_from_fen(fen))
    assert without and not without.is_known


def test_games_end_as_tables_say_and_their_last_positions_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = selfplay.plan_of({"nodes": 30, "opening_least": 0, "opening_most": 0, "strayed": 0, "syzygy": TABLES})
    for fen, result in (("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", 1), ("8/8/4k3/8/8/8/4P3/4K3 w - - 0 1", 0)):
        player = selfplay.SelfPlay("", plan, 3)
        monkeypatch.setattr(player, "_opening", lambda start=fen: state_from_fen(start))
        assert player.game(0) == result and player.moves == selfplay.FOR - 1
        found = player.kept.positions()
        assert 3 <= len(found) <= selfplay.FOR
        assert set(np.abs(found.scores).tolist()) == {10_000 * result}


def test_a_table_that_cannot_be_read_ends_the_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("KQvK.rtbw", "KPvK.rtbw", "KPvK.rtbz"):
        (tmp_path / name).write_bytes((Path(TABLES) / name).read_bytes())
    (tmp_path / "KPvK.rtbw").write_bytes(b"damaged")
    labeller = Labeller(Plan(nodes=1, syzygy=str(tmp_path)), 1)
    assert labeller.search(state_from_fen("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"))
    with pytest.raises(ValueError, match="KPvK.rtbw' is left out"):
        labeller.labelled()
    games = pgn(tmp_path / "games.pgn", 2)
    words = ["train", "label", str(games), "--out", str(tmp_path / "out"), "--nodes", "1", "--workers", "1"]
    assert cli.main([*words, "--syzygy", str(tmp_path / "nowhere")]) == 2
    assert "No such file or directory" in capsys.readouterr().err
    assert cli.main([*words, "--syzygy", TABLES]) == 0
    assert '"syzygy"' in (tmp_path / "out/asked.json").read_text("utf-8")
    words = ["selfplay", WEIGHTS, "--games", "1", "--out", str(tmp_path / "own"), "--set", "search.nodes=1"]
    assert cli.main([*words, "--set", f"search.syzygy={tmp_path}/nowhere", "--workers", "1"]) == 2
    assert "No such file or directory" in capsys.readouterr().err and not (tmp_path / "own").exists()
    assert cli.main([*words, "--set", f"search.syzygy={TABLES}", "--workers", "1"]) == 0
    assert cli.main([*words, "--workers", "1"]) == 2
    assert "search.syzygy was '" in capsys.readouterr().err
