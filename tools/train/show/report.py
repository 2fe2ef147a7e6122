"""`tengen train report`: a run as one HTML page that works alone in any browser; every text is escaped.

Pictures stand in it as images of their own (data: addresses), where no script of theirs could run. The page forbids
itself the network and all scripts.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from tengen.engine import files, toml
from tengen.tools.live import clock
from tengen.tools.match import report as match_report
from tengen.tools.match.report.page import paragraph, section
from tengen.tools.match.report.tables import table
from tengen.tools.train.run.manifest import Manifest
from tengen.tools.train.run.runs import METRICS, look
from tengen.tools.train.run.strength import anchored, points, standings, verdict
from tengen.tools.train.show import plots, rated
from tengen.tools.train.show.apart import COLUMNS as COLUMNS_APART
from tengen.tools.train.show.apart import apart
from tengen.tools.train.show.insight import calibrated, likings
from tengen.tools.train.show.metrics import columns
from tengen.tools.train.show.rated import COLUMNS, rated_at, ratings, read

HTML = "report.html"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
STYLE = Path(match_report.__file__).with_name("style.css")
CURVES = {
    "losses": ("loss", "policy_loss", "value_loss", "ownership_loss"),
    "qualities": ("entropy", "top1", "value_error", "explained_variance"),
    "settling": ("explained_variance_before", "explained_variance_after", "kl", "lr_multiplier"),
}
"""Columns of metrics.csv, by what they are drawn as."""
SETTLED = (
    "What each batch taught: the share of the outcomes that is explained before and after it, how far it moved the "
    "policy (kl), and the multiplier of the learning rate."
)
GENERATIONS = (
    "generation", "after", "games", "positions", "steps", "match", "points", "Elo (95 %)", "stronger", "plays",
)  # fmt: skip
GAMES = ("generation", "games", "moves", "Black won", "decided early", "resigned", "wrong resignations")
APART = (
    "The newest network against its teacher, on positions that are not learned from. Divergence is what the loss has "
    "above the teacher's own entropy; the lead is in points. A phase goes by moves as a share of the board's points."
)
RATED = "By more games than the run plays itself, all fitted at once."
WORDS = (
    ("generation", "a network that was tried; 0 has random weights"),
    ("Elo", "over generation 0, added up from match to match; 400 Elo are ten points to one"),
    ("stronger", "the probability that it is stronger than the network that it was matched with"),
    ("plays", "whether it was taken, and if not, why: one that is taken makes the games from then on"),
    ("positions", "that were learned from: those of a full search"),
    ("held-out", "games that are never learned from: the dots; lines are of what is being learned"),
    ("top1", "how often the move that the network likes best is the one that the search found"),
    ("value_error", "mean squared error of the expected result, -1 to 1, against the outcome"),
)  # fmt: skip


def build(folder: Path) -> Path:
    """Write the page into the folder of a run and return its path. Raises RunError, OSError, ImportError."""
    path = folder / HTML
    draft = path.with_name(f"{HTML}.new")
    text = page(folder, look(folder))
    with files.writing(path):
        draft.write_text(text, encoding="utf-8", errors="replace", newline="")
        os.replace(draft, path)
    return path


def draw(folder: Path, out: Path) -> list[Path]:
    """Write the curves of a run as files of their own, NAME.svg, and return them. Raises RunError, OSError."""
    with files.writing(out):
        out.mkdir(parents=True, exist_ok=True)
    drawn = {out / f"{name}.svg": svg for name, svg in curves(folder, look(folder)).items() if svg}
    for path, svg in drawn.items():
        with files.writing(path):
            path.write_text(svg, encoding="utf-8", newline="")
    return list(drawn)


def curves(folder: Path, found: Manifest) -> dict[str, str]:
    """Draw the figures of a run over time, as SVG by name; "" where there is nothing to show. Raises RunError for
    metrics that are damaged."""
    measured = columns(folder / METRICS)
    taken = [network.generation for network in found.networks if network.is_taken]
    drawn = {name: plots.losses(measured, columns) for name, columns in CURVES.items()}
    rates = {f"rated-{visits}": plots.rated(ratings(found, read(folder, visits))) for visits in rated_at(folder)}
    return {"elo": plots.elo(standings(found), taken), **rates, **drawn}


def page(folder: Path, found: Manifest) -> str:
    """The whole HTML text."""
    title = escape(f"Learning: {found.name}")
    curve = curves(folder, found)
    parts = [
        f'<header class="both"><h1>{title}</h1>{paragraph(_outcome(found))}'
        f"{paragraph(str(found.config.get('about', '')))}</header>",
        section("Elo by generation", picture(curve["elo"], "Elo by generation")),
        *(_rated(folder, found, visits, curve[f"rated-{visits}"]) for visits in rated_at(folder)),
        section("Losses", picture(curve["losses"], "losses"),
                      "Lines: what is learned from. Dots: held-out games."),
        section("How well it knows", picture(curve["qualities"], "entropy, hits, value error")),
        _settling(curve["settling"]),
        section("Value calibration", picture(plots.calibration(calibrated(folder, found)), "value calibration"),
                      "Of positions in the newest games: the result that the search expected, and what came of them."),
        _apart(folder, found),
        section("What the network that plays likes",
                      "".join(picture(plots.heat(*one), one[2]) for one in likings(folder, found)),
                      "Percent of its policy, before any search."),
        section("Games", table(GAMES, _games(found)) if found.games else "",
                "By the network that played. Wrong resignations: of games that were played on to see, those not lost.",
                is_wide=True),
        section("Generations", table(GENERATIONS, _generations(found)), is_wide=True),
        section("Against others", table(("generation", "opponent", "games", "points (95 %)"), _anchored(found))
                      if anchored(found) else "", "Programs that do not learn.", is_wide=True),
        section("Settings", f"<pre>{escape(toml.dumps(found.config))}</pre>", is_wide=True),
        section("Words", table(("word", "meaning"), WORDS, kind="text"), is_wide=True),
    ]  # fmt: skip
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{title}</title><style>{STYLE.read_text('utf-8')}{PICTURES}</style></head>\n"
        f"<body><main>{''.join(parts)}</main></body></html>\n"
    )


def _apart(folder: Path, found: Manifest) -> str:
    """Of a run with a teacher how far its newest network is from that; "" of others."""
    rows = apart(folder, found)
    return section("Held-out games, apart", table(COLUMNS_APART, rows), APART, is_wide=True) if rows else ""


def _rated(folder: Path, found: Manifest, visits: int, svg: str) -> str:
    """What `tengen train rate` found with so many visits."""
    shown = picture(svg, f"ratings with {visits} visits")
    rows = table(COLUMNS, rated.table(ratings(found, read(folder, visits))))
    return section(f"Rated with {visits} visits a move", shown + rows, RATED, is_wide=True)


def _settling(svg: str) -> str:
    """Of a run by a learning rate that follows the divergence; "" of others."""
    shown = picture(svg, "explained variance before and after each batch")
    return section("Before and after each batch", shown, SETTLED) if shown else ""


PICTURES = "img { max-width: 100%; background: #fff; border-radius: 4px; } pre { overflow-x: auto; }"


def picture(svg: str, label: str) -> str:
    """An SVG as an image; "" of nothing."""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img alt="{escape(label)}" src="data:image/svg+xml;base64,{data}">' if svg else ""


def _outcome(found: Manifest) -> str:
    """What it has come to, in a sentence."""
    rows = standings(found)
    text = f"{found.games} games, {found.positions} positions to learn from, {len(found.networks)} networks"
    text += f" in {clock(found.seconds)}"
    if not rows or not found.networks:
        return f"{text}."
    best = next((row for row in rows if row.generation == found.best.generation), None)
    return f"{text}; generation {found.best.generation} plays" + (f", Elo {best.elo.as_text()}." if best else ".")


def _generations(found: Manifest) -> Iterable[Sequence[object]]:
    known = {row.generation: row for row in standings(found)}
    for network in found.networks:
        row = known.get(network.generation)
        match = row.match if row else None
        against = "" if row is None or row.opponent is None else f"{row.opponent}"
        yield (
            network.generation, clock(network.seconds), network.games, network.positions, network.steps, against,
            points(match), row.elo.as_text() if row else "", f"{match.los:.0%}" if match else "",
            verdict(found, network, match),
        )  # fmt: skip


def _games(found: Manifest) -> Iterable[Sequence[object]]:
    """What the games of each network were like."""
    shards = [shard for shard in found.shards if not shard.is_record]
    for generation in dict.fromkeys(shard.network for shard in shards):
        own = [shard for shard in shards if shard.network == generation]
        count = sum(shard.games for shard in own)
        sums = {name: sum(shard.figures.get(name, 0.0) for shard in own) for name in TOLD}
        wrong = f"{sums['resign_wrong']:g} of {sums['resign_tried']:g}" if sums["resign_tried"] else ""
        shares = [f"{sums[name] / count:.0%}" for name in ("black", "decided", "resigned")]
        yield (generation, count, f"{sums['moves'] / count:.0f}", *shares, wrong)


TOLD = ("moves", "black", "decided", "resigned", "resign_tried", "resign_wrong")


def _anchored(found: Manifest) -> Iterable[Sequence[object]]:
    for row in anchored(found):
        yield row.generation, row.opponent, 2 * row.match.samples, points(row.match)
