"""Teach a network of Go the moves of people, and keep what else it knows; or measure how many of them it expects.

    python -m tengen.tools.lab.people NETWORK.bin.gz --games RUN/shards                          # measure
    python -m tengen.tools.lab.people NETWORK.bin.gz --games RUN/shards --elsewhere RUN2/shards --out NEW.bin.gz

`--games` is the folder of a run `--from-records` (or of `gather`): it learns from the shards `train-*.npz`, and
`held-out-*.npz`, games between players whom it never saw, measure it. `--elsewhere` names shards of games on other
boards, on which what the network says is held near what it said before.

With `--tail 2` nothing of the network changes: two more blocks and heads of their own, for people alone, make a small
file that goes on from it (`engine/evaluators/katago/tail.py`).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tengen.engine.evaluators.backends.base import NetworkError
from tengen.tools.lab.people.run import Plan, run
from tengen.tools.train.data.shards import ShardError


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tengen.tools.lab.people",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("network", type=Path, help="a network of ours in KataGo's format")
    parser.add_argument("--games", type=Path, required=True, metavar="DIR", help="shards of games of people on 19x19")
    parser.add_argument("--elsewhere", type=Path, nargs="*", default=[], metavar="DIR", help="shards of other games")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the new network; without it, measure alone")
    parser.add_argument("--share", type=float, default=0.5, help="of people's moves in the policy that it learns")
    parser.add_argument(
        "--tail", type=int, choices=range(17), default=0, metavar="N",
        help="the network stays as it is; N blocks behind its own learn, and heads: FILE is NAME.tail.gz",
    )  # fmt: skip
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--batch", type=int, default=128, help="positions of people in a step")
    parser.add_argument("--rate", type=float, default=0.0007, help="the largest learning rate")
    parser.add_argument("--measured", type=int, default=4096, help="held-out positions that measure it")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    plan = Plan(**vars(parser.parse_args()), command=" ".join(["python -m tengen.tools.lab.people", *sys.argv[1:]]))
    try:
        run(plan)
    except (NetworkError, ShardError, ValueError, OSError) as error:
        print(f"people: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
