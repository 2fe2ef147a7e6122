"""The reference pages of the site, written from what the program declares: commands, protocols, settings, players.

Nothing of them is stored: `site.py` makes them whenever the site is built.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from tengen.engine.config import OPTIONS, Config
from tengen.engine.games import GAMES, get_game
from tengen.engine.options import Option, shown
from tengen.engine.play.options import options_of
from tengen.tools.dev import documents
from tengen.tools.gui_settings import GUIS
from tengen.tools.shell.described import Argument, Described, commands
from tengen.tools.shell.manual import ENVIRONMENT, EXIT_CODES

FOLDER = "reference"
EXAMPLES = 6
"""Command lines of the documents that the page of a command shows at most."""


class Protocol(NamedTuple):
    """One protocol: what it is called, the command that speaks it, the document about it, and its table of commands as
    "module:attribute"."""

    title: str
    command: str
    guide: str
    table: str

    @property
    def page(self) -> str:
        """Its page, below `FOLDER`."""
        return "/".join(("protocols", f"{self.command}.md"))


PROTOCOLS = (
    Protocol("GTP", "gtp", "gtp.md", "tengen.protocols.gtp.registry:COMMANDS"),
    Protocol("Gomocup", "gomocup", "gomocup.md", "tengen.protocols.gomocup.registry:COMMANDS"),
    Protocol("NBoard", "nboard", "nboard.md", "tengen.protocols.nboard.handler:COMMANDS"),
    Protocol("UCI", "uci", "uci.md", "tengen.protocols.uci.registry:COMMANDS"),
    Protocol("XBoard", "xboard", "xboard.md", "tengen.protocols.xboard.registry:COMMANDS"),
)


FAMILIES = {
    "gomocup": ("tengen.protocols.gomocup.handler",),
    "uci": ("tengen.protocols.uci.commands",),
}
"""Modules that register commands and that the package itself imports when a conversation begins."""


def pages() -> dict[str, str]:
    """Return the path of each page below `docs` -> its Markdown."""
    described = commands()
    made = {f"{FOLDER}/index.md": _index(described)}
    made |= {f"{FOLDER}/commands/{one.name}.md": _command(one) for one in described}
    made |= {f"{FOLDER}/{one.page}": _protocol(one) for one in PROTOCOLS}
    made |= {f"{FOLDER}/games/{name}.md": _game(name) for name in GAMES}
    made[f"{FOLDER}/settings.md"] = _settings()
    return made


def navigation() -> list[dict[str, Any]]:
    """Return the entries of the site's navigation for these pages."""
    return [
        {"Commands": [{f"tengen {one.name}": f"{FOLDER}/commands/{one.name}.md"} for one in commands()]},
        {"Protocols": [{one.title: f"{FOLDER}/{one.page}"} for one in PROTOCOLS]},
        {"Games": [{name.capitalize(): f"{FOLDER}/games/{name}.md"} for name in GAMES]},
        {"Settings": f"{FOLDER}/settings.md"},
    ]


# -- Markdown ---------------------------------------------------------------------------------------------------------


def plain(text: str) -> str:
    r"""Escape a text, so that Markdown shows its letters as they are, in a cell of a table as well; `code` stays code.

    >>> plain("a|b <c> *d* `e_f`")
    'a\\|b &lt;c> \\*d\\* <code>e&#95;f</code>'
    """
    parts = text.split("`")
    if len(parts) % 2 == 0:  # a lone one
        return _escaped(text)
    return "".join(code(part) if number % 2 else _escaped(part) for number, part in enumerate(parts))


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_\[\]|{}])", r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;"))


def code(text: str) -> str:
    """Return a text as code, in a cell of a table as well.

    >>> code("a|b")
    '<code>a&#124;b</code>'
    """
    letters = (f"&#{ord(letter)};" if letter in "&<>|*_`[]\\{}" else letter for letter in text)
    return f"<code>{''.join(letters)}</code>"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table; the cells are Markdown."""
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def said(function: Callable[..., Any]) -> str:
    """Return the first paragraph of a docstring as one line. Raises ValueError where there is none."""
    text = inspect.getdoc(function)
    if not text:
        raise ValueError(f"{function.__module__}.{function.__qualname__} has no docstring")
    return " ".join(text.partition("\n\n")[0].split())


def _guide(page: str) -> str:
    """A link to a document from a page two folders below `docs`."""
    return f"[{documents.title('docs/' + page)}](../../{page})"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _page(*parts: Iterable[str]) -> str:
    return "\n".join(line for part in parts for line in part)


# -- the commands -----------------------------------------------------------------------------------------------------


def _index(described: Sequence[Described]) -> str:
    linked = [(f"[tengen {one.name}](commands/{one.name}.md)", plain(_sentence(one.summary))) for one in described]
    spoken = [(f"[{one.title}]({one.page})", f"`tengen {one.command}`") for one in PROTOCOLS]
    games = [(f"[{name.capitalize()}](games/{name}.md)", ", ".join(get_game(name).players)) for name in GAMES]
    return _page(
        ["# Reference", ""],
        ["These pages are made from the program itself: they list what this version has.", ""],
        ["## Commands", "", *table(("command", "what it does"), linked)],
        ["## Protocols", "", *table(("protocol", "command"), spoken)],
        ["## Games", "", *table(("game", "players"), games)],
        ["[All settings](settings.md) that a configuration may hold.", ""],
        ["## Exit codes", "", *table(("code", "meaning"), EXIT_CODES.items())],
        ["## Environment", "", *table(("variable", "meaning"), ((code(n), plain(m)) for n, m in ENVIRONMENT.items()))],
    )


def _command(one: Described) -> str:
    arguments = [argument for argument in one.arguments if "--help" not in argument.names]
    rows = [(_names(argument), plain(argument.help)) for argument in arguments]
    return _page(
        [f"# tengen {one.name}", "", plain(_sentence(one.summary)), ""],
        ["```", *_usage(one.usage), "```", ""],
        table(("option", "what it does"), rows) if rows else (),
        _examples(one.name),
    )


def _names(argument: Argument) -> str:
    typed = [code(f"{name} {argument.metavar}".rstrip()) for name in argument.names]
    return ", ".join(typed) or code(argument.metavar)


def _usage(text: str) -> list[str]:
    """A usage in lines that break between its parts."""
    whole = re.sub(r"\[[^\[\]]*\]", lambda part: part[0].replace(" ", "\0"), text)
    lines = textwrap.wrap(whole, 88, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def _examples(name: str) -> Iterator[str]:
    """The command lines of the documents that call this command, each once, and the documents that have them."""
    found: dict[str, str] = {}
    for path in documents.pages():
        for line in documents.command_lines(path.read_text("utf-8")):
            typed = re.split(r"\s+#\s", line)[0].strip()
            if typed.split()[:2] == ["tengen", name]:
                found.setdefault(" ".join(typed.split()), path.relative_to(documents.root() / "docs").as_posix())
    if found:
        rows = dict(list(found.items())[:EXAMPLES])
        links = (_guide(page) for page in dict.fromkeys(rows.values()))
        yield from ("## Examples", "", "```sh", *rows, "```", "", f"From: {', '.join(links)}.", "")


# -- the protocols ----------------------------------------------------------------------------------------------------


def registry(one: Protocol) -> Mapping[str, Any]:
    """Return the commands of a protocol by their names, all of them registered."""
    module, _, attribute = one.table.partition(":")
    import_module(module.rpartition(".")[0])
    for family in FAMILIES.get(one.command, ()):
        import_module(family)
    known: Mapping[str, Any] = getattr(import_module(module), attribute)
    return known


def _protocol(one: Protocol) -> str:
    return _page(
        [f"# {one.title}: commands", ""],
        [f"[`tengen {one.command}`](../commands/{one.command}.md) knows these commands. "
         f"{_guide(one.guide)} describes the conversation.", ""],
        _families(registry(one)),
        _uci_options() if one.command == "uci" else (),
    )  # fmt: skip


def _families(known: Mapping[str, Any]) -> Iterator[str]:
    """The tables of a registry: one for each module, commands of the same function in one row."""
    functions = {name: getattr(entry, "function", entry) for name, entry in known.items()}
    modules = list(dict.fromkeys(function.__module__ for function in functions.values()))
    for module in modules:
        names: dict[tuple[str, str], list[str]] = {}
        for name in (name for name in known if functions[name].__module__ == module):
            remark = _remark(known[name])
            names.setdefault((said(functions[name]), remark), []).append(code(name))
        yield from (f"## {_title(module) if len(modules) > 1 else 'Commands'}", "")
        rows = [(", ".join(called), plain(text) + remark) for (text, remark), called in names.items()]
        yield from table(("command", "what it does"), rows)


def _title(module: str) -> str:
    """What a module's docstring calls its commands, without the full stop."""
    first = (inspect.getdoc(import_module(module)) or module).partition("\n\n")[0]
    return re.split(r"[.:;](?:\s|$)", " ".join(first.split()))[0]


def _remark(entry: Any) -> str:
    """For which games a command is, where not for all, and whether `list_commands` leaves it out."""
    games = getattr(entry, "games", ())
    parts = [f"{' and '.join(map(str.capitalize, games))} only"] if games else []
    parts += [] if getattr(entry, "listed", True) else ["not listed"]
    return f" *({', '.join(parts)})*" if parts else ""


def _uci_options() -> Iterator[str]:
    told = import_module("tengen.protocols.uci.commands").options  # the module whose options `uci` tells
    yield from ("## Options", "")
    yield from _options(told.options_for(Config(game=told.GAME)).values())


# -- settings and games -----------------------------------------------------------------------------------------------


def _options(options: Iterable[Option]) -> Iterator[str]:
    rows = ((code(one.name), code(shown(one.default) or "-"), plain(one.allowed), plain(one.doc)) for one in options)
    return table(("name", "default", "allowed", "what it does"), rows)


def _settings() -> str:
    return _page(
        ["# Settings", ""],
        ["A configuration (`--config FILE`, TOML) may hold these settings, and most of them are options of the "
         "commands that play. `tengen init` writes such a file. [Configuration](../configuration.md) explains them; "
         "the pages of the games have the settings of each search.", ""],
        _options(OPTIONS.values()),
    )  # fmt: skip


def _game(name: str) -> str:
    game = get_game(name)
    guis = {gui.name: gui.where for gui in GUIS}
    return _page(
        [f"# {name.capitalize()}: players and settings", ""],
        [f"Rules: {', '.join(map(code, game.rule_sets))}. The first player is the default.", ""],
        ["## Programs that play it", "", *table(("program", "where an engine is added"), (
            (plain(gui), plain(guis[gui].rstrip(":"))) for gui in game.conventions.guis))],
        *(_player(name, player) for player in game.players),
    )  # fmt: skip


def _player(name: str, player: str) -> Iterator[str]:
    """The settings of one player's search: those that `--set` takes."""
    game = get_game(name)
    entry = game.players[player]
    own = [option for option in options_of(game, player) if option.name not in OPTIONS]
    levels = f"Levels {min(entry.levels)} to {max(entry.levels)}. " if entry.levels else ""
    network = "It needs a network. " if entry.needs_network else ""
    yield from (f"## {player}", "", f"{levels}{network}`--set NAME=VALUE` sets:" if own else f"{levels}{network}", "")
    if own:
        yield from _options(own)
