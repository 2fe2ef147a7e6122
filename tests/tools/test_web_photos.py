"""Photos on the page: read, corrected, read again, written as the command writes them, bounded and forgotten."""

from __future__ import annotations

import io
import json
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import Browser
from web_server import Server, running

from tengen.tools import cli

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("cv2")
pytest.importorskip("openvino")

PICTURES = 20
"""Of the shared photos."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    yield from running(tmp_path_factory.mktemp("games"), "--threads", "1", "--memory", "80")


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Boards that were drawn: board.jpg has 19 lines, end.jpg is a finished game on 9."""
    from readme_photos import draw_boards

    folder = tmp_path_factory.mktemp("pictures")
    draw_boards(folder)
    return folder


def sent(server: Server, path: Path) -> dict[str, Any]:
    return server.post("/api/photos", path.read_bytes(), X_Name=path.name)


def by_command(path: Path, out: Path) -> bytes | None:
    """The SGF that `tengen photo` writes of a picture; None where it finds no board."""
    code = cli.main(["photo", str(path), "-o", str(out), "--format", "sgf"])
    return out.read_bytes() if code in (0, 1) else None


def test_a_photo_is_read_as_by_the_command(server: Server, pictures: Path, tmp_path: Path) -> None:
    photo = sent(server, pictures / "board.jpg")
    assert photo["reading"]["size"] == 19 and photo["boards"] == 1 and not photo["error"]
    code, headers, data = server.ask("GET", f"/api/photos/{photo['id']}/file?format=sgf")
    assert code == 200 and data == by_command(pictures / "board.jpg", tmp_path / "a.sgf")
    assert headers["content-disposition"] == 'attachment; filename="board.sgf"'
    code, headers, data = server.ask("GET", f"/api/photos/{photo['id']}/picture")
    assert headers["content-type"] == "image/jpeg" and data[:2] == b"\xff\xd8"
    for form in ("txt", "json", "gtp"):
        assert server.ask("GET", f"/api/photos/{photo['id']}/file?format={form}")[0] == 200
    assert b"one sentence" not in server.ask("GET", f"/api/photos/{photo['id']}/file?format=psq")[2]
    assert server.ask("GET", f"/api/photos/{photo['id']}/file?format=psq")[0] == 400
    assert server.ask("DELETE", f"/api/photos/{photo['id']}")[0] == 200
    assert server.ask("GET", f"/api/photos/{photo['id']}")[0] == 404


def test_a_point_is_changed_and_the_corners_are_moved(server: Server, pictures: Path) -> None:
    photo = sent(server, pictures / "end.jpg")
    path = f"/api/photos/{photo['id']}"
    assert photo["reading"]["rows"][0] == "..XXO...."
    changed = server.post(f"{path}/point", {"row": 0, "column": 0, "stone": 2})
    assert changed["reading"]["rows"][0] == "O.XXO...." and changed["reading"]["edited"] == ["A9"]
    assert b"AW[aa]" in server.ask("GET", f"{path}/file?format=sgf")[2]
    again = server.post(f"{path}/read", {"corners": photo["corners"]})
    assert again["reading"]["rows"] == photo["reading"]["rows"]
    other = server.post(f"{path}/read", {"game": "gomoku", "size": "15"})
    assert other["error"] or other["reading"]["size"] == 15
    code, _, body = server.ask("POST", f"{path}/read", {"corners": [[0, 0], [0, 0], [0, 0], [0, 0]]})
    assert code == 400 and "corners" in json.loads(body)["error"]
    for wrong in ({"corners": [[0, 0]]}, {"corners": "x"}, {"size": "77"}, {"game": "chess"}, {"part": "nowhere"}):
        assert server.ask("POST", f"{path}/read", wrong)[0] == 400
    assert server.ask("POST", f"{path}/point", {"row": 18, "column": 0, "stone": 1})[0] == 400
    assert server.ask("POST", f"{path}/point", {"row": 99, "column": 0, "stone": 1})[0] == 400


def test_score_best_move_and_playing_on(server: Server, pictures: Path) -> None:
    photo = sent(server, pictures / "end.jpg")
    path = f"/api/photos/{photo['id']}"
    assert "+" in server.post(f"{path}/advice", {"what": "score"})["said"]
    view = server.post(f"{path}/play", {"next": "w"})
    assert view["game"] == "go" and view["toMove"] == 1 and "X" in view["cells"]
    server.post(f"/api/tables/{view['id']}/play", {"move": view["legal"][0]})


def hostile() -> dict[str, bytes]:
    """Files that are no pictures, or that cost too much."""
    from PIL import Image

    def png(width: int, height: int) -> bytes:
        out = io.BytesIO()
        Image.new("1", (width, height)).save(out, "PNG")
        return out.getvalue()

    small = png(300, 300)
    return {
        "empty": b"",
        "text": b"<script>alert(1)</script>",
        "svg": b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
        "cut": small[: len(small) // 2],
        "tiny": png(4, 4),
        "strip": png(3000, 50),
        "bomb": png(20_000, 20_000),
        "noise": random.Random(1).randbytes(10_000),
        "lying": b"\xff\xd8\xff\xe0" + bytes(100),
    }


def test_hostile_files_get_one_sentence(server: Server) -> None:
    for kind, data in hostile().items():
        code, _, body = server.ask("POST", "/api/photos", data, X_Name="%3Cimg%20src%3Dx%3E.png")
        said = json.loads(body).get("error", "")
        assert code == 400 and said and "\n" not in said and "Traceback" not in said, (kind, code, body)
    code, _, body = server.ask("POST", "/api/photos", None, Content_Length=str(50 << 20))
    assert code == 413 and b"larger than 40 MB" in body
    assert server.ask("GET", "/api/games")[0] == 200


def test_many_at_once_are_bounded(server: Server) -> None:
    """A hundred at once, of no board: some are read, the others are asked to come again; six are held at most."""
    from PIL import Image

    out, found = io.BytesIO(), list[tuple[int, str]]()
    Image.new("RGB", (200, 200), (120, 110, 100)).save(out, "JPEG")
    data = out.getvalue()

    def send() -> None:
        try:
            code, _, body = server.ask("POST", "/api/photos", data, X_Name="a.jpg")
            found.append((code, json.loads(body).get("id", "")))
        except OSError:
            found.append((0, ""))

    threads = [threading.Thread(target=send) for _ in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    codes = [code for code, _ in found]
    assert codes.count(200) >= 1 and set(codes) <= {0, 200, 503}
    for _ in range(7):
        server.post("/api/photos", data, X_Name="b.jpg")
    held = [key for code, key in found if code == 200 and server.ask("GET", f"/api/photos/{key}")[0] == 200]
    assert not held


@pytest.mark.slow
def test_a_wrong_point_is_mended_in_two_clicks(server: Server, pictures: Path, tmp_path: Path) -> None:
    """In a real browser: the picture chosen, a point clicked twice, the game gone on with."""
    browser = Browser(tmp_path / "profile")
    try:
        browser.open(f"http://127.0.0.1:{server.port}/")
        browser.until("document.querySelector('#board svg *') !== null")
        browser.choose_file("#file", pictures / "end.jpg")
        browser.until("document.querySelectorAll('#photo-picture g').length === 81")
        assert browser.run("document.getElementById('photo-status').textContent").startswith("go 9 × 9")
        place = "(() => { const box = document.querySelector('#photo-picture g circle').getBoundingClientRect(); "
        place += "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        read = "document.getElementById('photo-status').textContent"
        black, white = (int(word) for word in browser.run(f"{read}.match(/\\d+(?= (black|white))/g)"))
        for count in (f"{black + 1} black, {white} white", f"{black} black, {white + 1} white"):
            browser.click(*browser.run(place))
            browser.until(f"{read}.includes({count!r})")
        handle = "(() => { const box = document.querySelector('.corner').getBoundingClientRect(); "
        handle += "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        x, y = browser.run(handle)
        for kind, dx in (("mousePressed", 0), ("mouseMoved", 6), ("mouseReleased", 6)):
            browser.call("Input.dispatchMouseEvent", type=kind, x=x + dx, y=y, button="left", buttons=1, clickCount=1)
        browser.until(f"{read}.includes('{black} black, {white} white')")  # read again, without what was clicked
        browser.run(
            "[...document.querySelectorAll('#photo-room button')].find(one => one.textContent === 'Play from here').click()"
        )
        browser.until("document.getElementById('photo-room').hidden && !document.querySelector('main').hidden")
        assert browser.run("document.querySelectorAll('#board svg circle[r=\"0.46\"]').length") > 30
        assert not browser.console, browser.console
    finally:
        browser.close()


@pytest.mark.slow
def test_shared_photos_give_the_files_of_the_command(
    server: Server, shared: Callable[[str], Path], tmp_path: Path
) -> None:
    paths = sorted(shared("photos/dev").glob("*.jpg"))[:PICTURES]
    assert len(paths) == PICTURES
    for path in paths:
        photo = sent(server, path)
        wanted = by_command(path, tmp_path / f"{path.stem}.sgf")
        code, _, data = server.ask("GET", f"/api/photos/{photo['id']}/file?format=sgf")
        assert (data if code == 200 else None) == wanted, path.name
