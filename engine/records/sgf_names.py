"""Names of SGF properties as the older formats wrote them, and which of them hold text."""

from __future__ import annotations

from functools import lru_cache

_LONG = {
    "black": "B", "white": "W", "addblack": "AB", "addwhite": "AW", "addempty": "AE", "size": "SZ", "boardsize": "SZ",
    "komi": "KM", "handicap": "HA", "result": "RE", "rules": "RU", "game": "GM", "gamename": "GN", "gamecomment": "GC",
    "fileformat": "FF", "charset": "CA", "playerblack": "PB", "playerwhite": "PW", "blackplayer": "PB",
    "whiteplayer": "PW", "blackrank": "BR", "whiterank": "WR", "blackteam": "BT", "whiteteam": "WT", "date": "DT",
    "event": "EV", "place": "PC", "round": "RO", "comment": "C", "name": "N", "nodename": "N", "player": "PL",
    "playertoplay": "PL", "annotation": "AN", "application": "AP", "source": "SO", "timelimit": "TM", "time": "TM",
    "user": "US", "opening": "ON", "overtime": "OT", "copyright": "CP", "variations": "ST", "figure": "FG",
}  # fmt: skip
_BARE = set("B W AB AW AE SZ KM HA GM FF PL BL WL OB OW MN".split())
"""Points and numbers: nothing with a bracket in it."""
_TEXT = set("C GC N PB PW BR WR BT WT EV RO DT PC RE RU US SO AN CP GN ON OT AP RD KGSDE".split())


@lru_cache(maxsize=1024)
def standard(name: str) -> str:
    """The name in capitals of FF[4]: "AddBlack", "SiZe" and "b" are AB, SZ and B; others lose their small letters."""
    if name.isupper():
        return _LONG.get(name.lower(), name) if len(name) > 3 else name
    capitals = "".join(letter for letter in name if not letter.islower())
    return _LONG.get(name.lower()) or (capitals if any(map(str.isupper, capitals)) else name.upper())


def is_bare(name: str) -> bool:
    """Whether values of the property cannot hold a bracket."""
    return name in _BARE


def is_text(name: str) -> bool:
    """Whether values of the property are what a person may have written, brackets and all."""
    return name in _TEXT
