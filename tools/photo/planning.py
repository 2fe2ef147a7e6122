"""Turn a request into a plan: the plan of the work, or a sentence about what does not fit together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine.config import nearest
from tengen.tools.photo import pipeline
from tengen.tools.photo.batch import gather
from tengen.tools.photo.edit import parse_corners, parse_edits, parse_window
from tengen.tools.photo.find import DETECTORS
from tengen.tools.photo.load import SUFFIXES
from tengen.tools.photo.one_picture import PICTURES, Plan
from tengen.tools.photo.position import Facts
from tengen.tools.photo.request import Request
from tengen.tools.photo.results import PhotoError, Reading
from tengen.tools.photo.write import FORMATS

if TYPE_CHECKING:
    from tengen.tools.photo.territory import Territory


def plan_of(request: Request) -> Plan:
    """Return the plan of a request. Raises PhotoError with one sentence for what does not fit together."""
    if not request.pictures or "" in request.pictures:
        raise PhotoError("which picture? Give an IMAGE, a folder, or - for stdin")
    check_detector(request.detector)
    inputs = gather(request.pictures)
    is_many = len(inputs) > 1 or Path(request.pictures[0]).is_dir()
    of_one = [name for name in ("corners", "window", "edit", "keep_label") if getattr(request, name)]
    if is_many and (option := next(iter(of_one), "")):
        raise PhotoError(f"--{option.replace('_', '-')} is about one picture, not {len(inputs)}")
    target, is_folder, form = _target(request, is_many)
    overlay = Path(request.overlay) if request.overlay else None
    settings = pipeline.Settings(
        size=request.size,
        game=request.game,
        detector=request.detector,
        window=parse_window(request.window, request.size, request.game) if request.window else None,
        boards=1 if request.corners or request.edit or request.keep_label else request.boards,
    )
    if request.window and "reversi" in (request.game, "reversi" if request.size == 8 else ""):
        raise PhotoError("--window is about boards of lines: of a Reversi board all must show")
    settings.sizes()  # nonsense: now, not at every picture
    return Plan(
        read=pipeline.read_picture,
        settings=settings,
        facts=Facts(
            request.black, request.white, request.event, request.date or "", request.next, request.komi, request.rules
        ),
        form=form,
        inputs=tuple(inputs),
        target=target,
        is_folder=is_folder,
        overlay=overlay,
        is_overlay_folder=overlay is not None and _is_overlay_folder(overlay, is_many),
        label=Path(request.keep_label) if request.keep_label else None,
        corners=parse_corners(request.corners) if request.corners else None,
        changes=parse_edits(request.edit) if request.edit else None,
        judge=_judge if request.score else None,
    )


def _judge(reading: Reading, facts: Facts) -> Territory | None:
    """Whose is what on a board of Go; None for other games, and where the stones cannot stand so (told later)."""
    if reading.game != "go":
        return None
    from tengen.tools.photo.advice import judged_territory

    try:
        return judged_territory(reading, facts)
    except PhotoError:
        return None


def _target(request: Request, is_many: bool) -> tuple[Path | None, bool, str]:
    """(-o, whether it is a folder, format)."""
    word = request.output
    if word in (None, "-"):
        if is_many:
            raise PhotoError("several pictures need a folder for their results: -o DIR")
        return None, False, request.format or "txt"
    path = Path(word)
    extension = path.suffix.lower().lstrip(".")
    is_folder = path.is_dir() or word[-1] in "/\\" or not (path.suffix or request.format)
    if is_folder or (is_many and not path.exists() and extension not in FORMATS):
        return path, True, request.format or "sgf"
    if is_many:
        raise PhotoError(f"several pictures need a folder for their results: '{word}' is none")
    if request.format is None and extension not in FORMATS:
        raise PhotoError(f"'{word}' has no extension of a position ({', '.join(FORMATS)}): give --format")
    return path, False, request.format or extension


def _is_overlay_folder(path: Path, is_many: bool) -> bool:
    """Whether --overlay names a folder; of several pictures it must."""
    suffix = path.suffix.lower()
    is_folder = path.is_dir() or suffix not in PICTURES
    if str(path) == "-" or (suffix in SUFFIXES and is_folder and not path.is_dir()):
        raise PhotoError(f"an overlay is a file ({', '.join(PICTURES)}) or a folder, not '{path}'")
    if is_many and not is_folder:
        raise PhotoError(f"several pictures need a folder for their overlays: '{path}' is one picture")
    return is_folder


def check_detector(name: str) -> None:
    """Raise PhotoError for an unknown finder."""
    if name not in ("auto", *DETECTORS):
        raise PhotoError(f"unknown detector '{name}'{nearest(name, ('auto', *DETECTORS))}")
