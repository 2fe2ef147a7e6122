"""Completion scripts: for bash, zsh and fish. Each is written once and knows every command; TAB starts no program."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence

from tengen.tools.shell.described import Argument, Described

PROGRAMS = ("tengen",)
LEAST = 40
"""Characters of a help text that are always shown; a longer one ends with the first phrase after them."""


def bash(commands: Sequence[Described]) -> str:
    """Return the script for bash; files are completed where no word is known."""
    rows = [f"    {one.name}) words={shlex.quote(' '.join(_names(one.options)))} ;;" for one in commands]
    values = [
        f"    {'|'.join(shlex.quote(f'{one.name} {name}') for name in option.names)}) "
        f"words={shlex.quote(' '.join(option.values))} ;;"
        for one in commands for option in one.options if option.values
    ]  # fmt: skip
    names = " ".join([*(one.name for one in commands), "help", "--version", "--help"])
    return "\n".join([
        "# bash completion of tengen. Made by: tengen completion bash",
        "_tengen() {",
        '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"',
        '  local command="${COMP_WORDS[1]}" words=""',
        "  COMPREPLY=()",
        '  if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$command" = help ]; }; then',
        f'    COMPREPLY=($(compgen -W "{names}" -- "$current"))',
        "    return",
        "  fi",
        '  case "$command $previous" in',
        *values,
        "  esac",
        '  case "$command $COMP_CWORD" in',
        *(f"    '{one.name} 2') words={shlex.quote(' '.join(one.first))} ;;" for one in commands if one.first),
        "  esac",
        '  if [ "${current:0:1}" = - ]; then',
        '    case "$command" in',
        *("  " + row for row in rows),
        "    esac",
        "  fi",
        '  [ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$current"))',
        "}",
        *(f"complete -o bashdefault -o default -F _tengen {program}" for program in PROGRAMS),
    ]) + "\n"  # fmt: skip


def zsh(commands: Sequence[Described]) -> str:
    """Return the script for zsh: a file `_tengen` of its `fpath`, or text to `eval`."""
    listed = [f"    {shlex.quote(f'{one.name}:{one.summary}')}" for one in commands]
    cases: list[str] = []
    for one in commands:
        rows = [_of_zsh(option) for option in one.options]
        rows += [f"'1: :({' '.join(one.first)})'"] if one.first else []
        cases += [f"    {one.name}) _arguments -s {' '.join(rows)} '*:file:_files' ;;"]
    return "\n".join([
        "#compdef tengen",
        "# zsh completion of tengen. Made by: tengen completion zsh",
        "_tengen() {",
        "  local -a commands",
        "  commands=(",
        *listed,
        "    'help:the options of one command'",
        "  )",
        "  if (( CURRENT == 2 )) || { (( CURRENT == 3 )) && [[ $words[2] == help ]]; }; then",
        "    _describe command commands",
        "    return",
        "  fi",
        "  local command=$words[2]",
        "  shift words",
        "  (( CURRENT-- ))",
        "  case $command in",
        *cases,
        "  esac",
        "}",
        'if [ "$funcstack[1]" = "_tengen" ]; then _tengen "$@"; else compdef _tengen tengen; fi',
    ]) + "\n"  # fmt: skip


def fish(commands: Sequence[Described]) -> str:
    """Return the script for fish."""
    lines = ["# fish completion of tengen. Made by: tengen completion fish"]
    lines += [
        f"complete -c tengen -f -n __fish_use_subcommand -a {one.name} -d {_for_fish(one.summary)}" for one in commands
    ]
    lines += [
        f"complete -c tengen -f -n '__fish_seen_subcommand_from help' -a '{' '.join(one.name for one in commands)}'"
    ]
    for one in commands:
        seen = f"complete -c tengen -n '__fish_seen_subcommand_from {one.name}'"
        if one.first:
            first = f"__fish_seen_subcommand_from {one.name}; and test (count (commandline -opc)) -eq 2"
            lines += [f"complete -c tengen -f -n '{first}' -a {_for_fish(' '.join(one.first))}"]
        for option in one.options:
            names = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
            takes = "" if not option.metavar else " -r" if option.is_file else " -x"
            values = f" -a {_for_fish(' '.join(option.values))}" if option.values else ""
            lines += [f"{seen} {' '.join(names)}{takes}{values} -d {_for_fish(brief(option.help))}"]
    return "\n".join(lines) + "\n"


SHELLS: Mapping[str, Callable[[Sequence[Described]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
"""The shells, and what writes the script of each."""


def brief(text: str) -> str:
    """Cut a help text at the end of a phrase, for a line of a menu.

    >>> brief("the result is written there, and then a good deal more is said about it; which nobody reads")
    'the result is written there, and then a good deal more is said about it'
    """
    for at, letter in enumerate(text):
        if letter in ";(." and at >= LEAST and text[at + 1 : at + 2] in (" ", ""):
            return text[:at].strip()
    return text


def _names(options: Sequence[Argument]) -> list[str]:
    return [name for option in options for name in option.names]


def _of_zsh(option: Argument) -> str:
    """One option as `_arguments` takes it."""
    text = brief(option.help)
    for letter in "\\[]:":
        text = text.replace(letter, "\\" + letter)
    after = ""
    if option.metavar:
        action = f"({' '.join(option.values)})" if option.values else "_files" if option.is_file else " "
        after = ":" + option.metavar.replace(":", "\\:").replace("[", "").replace("]", "") + ":" + action
    specs = [shlex.quote(f"*{name}[{text}]{after}") for name in option.names]
    return " ".join(specs)


def _for_fish(text: str) -> str:
    """Quote a word for fish, in which a backslash escapes inside of quotes, too."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
