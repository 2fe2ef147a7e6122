"""Bodies of requests: JSON and files, of bounded size and number, read within bounded time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import unquote

from starlette.requests import ClientDisconnect, Request

from tengen.engine.sentence import printable

JSON_BYTES = 64 << 10
RECORD_BYTES = 4 << 20
PHOTO_BYTES = 40 << 20
SECONDS = 60
UPLOADS = 4
"""Files that are taken at the same time; whoever comes then is asked to come again."""


class Refused(Exception):
    """A request that is not done; the message is one sentence, the code HTTP's."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class Uploads:
    """The places for files that are being taken."""

    def __init__(self) -> None:
        self._taken = 0

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """A place for one file. Raises Refused where all are taken."""
        if self._taken >= UPLOADS:
            raise Refused(503, "too many files at once: try again in a moment")
        self._taken += 1
        try:
            yield
        finally:
            self._taken -= 1


async def body_of(request: Request, limit: int) -> bytes:
    """The body of a request. Raises Refused for one that is too large or too slow."""
    told = request.headers.get("content-length", "0")
    too_large = Refused(413, f"the file is larger than {limit >> 20} MB" if limit >> 20 else "the request is too large")
    if not told.isdigit() or int(told) > limit:
        raise too_large
    parts, size = [], 0
    try:
        async with asyncio.timeout(SECONDS):
            async for part in request.stream():
                size += len(part)
                if size > limit:
                    raise too_large
                parts.append(part)
    except TimeoutError:
        raise Refused(408, "the file did not arrive in a minute") from None
    except ClientDisconnect:
        raise Refused(400, "the file did not arrive") from None
    return b"".join(parts)


async def values_of(request: Request) -> dict[str, Any]:
    """The JSON object of a request. Raises Refused."""
    data = await body_of(request, JSON_BYTES)
    try:
        values = json.loads(data or b"{}")
    except (ValueError, RecursionError):
        raise Refused(400, "the request is not JSON") from None
    if not isinstance(values, dict):
        raise Refused(400, "the request is not a JSON object")
    return values


def name_of(request: Request) -> str:
    """What the file that is sent is called, on one line, without folders."""
    name = printable(unquote(request.headers.get("x-name", "")), 120)
    return name.replace("\\", "/").rpartition("/")[2] or "the file"


def text(values: dict[str, Any], key: str, default: str = "") -> str:
    """A text of a request. Raises Refused."""
    value = values.get(key, default)
    if not isinstance(value, str) or len(value) > 500:
        raise Refused(400, f"{key} is not a text")
    return value


def whole(values: dict[str, Any], key: str, low: int, high: int, default: int | None = None) -> int:
    """A whole number of a request. Raises Refused."""
    value = values.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise Refused(400, f"{key} is not a whole number of {low} to {high}")
    return value
