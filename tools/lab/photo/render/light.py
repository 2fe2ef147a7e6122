"""Draw the effects of light and of the camera's sensor: patches, casts and glare; blur, noise and compression."""

from __future__ import annotations

import cv2
import numpy as np

from tengen.tools.lab.photo.render.textures import Field, Image, Rng, chance, draw, pick, smooth_noise, white_noise

COARSE = 3


def light_up(rng: Rng, image: Image) -> Image:
    """The picture under uneven, patched and coloured light."""
    height, width = image.shape[:2]
    rows, columns = -(-height // COARSE), -(-width // COARSE)
    field = np.ones((rows, columns), np.float32)
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    x, y = x / columns - 0.5, y / rows - 0.5
    if chance(rng, 0.7):
        angle, slope = draw(rng, 0, 2 * np.pi), draw(rng, 0, 0.6)
        field *= 1 + slope * (x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle)))
    if chance(rng, 0.3):
        field *= 1 - draw(rng, 0.1, 0.9) * (x * x + y * y) * 1.4
    if chance(rng, 0.2):
        field *= np.exp(smooth_noise(rng, rows, columns, columns / 2.5) * np.float32(draw(rng, 0.03, 0.2)))
    if chance(rng, 0.25):
        field = _patches(rng, field)
    tint = np.ones(3, np.float32)
    kind = pick(rng, {"none": 5, "warm": 4, "cold": 2, "strong": 0.8})
    if kind == "warm":
        tint = np.array([draw(rng, 0.65, 1), 1, draw(rng, 1, 1.12)], np.float32)
    elif kind == "cold":
        tint = np.array([draw(rng, 1, 1.15), 1, draw(rng, 0.78, 1)], np.float32)
    elif kind == "strong":
        tint = _strong_tint(rng)
    exposure = float(np.exp(rng.normal(0.08, 0.2)))
    if kind != "strong" and chance(rng, 0.06):
        exposure *= draw(rng, 0.35, 0.7) if chance(rng, 0.6) else draw(rng, 1.2, 1.7)
    full = cv2.resize(field * exposure, (width, height), interpolation=cv2.INTER_LINEAR)
    shares = [np.asarray(full * part, np.float32) for part in tint]
    out = np.asarray(cv2.multiply(image, cv2.merge(shares), dtype=cv2.CV_32F), np.float32)
    if chance(rng, 0.2):
        out = out + _glare(rng, height, width)[..., None] * np.array([1, 0.97, 0.92], np.float32)
    if chance(rng, 0.12):
        low = draw(rng, 10, 90)
        out = np.float32(low) * tint + out * np.float32((255 - low) / 255 * draw(rng, 0.6, 1))
    return tone(rng, metered(np.asarray(out, np.float32)))


def metered(light: Field) -> Field:
    """The light within what a camera's exposure leaves: not nearly all white nor nearly all black."""
    sample = np.minimum(light[::9, ::9], 255)
    mean, bright = float(sample.mean()), float(np.percentile(sample, 97))
    if mean > 205:
        return light * np.float32(205 / mean)
    return light * np.float32(60 / max(bright, 1)) if bright < 60 else light


def _strong_tint(rng: Rng) -> Field:
    """Red, blue, violet, orange or green light."""
    hues = (
        (0.05, 0.25, 1.1),
        (1.3, 0.4, 0.1),
        (1.2, 0.3, 0.75),
        (0.15, 0.5, 1.2),
        (0.4, 1.1, 0.5),
        (1.2, 0.9, 0.4),
        (0.3, 0.95, 1.1),
    )
    hue = np.asarray(hues[int(rng.integers(len(hues)))], np.float32)
    weight = np.float32(draw(rng, 0.3, 1))
    return np.asarray(hue * weight + (1 - weight), np.float32)


def _patches(rng: Rng, field: Field) -> Field:
    """Sun through a window, or the shadow of somebody."""
    rows, columns = field.shape
    mask = np.zeros((rows, columns), np.float32)
    kind = pick(rng, {"window": 3, "blinds": 1, "person": 3, "edge": 2})
    angle = draw(rng, 0, np.pi)
    c, s = np.cos(angle), np.sin(angle)
    middle = rng.uniform(0, 1, 2) * [columns, rows]
    if kind in ("window", "blinds"):
        count = int(rng.integers(1, 4)) if kind == "window" else int(rng.integers(4, 10))
        wide = draw(rng, 0.1, 0.4) * columns if kind == "window" else draw(rng, 0.02, 0.06) * columns
        tall, shear = draw(rng, 0.2, 1.2) * rows, draw(rng, -0.6, 0.6)
        for n in range(count):
            box = np.array([[0, 0], [wide, shear * wide], [wide, shear * wide + tall], [0, tall]]) + [
                n * wide * 1.25,
                n * wide * 1.25 * shear,
            ]
            turned = box @ np.array([[c, s], [-s, c]]) + middle
            cv2.fillConvexPoly(mask, np.round(turned * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    elif kind == "edge":
        far = 3 * max(rows, columns)
        box = np.array([[-far, 0], [far, 0], [far, far], [-far, far]]) @ np.array([[c, s], [-s, c]]) + middle
        cv2.fillConvexPoly(mask, np.round(box).astype(np.int32), 1.0)
    else:
        side = min(rows, columns)
        for _ in range(int(rng.integers(2, 5))):
            spot = middle + rng.normal(0, 0.15, 2) * side
            axes = (int(draw(rng, 0.05, 0.35) * side), int(draw(rng, 0.1, 0.5) * side))
            cv2.ellipse(mask, (int(spot[0]), int(spot[1])), axes, draw(rng, 0, 180), 0, 360, 1.0, -1)
    soft = draw(rng, 0.5, 2) if chance(rng, 0.5) else draw(rng, 2, 25)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), soft), np.float32)
    if kind == "person" or (kind == "edge" and chance(rng, 0.5)):
        return field * (1 - mask * np.float32(draw(rng, 0.15, 0.6)))
    return field * (1 - np.float32(draw(rng, 0, 0.25)) + mask * np.float32(draw(rng, 0.2, 1.2)))


def _glare(rng: Rng, height: int, width: int) -> Field:
    """Reflected lamps: bright discs, tubes and windows (height, width), 0..255."""
    rows, columns = -(-height // COARSE), -(-width // COARSE)
    mask = np.zeros((rows, columns), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        spot = (int(rng.uniform(0, columns)), int(rng.uniform(0, rows)))
        size = draw(rng, 0.02, 0.15) * min(rows, columns)
        axes = (max(1, int(size)), max(1, int(size * draw(rng, 0.2, 1) if chance(rng, 0.5) else size)))
        cv2.ellipse(mask, spot, axes, draw(rng, 0, 180), 0, 360, draw(rng, 40, 230), -1)
    soft = draw(rng, 0.8, 4) if chance(rng, 0.5) else draw(rng, 4, 30)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), soft), np.float32)
    return np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def tone(rng: Rng, light: Field) -> Image:
    """The picture of this light (height, width, 3), 0..255 and more: the camera's curve."""
    if chance(rng, 0.5):  # bright parts roll off
        knee = np.float32(draw(rng, 170, 235))
        over = np.maximum(light - knee, 0)
        light = np.minimum(light, knee)
        light += over / (1 + over / (255 - knee))
    out = np.asarray(cv2.convertScaleAbs(np.maximum(light, 0)), np.uint8)
    if chance(rng, 0.6):
        gamma, contrast = float(np.exp(rng.normal(0, 0.2))), draw(rng, -0.5, 0.6)
        steps = (np.arange(256) / 255) ** gamma
        steps = steps + contrast * (steps * steps * (3 - 2 * steps) - steps)
        out = np.asarray(cv2.LUT(out, np.clip(steps * 255, 0, 255).astype(np.uint8)), np.uint8)
    if chance(rng, 0.25):
        grey = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        weight = 1.0 if chance(rng, 0.1) else draw(rng, -0.4, 0.8)
        out = np.asarray(cv2.addWeighted(out, 1 - weight, grey, weight, 0), np.uint8)
    return out


def sense(rng: Rng, image: Image) -> Image:
    """The picture as a camera, a sharpener and a compressor leave it; the same size."""
    height, width = image.shape[:2]
    longest = max(height, width)
    kind = pick(rng, {"none": 4, "soft": 4, "defocus": 1.5, "motion": 0.7, "small": 2})
    if kind == "soft":
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), draw(rng, 0.3, 0.9)), np.uint8)
    elif kind == "defocus":
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), longest / 640 * draw(rng, 0.8, 2.2)), np.uint8)
    elif kind == "motion":
        image = np.asarray(cv2.filter2D(image, -1, motion_kernel(rng, longest / 640 * draw(rng, 2, 8))), np.uint8)
    elif kind == "small":
        factor = draw(rng, 0.45, 0.95)
        down = cv2.INTER_NEAREST if chance(rng, 0.08) else cv2.INTER_AREA if chance(rng, 0.7) else cv2.INTER_LINEAR
        small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=down)
        up = cv2.INTER_CUBIC if chance(rng, 0.5) else cv2.INTER_LINEAR
        image = np.asarray(cv2.resize(small, (width, height), interpolation=up), np.uint8)
    if chance(rng, 0.6):
        level = draw(rng, 0.5, 4) if chance(rng, 0.75) else draw(rng, 4, 14)
        noise = white_noise(rng, height, width)[..., None] * np.float32(level)
        if chance(rng, 0.4):
            noise = np.dstack([white_noise(rng, height, width) * np.float32(level) for _ in range(3)])
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
    if chance(rng, 0.3):
        amount = draw(rng, 0.2, 1.2)
        smooth = cv2.GaussianBlur(image, (0, 0), draw(rng, 0.7, 2))
        image = np.asarray(cv2.addWeighted(image, 1 + amount, smooth, -amount, 0), np.uint8)
    if chance(rng, 0.8):
        image = compressed(image, int(rng.integers(30, 96)))
    return image


def motion_kernel(rng: Rng, length: float) -> Field:
    """The path (n, n) of a point while the camera moves over `length` pixels."""
    side = 2 * int(np.ceil(length / 2)) + 3
    kernel = np.zeros((side, side), np.float32)
    angle, middle = draw(rng, 0, np.pi), side // 2
    step = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    ends = [tuple(int(n * 16) for n in (middle + sign * step)) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / kernel.sum(), np.float32)


def compressed(image: Image, quality: int) -> Image:
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
