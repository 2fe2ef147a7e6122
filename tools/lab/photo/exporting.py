"""`export`: trained weights become an ONNX file with its card."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

import torch

from tengen.nets.cards import write_card
from tengen.nets.export import export, load_weights
from tengen.nets.restore import mix
from tengen.tools.lab.photo.training import NETWORKS, READERS, new_network
from tengen.tools.photo.find.views import FINDER, REFINER

SHAPES = {
    "finder": (3, FINDER.side, FINDER.side),
    "refiner": (3, REFINER.side, REFINER.side),
    "reader": (6, 321, 321),
    "discs": (6, 145, 145),
}
MEANINGS = {
    "finder": {"heat": "n x 3 x 80 x 80: logits of points, corners, board", "kind": "n x 7: logits of the size"},
    "refiner": {"heat": "n x 3 x 144 x 144: logits of points, corners, board", "kind": "n x 7: logits of the size"},
    "reader": {"points": "n x 4 x k x k: logits of empty, black, white, hidden"},
    "discs": {"points": "n x 4 x k x k: logits of empty, black, white, hidden"},
}
PURPOSES = {
    "finder": "heat maps of the boards in a picture",
    "refiner": "heat maps of one board roughly rectified",
    "reader": "what each point of a rectified board of lines holds",
    "discs": "what each square of a rectified Reversi board holds",
}
CREDITS = [
    "photos of 'stone-detection' by hubbleunit, Roboflow Universe, CC BY 4.0 (changed: labelled anew, cut, recoloured)",
]


def configure(parser: ArgumentParser) -> None:
    """The options of `export`."""
    parser.add_argument("network", choices=NETWORKS)
    parser.add_argument("weights", type=Path, help="what `train` wrote (.npz)")
    parser.add_argument("out", type=Path, help="where the network goes (.onnx)")
    parser.add_argument("--trained", default="", help="how it was trained, for the card")
    parser.add_argument("--figures", default="", help="what it reached, for the card")
    parser.add_argument("--mix", metavar="FILE.onnx=SHARE", help="keep a share of the weights that training began from")
    parser.add_argument("--temperature", type=float, default=1.0, help="of reader and discs: divides the logits")


def run(values: Namespace) -> int:
    """Write the network and its card."""
    model = new_network(values.network)
    load_weights(model, values.weights)
    shape = SHAPES[values.network]
    channels = ["blue", "green", "red"]
    card = {
        "name": values.out.stem,
        "purpose": PURPOSES[values.network],
        "licence": "MIT",
        "input": {
            "shape": [0, 6, 0, 0] if values.network in READERS else [0, *shape],
            "channels": channels + [f"{name} stretched" for name in channels] if shape[0] == 6 else channels,
            "normalisation": "value / 255",
        },
        "outputs": MEANINGS[values.network],
        "training": {
            "data": "boards drawn by `python -m tengen.tools.lab.photo render`, and the credited photos",
            "credits": CREDITS,
            "command": values.trained,
        },
        "figures": {"measured": values.figures},
        "settings": {"temperature": values.temperature} if values.network in READERS else {},
    }
    free = (0, 2, 3) if values.network in READERS else (0,)
    export(model, values.out, torch.zeros(1, *shape), tuple(MEANINGS[values.network]), card, free=free)
    if values.mix:
        other, _, share = values.mix.rpartition("=")
        mix(values.out, Path(other), float(share))
        write_card(values.out, card)
    return 0
