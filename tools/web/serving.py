"""The server's socket and loop: uvicorn, told to be quiet, on a socket that was bound before anything was said."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp

MOST_CONNECTIONS = 120
IDLE_SECONDS = 30


def listen(host: str, port: int | None, usual: int) -> socket.socket:
    """A socket on a port; where none is named on the usual one, else a free one. Raises OSError naming a taken port."""
    try:
        return _bound(host, usual if port is None else port)
    except OSError as error:
        if port is None:
            return _bound(host, 0)
        raise OSError(error.errno, error.strerror, f"port {port}") from None


def _bound(host: str, port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(MOST_CONNECTIONS)
    except OSError:
        made.close()
        raise
    return made


def serve(app: ASGIApp, bound: socket.socket) -> None:
    """Serve until the process is told to end."""
    import uvicorn

    config = uvicorn.Config(
        app, log_level="error", access_log=False, server_header=False, lifespan="off", ws="none", http="h11",
        timeout_keep_alive=IDLE_SECONDS, limit_concurrency=MOST_CONNECTIONS, timeout_graceful_shutdown=1,
    )  # fmt: skip
    uvicorn.Server(config).run(sockets=[bound])
