"""`python -m tengen.tools.lab.photo COMMAND`: draw labelled boards, train the networks on them, measure."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from importlib import import_module

from tengen.engine import extras
from tengen.tools.arguments import sentence

PROGRAM = "python -m tengen.tools.lab.photo"
COMMANDS = {
    "render": ("drawing", "draw labelled pictures of boards into a folder"),
    "label": ("label", "make labels of photos whose stones are boxed"),
    "train": ("training", "train the finder, the refiner, the reader or that of discs"),
    "sides": ("sides", "train the network of the sides of boards, and write it"),
    "compare": ("compare", "train the network that compares points of a board, and write it"),
    "export": ("exporting", "write trained weights as an ONNX file with its card"),
    "calibrate": ("calibration", "fit what turns scores into probabilities"),
    "evaluate": ("evaluate", "measure what is read of labelled pictures"),
    "patches": ("patches", "train and measure the baseline that classifies single patches"),
}


def main() -> int:
    """Run one command; returns the exit code. What goes wrong is told in one sentence."""
    try:
        return run()
    except (ValueError, OSError, ImportError) as error:
        missing = extras.sentence(PROGRAM, error) if isinstance(error, ImportError) else None
        print(f"{PROGRAM}: {missing or sentence(error)}", file=sys.stderr)
        return 2


def run() -> int:
    """As `main`. Raises what went wrong."""
    parser = ArgumentParser(prog=PROGRAM, description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    wanted = next((word for word in sys.argv[1:] if word in COMMANDS), None)
    for name, (module, summary) in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary)
        if name == wanted:
            import_module(f"tengen.tools.lab.photo.{module}").configure(command)
    values = parser.parse_args()
    code: int = import_module(f"tengen.tools.lab.photo.{COMMANDS[values.command][0]}").run(values)
    return code


if __name__ == "__main__":
    raise SystemExit(main())
