"""The addresses of the page: its files, and what it asks of games and photos, as JSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from tengen.engine import records
from tengen.tools.arguments import sentence
from tengen.tools.web import actions
from tengen.tools.web.address import Address
from tengen.tools.web.answers import download
from tengen.tools.web.catalogue import catalogue
from tengen.tools.web.guard import Guard
from tengen.tools.web.photo_routes import PhotoRoutes
from tengen.tools.web.request_body import RECORD_BYTES, Refused, Uploads, body_of, name_of, values_of
from tengen.tools.web.session_pool import SessionPool
from tengen.tools.web.view import view_of

TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
PULSE_SECONDS = 15
Answer = Callable[[Request], Awaitable[Response]]


def make_app(pool: SessionPool, address: Address) -> ASGIApp:
    """The whole server, behind its guard."""
    page = Page(pool)
    routes = [
        Route("/", static),
        Route("/static/{name}", static),
        Route("/api/games", guarded(page.games)),
        Route("/api/tables", guarded(page.begin), methods=["POST"]),
        Route("/api/files", guarded(page.drop), methods=["POST"]),
        Route("/api/saved", guarded(page.saved)),
        Route("/api/saved/{name}", guarded(page.open_saved), methods=["POST"]),
        Route("/api/saved/{name}", guarded(page.delete_saved), methods=["DELETE"]),
        *photo_routes(PhotoRoutes(pool, page.uploads)),
        Route("/api/tables/{id}", guarded(page.view)),
        Route("/api/tables/{id}/events", guarded(page.events)),
        Route("/api/tables/{id}/record", guarded(page.record)),
        Route("/api/tables/{id}/{action}", guarded(page.act), methods=["POST"]),
    ]
    handlers: dict[Any, Any] = {HTTPException: _no_such, Exception: _broken}
    return Guard(Starlette(routes=routes, exception_handlers=handlers), address)


def photo_routes(photos: PhotoRoutes) -> list[Route]:
    """The addresses of photos."""
    one = "/api/photos/{id}"
    return [
        Route("/api/photos", guarded(photos.add), methods=["POST"]),
        Route(one, guarded(photos.view)),
        Route(one, guarded(photos.forget), methods=["DELETE"]),
        Route(f"{one}/picture", guarded(photos.picture)),
        Route(f"{one}/file", guarded(photos.file)),
        Route(f"{one}/read", guarded(photos.read), methods=["POST"]),
        Route(f"{one}/point", guarded(photos.point), methods=["POST"]),
        Route(f"{one}/advice", guarded(photos.advise), methods=["POST"]),
        Route(f"{one}/play", guarded(photos.play), methods=["POST"]),
    ]


def guarded(answer: Answer) -> Answer:
    """What goes wrong as one sentence in JSON."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except Refused as error:
            return JSONResponse({"error": str(error)}, error.code)
        except (ValueError, OSError, ImportError) as error:
            return JSONResponse({"error": sentence(error)}, 400)

    return answered


async def static(request: Request) -> Response:
    """A file of the page."""
    name = request.path_params.get("name", "index.html")
    ending = name[name.rfind(".") :]
    found = files("tengen.tools.web").joinpath("static", name)
    if ending not in TYPES or "/" in name or "\\" in name or not found.is_file():
        return JSONResponse({"error": "there is no such page"}, 404)
    return Response(found.read_bytes(), media_type=TYPES[ending])


class Page:
    """What the page asks for."""

    def __init__(self, pool: SessionPool) -> None:
        self._pool = pool
        self.uploads = Uploads()

    async def games(self, request: Request) -> Response:
        """What can be played."""
        return JSONResponse(await run_in_threadpool(catalogue, self._pool.programs))

    async def begin(self, request: Request) -> Response:
        """A new game."""
        wish = actions.wish_of(await values_of(request))
        return await self._shown(lambda: self._pool.new(wish))

    async def drop(self, request: Request) -> Response:
        """A game from a file."""
        async with self.uploads.place():
            data = await body_of(request, RECORD_BYTES)
        name = name_of(request)
        return await self._shown(lambda: self._pool.of_record(_first(data, name)))

    async def saved(self, request: Request) -> Response:
        """The games of the folder."""
        return JSONResponse(await run_in_threadpool(self._pool.saved.listed))

    async def open_saved(self, request: Request) -> Response:
        """Look at one of them."""
        name = request.path_params["name"]
        return await self._shown(lambda: self._pool.saved_game(name))

    async def delete_saved(self, request: Request) -> Response:
        """Delete one of them."""
        await run_in_threadpool(self._pool.saved.delete, request.path_params["name"])
        return JSONResponse({})

    async def view(self, request: Request) -> Response:
        """A game as it is."""
        return await self._shown(lambda: self._pool.find(request.path_params["id"]))

    async def act(self, request: Request) -> Response:
        """Something is done with a game."""
        session = self._pool.find(request.path_params["id"])
        action = actions.ACTIONS.get(request.path_params["action"])
        if action is None:
            raise Refused(404, "there is no such action")
        values = await values_of(request)

        def done() -> dict[str, Any]:
            action(self._pool, session, values)
            self._pool.keep(session)
            view = view_of(session)
            session.tell("view", view)
            return view

        return JSONResponse(await run_in_threadpool(done))

    async def record(self, request: Request) -> Response:
        """The game as a file."""
        session = self._pool.find(request.path_params["id"])
        form = request.query_params.get("format") or session.table.extension[1:]
        text = await run_in_threadpool(actions.record_text, session, form)
        return download(text, f"{session.name}.{form}")

    async def events(self, request: Request) -> Response:
        """What happens with a game, as it happens."""
        session = self._pool.find(request.path_params["id"])
        loop, queue = asyncio.get_running_loop(), asyncio.Queue[tuple[str, dict[str, Any]]](64)

        def put(item: tuple[str, dict[str, Any]]) -> None:
            if queue.full():
                queue.get_nowait()  # who reads slowly misses what is old
            queue.put_nowait(item)

        def tell(kind: str, values: dict[str, Any]) -> None:
            with suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(put, (kind, values))

        leave = session.listen(tell)

        async def sent() -> AsyncIterator[str]:
            try:
                yield _event("view", await run_in_threadpool(view_of, session))
                while not session.is_closed:
                    try:
                        kind, values = await asyncio.wait_for(queue.get(), PULSE_SECONDS)
                        yield _event(kind, values)
                    except TimeoutError:
                        yield ": still here\n\n"
            finally:
                leave()

        return StreamingResponse(sent(), media_type="text/event-stream")

    async def _shown(self, find: Callable[[], Any]) -> Response:
        view = await run_in_threadpool(lambda: view_of(find()))
        return JSONResponse(view)


def _first(data: bytes, name: str) -> records.Record:
    if not data.strip():
        raise records.RecordError(f"'{name}' is empty")
    return records.read(data, name)


def _event(kind: str, values: dict[str, Any]) -> str:
    return f"event: {kind}\ndata: {json.dumps(values)}\n\n"


async def _no_such(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "there is no such page"}, getattr(error, "status_code", 404))


async def _broken(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": f"something went wrong ({type(error).__name__})"}, 500)
