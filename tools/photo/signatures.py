"""Recognise a file that is no picture by its first bytes, and advise what to do."""

from __future__ import annotations

AGAIN = "copy it again or take a new one"
_DAMAGED = f"damaged or incomplete, or of a kind of its format that cannot be read: {AGAIN}, or save it as JPEG or PNG"
_PICTURES = (
    b"\xff\xd8", b"\x89PN", b"GIF8", b"BM", b"II*\0", b"MM\0*", b"RIFF....WEBP", b"....ftypavif", b"....ftyphei",
    b"....ftypmif1",
)  # fmt: skip
_OTHERS = (
    (b"%PDF", "a PDF: save its page as a picture"),
    (b"\x1a\x45\xdf\xa3", "a video: give it to --series"),
    (b"RIFF....AVI ", "a video: give it to --series"),
    (b"....ftypqt", "a video: give it to --series"),
    (b"....ftypmp4", "a video: give it to --series"),
    (b"....ftypiso", "a video: give it to --series"),
    (b"....ftyp3gp", "a video: give it to --series"),
    (b"....ftypM4V", "a video: give it to --series"),
    *((begin, _DAMAGED) for begin in _PICTURES),
    (b"<?xml", "a text: save what it shows as PNG"),
    (b"<svg", "a drawing: save it as PNG"),
)


def what_is(head: bytes) -> str:
    """Return the likely kind of a file that Pillow cannot read, and advice."""
    for pattern, words in _OTHERS:
        if _begins(head, pattern):
            return words
    return "not a picture that can be read: JPEG, PNG, HEIC, WebP, AVIF, TIFF, BMP and GIF can"


def is_known(head: bytes) -> bool:
    """Whether a file that begins so is a picture of a kind that is read."""
    return any(_begins(head, pattern) for pattern in _PICTURES)


def _begins(head: bytes, pattern: bytes) -> bool:
    begin = zip(head[: len(pattern)].ljust(len(pattern), b"\n"), pattern, strict=True)
    return all(wanted in (given, ord(".")) for given, wanted in begin)
