"""Synthetic pictures of boards with exact labels, to learn from: everything about a picture is drawn at random.

`render_scene` makes one picture with its lattice and stones, `render_clutter` one without any board. Breadth matters
more than beauty: the ranges are wider than what photographs show.
"""

from __future__ import annotations

from tengen.tools.lab.photo.render.clutter import render_clutter
from tengen.tools.lab.photo.render.scene import STYLES, render_scene
from tengen.tools.lab.photo.render.shot import Scene

__all__ = ["STYLES", "Scene", "render_clutter", "render_scene"]
