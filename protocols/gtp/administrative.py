"""Commands about the conversation itself."""

from __future__ import annotations

import time

from tengen.protocols.gtp.arguments import count
from tengen.protocols.gtp.framing import Request
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.registry import COMMANDS, command


@command("protocol_version")
def protocol_version(gtp: Gtp, request: Request) -> str:
    """Answer 2, the version of GTP."""
    return "2"


@command("name")
def name(gtp: Gtp, request: Request) -> str:
    """Answer the name of the engine (`--name`)."""
    return gtp.name


@command("version")
def version(gtp: Gtp, request: Request) -> str:
    """Answer the version of the engine (`--version-string`)."""
    return gtp.version


@command("known_command")
def known_command(gtp: Gtp, request: Request) -> str:
    """Answer whether the game in play has a command; no argument, or more than one, names no command."""
    known = COMMANDS.get(request.rest)
    return "true" if known is not None and known.serves(gtp.game) else "false"


@command("list_commands")
def list_commands(gtp: Gtp, request: Request) -> str:
    """Answer the commands of the game in play, one in a line."""
    return "\n".join(command.name for command in COMMANDS.values() if command.listed and command.serves(gtp.game))


@command("quit")
def quit_(gtp: Gtp, request: Request) -> str:
    """End the process; whatever runs ends within a second."""
    gtp.quitting = True
    return ""


@command("stop", "stop-ponder")
def stop(gtp: Gtp, request: Request) -> str:
    """End the analysis, which the line itself has done, and pondering (LizzieYzy)."""
    gtp.player.ponder_stop()
    return ""


@command("cputime", "gomill-cpu_time")
def cputime(gtp: Gtp, request: Request) -> str:
    """Answer the CPU seconds of the process, of all threads."""
    return f"{time.process_time():.3f}"


@command("gomill-describe_engine")
def describe_engine(gtp: Gtp, request: Request) -> str:
    """Answer name, game, rules and limits in several lines."""
    player = gtp.player
    fields = ("player", "level", "rank", "time", "playouts", "visits", "threads", "seed")
    lines = [
        f"{gtp.name} {gtp.version}",
        f"game {player.game.name}, rules {player.rules.name}",
        *(f"{field} {getattr(player.config, field)}" for field in fields),
    ]
    return "\n".join(lines)


@command("echo")
def echo(gtp: Gtp, request: Request) -> str:
    """Answer the argument, to test a connection (GNU Go)."""
    count(request, 0, 10_000)
    return "".join(char if char.isprintable() else "?" for char in request.rest)
