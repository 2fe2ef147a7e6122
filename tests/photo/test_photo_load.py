"""Picture files: every kind that people have, upright and in colour; what cannot be used is refused in one sentence."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("cv2")
pillow = pytest.importorskip("PIL.Image")

import cv2  # noqa: E402

from tengen.tools.photo import load  # noqa: E402
from tengen.tools.photo.results import PhotoError  # noqa: E402

WIDTH, HEIGHT = 160, 120
# The picture of most tests: red, green | blue, white, as (red, green, blue)
CORNERS = {"red": (0, 0), "green": (0, -1), "blue": (-1, 0), "white": (-1, -1)}
COLOURS = {"red": (220, 20, 20), "green": (20, 200, 20), "blue": (20, 20, 210), "white": (255, 255, 255)}


def quarters() -> pillow.Image:
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    for name, (row, column) in CORNERS.items():
        rows = slice(HEIGHT // 2, None) if row else slice(0, HEIGHT // 2)
        columns = slice(WIDTH // 2, None) if column else slice(0, WIDTH // 2)
        pixels[rows, columns] = COLOURS[name]
    return pillow.fromarray(pixels)


def encoded(picture: pillow.Image, form: str, **options: object) -> bytes:
    file = io.BytesIO()
    picture.save(file, form, **options)
    return file.getvalue()


def colours_of(image: np.ndarray) -> list[str]:
    """The nearest colour of each corner: upper left, upper right, lower left, lower right."""
    height, width = image.shape[:2]
    names = []
    for y, x in ((5, 5), (5, width - 6), (height - 6, 5), (height - 6, width - 6)):
        names.append(min(COLOURS, key=lambda name: np.abs(image[y, x, ::-1] - np.array(COLOURS[name], float)).sum()))
    return names


def see_through() -> pillow.Image:
    picture = quarters().convert("RGBA")
    picture.putalpha(pillow.fromarray(np.repeat(np.uint8([[255] * (WIDTH // 2) + [0] * (WIDTH // 2)]), HEIGHT, 0)))
    return picture


def frames() -> dict[str, object]:
    return {"save_all": True, "append_images": [quarters().rotate(180)] * 3, "duration": 50}


USUAL = ["red", "green", "blue", "white"]
KINDS = {
    "jpeg": (lambda: encoded(quarters(), "JPEG", quality=95), USUAL),
    "progressive jpeg": (lambda: encoded(quarters(), "JPEG", progressive=True), USUAL),
    "cmyk jpeg": (lambda: encoded(quarters().convert("CMYK"), "JPEG", quality=95), USUAL),
    "mpo": (lambda: encoded(quarters(), "MPO", save_all=True, append_images=[quarters()]), USUAL),
    "png": (lambda: encoded(quarters(), "PNG"), USUAL),
    "palette": (lambda: encoded(quarters().quantize(8), "PNG"), USUAL),
    "alpha": (lambda: encoded(see_through(), "PNG"), ["red", "white", "blue", "white"]),
    "palette with alpha": (lambda: encoded(see_through().quantize(8), "PNG"), ["red", "white", "blue", "white"]),
    "16 bits a colour": (lambda: sixteen(".png"), USUAL),
    "16 bits tiff": (lambda: sixteen(".tif"), USUAL),
    "cmyk tiff": (lambda: encoded(quarters().convert("CMYK"), "TIFF"), USUAL),
    "webp": (lambda: encoded(quarters(), "WEBP", quality=95), USUAL),
    "bmp": (lambda: encoded(quarters(), "BMP"), USUAL),
    "tiff": (lambda: encoded(quarters(), "TIFF", compression="tiff_lzw"), USUAL),
    "gif": (lambda: encoded(quarters(), "GIF"), USUAL),
    "ppm": (lambda: encoded(quarters(), "PPM"), USUAL),
    "animated gif": (lambda: encoded(quarters(), "GIF", **frames()), USUAL),
    "animated webp": (lambda: encoded(quarters(), "WEBP", **frames()), USUAL),
    "animated png": (lambda: encoded(quarters(), "PNG", **frames()), USUAL),
}


def sixteen(extension: str) -> bytes:
    return cv2.imencode(extension, np.asarray(quarters())[..., ::-1].astype(np.uint16) * 257)[1].tobytes()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_gives_the_same_picture(kind: str) -> None:
    make, wanted = KINDS[kind]
    picture = load.load(make())
    assert picture.image.shape == (HEIGHT, WIDTH, 3) and picture.image.dtype == np.uint8
    assert colours_of(picture.image) == wanted and picture.scale == 1


GREYS = {
    "grey": lambda ramp: encoded(pillow.fromarray(ramp.astype(np.uint8)), "PNG"),
    "grey with alpha": lambda ramp: encoded(pillow.fromarray(ramp.astype(np.uint8)).convert("LA"), "PNG"),
    "16 bits": lambda ramp: encoded(pillow.fromarray((ramp * 257).astype(np.uint16)), "PNG"),
    "12 of 16 bits": lambda ramp: encoded(pillow.fromarray((ramp * 16).astype(np.uint16)), "PNG"),
    "32 bits": lambda ramp: encoded(pillow.fromarray((ramp * 1000).astype(np.int32)), "TIFF"),
    "floating point": lambda ramp: encoded(pillow.fromarray((ramp / 255).astype(np.float32)), "TIFF"),
}


@pytest.mark.parametrize("kind", GREYS)
def test_grey_of_any_depth(kind: str) -> None:
    ramp = np.repeat(np.linspace(0, 255, 128)[None], 64, 0)
    image = load.load(GREYS[kind](ramp)).image
    assert (image[..., 0] == image[..., 2]).all() and np.abs(image[..., 1] - ramp).max() < 3


def test_bilevel() -> None:
    image = load.load(encoded(quarters().convert("L").point(lambda grey: 255 * (grey > 150)).convert("1"), "PNG")).image
    assert image[5, 5].tolist() == [0, 0, 0] and image[-5, -5].tolist() == [255, 255, 255]


@pytest.mark.parametrize("form", ["HEIF", "AVIF"])
@pytest.mark.parametrize("orientation", [1, 6])
def test_heic_and_avif(form: str, orientation: int) -> None:
    if form == "HEIF":
        pytest.importorskip("pillow_heif").register_heif_opener()
    elif not pytest.importorskip("PIL.features").check("avif"):
        pytest.skip("this Pillow has no AVIF")
    tags = pillow.Exif()
    tags[0x0112] = orientation
    picture = load.load(encoded(quarters(), form, quality=95, exif=tags.tobytes()))
    assert colours_of(picture.image) == (USUAL if orientation == 1 else ["blue", "red", "white", "green"])


def test_heic_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    with pytest.raises(PhotoError, match=r"needs the package pillow-heif, which is not installed; run: .*\[photo\]"):
        load.load(b"\0\0\0\x18ftypheic" + b"\0" * 100, "a.heic")


# EXIF orientation -> the corners of the upright picture
ORIENTATIONS = {
    1: "red green blue white",
    2: "green red white blue",
    3: "white blue green red",
    4: "blue white red green",
    5: "red blue green white",
    6: "blue red white green",
    7: "white green blue red",
    8: "green white red blue",
    0: "red green blue white",
    9: "red green blue white",
}


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_orientation(orientation: int, form: str) -> None:
    tags = pillow.Exif()
    tags[0x0112] = orientation
    image = load.load(encoded(quarters(), form, exif=tags)).image
    assert colours_of(image) == ORIENTATIONS[orientation].split()
    assert image.shape[:2] == ((WIDTH, HEIGHT) if 5 <= orientation <= 8 else (HEIGHT, WIDTH))


@pytest.mark.parametrize(("tag", "date"), [
    ("2024:05:06 07:08:09", "2024-05-06"), ("2024:05:06 07:08:09\0", "2024-05-06"), ("0000:00:00 00:00:00", None),
    ("2024:13:06 07:08:09", None), ("", None), ("yesterday", None),
])  # fmt: skip
@pytest.mark.parametrize("place", ["taken", "changed"])
def test_date(tag: str, date: str | None, place: str) -> None:
    tags = pillow.Exif()
    if place == "taken":
        tags[0x0132] = "1999:01:01 00:00:00"  # what a program wrote counts less than what the camera wrote
        tags.get_ifd(0x8769)[0x9003] = tag
        date = date or "1999-01-01"
    else:
        tags[0x0132] = tag
    assert load.load(encoded(quarters(), "JPEG", exif=tags)).date == date


@pytest.mark.parametrize(
    "tags", [b"Exif\0\0garbage", b"Exif\0\0II*\0\xff\xff\xff\xff", b"Exif\0\0MM\0*\0\0\0\x08\xff\xff"]
)
def test_broken_tags_do_not_matter(tags: bytes) -> None:
    picture = load.load(encoded(quarters(), "JPEG", exif=tags))
    assert colours_of(picture.image) == USUAL and picture.date is None


@pytest.mark.parametrize(("size", "longest", "shape"), [
    ((1600, 1200), 1600, (1200, 1600)), ((1600, 1200), 1000, (750, 1000)), ((1600, 1200), 700, (525, 700)),
    ((1203, 1601), 400, (400, 301)), ((301, 2000), 500, (500, 75)),
])  # fmt: skip
@pytest.mark.parametrize("form", ["JPEG", "PNG"])
def test_large_pictures_are_made_smaller(
    size: tuple[int, int], longest: int, shape: tuple[int, int], form: str
) -> None:
    """A dot of the file is where `scale` says."""
    pixels = np.full((size[1], size[0], 3), 255, np.uint8)
    x, y = size[0] * 3 // 4, size[1] // 3
    cv2.circle(pixels, (x, y), 16, (0, 0, 0), -1)
    picture = load.load(encoded(pillow.fromarray(pixels), form), longest=longest)
    assert np.abs(np.subtract(picture.image.shape[:2], shape)).max() <= 1
    dark = 255.0 - picture.image[..., 0]
    found = [float((dark.sum(axis) * np.arange(picture.image.shape[1 - axis])).sum() / dark.sum()) for axis in (0, 1)]
    assert found == pytest.approx([(x + 0.5) * picture.scale - 0.5, (y + 0.5) * picture.scale - 0.5], abs=0.35)


def plain(width: int, height: int, form: str = "PNG", mode: str = "1") -> bytes:
    return encoded(pillow.new(mode, (width, height)), form)


def header(width: int, height: int) -> bytes:
    """A PNG that announces a size and holds nothing of it."""
    small = bytearray(plain(64, 64))
    small[16:24] = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    import zlib

    small[29:33] = zlib.crc32(small[12:29]).to_bytes(4, "big")
    return bytes(small)


HOSTILE = {
    "empty": (b"", "is empty: copy it again"),
    "text": (b"hello " * 100, "is not a picture that can be read: JPEG, PNG, HEIC"),
    "noise": (bytes(range(256)) * 20, "is not a picture"),
    "zeros": (bytes(5000), "is not a picture"),
    "magic alone": (b"\x89PNG\r\n\x1a\n", "is damaged or incomplete"),
    "jpeg magic": (b"\xff\xd8\xff\xe0", "is damaged or incomplete"),
    "tiff magic": (b"II*\0\x08\0\0\0", "is damaged or incomplete"),
    "gif magic": (b"GIF89a", "is damaged or incomplete"),
    "pdf": (b"%PDF-1.7\n" + b"x" * 99, "is a PDF: save its page as a picture"),
    "svg": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "is a drawing: save it as PNG"),
    "mp4": (b"\0\0\0\x18ftypmp42" + bytes(99), "is a video: give it to --series"),
    "quicktime": (b"\0\0\0\x14ftypqt  " + bytes(99), "is a video: give it to --series"),
    "avi": (b"RIFF\x10\0\0\0AVI LIST" + bytes(99), "is a video"),
    "matroska": (b"\x1a\x45\xdf\xa3" + bytes(99), "is a video"),
    "postscript": (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 500 500\n" + b" " * 99, "is not a picture"),
    "1x1": (plain(1, 1), "is only 1x1 pixels: a board needs"),
    "47 rows": (plain(600, 47), "is only 600x47 pixels"),
    "100,000x10": (plain(100_000, 10), "is only 100000x10 pixels"),
    "strip": (plain(60_000, 60), "is a strip of 60000x60 pixels: crop it"),
    "60 megapixels": (plain(10_000, 6_000), r"has more than 50 megapixels \(10000x6000\): save it smaller"),
    "bomb": (header(2**30, 2**30), "has more than 50 megapixels"),
    "lying header": (header(7000, 7000), "is damaged or incomplete"),
    "cut heic": (b"\0\0\0\x18ftypheic" + bytes(99), "damaged|pillow-heif"),
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_get_one_sentence(kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    data, says = HOSTILE[kind]
    with pytest.raises(PhotoError) as refused:
        load.load(data, "board.x")
    message = str(refused.value)
    assert message.startswith("'board.x' ") and re.search(says, message) and "\n" not in message
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "TIFF", "BMP", "GIF"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_truncated_files(form: str, share: float, capfd: pytest.CaptureFixture[str]) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (120, 160, 3), np.uint8)
    options = {"compression": "tiff_lzw"} if form == "TIFF" else {}
    data = encoded(pillow.fromarray(noise), form, **options)
    with pytest.raises(PhotoError, match="damaged or incomplete|not a picture"):
        load.load(data[: int(share * len(data))])
    assert capfd.readouterr() == ("", "")


def test_files_and_folders(tmp_path: Path) -> None:
    path = tmp_path / "board.png"
    path.write_bytes(encoded(quarters(), "PNG"))
    picture = load.load(path)
    assert picture.name == "board.png" and colours_of(picture.image) == USUAL
    for name, says in ((".", "is a folder"), ("none.jpg", "cannot read .*No such file"), ("a\0b", "cannot read")):
        with pytest.raises(PhotoError, match=says):
            load.load(tmp_path / name)


def test_a_device_is_not_read() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("no /dev/zero")
    with pytest.raises(PhotoError, match="is not a regular file"):
        load.load("/dev/zero")


def test_fuzz() -> None:
    """Changed bytes give a picture or one sentence."""
    generator = np.random.default_rng(7)
    files = [make() for make, _ in KINDS.values()]
    for number in range(400):
        data = bytearray(files[number % len(files)])
        for _ in range(int(generator.integers(1, 20))):
            data[int(generator.integers(0, min(len(data), 400)))] = int(generator.integers(0, 256))
        try:
            picture = load.load(bytes(data))
        except PhotoError as error:
            assert "\n" not in str(error)
        else:
            assert picture.image.ndim == 3 and max(picture.image.shape) <= load.LONGEST


MEASURE = """
import resource, sys, tracemalloc
from tengen.tools.photo.load import load
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
picture = load(sys.argv[1])
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(max(picture.image.shape), (after - before) // 1024)
"""


@pytest.mark.slow
@pytest.mark.memory
@pytest.mark.parametrize(("form", "mode", "bound"), [
    ("JPEG", "RGB", 200), ("JPEG", "CMYK", 250), ("PNG", "RGBA", 350), ("PNG", "I;16", 300), ("WEBP", "RGB", 450),
    ("TIFF", "RGB", 500),
])  # fmt: skip
def test_memory_of_fifty_megapixels(form: str, mode: str, bound: int, tmp_path: Path) -> None:
    import subprocess
    import sys

    grain = np.random.default_rng(0).integers(0, 255, (384, 512, 3), np.uint8)
    pixels = cv2.resize(grain, (8192, 6144), interpolation=cv2.INTER_LINEAR)
    picture = pillow.fromarray(pixels[..., 0].astype(np.uint16) * 257) if mode == "I;16" else pillow.fromarray(pixels)
    options = {"TIFF": {"compression": "tiff_lzw"}, "PNG": {"compress_level": 1}, "WEBP": {"method": 0}}.get(form, {})
    path = tmp_path / "large"
    path.write_bytes(encoded(picture if mode == "I;16" else picture.convert(mode), form, **options))
    command = [sys.executable, "-c", MEASURE, str(path)]
    longest, growth = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert int(longest) == load.LONGEST and int(growth) <= bound
