"""`tengen export`: a network out of a run, with its card, as a file to play by.

tengen export go-9 -o my-network.bin.gz          the generation that plays
tengen export go-9 --generation 3 -o weak.bin.gz
tengen export go-9 --title my-network -o my-network.bin.gz   that calls itself so, not by its run and generation
tengen gtp --net my-network.bin.gz
"""

from __future__ import annotations

import gzip
import re
from argparse import ArgumentTypeError, Namespace
from functools import partial
from pathlib import Path

from tengen.engine import atomic, toml
from tengen.engine.evaluators.backends.cards import card_path
from tengen.nets.cards import write_card
from tengen.tools.arguments import Parser, whole_number
from tengen.tools.train.run.manifest import Manifest, Network, RunError
from tengen.tools.train.run.places import existing
from tengen.tools.train.run.runs import look
from tengen.tools.train.settings.kinds import ENDINGS, KATAGO_ENDING

_TITLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def configure(parser: Parser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("run", metavar="NAME", help="the run, or its folder")
    generation = partial(whole_number, low=0, high=10**6)
    add("--generation", type=generation, metavar="K", help="which one (the one that plays)")
    add("--title", type=_title, metavar="NAME", help="what the network calls itself (its run and its generation)")
    add("-o", "--out", required=True, metavar="FILE", help="where to write it; its card is written beside it")


def run(values: Namespace) -> int:
    """Write the network and its card. Raises RunError, OSError."""
    folder = existing(values.run)
    found = look(folder)
    network = chosen(found, values.generation)
    ending = next(one for one in ENDINGS if network.file.path.endswith(one))
    out = Path(values.out)
    if out.is_dir():
        out = out / Path(network.file.path).name
    if not out.name.endswith(ending):
        raise RunError(f"the file of a network of this game ends in {ending}, and '{out.name}' does not")
    if atomic.digest(folder / network.file.path) != network.file.sha256:
        raise RunError(f"'{folder / network.file.path}' is damaged: take another generation by --generation")
    for file in network.files:
        source = folder / file.path
        target = out if file == network.file else card_path(out)
        atomic.write(target, source.read_bytes())
    if values.title:
        entitle(out, values.title)
    print(f"{out}: generation {network.generation}, {network.games} games, {network.steps} steps")
    return 0


def _title(word: str) -> str:
    if not _TITLE.fullmatch(word):
        raise ArgumentTypeError("expected up to 64 letters, digits, '.', '_' and '-'")
    return word


def entitle(path: Path, title: str) -> None:
    """Have a network's file and its card call it so."""
    if path.name.endswith(KATAGO_ENDING):  # its first line is its name
        _, rest = gzip.decompress(path.read_bytes()).split(b"\n", 1)
        atomic.write(path, gzip.compress(title.encode() + b"\n" + rest, mtime=0))
    write_card(path, {**toml.read(card_path(path)), "name": title})


def chosen(found: Manifest, generation: int | None) -> Network:
    """A generation, or the one that plays. Raises RunError."""
    if not found.networks:
        raise RunError("the run has no network yet")
    if generation is None:
        return found.best
    for network in found.networks:
        if network.generation == generation:
            return network
    raise RunError(f"there is no generation {generation}; the newest is {found.networks[-1].generation}")
