"""Answers that are files to keep."""

from __future__ import annotations

from starlette.responses import Response


def download(text: str, name: str) -> Response:
    """A text as a file to keep; browsers show no page of it."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text.encode("utf-8", "replace"), media_type="application/octet-stream", headers=headers)
