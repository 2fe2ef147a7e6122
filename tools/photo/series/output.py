"""The moves that were inferred as a file: SGF with a comment at each doubtful move, text, PSQ, or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from sgfmill import sgf_grammar

from tengen.engine import records
from tengen.engine.records import Record, RecordError
from tengen.engine.records.points import point_text
from tengen.engine.version import __version__
from tengen.tools.photo.position import Facts
from tengen.tools.photo.results import PhotoError
from tengen.tools.photo.series.infer import Inferred

COLOURS = ("black", "white")


def text_of(inferred: Inferred, facts: Facts, form: str, names: Sequence[str]) -> str:
    """The game in a format of FORMATS; `names` are those of its frames. Raises PhotoError with one sentence."""
    try:
        return FORMATS[form](inferred, record_of(inferred, facts), names)
    except KeyError:
        raise PhotoError(f"a series is written as {', '.join(FORMATS)}, not as {form}") from None
    except RecordError as error:
        raise PhotoError(f"{error}: choose another --format") from None


def record_of(inferred: Inferred, facts: Facts) -> Record:
    """The main line. Black stones alone, and White first, make a handicap."""
    moves = tuple((move.colour, move.move) for move in inferred.moves)
    setup, handicap = inferred.setup, 0
    if inferred.game == "go" and setup and moves and moves[0][0] == 1 and 2 not in setup:
        handicap = setup.count(1) if setup.count(1) > 1 else 0
    properties = {"DT": facts.date, "EV": facts.event}
    return Record(
        game=inferred.game,
        width=inferred.size,
        height=inferred.size,
        komi=facts.komi if inferred.game == "go" else None,
        rules=facts.rules,
        handicap=handicap,
        setup=setup,
        to_move=facts.next if not moves else moves[0][0] if setup else None,
        moves=moves,
        players=(facts.black, facts.white),
        properties={key: text for key, text in properties.items() if text},
    )


def vertices(inferred: Inferred, record: Record) -> list[str]:
    """The moves as the game writes them."""
    return [point_text(inferred.game, record.width, record.height, move.move) for move in inferred.moves]


def sgf(inferred: Inferred, record: Record, names: Sequence[str]) -> str:
    tree = sgf_grammar.parse_sgf_game(records.get_format("sgf").dumps(record).encode())
    tree.sequence[0]["AP"] = [f"Tengen:{__version__}".encode()]
    comment = f"Read from {len(names) - len(inferred.bad)} frames."
    if inferred.doubtful:
        comment += f" {inferred.doubtful} of {len(inferred.moves)} moves are doubtful: see their comments."
    tree.sequence[0]["C"] = [sgf_grammar.escape_text(comment.encode())]
    for node, move in zip(tree.sequence[1:], inferred.moves, strict=True):
        if move.doubts:
            said = f"Doubtful: {'; '.join(move.doubts)} (first seen in {names[move.frame]})."
            node["C"] = [sgf_grammar.escape_text(said.encode("utf-8", "replace"))]
    return bytes(sgf_grammar.serialise_game_tree(tree)).decode("utf-8")


def as_json(inferred: Inferred, record: Record, names: Sequence[str]) -> str:
    content = {
        "game": inferred.game,
        "size": inferred.size,
        "setup": None if record.setup is None else list(record.setup),
        "moves": [
            {"colour": COLOURS[move.colour], "move": word, "frame": names[move.frame], "doubts": list(move.doubts)}
            for move, word in zip(inferred.moves, vertices(inferred, record), strict=True)
        ],
        "frames": list(names),
        "bad_frames": [names[frame] for frame in inferred.bad],
    }
    return json.dumps(content, indent=1) + "\n"


FORMATS: Mapping[str, Callable[[Inferred, Record, Sequence[str]], str]] = {
    "sgf": sgf,
    "txt": lambda inferred, record, names: records.get_format("text").dumps(record),
    "psq": lambda inferred, record, names: records.get_format("psq").dumps(record),
    "json": as_json,
}
