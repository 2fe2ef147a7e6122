"""The report of a run: report.html, which works alone in any browser, and crosstable.csv.

Every text that comes from an engine or a file is escaped for where it stands: HTML by `escape`, the data of the boards
as JSON without any "<". The page forbids itself the network. Left out: live updates (write it again).
"""

from __future__ import annotations

import os
from pathlib import Path

from tengen.engine import files
from tengen.tools.match.report.data import collect
from tengen.tools.match.report.page import page
from tengen.tools.match.report.tables import crosstable_rows, csv_text

HTML, CSV = "report.html", "crosstable.csv"


def build(folder: Path) -> Path:
    """Write both files into the folder of a run and return the path of the page. Raises StoreError, OSError."""
    data = collect(folder)
    _replace(folder / CSV, csv_text(crosstable_rows(data)))
    _replace(folder / HTML, page(data))
    return folder / HTML


def _replace(path: Path, text: str) -> None:
    """A reader sees the old file or the new one, never half of one."""
    draft = path.with_name(path.name + ".new")
    with files.writing(path):
        draft.write_text(text, encoding="utf-8", errors="replace", newline="")
        os.replace(draft, path)
