"""`tengen compliance ENGINE --kind gtp|gomocup|nboard|uci`: what an engine does wrong in its protocol, in words.

ENGINE is a command line in one word: `tengen compliance "gnugo --mode gtp" --kind gtp`. Exit codes: 0 nothing that
must be right is wrong (with --strict: nothing at all), 1 something is, 2 the engine does not start.
"""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import IO

from tengen.engine import files
from tengen.tools.arguments import Parser, number, whole_number
from tengen.tools.compliance.dialect import Dialect
from tengen.tools.compliance.examine import DIALECTS, CannotStart, Terms, examine
from tengen.tools.compliance.finding import printable
from tengen.tools.compliance.games import FACTS
from tengen.tools.compliance.gtp import Gtp
from tengen.tools.compliance.process import resolve
from tengen.tools.live import Live


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("engine", metavar="ENGINE", help="the engine's command line, in quotes")
    parser.add_argument("--kind", required=True, choices=sorted(DIALECTS), help="the protocol that it shall speak")
    parser.add_argument("--game", choices=sorted(FACTS), help="GTP: the game, when the engine does not tell (else go)")
    parser.add_argument("--lines", type=partial(whole_number, low=0, high=10**7), default=1000, metavar="N",
                        help="mutated and hostile lines (default 1000)")  # fmt: skip
    parser.add_argument("--seed", type=partial(whole_number, low=0, high=2**63), default=1, metavar="N",
                        help="the same lines again (default 1)")  # fmt: skip
    parser.add_argument("--level", type=int, choices=(1, 2, 3), default=3,
                        help="1 right lines, 2 mutated too, 3 hostile too (default)")  # fmt: skip
    parser.add_argument("--timeout", type=partial(number, low=0.1, high=3600), default=30.0, metavar="S",
                        help="seconds for one answer (default 30)")  # fmt: skip
    parser.add_argument("--longest", type=partial(number, low=1, high=1e6), default=600.0, metavar="S",
                        help="seconds for all hostile lines (default 600)")  # fmt: skip
    parser.add_argument("--memory", type=partial(whole_number, low=0, high=10**7), default=8192, metavar="MB",
                        help="bound on its address space, 0: none, as CUDA needs (default 8192)")  # fmt: skip
    parser.add_argument("--strict", action="store_true", help="exit code 1 for 'should' findings as well")
    parser.add_argument("--transcript", metavar="FILE", help="write every line sent and received to FILE")
    parser.add_argument("--json", action="store_true", help="the report as JSON")


def run(values: Namespace) -> int:
    """Examine and print."""
    words = resolve(values.engine)
    dialect: Dialect = Gtp(values.game) if values.kind == "gtp" else DIALECTS[values.kind]()
    try:
        with _opened(values.transcript, values.engine) as transcript, Live(is_patient=True) as live:
            terms = Terms(values.lines, values.seed, values.level, values.timeout, values.longest, values.memory)
            report = examine(words, dialect, terms, tell=live.update, transcript=transcript)
    except CannotStart as error:
        why = printable(str(error), 1000)
        print(f"tengen compliance: the engine does not work: {why}. Start it by hand to see why.", file=sys.stderr)
        return 2
    print(json.dumps(report.to_json(), indent=1) if values.json else report.to_text())
    return 0 if report.is_compliant(strict=values.strict) else 1


@contextmanager
def _opened(path: str | None, engine: str) -> Iterator[IO[str] | None]:
    """The file, begun so that one which cannot be written is refused before the examination, or nothing. Raises
    ValueError with one sentence."""
    if path is None:
        yield None
        return
    try:
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
            print(f"# {printable(engine, len(engine))}", file=file, flush=True)
            yield file
    except OSError as error:
        if error.filename not in (None, path):
            raise
        raise ValueError(f"--transcript: cannot write '{path}': {files.explained(error)}") from error
