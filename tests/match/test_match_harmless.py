"""What engines say reaches files and terminals without what these would obey."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path

import pytest
from match_games import CALM, GAMES, fake, one

from tengen.engine.records import pgn
from tengen.engine.records.base import Record
from tengen.tools.match.drivers.log import EngineLog
from tengen.tools.match.drivers.process import EngineFault
from tengen.tools.match.run import files
from tengen.tools.match.spec import EngineSpec, Opening, Reason

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\u202eevil"
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
ENGINES = {
    "uci": """
if w[0] == "uci": say("id name " + EVIL + "\\nid author " + EVIL + "\\nuciok")
elif w[0] == "isready": say("readyok")
elif w[0] == "go": say("info depth 1 score cp 5 string " + EVIL + "\\nbestmove e2e9" + EVIL)
""",
    "gtp": """
if w[1] == "name": say(f"={w[0]} " + EVIL + "\\n")
elif w[1] == "version": say(f"={w[0]} " + EVIL + "\\n")
elif w[1] == "genmove": say(f"={w[0]} Z99" + EVIL + "\\n")
else: say(f"={w[0]}\\n")
""",
    "xboard": """
if w[0] == "protover": say('feature ping=1 myname="' + EVIL + '" done=1')
elif w[0] == "ping": say("pong " + w[1])
elif w[0] == "go": say("# " + EVIL + "\\nmove e2e9" + EVIL)
""",
    "nboard": """
if w[0] == "ping": say("set myname " + EVIL + "\\npong " + w[1])
elif w[0] == "go": say("status " + EVIL + "\\n=== Z9" + EVIL)
""",
    "gomocup": """
if w[0] == "ABOUT": say('name="' + EVIL + '", version="' + EVIL + '"')
elif w[0] == "START": say("OK")
elif w[0] == "BEGIN": say("ERROR " + EVIL)
""",
}
LOOP = """
import sys
EVIL = {evil!a}
def say(text):
    sys.stdout.buffer.write((text + "\\n").encode()); sys.stdout.flush()
    sys.stderr.buffer.write((EVIL + "\\n").encode()); sys.stderr.flush()
for line in sys.stdin:
    w = line.split()
    if not w: continue
    if w[-1] in ("quit", "END"): break
{rows}
"""


@pytest.mark.parametrize("protocol", ENGINES)
def test_files_of_a_match_hold_no_control_characters(protocol: str, tmp_path: Path) -> None:
    rows = "\n".join("    " + row for row in ENGINES[protocol].strip().splitlines())
    script = LOOP.format(evil=EVIL, rows=rows)
    bad = EngineSpec("bad", (sys.executable, "-S", "-c", script), protocol)
    log, game = tmp_path / "bad.log", GAMES[protocol]
    (result,) = asyncio.run(one(bad, fake(protocol, name="good"), game, CALM, log=log))
    assert result.culprit == "bad" and result.reason in (Reason.ILLEGAL, Reason.STALL), result
    assert "evil" in result.versions["bad"][0] and "evil" in result.detail
    if protocol not in ("uci", "xboard"):  # whose games are written by an extra
        files.write(tmp_path, result, game, Opening("start"))
    for text in (
        json.dumps(result.to_json(), ensure_ascii=False),
        *(file.read_text("utf-8") for file in tmp_path.iterdir()),
    ):
        assert not CONTROL.search(text.replace("bad.log", "")), text
    said = log.read_text("utf-8")
    assert "> " in said and "! " in said and "evil" in said


def test_the_pgn_of_a_match(tmp_path: Path) -> None:
    pytest.importorskip("chess")
    rows = "\n".join("    " + row for row in ENGINES["uci"].strip().splitlines())
    bad = EngineSpec("bad\x1b[1m", (sys.executable, "-S", "-c", LOOP.format(evil=EVIL, rows=rows)), "uci")
    (result,) = asyncio.run(one(bad, fake("uci", name="good"), GAMES["uci"], CALM))
    text = files.write(tmp_path, result, GAMES["uci"], Opening("start" + EVIL)).read_text("utf-8")
    assert not CONTROL.search(text) and 'Termination "bad?[1m' in text and "evil" in text
    assert pgn.loads(text).players[0] == "bad?[1m"


def test_tags_of_any_pgn() -> None:
    pytest.importorskip("chess")
    record = Record(
        "chess", 8, 8, players=("a\x1b[2Jb", "Zoë 囲碁 \U0001f468\u200d\U0001f469"), properties={"EV": "x\ny\x07"}
    )
    text = pgn.dumps(record)
    assert not CONTROL.search(text) and '"a?[2Jb"' in text and '"x y?"' in text and record.players[1] in text


def test_logs_and_faults(tmp_path: Path) -> None:
    log = EngineLog(tmp_path / "a.log")
    for mark in "<>!#":
        log.write(mark, f"tab\there {EVIL}\r\nmore")
    log.close()
    text = (tmp_path / "a.log").read_bytes().decode()
    assert text.count("\n") == 4 and text.count("tab\there") == 4 and not CONTROL.search(text)
    fault = EngineFault(Reason.STALL, f"says {EVIL}")
    assert not CONTROL.search(fault.sentence) and str(fault) == fault.sentence
