"""The report, the list, the live line and the metrics of a run: they render, and everything is escaped."""

from __future__ import annotations

import io
import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import made_up_run
import pytest
from made_up_run import sit

from tengen.tools import cli
from tengen.tools.live import Live, clock
from tengen.tools.train.run.manifest import Kept, Network, Shard
from tengen.tools.train.run.runs import METRICS, opened
from tengen.tools.train.run.strength import standings, verdict
from tengen.tools.train.settings.config import merge
from tengen.tools.train.show import insight, metrics, plots, report
from tengen.tools.train.show.metrics import Metrics
from tengen.tools.train.show.progress import Progress, ending

HOSTILE = '"><script>alert(1)</script>'


class Page(HTMLParser):
    """Counts what a browser would run or fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [str(value) for name, value in attrs if name in ("src", "href") or name.startswith("on")]


def board(side: int, share: float | None) -> insight.Board:
    return [[share] * side for _ in range(side)], bytes([0, 1, 2] * 27)[: side * side], f"after {HOSTILE}"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of made-up games by hostile names."""
    from tengen.tools.executors.local import Here
    from tengen.tools.train.run.cycle import Loop

    config = merge(made_up_run.config(), {"about": HOSTILE})
    folder = tmp_path_factory.mktemp("made") / "run"
    with opened(folder, HOSTILE, config) as run:
        learning = made_up_run.MadeUp()
        Loop(run, learning, Here(made_up_run.work), Progress(run, Live(io.StringIO())), lambda: False).sit()
        run.commit()
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same for one test, whose report is asked for without a real network."""
    shutil.copytree(made, tmp_path / "run")
    monkeypatch.setattr(report, "calibrated", lambda folder, found: [(10, 0.2, 0.3), (5, 0.9, 0.7)])
    monkeypatch.setattr(report, "likings", lambda folder, found: [board(9, 0.1), board(5, None)])
    return tmp_path / "run"


def test_the_report_is_one_page_that_runs_and_fetches_nothing(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    path = report.build(folder)
    text = path.read_text("utf-8")
    page = Page()
    page.feed(text)
    assert "script" not in page.tags and HOSTILE not in text and "&lt;script&gt;" in text
    assert page.links and all(link.startswith("data:image/svg+xml;base64,") for link in page.links)
    assert "default-src 'none'" in text and "https://" not in re.sub(r"data:[^\"]+", "", text)
    for words in ("Elo by generation", "Losses", "Value calibration", "What the network that plays likes", "Settings"):
        assert f"<h2>{words}</h2>" in text, words
    assert "Before and after each batch" not in text, "it learned from each batch once"
    rows = re.findall(r"<tr><td>(\d)</td>", text)
    assert [row for row in ("0", "1", "2", "3") if row not in rows] == []


def test_the_report_says_what_the_games_were_like(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    text = report.build(folder).read_text("utf-8")
    row = re.search(
        r"<tr><td>0</td><td>(\d+)</td><td>40</td><td>75%</td><td>0%</td><td>0%</td><td>(\d+) of (\d+)</td>", text
    )
    assert row is not None and 4 * int(row[2]) == int(row[3]) == 2 * int(row[1])


def test_the_report_of_a_run_that_has_just_begun(tmp_path: Path) -> None:
    with opened(tmp_path, "young", made_up_run.config()):
        pass
    text = report.build(tmp_path).read_text("utf-8")
    assert "0 games, 0 positions to learn from, 0 networks" in text


def test_curves_are_written_as_files(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    assert cli.main(["train", "report", str(folder), "--plots", str(tmp_path / "plots")]) == 0
    names = {path.name for path in (tmp_path / "plots").iterdir() if path.read_text("utf-8").startswith("<?xml")}
    assert names == {"elo.svg", "losses.svg"}, "what was measured, and nothing else"
    assert {Path(line).name for line in capsys.readouterr().out.splitlines()} == names


def test_rows_of_metrics_have_the_columns_of_the_first(tmp_path: Path) -> None:
    with opened(tmp_path, "x", made_up_run.config()) as run:
        Metrics(run, tmp_path / METRICS).row({"steps": 20, "loss": 1.5})
        run.commit()
    with opened(tmp_path, "x", made_up_run.config()) as run:
        Metrics(run, tmp_path / METRICS).row({"steps": 40, "loss": 1.25, "unknown": 7})
        run.commit()
    table = metrics.columns(tmp_path / METRICS)
    assert table["steps"] == [20, 40] and table["loss"] == [1.5, 1.25] and "unknown" not in table


def test_metrics_are_written_while_a_run_learns(folder: Path) -> None:
    table = metrics.columns(folder / METRICS)
    assert (
        table["steps"] == sorted(table["steps"])
        and {10.0, 20.0, 30.0} <= set(table["steps"])
        and len(table["loss"]) >= 3
    )
    assert table["held_loss"] and max(table["generation"]) == 3


def test_the_live_line_says_where_it_is(tmp_path: Path) -> None:
    with opened(tmp_path, "x", made_up_run.config()) as run:
        out = io.StringIO()
        told = Progress(run, Live(out, pause=0), minutes=10)
        told.games(Shard(Kept("x", "", 0), "u", 0, 12, 300), tmp_path)
        told.learned({"loss": 2.0, "entropy": 3.25}, 1)
        told.doing("steps", 1, 50)
        line = out.getvalue()
        assert re.search(
            r"steps 1/50 \| [\d.]+ games/s \d+ positions/s \| loss 2.000 \| entropy 3.250 \| 0:0?\d?[09]:\d\d left",
            line,
        ), line


def test_a_batch_that_is_gone_over_is_told_and_kept(tmp_path: Path) -> None:
    """Each has a line with what the issue of the classic training names, and a row in metrics.csv, which is drawn."""
    pytest.importorskip("matplotlib")
    with opened(tmp_path, "x", made_up_run.config()) as run:
        out = io.StringIO()
        told = Progress(run, Live(out, pause=0))
        for steps in (1, 2):
            told.learned({
                "loss": 3.25, "entropy": 2.5, "kl": 0.0125 * steps, "lr_multiplier": 1.5, "epochs": 5,
                "explained_variance_before": 0.25, "explained_variance_after": 0.5,
            }, steps)  # fmt: skip
        run.commit()
    wanted = "batch 2: loss 3.25, entropy 2.5, kl 0.025, lr_multiplier 1.5, epochs 5, explained_variance_before 0.25, explained_variance_after 0.5"
    assert wanted in out.getvalue().splitlines()
    assert metrics.columns(tmp_path / METRICS)["steps"] == [1, 2] and metrics.columns(tmp_path / METRICS)["kl"] == [
        0.0125,
        0.025,
    ]
    assert "<h2>Before and after each batch</h2>" in report.build(tmp_path).read_text("utf-8")


def test_a_verdict_says_what_the_match_was(folder: Path) -> None:
    with opened(folder, "x", made_up_run.config()) as run:
        out = io.StringIO()
        told = Progress(run, Live(out, pause=0))
        told.judged(run.manifest.networks[1])
        assert re.search(
            r"generation 1 after 0:00:\d\d, \d+ games, \d+ positions: \d+% against 0, Elo .*, on held-out games loss",
            out.getvalue(),
        )


def test_a_network_that_is_not_taken_says_why(folder: Path) -> None:
    with opened(folder, "x", made_up_run.config()) as run:
        row = next(row for row in standings(run.manifest) if row.match)
        network = replace(run.manifest.networks[row.generation], is_taken=False)
        said = verdict(run.manifest, network, row.match)
        assert said == f"no: under {run.config.gate.score:.0%}"
        assert verdict(run.manifest, replace(network, is_taken=None), None) == "being judged"
        out = io.StringIO()
        Progress(run, Live(out, pause=0)).judged(network)
        assert out.getvalue().rstrip().endswith(f"; taken: {said}")


def test_pictures_count_in_whole_numbers_and_have_a_scale() -> None:
    pytest.importorskip("matplotlib")
    steps = plots.losses({"steps": [1, 2, 3], "loss": [3.0, 2.0, 1.5]}, ["loss"])
    ticks = re.findall(r"<!-- (\S+) -->", steps.partition('id="matplotlib.axis_2"')[0])
    assert ticks and not any("." in tick for tick in ticks), ticks
    assert "<!-- 10 % -->" in plots.heat([[0.1, 0.0], [None, 0.05]], bytes(4), "x")


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00:00"), (59.6, "0:01:00"), (3725, "1:02:05"), (360000, "100:00:00")]
)
def test_clocks(seconds: float, text: str) -> None:
    assert clock(seconds) == text


def test_a_sitting_ends_by_its_minutes_or_a_wish() -> None:
    assert not ending(5, lambda: False)() and ending(5, lambda: True)() and not ending(None, lambda: False)()
    assert ending(1e-9, lambda: False)()
    with pytest.raises(ValueError, match="minutes"):
        ending(0, lambda: False)


def test_plots_of_nothing_are_nothing() -> None:
    assert plots.losses({"steps": []}, ["loss"]) == plots.elo([], []) == plots.calibration([]) == ""


def test_plots_are_the_same_for_the_same_figures(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    found = sit(folder).manifest
    rows = standings(found)
    assert plots.elo(rows, [0, 1]).startswith("<?xml") and "<svg" in plots.elo(rows, [0, 1])
    heat = plots.heat([[0.5, None], [0.25, 0.0]], bytes([0, 1, 0, 2]), "a < b")
    assert "<svg" in heat and "a < b" not in heat


def test_a_network_that_is_judged_is_named(folder: Path) -> None:
    network = Network(9, (Kept("networks/9/x.bin.gz", "", 0), Kept("networks/9/x.toml", "", 0)), 0, 0, 0, 0.0)
    assert network.file.path.endswith(".bin.gz")
