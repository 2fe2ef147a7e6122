"""Messages about unclear places in files that were read: each sentence once, with the first place and how many
others."""

from __future__ import annotations

LONGEST = 20
"""Sentences that are told."""


class Told:
    """Sentences by the places that they are said of."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[str, int]] = {}
        self._others = 0

    def add(self, place: str, sentence: str, count: int = 1) -> None:
        """A sentence about a place ("" for the only one), or about so many of which that is the first."""
        if sentence in self._found or len(self._found) < LONGEST:
            first, known = self._found.get(sentence, (place, 0))
            self._found[sentence] = first, known + count
        else:
            self._others += count

    def entries(self) -> list[tuple[str, str, int]]:
        """(place, sentence, count), as `add` takes them."""
        return [(place, sentence, count) for sentence, (place, count) in self._found.items()]

    def lines(self) -> list[str]:
        """The sentences for a person."""
        out = []
        for place, sentence, count in self.entries():
            more = f" (and {count - 1} more)" if count > 1 else ""
            out.append(f"{place}: {sentence}{more}" if place else sentence + more)
        if self._others:
            out.append(f"{self._others} more of other kinds")
        return out
