"""The addresses of photos. The extra `photo` is imported when the first one comes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tengen.engine import extras
from tengen.tools.web.answers import download
from tengen.tools.web.request_body import PHOTO_BYTES, Refused, Uploads, body_of, name_of, text, values_of, whole
from tengen.tools.web.session_pool import SessionPool
from tengen.tools.web.view import view_of

if TYPE_CHECKING:
    from tengen.tools.web.photo_reading import Photos

NEXT = {"b": 0, "w": 1}
WISHES = ("game", "size", "part")


class PhotoRoutes:
    """What the page asks of photos."""

    def __init__(self, pool: SessionPool, uploads: Uploads) -> None:
        self._pool, self._uploads = pool, uploads
        self._known: Photos | None = None

    @property
    def _photos(self) -> Photos:
        """Raises Refused where the extra is missing."""
        if self._known is None:
            try:
                from tengen.tools.web.photo_reading import Photos
            except ImportError as error:
                raise Refused(501, extras.sentence("reading photos", error) or str(error)) from None
            self._known = Photos()
        return self._known

    async def add(self, request: Request) -> Response:
        """Read a picture; its place is kept until it is read."""
        async with self._uploads.place():
            data = await body_of(request, PHOTO_BYTES)
            wish = {key: request.query_params.get(key, "") for key in WISHES}
            photos = await run_in_threadpool(lambda: self._photos)
            return JSONResponse(await run_in_threadpool(photos.add, data, name_of(request), wish))

    async def view(self, request: Request) -> Response:
        """What was read."""
        return JSONResponse(await run_in_threadpool(self._photos.shown, _key(request), _board(request.query_params)))

    async def picture(self, request: Request) -> Response:
        """The picture as it is shown."""
        return Response(self._photos.find(_key(request)).jpeg, media_type="image/jpeg")

    async def read(self, request: Request) -> Response:
        """Read it again, with corners or with what somebody says of it."""
        values = await values_of(request)
        wish = {key: text(values, key) for key in WISHES}
        async with self._uploads.place():
            found = await run_in_threadpool(self._photos.read_again, _key(request), wish, _corners(values))
        return JSONResponse(found)

    async def point(self, request: Request) -> Response:
        """A person says what a point holds."""
        values = await values_of(request)
        row, column = (whole(values, key, 0, 18) for key in ("row", "column"))
        board, stone = whole(values, "board", 0, 99, 0), whole(values, "stone", 0, 2)
        return JSONResponse(await run_in_threadpool(self._photos.set_point, _key(request), board, row, column, stone))

    async def file(self, request: Request) -> Response:
        """The position as a file."""
        asked = request.query_params
        form = asked.get("format", "sgf")
        text_found = await run_in_threadpool(self._photos.text, _key(request), _board(asked), form, _next(asked))
        return download(text_found, f"board.{form}")

    async def advise(self, request: Request) -> Response:
        """The score, or the best move."""
        values = await values_of(request)
        what = text(values, "what")
        board = whole(values, "board", 0, 99, 0)
        async with self._uploads.place():
            said = await run_in_threadpool(self._photos.advice, _key(request), board, what, _next(values))
        return JSONResponse({"said": said})

    async def play(self, request: Request) -> Response:
        """Go on playing from the position."""
        values = await values_of(request)
        board = whole(values, "board", 0, 99, 0)

        def begun() -> dict[str, Any]:
            record = self._photos.record(_key(request), board, _next(values))
            return view_of(self._pool.of_record(record))

        return JSONResponse(await run_in_threadpool(begun))

    async def forget(self, request: Request) -> Response:
        """Delete it."""
        self._photos.forget(_key(request))
        return JSONResponse({})


def _key(request: Request) -> str:
    return str(request.path_params["id"])


def _board(values: Any) -> int:
    word = values.get("board", "0")
    if not (word.isascii() and word.isdigit() and len(word) < 3):
        raise Refused(400, "there is no such board")
    return int(word)


def _next(values: Any) -> int | None:
    """Who moves next: b, w, or nobody knows."""
    word = values.get("next") or ""
    if word not in ("", *NEXT):
        raise Refused(400, "next is b or w")
    return NEXT.get(word)


def _corners(values: dict[str, Any]) -> list[list[float]] | None:
    """Four pairs of numbers, or none. Raises Refused."""
    corners = values.get("corners")
    if corners is None:
        return None
    if isinstance(corners, list) and len(corners) == 4 and all(_is_place(corner) for corner in corners):
        return corners
    raise Refused(400, "corners are four places of the picture")


def _is_place(corner: Any) -> bool:
    return (
        isinstance(corner, list)
        and len(corner) == 2
        and all(isinstance(share, int | float) and math.isfinite(share) and -1 <= share <= 2 for share in corner)
    )
