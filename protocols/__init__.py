"""Conversations with GUIs and match programs over stdin and stdout: one module or package for each protocol.

`session` is the line loop that all of them share; `PROTOCOLS` is the registry. A protocol is a module with
`run(config) -> int` (the exit status). It is imported on use, so that one protocol never pays for another.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Run = Callable[[Any], int]


class _Protocols(Mapping[str, Run]):
    """Protocol name -> its `run`, imported when it is asked for."""

    MODULES = {
        "gtp": "tengen.protocols.gtp",
        "gomocup": "tengen.protocols.gomocup",
        "nboard": "tengen.protocols.nboard",
        "analysis": "tengen.protocols.analysis",
    }

    def __getitem__(self, name: str) -> Run:
        if name not in self.MODULES:
            from difflib import get_close_matches

            near = get_close_matches(name, self.MODULES, 1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; there are: {', '.join(self.MODULES)}"
            raise KeyError(f"no protocol {name!r}{hint}")
        run: Run = importlib.import_module(self.MODULES[name]).run
        return run

    def __iter__(self) -> Iterator[str]:
        return iter(self.MODULES)

    def __len__(self) -> int:
        return len(self.MODULES)


PROTOCOLS: Mapping[str, Run] = _Protocols()
