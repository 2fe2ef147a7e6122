"""`render`: draw labelled pictures of boards into a folder, in the layout of `dataset`.

Picture number i of a seed is the same whoever draws it, so that a run that was cut off goes on where it stopped.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from tengen.tools.lab.photo.dataset import label_path, save
from tengen.tools.lab.photo.render import STYLES, render_clutter, render_scene
from tengen.tools.live import Live, Pace, bar


def configure(parser: ArgumentParser) -> None:
    """The options of `render`."""
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--style", choices=STYLES, help="drawn for each picture if not given")
    parser.add_argument("--size", type=int, help="points a side; drawn if not given")
    parser.add_argument("--clutter", action="store_true", help="pictures without a board")
    parser.add_argument("--jobs", type=int, default=1)


def run(values: Namespace) -> int:
    """Draw the missing pictures."""
    values.folder.mkdir(parents=True, exist_ok=True)
    draw = partial(draw_one, values.folder, values.seed, values.style, values.size, values.clutter)
    with ProcessPoolExecutor(values.jobs) as pool, Live(is_patient=True) as live:
        drawn, pace = pool.map(draw, range(values.count), chunksize=8), Pace()
        for done, _ in enumerate(drawn, 1):
            live.update([f"{bar(done, values.count)} pictures", f"{pace.left(done, values.count)} left"])
    return 0


def draw_one(folder: Path, seed: int, style: str | None, size: int | None, clutter: bool, number: int) -> None:
    """Draw picture `number` unless it is there."""
    cv2.setNumThreads(1)
    name = f"{'c' if clutter else 'd' if style == 'digital' else 'r'}{seed}_{number:06d}"
    path = folder / f"{name}.jpg"
    rng = np.random.default_rng([seed, number, int(clutter)])
    if clutter:
        if not path.exists():
            cv2.imwrite(str(path), render_clutter(rng))
    elif not label_path(path).exists():
        scene = render_scene(rng, style=style, size=size)
        parts = (scene.image, scene.lattice, scene.labels)
        save(folder, name, *parts, quality=95, window=scene.window, others=scene.others)
