"""Encodings of records: named, named wrongly, not named, not in use; names come out right, and nothing takes long."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from gtp_client import say

from tengen.engine.config import Config
from tengen.engine.records import decoded, ggf, psq, sgf, text
from tengen.engine.records.base import RecordError
from tengen.engine.records.encoding import GUESSED, codec_of, decode, decode_as
from tengen.tools import cli

Shared = Callable[[str], Path]
GAME = "(;GM[1]SZ[9]CA[%s]PB[%s]PW[%s]EV[%s];B[cg];W[cd])"

NAMED = """
utf-8          | Ærøskøbing   | 棋聖戦
UTF8           | 柯洁         | 이세돌
iso-8859-1     | José García  | Müller
ISO8859-1      | René         | Ünal
latin-1        | François     | Håkan
windows-1252   | O’Brien      | “Zoë”
cp1250         | Łukasz Żak   | Dvořák
iso-8859-2     | Kovács Győző | Štěpán
windows-1251   | Иван Петров  | Динерштейн
koi8-r         | Александр    | Чемпионат
iso-8859-7     | Παπαδόπουλος | Νίκος
cp1254         | Işık         | Şahin
windows-1255   | שלום         | דוד
tis-620        | สมชาย        | ไทย
iso-8859-15    | Œuf 5 €      | Žižka
cp437          | Müller       | José
gb2312         | 聂卫平       | 马晓春
GBK            | 於之莹       | 芈昱廷
gb18030        | 𠮷田         | 柯洁
GB             | 古力         | 常昊
hz-gb-2312     | 围棋         | 九段
big5           | 周俊勳       | 應昌期
Big-5          | 黑嘉嘉       | 林海峰
cp950          | 王銘琬       | 張栩
big5-hkscs     | 陳嘉銳       | 香港
shift_jis      | 本因坊表     | 十段
SJIS           | 能ソ予       | 井上幻庵
x-sjis         | ソ連         | 構成
MS_KANJI       | 高尾紳路     | ①級
cp932          | 藤沢里菜     | 髙橋
euc-jp         | 井山裕太     | ひらがな
EUC_JP         | 張豊猷       | カタカナ
iso-2022-jp    | 棋聖戦       | 名人
euc-kr         | 이세돌       | 박정환
ks_c_5601-1987 | 신진서       | 바둑
cp949          | 펲시         | 이창호
"""
"""An encoding as files name it, and two names in it."""


def rows(table: str) -> list[list[str]]:
    return [[part.strip() for part in row.split("|")] for row in table.strip().splitlines()]


@pytest.mark.parametrize("row", rows(NAMED), ids=lambda row: row[0])
def test_what_a_file_names_is_what_it_is_read_as(row: list[str]) -> None:
    name, black, white = row
    codec = {"big5-hkscs": "big5hkscs", "MS_KANJI": "cp932", "GB": "gbk", "Big-5": "big5", "x-sjis": "cp932"}.get(
        name, name
    )
    data = (GAME % (name, black, white, "")).encode(codec)
    assert sgf.loads(data).players == (black, white)
    assert decoded(data, "sgf").warning == ""


UNNAMED = """
shift_jis | 井山裕太   | 芝野虎丸   | 第44期棋聖戦
shift_jis | 本因坊秀策 | 井上幻庵因碩 |
shift_jis | 能登ソニー | 表千家     | 囲碁]十段
gbk       | 柯洁       | 古力       | 围棋甲级联赛第5轮
gbk       | 胡煜清     | 马天放     | 黑胜2又3/4子
gbk       | 周睿羊     | 芮乃伟     |
big5      | 周俊勳     | 林至涵     | 第五屆應氏杯
big5      | 黑嘉嘉     | 許功蓋     |
euc_jp    | 井山裕太   | 山下敬吾   | 名人戦リーグ
euc_jp    | 高尾紳路   | 羽根直樹   |
euc_kr    | 이세돌     | 박정환     | 삼성화재배 결승
euc_kr    | 신진서     | 변상일     |
cp1251    | Иван Петров | Александр Динерштейн | Москва
koi8_r    | Иван Петров | Александр Динерштейн | Москва
cp1252    | José García | Müller    | Société de Go
cp1252    | René       | Ünal       |
"""


@pytest.mark.parametrize("row", rows(UNNAMED), ids=lambda row: f"{row[0]}-{row[1]}")
@pytest.mark.parametrize("named", ["", "ascii", "UTF-8", "iso-8859-1", "Windows-1252", "punycode"])
def test_what_a_file_does_not_name_rightly_is_recognised(row: list[str], named: str) -> None:
    codec, black, white, event = row
    data = (GAME % (named, black, white, event.replace("]", "\\]"))).encode(codec)
    record = sgf.loads(data)
    assert (record.players, record.properties.get("EV", "")) == ((black, white), event) and len(record.moves) == 2
    warning = decoded(data, "sgf").warning
    assert ("guess" in warning) is (codec != "cp1252" or named == "punycode")
    assert not warning or (named or "names no encoding") in warning


@pytest.mark.parametrize("row", rows(UNNAMED), ids=lambda row: f"{row[0]}-{row[1]}")
def test_other_formats(row: list[str]) -> None:
    codec, black, white, _ = row
    assert psq.loads(f"Piskvorky 15x15, 11:11, 0\n8,8,0\n{black}\n{white}\n0\n".encode(codec)).players == (black, white)
    assert ggf.loads(f"(;GM[Othello]PB[{black}]PW[{white}]B[f5];)".encode(codec)).players == (black, white)
    assert text.loads(f"game: gomoku\nblack: {black}\nwhite: {white}\nmoves: h8\n".encode(codec)).players == (
        black,
        white,
    )


PLAYERS = {
    "cp932": "岸田文雄 黒澤明 宮崎駿 村上春樹 羽生善治 藤井聡太 渡辺明 豊島将之 谷川浩司 菅井竜也 夏目漱石 三島由紀夫 手塚治虫",
    "euc_jp": "岸田文雄 黒澤明 宮崎駿 村上春樹 羽生善治 藤井聡太 渡辺明 豊島将之 谷川浩司 菅井竜也 夏目漱石 三島由紀夫 手塚治虫",
    "gb18030": "刘德华 姚明 章子怡 莫言 余华 贾平凹 钱钟书 沈从文 张艺谋 陈凯歌 冯小刚 葛优 令狐冲 韦小宝 王天一 郑惟桐 赵鑫鑫 许银川",
    "cp950": "周杰倫 林志玲 侯孝賢 楊德昌 郭台銘 張忠謀 鄧麗君 羅大佑 李宗盛 蕭敬騰 盧廣仲 魏德聖 戴資穎 王建民 林書豪",
    "cp949": "손흥민 김연아 박지성 류현진 추신수 봉준호 박찬욱 송강호 최민식 전지현 이영애 배용준 유재석 임요환 이상혁",
}
"""People who are no players: the tables of characters were not made with them."""


@pytest.mark.parametrize("codec", PLAYERS)
def test_two_names_are_mostly_enough(codec: str) -> None:
    names = PLAYERS[codec].split()
    pairs = [(one, other) for one in names for other in names if one < other]
    right = sum(sgf.loads((GAME % ("", *pair, "")).encode(codec)).players == pair for pair in pairs)
    assert right >= 0.95 * len(pairs), f"{right} of {len(pairs)}"


@pytest.mark.parametrize(
    "word", ["René", "Müller", "Ø", "naïve", "MÜLLER", "Große Straße", "5½", "– 5p", "Peón", "Ünal", "É"]
)
def test_one_word_of_latin_letters_stays_latin(word: str) -> None:
    data = (GAME % ("", word, "x", "")).encode("cp1252")
    assert sgf.loads(data).players[0] == word and decoded(data, "sgf").warning == ""
    assert sgf.loads((GAME % ("gb2312", word, "x", "")).encode()).players[0] == word


def test_two_bytes_a_letter_without_a_mark() -> None:
    for codec in ("utf-16-le", "utf-16-be", "utf-16"):
        assert sgf.loads((GAME % ("", "柯洁", "é", "")).encode(codec)).players == ("柯洁", "é")


def test_wrong_bytes_spoil_only_themselves() -> None:
    data = (GAME % ("gbk", "柯洁", "聂卫平", "x")).encode("gbk").replace(b"EV[x", b"EV[\xff\xff x")
    assert sgf.loads(data).players == ("柯洁", "聂卫平")


STRANGE = (
    "punycode idna undefined unicode_escape raw_unicode_escape rot13 rot_13 base64 hex uu quopri zlib bz2 utf-7 mbcs oem "
    "palmos string_escape utf_16 utf-32 charmap ../../x os None \x00 \xff"
).split(" ")


@pytest.mark.parametrize("name", STRANGE)
def test_encodings_not_in_use(name: str) -> None:
    assert codec_of(name) is None
    data = (GAME % (name, "柯洁", "古力", "")).encode()
    assert sgf.loads(data).players == ("柯洁", "古力")
    assert sgf.loads((GAME % (name, "René", "x", "")).encode("latin-1")).players == ("René", "x")


HOSTILE = {
    "one letter": b"\xe9" * 400_000,
    "letters and points": b"\xe9-" * 200_000,
    "all bytes": bytes(byte for byte in range(128, 256)) * 3_000,
    "ascii, then one": b"a" * 400_000 + b"\xe9",
    "escapes": b"\x1b$B" * 130_000,
    "tildes": b"~{\xb0" * 130_000,
    "valid": "é".encode() * 200_000,
    "one of each line": b"a\xe9 \n" * 100_000,
    "names of encodings": b"CA\\[" * 100_000,
}


@pytest.mark.parametrize("name", ["", "punycode", "idna", "iso-2022-jp", "hz", "gb18030", "johab", "zlib", "a" * 90])
def test_hostile_text_costs_little(name: str) -> None:
    for what, content in HOSTILE.items():
        start = time.process_time()
        try:
            assert sgf.loads(b"(;SZ[9]CA[" + name.encode() + b"]C[" + content + b" ];B[aa])").moves, what
        except RecordError:
            assert name in ("iso-2022-jp", "hz"), what  # an escape without its end takes the rest of the file
        assert time.process_time() - start < 0.5, what


@pytest.mark.parametrize("codec", [*GUESSED, "utf_8", "johab", "hz", "iso2022_jp", "iso2022_kr", "big5hkscs"])
def test_every_encoding_takes_time_in_proportion(codec: str) -> None:
    for content in HOSTILE.values():
        start = time.process_time()
        assert isinstance(decode_as(content * 5, codec), str)
        assert time.process_time() - start < 0.5


def test_convert_and_loadsgf_answer_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What hung for hours: 400 kB of punycode."""
    data = b"(;GM[1]SZ[9]CA[punycode]PB[x]C[" + b"\xe9" * 400_000 + b"-a];B[cg])"
    (tmp_path / "a.sgf").write_bytes(data)
    start = time.process_time()
    assert cli.main(["convert", str(tmp_path / "a.sgf"), "-", "--format", "text"]) == 0
    output, errors = capsys.readouterr()
    assert output == "game: go\nsize: 9x9\nblack: x\nmoves: C3\n" and errors.count("\n") == 1
    assert "an encoding that is not in use, 'punycode'" in errors and "--encoding NAME corrects it" in errors
    assert say("loadsgf a.sgf", config=Config(file_root=str(tmp_path))) == ["="]
    assert time.process_time() - start < 1


def test_convert_is_told_the_encoding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.sgf"
    path.write_bytes((GAME % ("", "啊", "x", "")).encode("gbk"))
    words = ["convert", str(path), "-", "--format", "text", "--encoding"]
    assert cli.main([*words, "GBK"]) == 0
    output, errors = capsys.readouterr()
    assert "black: 啊\n" in output and errors == ""
    assert cli.main([*words, "punycode"]) == 2
    assert "unknown encoding 'punycode'" in capsys.readouterr().err


def test_files_of_other_programs(shared: Shared) -> None:
    for name, players in (
        ("japanese", ("井山 裕太", "山下 敬吾")),
        ("chinese", ("古力", "柯洁")),
        ("korean", ("이세돌", "박정환")),
    ):
        data = shared(f"data/go/sabaki_sgf/{name}.sgf").read_bytes()
        assert sgf.loads(data).players == players
        start, _, rest = data.partition(b"CA[")
        assert sgf.loads(start + rest.partition(b"]")[2]).players == players


@pytest.mark.parametrize("data", [b"", b"\xff", b"\x80\x81", b"\xfe\xff", b"\0\0\0\0", b"\x1b$B", "é".encode()])
def test_few_bytes(data: bytes) -> None:
    assert isinstance(decode(data, "iso-2022-jp").text, str) and isinstance(decode(data).text, str)
