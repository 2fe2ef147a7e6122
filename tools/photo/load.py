"""A picture file becomes pixels: upright, blue-green-red, at most LONGEST on its long side, in bounded memory.

Decoded by Pillow: it tells the size before it decodes, decodes a JPEG at a half, a quarter or an eighth of its size,
knows EXIF, palettes and CMYK, and pillow-heif (imported for HEIC alone) plugs into it. The size is checked before
anything is decoded. What is larger than needed is made smaller in bands, so that a picture is never held twice in full.
Left out: colour profiles, all frames but the first, raw camera files. A video is for `--series`.
"""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

import cv2
import numpy as np
from PIL import Image as Pillow
from PIL import UnidentifiedImageError

from tengen.engine import extras, files
from tengen.tools.photo.geometry import Image
from tengen.tools.photo.results import PhotoError
from tengen.tools.photo.signatures import AGAIN, what_is

LONGEST = 3000
"""Pixels of the long side that are kept: 60 a cell of a 19x19 board that fills a third of the picture."""
SMALLEST = 48
"""Pixels of the short side that are needed: fewer are not three for each line of any board."""
MAX_PIXELS = 52_000_000
"""The most pixels, which phones call 50 megapixels (8192 x 6144 is 50.3 million)."""
MAX_ASPECT = 12
MAX_BYTES = 512 << 20
FORMATS = ("JPEG", "MPO", "PNG", "WEBP", "BMP", "DIB", "TIFF", "GIF", "PPM", "AVIF", "HEIF")
SUFFIXES = frozenset(
    ".jpg .jpeg .jpe .jfif .mpo .png .webp .bmp .dib .tif .tiff .gif .ppm .pgm .pnm .avif .heic .heif .hif".split()
)
"""Extensions of the files that are taken from a folder; a file that is named is looked at whatever it is called."""
_LARGE_WEBP = 16_000_000  # pixels
_BAND = 2_000_000  # pixels that are converted at a time
_HEIC = frozenset((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"mif2"))
_ORIENTATION, _DATE, _CAMERA, _ORIGINAL = 0x0112, 0x0132, 0x8769, 0x9003  # EXIF tags
_TURNS = {2: (0, True), 3: (2, False), 4: (2, True), 5: (3, True), 6: (3, False), 7: (1, True), 8: (1, False)}
"""EXIF orientation -> (quarter turns to the left, then whether left and right change places)."""


@dataclass(frozen=True)
class Picture:
    """The pixels of a picture and what its file says of it.

    image: uint8 (height, width, 3), blue-green-red, upright. scale: its pixels for one pixel of the file, <= 1, so
    that x in the file (upright) is at (x + 0.5) * scale - 0.5. taken: local time of the camera.
    """

    image: Image
    name: str
    taken: datetime | None = None
    scale: float = 1.0

    @property
    def date(self) -> str | None:
        """The day it was taken, as SGF has it: YYYY-MM-DD."""
        return None if self.taken is None else self.taken.date().isoformat()


def load(source: str | os.PathLike[str] | bytes, name: str = "", longest: int = LONGEST) -> Picture:
    """The first picture of a file (a path) or of its content (bytes); `name` is what messages call it.

    Raises PhotoError with one sentence for whatever cannot be read, before memory is spent on it.
    """
    if isinstance(source, bytes):
        return _decode(io.BytesIO(source), name or "the picture", longest)
    path = Path(source)
    try:
        with files.open_regular(path) as file:
            return _decode(file, name or path.name, longest)
    except IsADirectoryError:
        raise PhotoError(f"'{path}' is a folder, not a picture") from None
    except OSError as error:
        raise PhotoError(f"cannot read '{path}': {files.reason(error)}") from None


def _decode(file: BinaryIO, name: str, longest: int) -> Picture:
    """The picture of an open file."""
    head = file.read(64)
    length = file.seek(0, io.SEEK_END)
    file.seek(0)
    if length == 0:
        raise PhotoError(f"'{name}' is empty: {AGAIN}")
    if length > MAX_BYTES:
        raise PhotoError(f"'{name}' is larger than {MAX_BYTES >> 20} MB: save it smaller, as JPEG")
    with warnings.catch_warnings(), _silence(head[:2] in (b"II", b"MM")):
        warnings.simplefilter("ignore")  # of broken tags; what matters is checked below
        with _open(file, head, name) as opened:
            _check(opened.size, name)
            size = opened.size
            try:
                if opened.format == "WEBP" and size[0] * size[1] > _LARGE_WEBP:
                    opened = _webp(opened, file)
                opened.draft(None, _reduced(size, longest))
                opened.load()
                taken, turn = _camera(opened)
                decoded = round(max(size) / max(opened.size))  # at a half, a quarter, an eighth
                image, factor = _pixels(opened, longest)
            except PhotoError:
                raise
            except MemoryError:
                raise PhotoError(f"'{name}' needs more memory than there is: save it smaller") from None
            except Exception as error:  # Pillow's decoders raise OSError, SyntaxError, struct.error, EOFError...
                raise PhotoError(f"'{name}' is damaged or incomplete ({_reason(error)}): {AGAIN}") from None
    scale = _factor(image, longest) / (decoded * factor)
    return Picture(_upright(_fitted(image, longest), turn), name, taken, scale)


@contextmanager
def _silence(is_tiff: bool) -> Iterator[None]:
    """Keep off the terminal what libtiff prints there by itself."""
    if not is_tiff:
        yield
        return
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


def _open(file: BinaryIO, head: bytes, name: str) -> Pillow.Image:
    """Pillow's picture, of which only the header is read. Raises PhotoError."""
    if head[4:8] == b"ftyp" and head[8:12] in _HEIC:
        try:
            from pillow_heif import register_heif_opener
        except ImportError as error:
            raise PhotoError(extras.sentence(f"'{name}', a HEIC picture,", error) or str(error)) from None
        register_heif_opener()
    try:
        return Pillow.open(file, formats=[form for form in FORMATS if _knows(form)])
    except Pillow.DecompressionBombError:
        raise PhotoError(f"'{name}' has {_too_large()}") from None
    except UnidentifiedImageError:
        raise PhotoError(f"'{name}' is {what_is(head)}") from None
    except MemoryError:
        raise PhotoError(f"'{name}' needs more memory than there is: save it smaller") from None
    except Exception as error:  # a header that lies
        raise PhotoError(f"'{name}' is damaged or incomplete ({_reason(error)}): {AGAIN}") from None


def _webp(opened: Pillow.Image, file: BinaryIO) -> Pillow.Image:
    """A large WebP by OpenCV, without its transparency: Pillow's decoder for animations holds it four times."""
    file.seek(0)
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    colours = cv2.imdecode(np.frombuffer(file.read(), np.uint8), flags)
    if colours is None:
        raise OSError("its WebP data end too soon")
    decoded = Pillow.fromarray(cv2.cvtColor(colours, cv2.COLOR_BGR2RGB, dst=colours))
    decoded.info["exif"] = opened.info.get("exif", b"")
    return decoded


def _knows(form: str) -> bool:
    """Whether this Pillow has the format; HEIF is there once it is registered."""
    Pillow.init()
    return form in Pillow.OPEN


def _check(size: tuple[int, int], name: str) -> None:
    """Raises PhotoError for a size that no board can be read from, or that would cost too much."""
    width, height = size
    if width * height > MAX_PIXELS:
        raise PhotoError(f"'{name}' has {_too_large(size)}")
    if min(size) < SMALLEST:
        raise PhotoError(
            f"'{name}' is only {width}x{height} pixels: a board needs {SMALLEST} at the very least, better 1000"
        )
    if max(size) > MAX_ASPECT * min(size):
        raise PhotoError(f"'{name}' is a strip of {width}x{height} pixels: crop it to the board")


def _too_large(size: tuple[int, int] | None = None) -> str:
    given = f" ({size[0]}x{size[1]})" if size else ""
    return f"more than 50 megapixels{given}: save it smaller, 3000 pixels on the long side are plenty"


def _reduced(size: tuple[int, int], longest: int) -> tuple[int, int]:
    """What is asked of a decoder that can decode at a part of the size."""
    factor = min(1.0, longest / max(size))
    return max(1, int(size[0] * factor)), max(1, int(size[1] * factor))


def _camera(opened: Pillow.Image) -> tuple[datetime | None, int]:
    """(time, orientation) from EXIF; tags that make no sense count as missing."""
    try:
        tags = opened.getexif()
        turn = tags.get(_ORIENTATION, 1)
        dates = (tags.get_ifd(_CAMERA).get(_ORIGINAL), tags.get(_DATE))
    except Exception:  # tags are written by everybody; Pillow raises what it likes
        return None, 1
    return next(filter(None, map(_time, dates)), None), turn if turn in _TURNS else 1


def _time(text: object) -> datetime | None:
    """The time of EXIF's "2024:05:06 07:08:09", None for anything else."""
    if not isinstance(text, str):
        return None
    try:
        return datetime.strptime(text.strip("\0 ")[:19], "%Y:%m:%d %H:%M:%S")
    except ValueError:
        return None


def _pixels(opened: Pillow.Image, longest: int) -> tuple[Image, int]:
    """The pixels of a decoded picture, made smaller by a whole factor, band by band; and the factor."""
    factor = max(1, max(opened.size) // longest)
    width, height = opened.size[0] // factor, opened.size[1] // factor
    image = np.empty((height, width, 3), np.uint8)
    peak = _peak(opened)
    rows = max(1, _BAND // (opened.size[0] * factor))
    for top in range(0, height, rows):
        bottom = min(height, top + rows)
        band = opened.crop((0, top * factor, width * factor, bottom * factor))
        colours = np.asarray(_flat(band, peak), np.uint8)[..., ::-1]
        if factor > 1:
            colours = np.asarray(
                cv2.resize(np.ascontiguousarray(colours), (width, bottom - top), interpolation=cv2.INTER_AREA), np.uint8
            )
        image[top:bottom] = colours
    return image, factor


def _peak(opened: Pillow.Image) -> float:
    """The value that becomes white in a picture of more than eight bits a pixel, else 0."""
    if opened.mode not in ("F", "I") and not opened.mode.startswith("I;16"):
        return 0.0
    high = opened.getextrema()[1]
    peak = float(high) if isinstance(high, (int, float)) else 0.0
    return peak if np.isfinite(peak) and peak > 0 else 1.0


def _flat(band: Pillow.Image, peak: float) -> Pillow.Image:
    """Eight bits of red, green and blue; what is transparent is white."""
    if peak:
        values = np.nan_to_num(np.asarray(band, np.float32), posinf=peak) * (255 / peak)
        return Pillow.fromarray(np.clip(values, 0, 255).astype(np.uint8)).convert("RGB")
    if band.has_transparency_data:
        full = band.convert("RGBA")
        paper = Pillow.new("RGBA", full.size, (255, 255, 255, 255))
        return Pillow.alpha_composite(paper, full).convert("RGB")
    return band.convert("RGB")


def _factor(image: Image, longest: int) -> float:
    """What `_fitted` multiplies the sides by."""
    return min(1.0, longest / int(max(image.shape[:2])))


def _fitted(image: Image, longest: int) -> Image:
    """The picture with at most `longest` pixels on its long side."""
    factor = _factor(image, longest)
    if factor == 1.0:
        return image
    height, width = (max(1, round(side * factor)) for side in image.shape[:2])
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _upright(image: Image, orientation: int) -> Image:
    """The picture as EXIF's orientation 1 to 8 wants it shown."""
    if orientation not in _TURNS:
        return image
    turns, is_mirrored = _TURNS[orientation]
    turned = np.rot90(image, turns)
    return np.ascontiguousarray(turned[:, ::-1] if is_mirrored else turned)


def _reason(error: Exception) -> str:
    """An error of a decoder in a few words on one line."""
    text = " ".join(str(error).partition("(")[0].split())[:80] or type(error).__name__
    return "".join(letter if letter.isprintable() else "?" for letter in text)
