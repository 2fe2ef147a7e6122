"""Komi and rules of Go as servers and programs write them into records."""

from __future__ import annotations

import pytest

from tengen.engine.games.go.rules import RULE_SETS, parse_rules, read_rules
from tengen.engine.records import sgf
from tengen.engine.records.base import Record
from tengen.engine.records.go_facts import komi_of

PLAIN = [
    ("6.5", 6.5), ("7.5", 7.5), ("0", 0), ("5.50", 5.5), ("0.500000", 0.5), ("-7.5", -7.5), ("+6.5", 6.5), ("6,5", 6.5), ("7", 7), (".5", 0.5), ("6.", 6),
    ("48.5", 48.5), ("６．５", 6.5), ("7.25", 7.25), ("", None), (" ", None),
]  # fmt: skip
TOLD = [
    ("375", 7.5), ("650", 6.5), ("325", 6.5), ("750", 7.5), ("550", 5.5), ("275", 5.5), ("3.75", 7.5), ("3.25", 6.5), ("2.75", 5.5), ("-375", -7.5),
    ("375.00", 7.5), ("7.5目", 7.5), ("六目半", 6.5), ("6目半", 6.5), ("黒番5目半コミ出し", 5.5), ("6집반", 6.5), ("3又3/4子", 7.5), ("三又四分之三子", 7.5),
    ("3.75子", 7.5), ("3子", 6), ("5 1/2", 5.5), ("6½", 6.5), ("6.5 points", 6.5), ("White +6.5", 6.5),
    ("?", None), ("none", None), ("nan", None), ("inf", None), ("99999", None), ("1e9", None), ("6.5 or 7.5", None), ("1.2.3", None), ("9" * 400, None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "komi"), PLAIN)
def test_komi_in_points(text: str, komi: float | None) -> None:
    assert komi_of(text) == (komi, "")


@pytest.mark.parametrize(("text", "komi"), TOLD)
def test_other_komi_is_told(text: str, komi: float | None) -> None:
    found = komi_of(text)
    assert found.points == komi and f"KM[{text[:20]}" in found.said and "\n" not in found.said
    assert ("no komi" in found.said) is (komi is None)
    assert sgf.loads(f"(;GM[1]SZ[9]KM[{text}];B[ee])").warnings == (found.said,)


def test_servers_that_write_hundredths() -> None:
    assert (komi_of("50", "GNU Go:3.8 foxwq").points, komi_of("50").points) == (0.5, 50)
    assert komi_of("0", "foxwq") == (0, "")


@pytest.mark.parametrize("komi", [100.0, 375.0, -650.0, 3.75, 0.25, 6.5, 399.5])
def test_our_own_komi_is_read_as_it_is(komi: float) -> None:
    record = Record("go", 9, 9, komi=komi, moves=((0, 40),))
    again = sgf.loads(sgf.dumps(record))
    assert again == record and again.warnings == ()


RULES = {
    "chinese": "Chinese|chinese|CHINESE RULES|Chinese, Area Scoring|Chinese (area)|chn|cn|China|中国规则|中國圍棋規則|中国ルール|中国 2002|中式|Chinese_rules|중국 규칙",
    "japanese": "Japanese|Japanese Rules|JP|jpn|Japan|日本规则|日本規則|日本ルール|日本棋院囲碁規約|日式|Nihon Ki-in|Japanese, territory scoring|일본룰|Japanese 1989 rules",
    "korean": "Korean|Korea|kr|韩国规则|韓國規則|한국|한국룰",
    "aga": "AGA|AGA rules|American|French|AGA (territory)",
    "bga": "BGA|British",
    "new-zealand": "New Zealand|NewZealand|new-zealand|NZ|nz rules|新西兰规则",
    "tromp-taylor": "Tromp-Taylor|Tromp/Taylor|tromp taylor rules|tromptaylor|TT",
    "stone-scoring": "stone-scoring|Stone Scoring|ancient-area|Old Chinese|Ancient Chinese rules",
    "chinese-ogs": "chinese-ogs|OGS Chinese",
    "chinese-kgs": "chinese-kgs|chinese_kgs",
    "aga-button": "aga-button|AGA button",
}
NEAREST = {
    "new-zealand": "Ing|GOE|Ing/GOE|Ing's rules|应氏规则|應氏計點制",
    "chinese": "Simple|Area Scoring|Fox Chinese 2016|野狐中国规则|数子法",
    "japanese": "territory scoring|IGS japanese byo-yomi",
}


@pytest.mark.parametrize(
    ("rules", "text"), [(rules, text) for rules, texts in RULES.items() for text in texts.split("|")]
)
def test_rules_by_name(rules: str, text: str) -> None:
    assert read_rules(text) == (RULE_SETS[rules], None, "") and parse_rules(text)[0].name == rules
    assert sgf.loads(f"(;GM[1]SZ[9]RU[{text}])").warnings == ()


@pytest.mark.parametrize(
    ("rules", "text"), [(rules, text) for rules, texts in NEAREST.items() for text in texts.split("|")]
)
def test_the_nearest_rules_are_told(rules: str, text: str) -> None:
    found, _, note = read_rules(text)
    assert found.name == rules and note == f"the rules '{text}' are read as {rules}, which are nearest"
    assert sgf.loads(f"(;GM[1]SZ[9]RU[{text}])").warnings == (note,)
    with pytest.raises(ValueError, match="Unknown rules"):
        parse_rules(text)


@pytest.mark.parametrize(
    "text",
    [
        "custom",
        "house rules",
        "Chinese or Japanese",
        "Chinese, territory scoring",
        "koSPIGHTscoreAREA",
        "{",
        "?",
        "x" * 5000,
    ],
)
def test_unknown_rules_are_told(text: str) -> None:
    with pytest.raises(ValueError, match="Unknown rules"):
        read_rules(text)
    (said,) = sgf.loads(f"(;GM[1]SZ[9]RU[{text}])").warnings
    assert said.startswith("the rules '") and said.endswith("' are not known") and len(said) < 100


def test_rules_as_katago_writes_them() -> None:
    rules, komi, note = read_rules("koPOSITIONALscoreAREAtaxNONEsui0button1whbN-1fpok1komi7")
    assert (rules.ko, rules.scoring, rules.tax, rules.suicide, rules.has_button) == (
        "positional",
        "area",
        "none",
        False,
        True,
    )
    assert (rules.white_handicap_bonus, rules.friendly_pass, komi, note) == ("N-1", True, 7, "")
    assert read_rules("koSIMPLEscoreTERRITORYtaxSEKIsui0")[0].name == "japanese"
    assert sgf.loads("(;GM[1]SZ[9]RU[koSIMPLEscoreAREAsui1komi5.5])").komi == 5.5
