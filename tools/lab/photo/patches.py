"""`patches`: the baseline of reading stones, trained and measured from labelled folders in one command.

    python -m tengen.tools.lab.photo patches FOLDER... --out DIR

The recipe: cut the photos into a patch a point by their marked corners, turn and flip the patches, split them 8:1:1,
train a classifier of three convolutions and three fully connected layers with dropout until the validation loss no
longer falls, and look at the confusion matrix and at samples. DIR gets `patch.onnx` with its card, `report.txt`,
`confusion.png` and `samples.png`. The same command on the same pictures gives the same files. It finds no board: with
`--given-corners`, `evaluate` says what the product's own reader makes of the same photos.
"""

from __future__ import annotations

import shlex
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.engine import files
from tengen.tools.lab.photo.dataset import SYMBOLS, read_folders
from tengen.tools.lab.photo.patch_data import SIDE, SPLITS, Cut, cut_all, decoded, split
from tengen.tools.lab.photo.sheet import write_png
from tengen.tools.live import Live
from tengen.tools.photo.geometry import Image
from tengen.tools.photo.results import PhotoError, Point

if TYPE_CHECKING:
    from tengen.nets.photo_patch import PatchNet

NAMES = tuple(point.name.lower() for point in Point)
Matrix = NDArray[np.int64]
"""(4, 4): patches by what they show [row] and what was predicted [column]."""
_ACROSS, _DOWN, _ZOOM = 12, 6, 3


def configure(parser: ArgumentParser) -> None:
    """The options of `patches`."""
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="a folder of labelled pictures")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the network and report go")
    parser.add_argument("--split", choices=SPLITS, default="photo", help="what the three parts are drawn of")
    parser.add_argument("--epochs", type=int, default=12, help="passes over the training part at most")
    parser.add_argument("--patience", type=int, default=3, help="passes to wait for a lower validation loss")
    parser.add_argument("--batch", type=int, default=128, help="patches a step")
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)


def run(values: Namespace) -> int:
    """Cut, train, measure, write. Raises PhotoError if the folders or options do not do."""
    from tengen.tools.lab.photo.patch_training import Epoch, Recipe, predict, train

    if min(values.epochs, values.patience, values.batch, values.threads) < 1 or not values.rate > 0:
        raise PhotoError("--epochs, --patience, --batch, --threads and --rate must be positive")
    start = time.perf_counter()
    data = cut_all(read_folders(values.folders))
    training, validation, test = split(data.photos, values.seed, values.split)
    recipe = Recipe(values.epochs, values.patience, values.batch, values.rate, values.seed, values.threads)

    with Live(is_patient=True) as live:
        live.update(f"epoch 1 of {recipe.epochs} at most")

        def watch(epoch: Epoch) -> None:
            words = f"epoch {epoch.number}: loss {epoch.training_loss:.4f}, validation {epoch.validation_loss:.4f}"
            live.line(f"{words}, {100 * epoch.validation_accuracy:.2f} % right")
            live.update(f"epoch {epoch.number + 1} of {recipe.epochs} at most")

        model, epochs = train(data, training, validation, recipe, watch)
    predicted = predict(model, data.patches[test]).argmax(1)
    best = min(epochs, key=lambda epoch: epoch.validation_loss)
    sizes = ", ".join(str(len(part)) for part in (training, validation, test))
    lines = [
        f"{len(data.labels)} patches of {len(data.names)} photos; split by {values.split}: {sizes}; seed {values.seed}",
        f"stopped after epoch {len(epochs)}, kept epoch {best.number}",
        *report(data, test, predicted, whole=values.split == "photo"),
    ]
    print("\n".join(lines))
    write_all(values.out, lines, data, test, predicted)
    write_network(model, values, data, right=float((predicted == data.labels[test]).mean()))
    print(f"{time.perf_counter() - start:.0f} seconds; wrote {values.out}", file=sys.stderr)
    return 0


def report(data: Cut, test: NDArray[np.int64], predicted: NDArray[np.int64], *, whole: bool) -> list[str]:
    """The figures of the test part; `whole` boards only where whole photos are in it."""
    right = predicted == data.labels[test]
    lines = [f"test: {right.sum()} of {len(test)} patches right, {100 * right.mean():.2f} %"]
    if whole:
        photos = np.unique(data.photos[test])
        wrong = [int((~right[data.photos[test] == photo]).sum()) for photo in photos]
        lines.append(
            f"whole boards: {wrong.count(0)} of {len(photos)} right, {sum(n <= 2 for n in wrong)} with <= 2 wrong"
        )
        lines += [f"  {data.names[photo]}: {count} wrong" for photo, count in zip(photos, wrong, strict=True) if count]
    return [*lines, "", *confusion_text(confusion(data.labels[test], predicted))]


def confusion(labels: NDArray[np.int64], predicted: NDArray[np.int64]) -> Matrix:
    """Count how often each Point [row] was predicted as each [column]."""
    matrix = np.zeros((len(NAMES), len(NAMES)), np.int64)
    np.add.at(matrix, (labels, predicted), 1)
    return matrix


def confusion_text(matrix: Matrix) -> list[str]:
    """The matrix as a table, with the share right of each row (recall) and each column (precision)."""
    rows, columns, right = matrix.sum(1), matrix.sum(0), np.diag(matrix)
    lines = [f"{'there / predicted':18}" + "".join(f"{name:>9}" for name in NAMES) + f"{'right':>10}"]
    for name, row, hits, total in zip(NAMES, matrix, right, rows, strict=True):
        lines.append(f"{name:18}" + "".join(f"{count:9}" for count in row) + f"{_percent(hits, total):>10}")
    return [*lines, f"{'right':18}" + "".join(f"{_percent(*pair):>9}" for pair in zip(right, columns, strict=True))]


def _percent(part: int, total: int) -> str:
    return f"{100 * part / total:.2f} %" if total else "-"


def write_all(
    out: Path, lines: Sequence[str], data: Cut, test: NDArray[np.int64], predicted: NDArray[np.int64]
) -> None:
    """The report as text, the matrix and the samples as pictures. Raises PhotoError if they cannot be written."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / "report.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")
    except OSError as error:
        raise PhotoError(f"'{out}': {files.explained(error)}") from None
    draw_confusion(out / "confusion.png", confusion(data.labels[test], predicted))
    write_png(out / "samples.png", samples(data, test, predicted))


def draw_confusion(path: Path, matrix: Matrix) -> None:
    """The matrix as a PNG; the shade of a cell is its share of the row."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 4.4), dpi=120, layout="constrained")
    axes = figure.subplots()
    axes.imshow(matrix / np.maximum(matrix.sum(1, keepdims=True), 1), cmap="Blues", vmin=0, vmax=1.4)
    axes.set_xticks(range(len(NAMES)), NAMES)
    axes.set_yticks(range(len(NAMES)), NAMES)
    axes.set(xlabel="predicted", ylabel="there", title="patches of the test part")
    for (row, column), count in np.ndenumerate(matrix):
        axes.text(column, row, str(count), ha="center", va="center")
    figure.savefig(path, metadata={"Software": None})  # the same bytes whatever version of matplotlib drew it


def samples(data: Cut, test: NDArray[np.int64], predicted: NDArray[np.int64]) -> Image:
    """A sheet of patches, each under "there > predicted": first wrong ones (red, up to 2/3), then right ones."""
    labels = data.labels[test]
    shuffled = np.random.default_rng(0).permutation(len(test))
    right = labels[shuffled] == predicted[shuffled]
    wrong = shuffled[~right][: _ACROSS * _DOWN * 2 // 3]
    order = np.concatenate([wrong, shuffled[right]])[: _ACROSS * _DOWN]
    wide, high = SIDE * _ZOOM + 6, SIDE * _ZOOM + 24
    sheet = np.full((_DOWN * high, _ACROSS * wide, 3), 255, np.uint8)
    for place, index in enumerate(order.tolist()):
        x, y = place % _ACROSS * wide + 3, place // _ACROSS * high
        plain = decoded(data.patches[test[index]])[:3].transpose(1, 2, 0)
        patch = np.rint(plain * 255).clip(0, 255).astype(np.uint8).repeat(_ZOOM, 0).repeat(_ZOOM, 1)
        sheet[y + 20 : y + 20 + patch.shape[0], x : x + patch.shape[1]] = patch
        there, answer = Point(int(labels[index])), Point(int(predicted[index]))
        colour = (30, 30, 30) if there == answer else (0, 0, 220)
        words = f"{SYMBOLS[there]} > {SYMBOLS[answer]}"
        cv2.putText(sheet, words, (x, y + 15), cv2.FONT_HERSHEY_SIMPLEX, 0.45, colour, 1, cv2.LINE_AA)
    return sheet


def write_network(model: PatchNet, values: Namespace, data: Cut, *, right: float) -> None:
    """`patch.onnx` and its card."""
    import torch

    from tengen.nets.export import export
    from tengen.nets.photo_patch import CHANNELS

    colours = ["blue", "green", "red"]
    folders = " ".join(shlex.quote(folder.name) for folder in values.folders)
    card = {
        "name": "photo-patch",
        "purpose": "what the middle of a patch of a rectified board holds (baseline)",
        "licence": "as the pictures it was trained on allow",
        "input": {
            "shape": [0, CHANNELS, SIDE, SIDE],
            "channels": colours + [f"{name} stretched" for name in colours],
            "normalisation": "value / 255; then the same with the board's 2nd and 98th percentiles at 0 and 1",
        },
        "outputs": {"points": "n x 4: logits of empty, black, white, hidden"},
        "training": {
            "data": f"{len(data.labels)} patches of {len(data.names)} pictures in {folders}",
            "credits": [],
            "command": f"python -m tengen.tools.lab.photo patches {folders} --split {values.split} --seed {values.seed}"
            f" --epochs {values.epochs} --patience {values.patience} --batch {values.batch} --rate {values.rate:g}",
        },
        "figures": {"measured": f"{100 * right:.2f} % of the patches of the test part right"},
    }
    export(model, values.out / "patch.onnx", torch.zeros(1, CHANNELS, SIDE, SIDE), ("points",), card)
