"""Where the page is: on this machine alone, or with a key on this network too; the address as a QR code in letters."""

from __future__ import annotations

import io
import secrets
import socket
from typing import NamedTuple

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class Address(NamedTuple):
    """host: what is printed. key: what every request needs, "" on this machine alone."""

    host: str
    port: int
    key: str = ""

    @classmethod
    def of(cls, port: int, *, is_lan: bool) -> Address:
        """That of a server that listens on this port; with a new key where others may reach it."""
        return cls(_own_host(), port, secrets.token_urlsafe(18)) if is_lan else cls(LOOPBACK[0], port)

    @property
    def text(self) -> str:
        """To type, to click or to scan."""
        return self._with(self.host)

    @property
    def local(self) -> str:
        """The same for a browser of this machine."""
        return self._with(LOOPBACK[0])

    def is_own(self, host: str) -> bool:
        """Whether a request's Host names this server. Other names that lead here are another site's trick."""
        name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
        name, port = (name, port) if name else (host, "80")
        return port == str(self.port) and name.lower() in (*LOOPBACK, *([self.host] if self.key else []))

    def _with(self, host: str) -> str:
        return f"http://{host}:{self.port}/" + (f"?key={self.key}" if self.key else "")


def qr_text(text: str) -> str:
    """A QR code of half blocks, for phones to scan from the terminal."""
    import segno

    out = io.StringIO()
    segno.make(text, error="l").terminal(out, compact=True, border=2)
    return out.getvalue()


def _own_host() -> str:
    """The address that this machine has on its network; the loopback's where it has none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return LOOPBACK[0]
