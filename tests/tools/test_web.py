"""`tengen web`: the server of the page: who may ask, what is refused, games over its addresses."""

from __future__ import annotations

import http.client
import json
import re
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from checkout import needs_openvino
from web_server import Server, running

from tengen.tools import cli

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """On this machine alone."""
    yield from running(tmp_path_factory.mktemp("games"), "--threads", "1", "--memory", "80")


@pytest.fixture(scope="module")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """With --lan."""
    yield from running(tmp_path_factory.mktemp("lan"), "--lan", "--threads", "1", "--memory", "80")


PATHS = (
    ("GET", "/"), ("GET", "/static/main.js"), ("GET", "/api/games"), ("GET", "/api/saved"), ("POST", "/api/tables"),
    ("POST", "/api/files"), ("POST", "/api/photos"), ("GET", "/api/tables/x/events"), ("DELETE", "/api/saved/x.sgf"),
    ("GET", "/nothing"), ("PUT", "/"), ("OPTIONS", "/api/games"),
)  # fmt: skip


def test_nothing_listens_beyond_loopback(server: Server, open_server: Server) -> None:
    """Connections to the address that --lan would print are refused; those with --lan are not."""
    from tengen.tools.web.address import Address

    host = Address.of(server.port, is_lan=True).host
    if host.startswith("127."):
        pytest.skip("this machine has no network")
    with pytest.raises(OSError):
        socket.create_connection((host, server.port), 5)
    socket.create_connection((host, open_server.port), 5).close()


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_without_the_key_every_request_is_refused(open_server: Server, method: str, path: str) -> None:
    for wrong in ("", "?key=", "?key=wrong"):
        code, _, body = open_server.ask(method, path + wrong, b"{}" if method == "POST" else None)
        assert code == 403 and (method == "HEAD" or b"key" in body)
    assert open_server.ask(method, path, None, Cookie="tengen_key=wrong")[0] == 403


def test_the_key_opens_the_page(open_server: Server) -> None:
    code, headers, _ = open_server.ask("GET", f"/?key={open_server.key}")
    assert code == 303 and headers["location"] == "/" and "HttpOnly" in headers["set-cookie"]
    cookie = headers["set-cookie"].partition(";")[0]
    assert open_server.ask("GET", "/", None, Cookie=cookie)[0] == 200
    assert open_server.ask("GET", "/api/games", None, Cookie=cookie)[0] == 200


def test_other_pages_are_refused(server: Server) -> None:
    """Another site in the same browser: another name of this machine, another origin."""
    assert server.ask("GET", "/", None, Host=f"evil.example:{server.port}")[0] == 421
    assert server.ask("GET", "/api/saved", None, Host="127.0.0.1:1")[0] == 421
    assert server.ask("POST", "/api/tables", b"{}", Origin="http://evil.example")[0] == 403
    assert server.ask("POST", "/api/tables", b"{}", Origin="null")[0] == 403
    assert server.ask("POST", "/api/tables", b"{}", Sec_Fetch_Site="cross-site")[0] == 403
    assert server.ask("POST", "/api/tables", b"{}", Origin=f"http://127.0.0.1:{server.port}")[0] == 200


def test_answers_load_nothing_from_elsewhere(server: Server) -> None:
    code, headers, body = server.ask("GET", "/")
    assert code == 200 and headers["content-security-policy"].startswith("default-src 'self'")
    assert headers["x-content-type-options"] == "nosniff" and "server" not in headers
    static = Path(cli.__file__).parent / "web" / "static"
    for path in static.iterdir():
        told = re.findall(r"https?://[^\s\"'`)]+", path.read_text("utf-8"))
        assert all(address == "http://www.w3.org/2000/svg" for address in told), (path.name, told)
        assert path.name == "index.html" or server.ask("GET", f"/static/{path.name}")[0] == 200
    for path_text in ("/static/../app.py", "/static/%2e%2e%2fapp.py", "/static/..%5capp.py", "/static/none.js", "/x"):
        assert server.ask("GET", path_text)[0] == 404


FILES = [
    (b"", "is empty"),
    (b"\x89PNG\r\n\x1a\n" + bytes(100), ""),
    (b"(" * 100_000, ""),
    (b'[Event "<script>alert(1)</script>"]\n\n1. e4 e5 2. Ke8 *', "SGF"),
    (b"(;GM[1]SZ[99])", ""),
    (b"(;GM[1]SZ[19];B[zz])", ""),
]


@pytest.mark.parametrize(("data", "said"), FILES, ids=range(len(FILES)))
def test_files_that_are_no_games(server: Server, data: bytes, said: str) -> None:
    code, _, body = server.ask("POST", "/api/files", data, X_Name="%3Cscript%3E.sgf")
    values = json.loads(body)
    assert code in (200, 400), body
    if code == 400:
        assert said in values["error"] and "\n" not in values["error"] and "Traceback" not in values["error"]


def test_large_files_are_refused_before_they_are_read(server: Server) -> None:
    code, _, body = server.ask("POST", "/api/files", None, Content_Length=str(50 << 20))
    assert code == 413 and b"larger than 4 MB" in body
    assert server.ask("POST", "/api/tables", b"[" * 70_000)[0] == 413
    assert server.ask("POST", "/api/tables", b"[" * 60_000)[0] == 400


def test_a_hundred_files_at_once(server: Server) -> None:
    """Some are asked to come again; the server lives."""
    codes: list[int] = []

    def send() -> None:
        try:
            codes.append(server.ask("POST", "/api/files", b"(;GM[1]SZ[9];B[ee])", X_Name="a.sgf")[0])
        except OSError:
            codes.append(0)

    threads = [threading.Thread(target=send) for _ in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes.count(200) > 0 and set(codes) <= {0, 200, 503}
    assert server.ask("GET", "/api/games")[0] == 200


WRONG = [
    ({"game": "chses"}, "unknown game"),
    ({"game": 5}, "game is not a text"),
    ({"game": "go", "size": 900}, "size is not a whole number of 2 to 25"),
    ({"game": "chess", "size": 9}, "there is no board of 9"),
    ({"game": "go", "komi": "x"}, "komi is not a number"),
    ({"game": "go", "komi": float("nan")}, "komi is not a number"),
    ({"game": "go", "seats": [1]}, "seats are two"),
    ({"game": "go", "seats": [{"kind": "own", "player": "x"}, {}]}, "no such player"),
    ({"game": "go", "rules": "none-such"}, "rules"),
]


@pytest.mark.parametrize(("wish", "said"), WRONG, ids=range(len(WRONG)))
def test_wishes_that_make_no_sense(server: Server, wish: dict[str, Any], said: str) -> None:
    code, _, body = server.ask("POST", "/api/tables", wish)
    assert code == 400 and said.lower() in json.loads(body)["error"].lower()


PEOPLE = [{"kind": "person"}, {"kind": "person"}]


def test_a_game_is_looked_back_at_and_tried(server: Server) -> None:
    view = server.post("/api/tables", {"game": "chess", "seats": PEOPLE})
    path = f"/api/tables/{view['id']}"
    for text in ("e4", "e5", "Nf3"):
        view = server.post(f"{path}/play", {"text": text})
    assert view["moves"] == ["e4", "e5", "Nf3"] and view["last"] == [62, 45]
    view = server.post(f"{path}/show", {"ply": 1})
    view = server.post(f"{path}/play", {"text": "c5"})
    assert view["moves"] == ["e4", "c5"] and view["isTry"]
    assert server.ask("GET", f"{path}/record")[2].count(b"Nf3") == 1  # the game, not the try
    view = server.post(f"{path}/back", {})
    assert view["moves"] == ["e4", "e5", "Nf3"] and view["ply"] == 1 and not view["isTry"]
    view = server.post(f"{path}/undo", {})
    assert view["moves"] == ["e4", "e5"]
    view = server.post(f"{path}/resign", {})
    assert view["isOver"] and "Black wins" in view["status"]
    code, headers, body = server.ask("GET", f"{path}/record?format=pgn")
    assert code == 200 and b'Result "0-1"' in body and headers["content-disposition"].startswith("attachment")
    assert server.ask("POST", f"{path}/play", {"text": "e9"})[0] == 400
    assert server.ask("POST", f"{path}/fly", {})[0] == 404


def test_tengen_answers_hints_and_reviews(server: Server) -> None:
    seats = [{"kind": "person"}, {"kind": "own", "player": "random"}]
    view = server.post("/api/tables", {"game": "gomoku", "seats": seats})
    path = f"/api/tables/{view['id']}"
    server.post(f"{path}/play", {"text": "h8"})
    view = server.until(view["id"], "ply", 2)
    server.post(f"{path}/seat", {"side": 1, "kind": "person"})
    server.post(f"{path}/hint", {})
    end = time.monotonic() + 60
    while not view["info"] and time.monotonic() < end:
        time.sleep(0.1)
        view = json.loads(server.ask("GET", path)[2])
    assert view["info"]["lines"][0]["text"] and 0 <= view["info"]["win"] <= 1
    server.post(f"{path}/review", {"on": True})
    view = server.until(view["id"], "isReviewing", False)
    assert all(win is not None for win in view["graph"]) and view["lost"][0]["better"]


def test_a_rank_plays_go_and_changes_in_a_game(server: Server) -> None:
    needs_openvino()
    go, *others = json.loads(server.ask("GET", "/api/games")[2])
    assert go["name"] == "go" and go["ranks"][0] == "25k" and go["ranks"][-1] == "3d"
    assert not any(game["ranks"] for game in others)
    seats = [{"kind": "person"}, {"kind": "own", "rank": "9k"}]
    view = server.post("/api/tables", {"game": "go", "size": 9, "seats": seats})
    assert view["seats"][1] == {"kind": "own", "name": "Tengen puct 9k", "level": None, "rank": "9k"}
    path = f"/api/tables/{view['id']}"
    server.post(f"{path}/play", {"text": "c3"})
    server.until(view["id"], "ply", 2)
    for wish, strength in (({"rank": "2d"}, (None, "2d")), ({"level": 4}, (4, None)), ({"rank": [1]}, (None, None))):
        server.post(f"{path}/seat", {"side": 1, "kind": "own", "level": None, **wish})
        seat = json.loads(server.ask("GET", path)[2])["seats"][1]
        assert (seat["level"], seat["rank"]) == strength


@pytest.mark.timing
def test_a_named_program_plays(tmp_path: Path) -> None:
    """What --engine names may be chosen; the page can start nothing else."""
    command = (
        f"reversi=name=other cmd='{sys.executable} -m tengen.tools gtp --game reversi --player random --memory 80'"
    )
    for server in running(tmp_path, "--memory", "80", "--engine", command):
        games = json.loads(server.ask("GET", "/api/games")[2])
        assert {"name": "other", "levels": []} in next(game for game in games if game["name"] == "reversi")["players"]
        seats = [{"kind": "person"}, {"kind": "own", "player": "other"}]
        view = server.post("/api/tables", {"game": "reversi", "seats": seats})
        server.post(f"/api/tables/{view['id']}/play", {"text": "f5"})
        server.until(view["id"], "ply", 2)
        code, _, _ = server.ask("POST", "/api/tables", {"game": "go", "seats": seats})
        assert code == 400


def test_games_are_kept_and_gone_on_with(server: Server) -> None:
    view = server.post("/api/tables", {"game": "reversi", "seats": PEOPLE})
    server.post(f"/api/tables/{view['id']}/play", {"move": view["legal"][0]})
    names = [row["name"] for row in json.loads(server.ask("GET", "/api/saved")[2])]
    assert f"{view['id']}.sgf" in names and (server.folder / f"{view['id']}.sgf").exists()
    again = server.post(f"/api/saved/{view['id']}.sgf", {})
    assert again["moves"] and again["game"] == "reversi"
    assert server.ask("DELETE", f"/api/saved/{view['id']}.sgf")[0] == 200
    for name in ("..%2Fx.sgf", "%2Fetc%2Fpasswd", "x.sgf", ".sgf"):
        assert server.ask("DELETE", f"/api/saved/{name}")[0] in (400, 404)
        assert server.ask("POST", f"/api/saved/{name}", b"{}")[0] in (400, 404)


def test_events_tell_of_moves(server: Server) -> None:
    view = server.post("/api/tables", {"game": "gomoku", "seats": PEOPLE})
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", f"/api/tables/{view['id']}/events")
    answer = connection.getresponse()
    assert answer.readline() == b"event: view\n"
    server.post(f"/api/tables/{view['id']}/play", {"text": "h8"})
    while True:
        line = answer.readline()
        if line.startswith(b"data: ") and json.loads(line[6:])["moves"] == ["h8"]:
            break
    connection.close()


def test_the_oldest_game_is_closed(server: Server) -> None:
    first = server.post("/api/tables", {"game": "go", "size": 9, "seats": PEOPLE})
    for _ in range(9):
        server.post("/api/tables", {"game": "go", "size": 9, "seats": PEOPLE})
    assert server.ask("GET", f"/api/tables/{first['id']}")[0] == 404


def test_a_port_that_is_taken_is_one_sentence(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["web", "--port", str(server.port), "--no-browser"]) == 2
    assert f"port {server.port}" in (said := capsys.readouterr().err) and said.count("\n") == 1


@pytest.mark.parametrize(
    ("engine", "said"),
    [("x=y", "--engine takes GAME=COMMAND"), ("go=name=uct cmd=a", "'uct' is a player"), ("go=", "")],
)
def test_engines_that_make_no_sense(engine: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["web", "--no-browser", "--port", "0", "--engine", engine]) == 2
    assert said in (told := capsys.readouterr().err) and told.count("\n") == 1


def test_the_address_as_a_code() -> None:
    pytest.importorskip("segno")
    from tengen.tools.web.address import Address, qr_text

    address = Address.of(8765, is_lan=True)
    assert len(address.key) >= 20 and Address.of(1, is_lan=True).key != address.key
    rows = qr_text(address.text).splitlines()
    assert max(map(len, rows)) < 60 or "\x1b" in rows[0]
    assert not Address("127.0.0.1", 80).is_own("localhost:81") and Address("127.0.0.1", 80).is_own("localhost")
