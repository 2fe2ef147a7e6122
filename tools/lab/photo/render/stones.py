"""Stones as they look: ellipsoids that stand on the board, shaded, with highlights; and their shadows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.lab.photo.render.camera import Camera, Floats
from tengen.tools.lab.photo.render.textures import Colour, Image, Rng, chance, draw, jitter, smooth_noise

VARIANTS = 4
ALIKE = 70.0
"""Black and white stones differ by more than this in brightness (of 255) before the picture is lit and developed."""
BLACKS: tuple[Colour, ...] = (
    (18, 17, 16),
    (30, 28, 27),
    (45, 43, 42),
    (62, 60, 58),
    (80, 78, 78),
    (40, 32, 26),
    (8, 8, 8),
)
WHITES: tuple[Colour, ...] = (
    (238, 240, 240), (250, 250, 248), (225, 235, 238), (205, 224, 232), (180, 208, 222), (245, 238, 225),
    (215, 215, 212), (195, 196, 198), (240, 228, 205),
)  # fmt: skip


@dataclass(frozen=True)
class StoneLook:
    """A set of stones: diameter and height in cells, and how each colour shines. `flat` discs have no rounding.

    `bowl` is how far a flat disc's face is hollow (below 0) or domed; `two_sided` discs have the other colour below.
    """

    diameter: float
    height: float
    lift: float
    flat: bool
    colours: tuple[Colour, Colour]
    gloss: tuple[float, float]
    lines: bool
    rim: float
    bowl: float = 0.0
    two_sided: bool = False


def draw_look(rng: Rng, *, flat: bool | None = None) -> StoneLook:
    """A set of stones. Printed and magnetic ones are flat."""
    disc = chance(rng, 0.1) if flat is None else flat
    black = jitter(rng, BLACKS[int(rng.integers(len(BLACKS)))], 0.1)
    white = jitter(rng, WHITES[int(rng.integers(len(WHITES)))], 0.04)
    if chance(rng, 0.025):
        black = jitter(rng, [(30, 90, 30), (110, 40, 20), (30, 30, 120), (40, 70, 110)][int(rng.integers(4))], 0.15)
        white = jitter(
            rng, [(90, 220, 230), (200, 230, 190), (170, 190, 240), (120, 200, 235)][int(rng.integers(4))], 0.08
        )
    diameter = float(np.clip(rng.normal(0.93, 0.06), 0.72, 1.03))
    height = draw(rng, 0.06, 0.2) if disc else diameter * draw(rng, 0.28, 0.52)
    shiny = chance(rng, 0.5)
    gloss = (draw(rng, 0.3, 1.0) if shiny else draw(rng, 0, 0.35), draw(rng, 0.1, 1.0) if shiny else draw(rng, 0, 0.3))
    return StoneLook(
        diameter, height, 0.5 if chance(rng, 0.7) else draw(rng, 0.05, 0.3), disc, (black, white), gloss,
        chance(rng, 0.15), draw(rng, 0, 0.6) if chance(rng, 0.5) else 0.0,
    )  # fmt: skip


@dataclass(frozen=True)
class Lamp:
    """A light: the direction towards it (x, y, height), its strength, how large it is (its reflection's half size)."""

    direction: Floats
    strength: float
    size: tuple[float, float]
    round: bool


def draw_lamps(rng: Rng) -> list[Lamp]:
    """One to three lights above the board; the first casts the shadows."""
    lamps = []
    for order in range(1 + int(rng.integers(0, 3))):
        height = draw(rng, 0.35, 1.45)
        around = draw(rng, 0, 2 * np.pi)
        direction = np.array([np.cos(around) * np.cos(height), np.sin(around) * np.cos(height), np.sin(height)])
        size = (draw(rng, 0.04, 0.35), draw(rng, 0.04, 0.35))
        lamps.append(Lamp(direction, draw(rng, 0.4, 1) * (1 if order == 0 else 0.5), size, chance(rng, 0.5)))
    return lamps


def sprites(
    rng: Rng, look: StoneLook, colour: int, lamps: list[Lamp], camera: Camera, radius: int
) -> list[NDArray[np.float32]]:
    """Pictures (2r+3, 2r+3, 4) float32 of a stone in a unit circle: blue, green, red times cover, and cover 0..1."""
    side = 2 * radius + 3
    ticks = (np.arange(side, dtype=np.float32) - (radius + 1)) / radius
    u, v = np.meshgrid(ticks, ticks)
    distance = np.sqrt(u * u + v * v)
    cover = np.clip((1 - distance) * radius + 0.5, 0, 1).astype(np.float32)
    up = np.sqrt(np.clip(1 - np.minimum(distance, 1) ** 2, 0, 1))
    normal, view = _normals(look, camera, u, v, up)
    base = np.asarray(look.colours[colour - 1])
    ambient = draw(rng, 0.45, 0.8) if colour == 2 else draw(rng, 0.6, 1)
    light = np.full(u.shape, ambient, np.float32)
    shine = np.zeros(u.shape, np.float32)
    gloss = look.gloss[colour - 1]
    total = sum(lamp.strength for lamp in lamps)
    mirrored = 2 * (normal @ view)[..., None] * normal - view
    for lamp in lamps:
        light += (1 - ambient) * lamp.strength / total * np.clip(normal @ lamp.direction, 0, 1) * 1.15
        shine += _reflection(lamp, mirrored, gloss) * lamp.strength
    fresnel = (1 - np.clip(normal @ view, 0, 1)) ** 3
    sky = draw(rng, 0, 0.5) * (0.25 + gloss)
    found = []
    for _ in range(VARIANTS):
        tone = base[None, None] * light[..., None] * (1 - look.rim * 0.35 * distance[..., None] ** 4)
        if look.lines and colour == 2:
            wave = np.cos((u * np.cos(w := draw(rng, 0, np.pi)) + v * np.sin(w)) * draw(rng, 8, 25))
            tone = tone * (1 - 0.06 * np.clip(wave, 0, 1))[..., None]
        if chance(rng, 0.3):
            tone = tone * (1 + 0.05 * smooth_noise(rng, side, side, radius))[..., None]
        bright = 255 * (shine * gloss * (0.9 if colour == 1 else 0.6) + fresnel * sky * (0.35 if colour == 1 else 0.1))
        tone = np.clip(tone + bright[..., None], 0, 255) * cover[..., None]
        found.append(np.dstack([tone, cover]).astype(np.float32))
    return found


def _normals(look: StoneLook, camera: Camera, u: Floats, v: Floats, up: Floats) -> tuple[Floats, Floats]:
    """Unit normals (n, n, 3) in (x, y, height) over the visible side of the stone, and the direction of the camera."""
    flip = np.array([1.0, 1.0, -1.0])
    view = -camera.forward * flip
    if look.flat:
        edge = np.clip((np.hypot(u, v) - 0.85) / 0.15, 0, 1) * 0.6 + look.bowl
        raw = np.stack([u * edge, v * edge, np.ones_like(u)], -1)
        return raw / np.linalg.norm(raw, axis=-1, keepdims=True), view
    axes = np.array([look.diameter / 2, look.diameter / 2, max(look.height / 2, 0.05)])
    inner = view / axes
    inner /= np.linalg.norm(inner)
    right = (camera.right * flip) / axes
    right -= inner * (right @ inner)
    right /= np.linalg.norm(right)
    down = np.cross(inner, right)
    if down @ ((camera.down * flip) / axes) < 0:
        down = -down
    sphere = u[..., None] * right + v[..., None] * down + up[..., None] * inner
    raw = sphere / axes
    return raw / np.linalg.norm(raw, axis=-1, keepdims=True), view


def _reflection(lamp: Lamp, mirrored: Floats, gloss: float) -> NDArray[np.float32]:
    """How much of the lamp (0..1) is seen in a mirror of these directions; sharp on glossy stones."""
    first = np.cross(lamp.direction, [0.0, 0.0, 1.0])
    first = first / (np.linalg.norm(first) + 1e-9)
    second = np.cross(lamp.direction, first)
    a, b, ahead = mirrored @ first, mirrored @ second, mirrored @ lamp.direction
    soft = 0.05 + 0.5 * (1 - gloss) ** 2
    if lamp.round:
        inside = 1 - np.hypot(a / (lamp.size[0] + soft), b / (lamp.size[0] + soft))
        shape = np.clip(inside * (1 + 3 * gloss), 0, 1)
    else:
        edges = [
            np.clip((size + soft - np.abs(c)) / (2 * soft), 0, 1) for c, size in ((a, lamp.size[0]), (b, lamp.size[1]))
        ]
        shape = edges[0] * edges[1]
    return np.asarray(shape * (ahead > 0), np.float32)


def outlines(camera: Camera, places: Floats, look: StoneLook) -> tuple[Floats, Floats]:
    """Middles (n, 2) and covariances (n, 2, 2) of the ellipses that ellipsoids at places (n, 3) show in the picture."""
    count = len(places)
    shift = np.tile(np.eye(4), (count, 1, 1))
    shift[:, :3, 3] = places
    radius, half = look.diameter / 2, look.height / 2
    if look.lift < 0.5:
        half = look.height * (1 - look.lift)
    quadric = np.diag([radius**2, radius**2, half**2, -1.0])
    projected = camera.matrix @ shift
    conic = projected @ quadric @ projected.transpose(0, 2, 1)
    middle = conic[:, :2, 2] / conic[:, 2:, 2]
    spread = middle[:, :, None] * middle[:, None, :] - conic[:, :2, :2] / conic[:, 2:, 2:]
    return middle, spread


def stand(look: StoneLook, spots: Floats, height: float = 0.0) -> Floats:
    """The middles (n, 3) of the ellipsoids of stones that lie at spots (n, 2) on a plane at this height."""
    rise = look.height * (0.5 if look.lift >= 0.5 else look.lift)
    return np.column_stack([spots, np.full(len(spots), height + rise)])


def draw_stones(
    rng: Rng,
    image: Image,
    camera: Camera,
    look: StoneLook,
    lamps: list[Lamp],
    places: Floats,
    colours: Sequence[int] | NDArray[np.int8],
) -> None:
    """Draw stones of colours 1 black, 2 white with their middles at places (n, 3), the farthest first."""
    if len(places) == 0:
        return
    radius = _sprite_radius(camera, places, look)
    cut = {colour: sprites(rng, look, colour, lamps, camera, radius) for colour in (1, 2)}
    if brightness(cut[2]) - brightness(cut[1]) < ALIKE:  # every face mirrors a lamp: nobody could tell them apart
        dull = replace(look, gloss=(0.0, look.gloss[1]))
        cut[1] = sprites(rng, dull, 1, lamps, camera, radius)
    faces = _Ellipses.of(camera, places, look)
    below = _Ellipses.of(camera, places - [0, 0, 0.6 * look.height], look) if look.two_sided else None
    order = np.argsort(-np.linalg.norm(places - camera.centre, axis=1))
    variants = rng.integers(0, VARIANTS, len(places))
    tones = 1 + rng.normal(0, 0.035, len(places))
    for index in order:
        colour = int(colours[index])
        if below is not None:
            _paste(image, cut[3 - colour][variants[index]], radius, below, index, 0.85)
        _paste(image, cut[colour][variants[index]], radius, faces, index, tones[index])


def brightness(drawn: Sequence[NDArray[np.float32]]) -> float:
    """The mean brightness (0..255) of the stone in sprites."""
    return float(np.mean([sprite[..., :3].sum() / (3 * sprite[..., 3].sum()) for sprite in drawn]))


@dataclass(frozen=True)
class _Ellipses:
    """What stones show: middles (n, 2), the maps (n, 2, 2) from pixels to the unit circle, half sizes (n, 2).

    `shown` (n,) leaves out what is too near to the camera or behind it, which shows no ellipse.
    """

    middle: Floats
    inverse: Floats
    reach: Floats
    shown: NDArray[np.bool_]

    @classmethod
    def of(cls, camera: Camera, places: Floats, look: StoneLook) -> _Ellipses:
        middle, spread = outlines(camera, places, look)
        shown = (np.linalg.eigvalsh(spread)[:, 0] > 0) & (np.abs(middle) < 1e6).all(1)
        spread = np.where(shown[:, None, None], spread, np.eye(2))
        roots = np.sqrt(np.linalg.det(spread))
        trace = np.sqrt(np.trace(spread, axis1=1, axis2=2) + 2 * roots)
        shapes = (spread + roots[:, None, None] * np.eye(2)) / trace[:, None, None]
        reach = np.sqrt(np.stack([spread[:, 0, 0], spread[:, 1, 1]], -1)) + 1.5
        return cls(middle, np.linalg.inv(shapes), reach, shown)


def _sprite_radius(camera: Camera, places: Floats, look: StoneLook) -> int:
    """The radius in pixels of a sprite that suits these stones."""
    _, spread = outlines(camera, places, look)
    return int(np.clip(np.sqrt(np.median(np.sqrt(np.abs(np.linalg.det(spread))))) * 1.1, 4, 64))


def _paste(
    image: Image, sprite: NDArray[np.float32], radius: int, ellipses: _Ellipses, index: int, tone: float
) -> None:
    """Draw one stone into the picture."""
    if not ellipses.shown[index]:
        return
    height, width = image.shape[:2]
    middle, reach = ellipses.middle[index], ellipses.reach[index]
    low = np.maximum(np.floor(middle - reach), 0).astype(int)
    high = np.minimum(np.ceil(middle + reach) + 1, [width, height]).astype(int)
    if (high <= low).any():
        return
    linear = ellipses.inverse[index] * radius
    offset = linear @ (low - middle) + (radius + 1)
    warp = np.column_stack([linear, offset])
    patch = cv2.warpAffine(sprite, warp, tuple(high - low), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    under = image[low[1] : high[1], low[0] : high[0]]
    mixed = under * (1 - patch[..., 3:]) + patch[..., :3] * tone
    np.copyto(under, np.minimum(mixed, 255), casting="unsafe")


def shadow_mask(
    rng: Rng,
    shape: tuple[int, int],
    spots: Floats,
    look: StoneLook,
    lamps: list[Lamp],
    pitch: float,
    origin: Sequence[float],
) -> NDArray[np.uint8]:
    """How dark (height, width) 0..255 the stones at spots (n, 2) make the board; `origin` is the pixel of (0, 0)."""
    mask = np.zeros(shape, np.uint8)
    radius = look.diameter / 2 * pitch
    for lamp in reversed(lamps[:2]):
        lean = -lamp.direction[:2] / max(lamp.direction[2], 0.35) * look.height / 2
        long = np.hypot(radius, np.linalg.norm(lean) * pitch * 0.9)
        angle = float(np.degrees(np.arctan2(lean[1], lean[0])))
        layer = np.zeros(shape, np.uint8)
        for x, y in (spots + lean * 1.1) * pitch + np.asarray(origin):
            centre = (int(x * 16), int(y * 16))
            cv2.ellipse(
                layer,
                centre,
                (int(long * 16), int(radius * 16)),
                angle,
                0,
                360,
                int(255 * lamp.strength),
                -1,
                cv2.LINE_8,
                4,
            )
        soft = pitch * (draw(rng, 0.01, 0.06) if chance(rng, 0.5) else draw(rng, 0.06, 0.25))
        layer = np.asarray(cv2.blur(layer, (2 * int(soft) + 1,) * 2), np.uint8)
        mask = np.asarray(cv2.max(mask, layer), np.uint8)
    return mask
