"""Yixin-Board's databases: there are none here. Every command gets one MESSAGE, and no file is touched."""

from __future__ import annotations

from tengen.protocols.gomocup.framing import Request
from tengen.protocols.gomocup.handler import Gomocup
from tengen.protocols.gomocup.registry import command

LINES = """
YXSETDATABASE YXSAVEDATABASE YXDBTOTXT YXDBTOTXTALL YXLIBTODB YXDBTOLIB YXTXTTODB YXDBSPLIT YXDBMERGE YXDBCHECK YXDBFIX
YXHASHDUMP YXHASHLOAD
""".split()
BLOCKS = """
YXQUERYDATABASEALL YXQUERYDATABASEONE YXQUERYDATABASETEXT YXQUERYDATABASEALLT YXEDITTVDDATABASE YXEDITTEXTDATABASE
YXEDITLABELDATABASE YXDELETEDATABASEONE YXDELETEDATABASEALL
""".split()


def unsupported(gomocup: Gomocup, request: Request) -> str:
    """Answer that it is not supported; no file is touched."""
    return f"MESSAGE {request.name.lower()} is not supported: this engine has no database"


command(*LINES, rule=False, board=False)(unsupported)
command(*BLOCKS, block=True, rule=False, board=False)(unsupported)
