"""`tengen photo --series`: photos or a video of one game become its record, the moves in order.

`frames` gives pictures, `lock` reads them on a board that is held fast, `infer` finds the legal game that explains the
readings best (`evidence`, `line`, `proposals` are its parts), `certainty` says which moves are guesses, `output` writes
them, and `run` is the command.
"""

from __future__ import annotations

from tengen.tools.photo.series.infer import Inferred, Move, infer
from tengen.tools.photo.series.run import run

__all__ = ["Inferred", "Move", "infer", "run"]
