"""What every request passes first: is it meant for this server, does it have the key, is it from this page, its size.

A page of another site that the same browser shows may send requests here, also under another name of this machine; it
cannot send them with this server's Host, the key, and this page's Origin at once.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tengen.tools.web.address import Address

COOKIE = "tengen_key"
SAFE = ("GET", "HEAD")
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' blob: data:; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'; object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Of every answer: nothing from elsewhere, no script in a text."""


class Guard:
    """Refuses what is not this page's own; adds HEADERS."""

    def __init__(self, app: ASGIApp, address: Address) -> None:
        self._app, self._address = app, address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message["headers"], *own]
            await send(message)

        answer = self._refusal(scope, headers)
        await (answer or self._app)(scope, receive, guarded)

    def _refusal(self, scope: Scope, headers: Mapping[str, str]) -> Response | None:
        """What is answered in place of the page; None where there is nothing to say against the request."""
        host = headers.get("host", "")
        if not self._address.is_own(host):
            return _refused(421, "this server is not the one that was asked for")
        if self._address.key:
            asked = parse_qs(scope["query_string"].decode("latin-1")).get("key", [""])[0]
            if not self._is_key(asked) and not self._is_key(_cookie(headers)):
                return _refused(403, "the address lacks the key that tengen web printed")
            if self._is_key(asked) and scope["path"] == "/":
                return self._entered()
        if scope["method"] not in SAFE and not _is_own_page(headers, host):
            return _refused(403, "only this page may do that")
        return None

    def _is_key(self, text: str) -> bool:
        return hmac.compare_digest(text.encode("utf-8", "replace"), self._address.key.encode())

    def _entered(self) -> Response:
        """The page by an address without the key, which the browser remembers for this server alone."""
        answer = RedirectResponse("/", 303)
        answer.set_cookie(COOKIE, self._address.key, httponly=True, samesite="lax", path="/")
        return answer


def _is_own_page(headers: Mapping[str, str], host: str) -> bool:
    """Whether a request that changes something is sent by this page. Programs send neither of these headers."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site", "same-origin")
    return origin in (None, f"http://{host}") and site in ("same-origin", "none")


def _cookie(headers: Mapping[str, str]) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _refused(code: int, sentence: str) -> Response:
    return JSONResponse({"error": sentence}, code)
