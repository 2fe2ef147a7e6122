"""The tokens of one SGF game, also of a damaged one: repairs and omissions are reported by their place.

What the grammar allows is taken as it is. Repairs, each with a sentence:

* An end without its parentheses, or within a value: everything before it is the game.
* A "]" that no value opened: the text before it was not at its end at the "]" that closed it, which nobody escaped. It
  is the text directly before, else the nearest one whose brackets are then in pairs.
* A value of a point or a number that holds a bracket was never closed; nor was a text that ends in a move, or a name
  or another fact that ends in a further one.
* Everything else that is no SGF: lines of dashes, tags, mail.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from tengen.engine.records.base import RecordError
from tengen.engine.records.sgf_names import is_bare, is_text, standard
from tengen.engine.records.sgf_tokens import Repair, Token
from tengen.engine.records.sgf_unclosed import ends as ends_of
from tengen.engine.records.sgf_unclosed import next_games
from tengen.engine.sentence import excerpt

MAX_REPAIRS, MAX_WORK = 2000, 64 << 20
"""Places, and bytes of text that are looked at again; a file with more is refused."""
_LOOK_BACK, _REACH = 8, 16_384
"""How many texts, and how far, before a bracket that nothing opened."""
_NAME = rb"[A-Za-z][A-Za-z0-9]{0,63}+"
_TOKEN = re.compile(rb"\s*+(?:\[([^\\\]]*+(?:\\.[^\\\]]*+)*+)\]|(%b)(?=\s*+\[)|([;()]))" % _NAME, re.DOTALL)
_OPENS = re.compile(rb"\(\s*+(?:;|\(|[A-Z]{1,2}+\s*+\[)")
_STARTS = re.compile(rb"\(\s*+(?:;|[A-Z]{1,2}+\s*+\[)")
_BARE_START = re.compile(rb"(?<![A-Za-z])(?:;\s*+)?+[A-Z]{1,2}+\s*+\[")
_AHEAD = rb"[^\[\]();]*+\]\s*+(?:[;()]|[A-Z]{1,2}+\s*+\[)"
_FALSE_CLOSE = re.compile(rb"\)(?:%b|\s*+;\s*+[A-Z]{1,2}+\s*+\[)" % _AHEAD)
_FALSE_INNER_CLOSE = re.compile(rb"\)%b" % _AHEAD)
_ASIDE = re.compile(rb"\([^()\[\];]{0,200}+\)")
_SPECIAL = re.compile(rb"[;()\[\]]")
_NAME_AT_END = re.compile(rb"(?<![A-Za-z0-9])%b\s*+\Z" % _NAME)
_UNCLOSED = re.compile(rb"([^\[;()\s]*?)\s*(?:[;()]|[A-Z]{1,2}\s*\[|\s|\Z)")
ENDS = "the file ends"
"""The beginning of messages about a game that is cut off."""
_SWALLOWED_MOVE = re.compile(rb";\s*+[BW]\[[a-z]{2}\Z")
_SWALLOWED_FACT = re.compile(
    rb"(?:;\s*+[BW]\[[a-z]{2}|(?<![A-Z])(?:A[BNPW]|B[RT]|C[AP]|DT|EV|FF|G[MN]|HA|KM|O[NT]|P[BCLW]|R[EOU]|S[OTZ]|TM|US|W[RT])"
    rb"\[[^\[]*+)\Z"
)
_FOLLOWS = re.compile(rb"\s*+(?:[;()]|[A-Z]{1,2}+\s*+\[|\Z)")


class Scanned(NamedTuple):
    """A game: its tokens, balanced, its end, and its repairs. later: of games after it what `scan` takes as `ends`."""

    tokens: list[Token]
    end: int
    repairs: list[Repair]
    later: Mapping[int, int] = MappingProxyType({})


def scan(
    content: bytes, start: int, is_first: bool = True, ends: Mapping[int, int] = MappingProxyType({})
) -> Scanned | None:
    """Return the next game from `start` on; None at the end. is_first: a game may lack its first parenthesis. ends:
    where a game that begins at a place ends at the latest (`Scanned.later` of one before).

    Raises RecordError for a file that is damaged everywhere.
    """
    found = _STARTS.search(content, start)
    scanner = _Scanner(content)
    if found is None:
        bare = _BARE_START.search(content, start) if is_first else None
        if bare is None:
            return None
        scanner.open_at(bare.start())
        return scanner.run(bare.start())
    return scanner.run(found.start(), ends.get(found.start(), -1))


class _Scanner:
    def __init__(self, content: bytes) -> None:
        self.content = content
        self.tokens: list[Token] = []
        self.repairs: list[Repair] = []
        self.depth = 0
        self._added: list[int] = []
        self._count = self._work = 0

    def open_at(self, at: int) -> None:
        """Begin with the parenthesis that the file lacks."""
        self._repair(at, "the first parenthesis is missing")
        self._add("(", at)

    def run(self, at: int, latest: int = -1) -> Scanned:
        """Scan a game. latest: where another one begins if this one is still open."""
        content, match = self.content, _TOKEN.match
        while True:
            found = match(content, at)
            if found is None:
                at = self._junk(at)
                if at < 0:
                    return self._unclosed()
                continue
            value, name, mark = found.groups()
            if mark is not None:
                if found.end() - 1 == latest:
                    return self._cut(latest)
                at = self._mark(found.end() - 1, mark.decode("ascii"))
                if not self.depth and self.tokens:
                    return Scanned(self.tokens, at, self.repairs)
            elif name is not None:
                at = self._name(found.start(2), found.end(), name)
            else:
                at = self._value(found.start(1), found.end(), value)

    def _add(self, kind: str, at: int, text: bytes = b"", name: str = "") -> None:
        self.depth += (kind == "(") - (kind == ")")
        self.tokens.append(Token(kind, text, at, self.depth, name))

    def _last(self) -> str:
        return self.tokens[-1].kind if self.tokens else ""

    def _repair(self, at: int, what: str) -> None:
        self._count += 1
        if self._count > MAX_REPAIRS or self._work > MAX_WORK:
            raise RecordError("not an SGF file: it is damaged in too many places")
        self.repairs.append(Repair(at, what))

    def _mark(self, at: int, mark: str) -> int:
        """One of "(", ")" and ";"; the position behind it."""
        if mark == "(" and not _OPENS.match(self.content, at):
            aside = _ASIDE.match(self.content, at)
            return self._left_out(at, aside.end() if aside else at + 1)
        if mark == ")":
            false_close = _FALSE_CLOSE if self.depth == 1 else _FALSE_INNER_CLOSE
            if false_close.match(self.content, at):
                return self._left_out(at, at + 1)
        if mark == ";" and self._last() == ")":
            self._repair(at, "moves follow a variation: they are taken for another one")
            self._added.append(at)
            self._add("(", at)
            self._add(";", at)
            return at + 1
        if mark == "(" and self._last() == "(":
            self._repair(at, "there is a parenthesis too many")
        self._add(mark, at)
        return at + 1

    def _name(self, at: int, end: int, text: bytes) -> int:
        """A property's name, in front of a value."""
        if self._last() == ")":
            return self._left_out(at, end)
        if self._last() == "(":
            self._add(";", at)
        self._add("name", at, text, standard(text.decode("ascii")))
        return end

    def _value(self, at: int, end: int, text: bytes) -> int:
        last = self.tokens[-1] if self.tokens else None
        if last is None or last.kind not in ("name", "value"):
            return self._left_out(at - 1, end)
        if b"[" in text and is_bare(last.name):
            cut = _UNCLOSED.match(text)
            text = cut[1] if cut else b""
            self._repair(at, f"{last.name}[{text.decode('utf-8', 'replace')} is not closed")
            end = at + len(text)
        elif b"[" in text and is_text(last.name) and _FOLLOWS.match(self.content, end):
            pattern = _SWALLOWED_MOVE if last.name in ("C", "GC", "N") else _SWALLOWED_FACT
            if swallowed := pattern.search(text, max(0, len(text) - _REACH)):
                text = text[: swallowed.start()].rstrip()
                self._repair(at, f"{last.name}[ is not closed")
                end = at + len(text)
        self._add("value", at, text, last.name)
        return end

    def _junk(self, at: int) -> int:
        """What is no token; the position behind it, -1 at the end of the file."""
        content = self.content
        while at < len(content) and content[at : at + 1].isspace():
            at += 1
        special = _SPECIAL.search(content, at)
        if special is None:
            if at < len(content):
                self._left_out(at, len(content))
            return -1
        if special.group() == b"]":
            return self._stray(at, special.start())
        if special.group() == b"[":
            name = _NAME_AT_END.search(content, at, special.start())
            if name and name.start() > at:
                return self._left_out(at, name.start())
            if special.start() == at:
                return self._within(at)
        return self._left_out(at, special.start())

    def _within(self, at: int) -> int:
        """The file ends within a value, which is left out with its name."""
        where = ""
        if self._last() == "name":
            where = f" within {self.tokens.pop().name}[ ]"
        self._repair(at, f"{ENDS}{where}")
        return -1

    def _stray(self, at: int, bracket: int) -> int:
        """A "]" that nothing opened, behind `at` and what else is no SGF."""
        last = self.tokens[-1] if self.tokens else None
        found, is_here = self._opening(bracket)
        if last is not None and last.kind == "value" and is_text(last.name) and not is_here:
            found = len(self.tokens) - 1
        if found is not None:
            return self._reopened(found, bracket)
        if at == bracket:
            self._repair(at, "there is a ] too many")
            return bracket + 1
        return self._left_out(at, bracket + 1)

    def _opening(self, bracket: int) -> tuple[int | None, bool]:
        """The nearest text whose brackets are in pairs when it goes on to this one, and whether it is in this node."""
        left, is_here = _LOOK_BACK, True
        for number in range(len(self.tokens) - 1, -1, -1):
            token = self.tokens[number]
            if bracket - token.at > _REACH or not left:
                break
            is_here = is_here and token.kind in ("name", "value")
            if token.kind == "value" and is_text(token.name):
                left -= 1
                if self._is_paired(token.at - 1, bracket + 1):
                    return number, is_here
        return None, False

    def _is_paired(self, start: int, end: int) -> bool:
        self._work += end - start
        text = re.sub(rb"\\.", b"", self.content[start:end], flags=re.DOTALL)
        return text.count(b"[") == text.count(b"]")

    def _reopened(self, number: int, bracket: int) -> int:
        """The text of that token goes on to a later "]"."""
        token = self.tokens[number]
        del self.tokens[number:]
        while self.repairs and self.repairs[-1].at >= token.at:
            self.repairs.pop()
        self.depth = token.depth
        self._work += bracket - token.at
        text = re.sub(rb"(\\.)|\]", lambda part: part[1] or rb"\]", self.content[token.at : bracket], flags=re.DOTALL)
        self._repair(token.at, f"a ] in {token.name}[ ] is not escaped")
        self._add("value", token.at, text, token.name)
        return bracket + 1

    def _left_out(self, at: int, end: int) -> int:
        text = self.content[at:end].decode("utf-8", "replace").strip()
        if text.strip("\0\x1a\ufeff"):
            self._repair(at, f"{excerpt(text, 20)} is no SGF and is left out")
        elif text.strip("\x1a\ufeff"):
            self._repair(at, "zero bytes are left out")
        return end

    def _unclosed(self) -> Scanned:
        """The end of the file before the end of the game; another game may have begun meanwhile."""
        later: Mapping[int, int] = MappingProxyType({})
        end = len(self.content)
        if begins := next_games(self.tokens):
            later = ends_of(self.content, self.tokens, begins)
            first = self.tokens[begins[0]]
            end, self.depth = first.at, first.depth - 1
            del self.tokens[begins[0] :]
            self.repairs = [repair for repair in self.repairs if repair.at < end]
            self._added = [at for at in self._added if at < end]
        return self._cut(end, later)

    def _cut(self, end: int, later: Mapping[int, int] = MappingProxyType({})) -> Scanned:
        """Close what is open at the end of the file, or where another game begins."""
        if self.depth > len(self._added) and not (self.repairs and self.repairs[-1].what.startswith(ENDS)):
            is_end = end == len(self.content)
            self._repair(end, f"{ENDS} without a parenthesis" if is_end else "a parenthesis is missing before it")
        while self.depth:
            self._add(")", end)
        return Scanned(self.tokens, end, self.repairs, later)
