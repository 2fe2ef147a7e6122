"""`python tests/toy/gtp.py [options of tengen gtp]`: the GTP front end with the toy game registered."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tengen.tools.cli import main  # noqa: E402
from toy.game import registered  # noqa: E402

with registered():
    sys.exit(main(["gtp", "--game", "morris", *sys.argv[1:]]))
