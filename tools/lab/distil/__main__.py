"""Teach a small network of Go by a strong one on a GPU, in minutes.

    python -m tengen.tools.lab.distil TEACHER.bin.gz --games RUN/shards PEOPLE/shards --out FOLDER --label 3.3 --learn 6

Processes draw positions from files of games (`tengen train` keeps them in the folder `shards` of a run), the teacher
labels them on the device for some minutes, and the student then learns from the labels, which stay in the memory of the
device (2.2 kB a position on 19x19). FOLDER gets student.bin.gz, as engines read it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tengen.engine.evaluators.backends.base import NetworkError
from tengen.tools.lab.distil.run import SHARES, Plan, run
from tengen.tools.train.data.shards import ShardError


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tengen.tools.lab.distil",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("teacher", type=Path, help="a network of KataGo's with attention, such as b10c384h6nbttflrs")
    parser.add_argument("--games", type=Path, nargs="+", required=True, metavar="DIR", help="folders of shards")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--begin", type=Path, metavar="FILE", help="a network whose weights the student begins with")
    parser.add_argument("--label", type=float, default=3.3, metavar="MINUTES")
    parser.add_argument("--learn", type=float, default=6.0, metavar="MINUTES")
    parser.add_argument("--blocks", type=int, default=8)
    parser.add_argument("--channels", type=int, default=96)
    parser.add_argument("--batch", type=int, default=768, help="rows of the largest board in a step")
    parser.add_argument("--asked", type=int, default=1024, help="boards of 19x19 that the teacher labels at once")
    parser.add_argument("--rate", type=float, default=0.006, help="the largest learning rate")
    parser.add_argument("--workers", type=int, default=14, help="processes that draw positions")
    parser.add_argument("--sizes", type=_sizes, default=tuple(SHARES), help="sizes of boards, as 19,13,9")
    parser.add_argument("--seed", type=int, default=7)
    plan = Plan(**vars(parser.parse_args()), command=" ".join(["python -m tengen.tools.lab.distil", *sys.argv[1:]]))
    try:
        run(plan)
    except (NetworkError, ShardError, ValueError, OSError, RuntimeError) as error:
        print(f"distil: {error}", file=sys.stderr)
        return 1
    return 0


def _sizes(text: str) -> tuple[int, ...]:
    sizes = tuple(int(word) if word.isdecimal() else 0 for word in text.split(","))
    if not set(sizes) <= set(SHARES):
        raise argparse.ArgumentTypeError(f"sizes are some of {', '.join(map(str, SHARES))}")
    return sizes


if __name__ == "__main__":
    sys.exit(main())
