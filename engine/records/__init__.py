"""Game records: text to moves and back. `base.Record` is the value; RECORDS names the formats.

A new format is one module with `loads`, `loads_all` and `dumps`, and one line here; it is loaded when first used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from tengen.engine import files
from tengen.engine.records.base import MAX_BYTES, Record, RecordError, excerpt
from tengen.engine.records.encoding import Decoded, codec_of, decode, decode_as

__all__ = [
    "MAX_BYTES", "RECORDS", "Record", "RecordError", "all_of", "content_of", "decoded", "dump_all", "format_of",
    "get_format", "loader", "read", "read_all", "write", "written",
]  # fmt: skip


class Format(Protocol):
    """The functions that the module of a format offers. All raise RecordError with one sentence."""

    def loads(self, data: bytes | str) -> Record:
        """The first game."""

    def loads_all(self, data: bytes | str) -> list[Record]: ...
    def dumps(self, record: Record) -> str: ...


class Entry(NamedTuple):
    """One format: its module, the extensions of its files, how its content begins (None: like no other's). is_text:
    its files are text, in some encoding."""

    module: str
    extensions: tuple[str, ...]
    pattern: re.Pattern[bytes] | None
    is_written: bool = True
    is_text: bool = True


_NEVER = re.compile(rb"(?!)")  # no text: known by its extension alone
RECORDS: dict[str, Entry] = {
    "renlib": Entry(
        "tengen.engine.records.renlib", (".lib",), re.compile(rb"\xffRenLib\xff"), is_written=False, is_text=False
    ),
    "ggf": Entry(
        "tengen.engine.records.ggf",
        (".ggf",),
        re.compile(rb"\s*+(?:\d{1,4}\s*+)?\(\s*+;[^;]*?GM\s*+\[\s*+othello", re.I),
    ),
    "pgn": Entry(
        "tengen.engine.records.pgn", (".pgn",), re.compile(rb'(?:\s*+[%;][^\n]*+\n)*+\s*+\[\s*+[A-Za-z]\w*+\s++"')
    ),
    "sgf": Entry(
        "tengen.engine.records.sgf",
        (".sgf",),
        re.compile(rb"[^(]{0,200}\(\s*+(?:;|[A-Z]{1,2}+\s*+\[)|.{0,3000}?(?<![A-Za-z])(?:GM|FF)\[\d", re.DOTALL),
    ),
    "psq": Entry("tengen.engine.records.psq", (".psq",), re.compile(rb"\s*+Piskvorky\b", re.I)),
    "obf": Entry(
        "tengen.engine.records.obf", (".obf",), re.compile(rb"(?:\s*+[%#][^\n]*+\n)*+\s*+[-.XxOo*bw]{64} +[XxOo*bw]")
    ),
    "fen": Entry(
        "tengen.engine.records.epd",
        (".fen", ".epd"),
        re.compile(rb"(?:\s*+[%#][^\n]*+\n)*+\s*+[1-8a-zA-Z]{1,8}+(?:/[1-8a-zA-Z]{1,8}+){7}\s++[wb]\b"),
    ),
    "wthor": Entry("tengen.engine.records.wthor", (".wtb",), _NEVER, is_written=False, is_text=False),
    "text": Entry("tengen.engine.records.text", (".txt", ".pos", ".text"), None),
}
"""Name -> the format. The order is that of looking at content; the last one takes what the others do not."""
_SNIFFED = 4096


def written() -> list[str]:
    """Names of the formats that are written too."""
    return [name for name, entry in RECORDS.items() if entry.is_written]


def get_format(name: str) -> Format:
    """The format of that name. Raises RecordError naming the nearest right name."""
    entry = RECORDS.get(name)
    if entry is None:
        from tengen.engine.config import nearest

        raise RecordError(f"unknown record format '{name}'{nearest(name, RECORDS)}")
    return cast(Format, import_module(entry.module))


def format_of(name: str = "", data: bytes | str = b"") -> str:
    """Name of a file's format: by its extension, else (also for .txt) by how its content begins."""
    extension = Path(name).suffix.lower()
    for key, entry in RECORDS.items():
        if extension in entry.extensions and entry.pattern is not None:
            return key
    head = data[:_SNIFFED].encode("utf-8", "replace") if isinstance(data, str) else data[:_SNIFFED].replace(b"\0", b"")
    head = re.sub(rb"^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)", b"", head)
    return next((key for key, entry in RECORDS.items() if entry.pattern and entry.pattern.match(head)), "text")


def read(source: str | Path | bytes, hint: str = "") -> Record:
    """The first game of a file (a path) or of its content (bytes).

    hint: the name of a format, or a file's name for content; without one the extension, then the content decides.
    Raises RecordError with one sentence, also when the file cannot be read.
    """
    return _loader(data := _content(source), source, hint).loads(data)


def read_all(source: str | Path | bytes, hint: str = "") -> list[Record]:
    """Every game of a file, as `read`."""
    return _loader(data := _content(source), source, hint).loads_all(data)


def all_of(text: str, name: str) -> list[Record | RecordError]:
    """Read every game of a text in the named format; where the format continues after a broken one (`loads_kept`), the
    error stands in its place. Raises RecordError."""
    form = get_format(name)
    lenient = getattr(form, "loads_kept", None)
    return list(form.loads_all(text) if lenient is None else lenient(text))


def decoded(data: bytes, name: str, encoding: str = "") -> Decoded:
    """The text of a file in the named format, and a sentence when its encoding is a guess; not where it is no text.

    encoding: what it is, where the caller knows. Raises RecordError when that is none in use.
    """
    if encoding:
        codec = codec_of(encoding)
        if codec is None:
            raise RecordError(f"unknown encoding {excerpt(encoding, 40)}: utf-8, gbk, big5, shift_jis, euc-jp, ...")
        return Decoded(decode_as(data, codec).removeprefix("\ufeff"), codec)
    if name == "sgf":
        from tengen.engine.records.sgf_text import named_encoding

        return decode(data, named_encoding(data))
    return decode(data)


def dump_all(games: Iterable[Record], name: str) -> str:
    """Games one after the other in the named format. Raises RecordError naming the game that it cannot hold.

    A game of Reversi with an illegal move is refused: viewers and engines would show another game, or none.
    """
    form = get_format(name)
    texts: list[str] = []
    for record in games:
        try:
            _check_moves(record)
            texts.append(form.dumps(record))
        except RecordError as error:
            raise RecordError(f"game {len(texts) + 1}: {error}" if texts else str(error)) from None
    return ("\n" if name == "text" else "").join(texts)


def write(games: Record | Iterable[Record], path: str | Path, name: str = "") -> None:
    """Write games to a file in the named format, else in that of its extension. Raises RecordError, OSError.

    Nothing is written when one of the games cannot be held.
    """
    chosen = name or next((key for key, entry in RECORDS.items() if Path(path).suffix.lower() in entry.extensions), "")
    if not chosen:
        raise RecordError(f"'{path}' has no extension of a record format: choose one of {', '.join(written())}")
    text = dump_all([games] if isinstance(games, Record) else games, chosen)
    files.write(path, text.encode("utf-8", "replace"))


def content_of(path: str | Path) -> bytes:
    """The bytes of a file. Raises RecordError when it cannot be read or is larger than MAX_BYTES."""
    try:
        return files.read(path, MAX_BYTES)
    except OSError as error:
        raise RecordError(f"cannot read '{path}': {error.strerror}") from None


def _content(source: str | Path | bytes) -> bytes:
    return source if isinstance(source, bytes) else content_of(source)


def _check_moves(record: Record) -> None:
    """Raises RecordError naming the first illegal move, where the rules say who moves, on boards that they have."""
    from tengen.engine.games import get_game
    from tengen.engine.records.replay import state_of

    if get_game(record.game).passes != "forced" or not record.moves:
        return
    try:
        get_game(record.game).check_size(record.width, record.height)
    except ValueError:
        return
    state_of(record)


def _loader(data: bytes, source: str | Path | bytes, hint: str) -> Format:
    name = hint or ("" if isinstance(source, bytes) else str(source))
    return loader(name if "." not in name and hint else format_of(name, data), source)


def loader(name: str, source: str | Path | bytes = b"") -> Format:
    """The format of that name, for a file at that place: names of players may lie beside it. Raises RecordError."""
    if name == "wthor" and not isinstance(source, bytes):
        from tengen.engine.records import wthor

        return wthor.Base(wthor.names_beside(source))
    return get_format(name)
