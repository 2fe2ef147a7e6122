"""Dark and light discs of one radius: stones, found by the votes of their edges (fast radial symmetry)."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.geometry import Floats

Plane = NDArray[np.float32]
THRESHOLD = 0.3
"""The share of a full circle's votes that makes a disc."""
SPREAD = (0.88, 1.0, 1.12)
"""Radii that vote together, as multiples of the radius looked for."""


@dataclass(frozen=True)
class Discs:
    """Middles (k, 2) as (x, y), whether each is `dark` (k), and the share of its edge that was seen (k), 0..1."""

    middles: Floats
    dark: NDArray[np.bool_]
    strength: Floats


def votes(light: Plane, radius: float) -> tuple[Plane, Plane]:
    """Return for every pixel the share of a circle around it that is the edge of a dark disc, and of a light one.

    `light` (height, width) is the logarithm of brightness. Edges count fully from the contrast that one in seven
    pixels reaches, but from no less than a brightness that changes by 4 % a pixel.
    """
    dx = cv2.Scharr(light, cv2.CV_32F, 1, 0, scale=1 / 32)
    dy = cv2.Scharr(light, cv2.CV_32F, 0, 1, scale=1 / 32)
    size = cv2.magnitude(dx, dy)
    full = max(float(np.percentile(size[::2, ::2], 85)), 0.04)
    rows, columns = np.nonzero(size > 0.35 * full)
    magnitude = size[rows, columns]
    along_x, along_y = dx[rows, columns] / magnitude, dy[rows, columns] / magnitude
    weight = np.minimum(magnitude / full, 1)
    height, width = light.shape
    planes = []
    for sign in (-1, 1):
        plane = np.zeros(height * width, np.float32)
        for factor in SPREAD:
            x = np.rint(columns + sign * factor * radius * along_x).astype(np.int32)
            y = np.rint(rows + sign * factor * radius * along_y).astype(np.int32)
            inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
            index = y[inside] * width + x[inside]
            plane += np.bincount(index, weight[inside], height * width).astype(np.float32)
        planes.append(plane.reshape(height, width))
    # an ideal edge is about two pixels wide, its votes fall within a blob of some 0.2 radius
    sigma = max(1.0, 0.16 * radius)
    scale = 2 * np.pi * sigma**2 / (2 * np.pi * radius * len(SPREAD) * 1.2)
    dark, lit = (cv2.GaussianBlur(plane, (0, 0), sigma) * np.float32(scale) for plane in planes)
    return np.asarray(dark, np.float32), np.asarray(lit, np.float32)


def without_lines(light: Plane, polarity: int = 1) -> Plane:
    """The picture without lines thinner than four pixels: dark ones (polarity 1) or light ones (-1).

    The squares of an empty board would otherwise look like discs.
    """
    kernel = np.ones((4, 4), np.uint8)
    first, second = (cv2.dilate, cv2.erode) if polarity > 0 else (cv2.erode, cv2.dilate)
    # the second anchor mirrors the first: an even kernel would else move everything by a pixel
    return np.asarray(second(first(light, kernel, anchor=(2, 2)), kernel, anchor=(1, 1)), np.float32)


def detect(light: Plane, radius: float, polarity: int = 1, threshold: float = THRESHOLD) -> Discs:
    """The discs of about this radius (pixels), at most one in any circle of 1.2 radii."""
    planes = votes(without_lines(light, polarity), radius)
    best = np.maximum(*planes)
    reach = int(1.2 * radius) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    peaks = (best >= cv2.dilate(best, kernel)) & (best > threshold)
    rows, columns = np.nonzero(peaks)
    dark = planes[0][rows, columns] >= planes[1][rows, columns]
    return Discs(np.stack([columns, rows], -1).astype(np.float64), dark, best[rows, columns].astype(np.float64))
