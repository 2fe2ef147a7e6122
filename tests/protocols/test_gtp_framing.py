"""Ids, comments, preprocessing, responses (GTP 2, sections 2.4-2.6), and input that is no GTP at all."""

from __future__ import annotations

import random
import re

import pytest
from fakes.player import FakePlayer
from gtp_client import say

from tengen.protocols.gtp.framing import is_interrupt, parse, response
from tengen.protocols.lines import Line

PARSED = [
    (b"name", ("", "name", "")),
    (b"12 play b D4", ("12", "play", "b D4")),
    (b"  7\t play  b   D4 \r", ("7", "play", "b   D4")),
    (b"007 name", ("007", "name", "")),
    (b"2147483647 name", ("2147483647", "name", "")),
    (b"2147483648 name", ("", "2147483648", "name")),
    (b"-1 name", ("", "-1", "name")),
    (b"\xd9\xa3 name", ("", "\u0663", "name")),
    (b"5", ("5", "", "")),
    (b"name # a comment", ("", "name", "")),
    (b"na\x00m\x07e\x7f", ("", "name", "")),
    (b"\xef\xbb\xbfname", ("", "name", "")),
    (b"\xff\xfe name", ("", "\ufffd\ufffd", "name")),
    (b"", None),
    (b" \t \r", None),
    (b"# only a comment", None),
    (b"\x00\x01", None),
]


@pytest.mark.parametrize("data, expected", PARSED)
def test_parse(data: bytes, expected: tuple[str, str, str] | None) -> None:
    request = parse(Line(1, data))
    assert (request and (request.id, request.name, request.rest)) == expected


@pytest.mark.parametrize("data, expected", [
    (b"# interrupt", True), (b"#interrupt\r", True), (b"  # interrupt ", True),
    (b"# interrupted", False), (b"interrupt", False), (b"name # interrupt", False),
])  # fmt: skip
def test_interrupt_comment(data: bytes, expected: bool) -> None:
    assert is_interrupt(Line(1, data)) is expected


@pytest.mark.parametrize("text, expected", [
    ("", "=3\n\n"), ("x", "=3 x\n\n"), ("a\nb\n", "=3 a\nb\n\n"), ("a\n\n \n\tb\n\n", "=3 a\n\tb\n\n"),
    ("\n  A B", "=3 \n  A B\n\n"),
])  # fmt: skip
def test_no_blank_line_inside_a_response(text: str, expected: str) -> None:
    assert response("=", "3", text) == expected


def test_each_command_gets_one_response_in_order() -> None:
    lines = (
        "# a comment",
        "",
        "   ",
        "7 protocol_version\r",
        "8\tname # tail",
        "\x07\x019 known_command\x02 play",
        "11 quit",
    )
    assert say(*lines) == ["=7 2", "=8 Tengen", "=9 true", "=11"]


def test_errors_have_a_reason_and_the_id() -> None:
    assert say("nonsense", "4 nonsense", "5") == ["? unknown command", "?4 unknown command", "?5 no command"]


def test_nothing_after_quit() -> None:
    assert say("quit", "name") == ["="]


def test_a_huge_line_is_refused_and_the_next_one_works() -> None:
    assert say("1 play b " + "9" * 3_000_000, "2 name") == ["?1 line too long", "=2 Tengen"]


def test_a_long_sequence_is_no_huge_line() -> None:
    pairs = " ".join(f"{'bw'[i % 2]} pass" for i in range(1000))
    assert say(f"gogui-play_sequence {pairs}", "gg-undo 1000") == ["=", "="]
    assert say("1 echo " + "x" * 900_000) == ["=1 " + "x" * 900_000]


def test_an_unexpected_error_is_answered_and_reported() -> None:
    player = FakePlayer()
    player.fail["genmove"] = RuntimeError("no\nluck")
    assert say("1 genmove b", "2 name", player=player) == ["?1 internal error: RuntimeError: no luck", "=2 Tengen"]
    assert "Traceback" in say.stderr


def test_an_error_inside_an_open_response_closes_it() -> None:
    player = FakePlayer()
    player.fail["genmove"] = RuntimeError("no luck")
    assert say("1 lz-genmove_analyze b 10", "2 name", player=player)[-1] == "=2 Tengen"
    player = FakePlayer()
    player.fail["analyse"] = RuntimeError("no luck")
    assert say("1 lz-analyze b 10", "2 name", player=player)[-1] == "=2 Tengen"


def test_garbage_never_breaks_the_framing() -> None:
    rng = random.Random(2)
    words = b"play b w D4 genmove komi nan 1e999 boardsize 10 -1 \xff \x00 set_position undo loadsgf ../x { [ kata-set-rules"
    words = [
        *words.split(),
        b"kata-set-param",
        b"time_settings",
        b"lz-analyze",
        b"avoid",
        b"\xf0\x9f",
        b'"',
        b"\r",
        b"9" * 999,
    ]
    lines = [b" ".join(rng.choice(words) for _ in range(rng.randrange(1, 8))) for _ in range(1500)]
    sent = [line for line in lines if parse(Line(1, line)) and not line.startswith(b"quit")]
    got = say(*sent)
    assert len(got) == len(sent)
    assert all(re.match(r"[=?]\d*( |\n|$)", text) for text in got)
    assert "Traceback" not in say.stderr
