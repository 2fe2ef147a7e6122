"""`tengen bench --peers`: the matches of docs/benchmarks.md once more, against those other programs that are here.

A program is looked for by its names in the path, and in the folders of `--folder`. Each match is one of `tengen match`
in a folder of its own below `--out`, so that the same command goes on with it, and `tengen match report` has the rest.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from tengen.engine.config import nearest
from tengen.engine.games import GAMES, get_game
from tengen.engine.games.parts import load
from tengen.tools.gui_settings import quoted
from tengen.tools.peers.peer import Peer

OURS = "tengen"
GAMES_HERE = ("/usr/games", "/usr/local/games")
"""Folders of the path in which some systems keep games."""


def run(names: Sequence[str], games: int, out: str, folders: Sequence[str]) -> int:
    """Play the matches that can be played, and print their table; 1 where one could not be finished.

    names: of `peers()`, () for all that are here. Raises ValueError with one sentence.
    """
    known = peers()
    for name in names:
        if name not in known:
            raise ValueError(f"there is no peer '{name}'{nearest(name, known)}; there are {', '.join(known)}")
    wanted = [known[name] for name in names] if names else list(known.values())
    found = [(peer, place) for peer in wanted if (place := where(peer, folders)) is not None]
    missing = [peer for peer in wanted if where(peer, folders) is None]
    if not found or (names and missing):
        looked_for = ", ".join(dict.fromkeys(peer.programs[0] for peer in missing))
        raise ValueError(f"not found: {looked_for}; looked in the path and in --folder")
    print(f"{games} games with {', '.join(peer.name for peer, _ in found)}")
    codes = [played(peer, place, games, Path(out) / peer.name) for peer, place in found]
    print("\n".join(table([peer for peer, _ in found], Path(out))))
    return int(any(codes))


def peers() -> dict[str, Peer]:
    """Those of every game, by name; the settings of their matches begin with the game."""
    found = {}
    for game in GAMES:
        for peer in load(get_game(game).parts.peers) if get_game(game).parts.peers else ():
            found[peer.name] = peer._replace(match=("--game", game, *peer.match))
    return found


def where(peer: Peer, folders: Sequence[str]) -> str | None:
    """The program of a peer: in the path, else in one of the folders or one level below."""
    for name in peer.programs:
        if known := shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", os.defpath), *GAMES_HERE))):
            return known
    for folder in map(Path, folders):
        places = [folder, *sorted(path for path in folder.iterdir() if path.is_dir())] if folder.is_dir() else []
        for place in places:
            for name in peer.programs:
                if (known := shutil.which(name, path=str(place))) is not None:
                    return str(Path(known).absolute())
    return None


def played(peer: Peer, program: str, games: int, folder: Path) -> int:
    """Play a match, or go on with it; the exit code of `tengen match`."""
    from tengen.tools import cli

    print(f"\n{peer.title}: {program}")
    return cli.main(command(peer, program, games, folder))


def command(peer: Peer, program: str, games: int, folder: Path) -> list[str]:
    """The words of `tengen match`. The other program runs in its own folder, where it finds its files."""
    own = quoted([str(Path(sys.executable).absolute()), "-m", "tengen.tools"])
    ours = [word.replace("{tengen}", own) for word in peer.ours]
    theirs = [word.replace("{}", quoted([program])) for word in peer.words]
    return [
        "match", *peer.match, "--games", str(games), "--concurrency", "1", "--seed", "1", "--out", str(folder),
        "--engine", f"name={OURS}", *ours,
        "--engine", f"name={peer.name}", f"directory={os.path.dirname(os.path.realpath(program))}", *theirs,
    ]  # fmt: skip


def table(peers: Sequence[Peer], out: Path) -> list[str]:
    """A line for each match: score, interval, and what was published."""
    from tengen.tools.match.run import store
    from tengen.tools.match.run.standing import standing

    width = max(len(peer.title) for peer in peers)
    lines = [f"\n{'':{width}}  games  score   95 %            published"]
    for peer in peers:
        folder = out / peer.name
        score = standing(store.read(folder) if folder.is_dir() else ()).score(OURS, peer.name)
        if not score.games:
            lines.append(f"{peer.title:{width}}      0  -       -               {peer.published}")
            continue
        found = score.summary().score
        span = f"{max(0.0, found.low):.1%} to {min(1.0, found.high):.1%}"
        lines.append(f"{peer.title:{width}}  {score.games:5}  {found.value:6.1%}  {span:14}  {peer.published}")
    return lines
