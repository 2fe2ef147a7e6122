"""Names of the rules of Go as programs and people write them, in records, options and protocols: one table.

Case, punctuation, years and words that every name may have ("rules", "ruleset", "scoring") do not matter.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

_NAMES: Mapping[str, str] = {
    "chinese": "chinese, china, chn, cn, zh, zhongguo, 中国, 中, 中华, chinois, chinoise, chinesisch, chino, cwa, 중국,"
    " китайские",
    "chinese-ogs": "chinese-ogs, ogs chinese",
    "chinese-kgs": "chinese-kgs, kgs chinese",
    "tromp-taylor": "tromp-taylor, tromptaylor, tt, tromp, logical, cgos",
    "japanese": "japanese, japan, jpn, jp, ja, jap, nihon, nihon kiin, nihon ki-in, 日本, 日, 日本棋院, japonais,"
    " japonaise, japanisch, japones, japonés, 일본, японские",
    "korean": "korean, korea, kor, kr, ko, 韩国, 韩, 한국, coréen, coreen, koreanisch, coreano, корейские",
    "stone-scoring": "stone-scoring, ancient, ancient chinese, old chinese, 中国古代, 古代, 古",
    "aga": "aga, american, america, usa, us, american go association, 美国, 미국, ffg, french, france, fédération"
    " française de go, française, 法国",
    "bga": "bga, british, british go association, 英国",
    "aga-button": "aga-button, button, button go",
    "new-zealand": "new-zealand, newzealand, nz, nzga, nzl, new zealand go society, 新西兰, 纽西兰, 뉴질랜드",
}
_NEAREST: Mapping[str, str] = {
    "new-zealand": "ing, goe, ing goe, goe ing, ing sst, sst, 应氏, 应, 计点, 应氏计点",
    "chinese": "simple, simplified",
}
"""Rules that are none of ours, by the set that is nearest: both count the area. Ing's forbid repetition and allow
suicide; SmartGo's simple rules allow none."""
_SCORED: Mapping[str, str] = {"area": "chinese", "territory": "japanese"}
"""A way of counting that stands for itself."""
_AREA = {"area", "数子", "子空皆地", "地"}
_TERRITORY = {"territory", "数目", "比目", "目"}
_NOISE = set(
    "rules rule ruleset rulesets set scoring score counting count go weiqi baduk igo wei qi of the official style game"
    " competition regeln règles regles reglas regras regole правила".split()
)
_MERGED = str.maketrans("國韓應規則約圍數紐蘭計點華協會競賽", "国韩应规则约围数纽兰计点华协会竞赛")
_PARTS = re.compile(
    r"(规则|规约|规程|规定|ルール|竞赛|围棋|囲碁|바둑|규칙|룰|协会|棋院|的|版|式|制|法|数子|数目|比目|子空皆地)"
)
_WORD = re.compile(r"[^\W_]+")


class Name(NamedTuple):
    """A name of one of our sets. is_exact: whether it says that set and nothing else. scoring: "area", "territory" or
    "" as the text adds it."""

    rules: str
    is_exact: bool
    scoring: str = ""


def named(text: str) -> Name | None:
    """Return the rules that a text names; None if it names none or several."""
    words, scoring = _words(text[:200])
    if len(scoring) > 1:
        return None
    counted = next(iter(scoring), "")
    if not words:
        return Name(_SCORED[counted], False, counted) if counted else None
    table = _table()
    found = table.get(" ".join(words))
    if found is not None:
        return Name(*found, counted)
    spaced = f" {' '.join(words)} "
    within = {name for key, (name, _) in table.items() if _is_within(key, spaced)}
    return Name(within.pop(), False, counted) if len(within) == 1 else None


def _is_within(key: str, spaced: str) -> bool:
    """Whether a longer text has the name: as words of three letters at least, Chinese characters also within words."""
    if key.isascii():
        return len(key) > 2 and f" {key} " in spaced
    return len(key) > 1 and key in spaced


@cache
def _table() -> dict[str, tuple[str, bool]]:
    """Words -> the set, and whether the name is exact."""
    out: dict[str, tuple[str, bool]] = {}
    for names, is_exact in ((_NEAREST, False), (_NAMES, True)):
        for rules, aliases in names.items():
            out |= {" ".join(_words(alias)[0]): (rules, is_exact) for alias in aliases.split(",")}
    return out


def _words(text: str) -> tuple[list[str], set[str]]:
    """The words that tell names apart, and the ways of counting that are named."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_MERGED)
    words = _WORD.findall(_PARTS.sub(r" \1 ", plain))
    scoring = {"area" for word in words if word in _AREA} | {"territory" for word in words if word in _TERRITORY}
    ways = _AREA | _TERRITORY
    kept = [word for word in words if word not in _NOISE and word not in ways and not _PARTS.fullmatch(word)]
    return [word for word in kept if not word.isdigit()], scoring
