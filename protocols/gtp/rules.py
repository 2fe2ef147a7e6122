"""Rules by name or in detail, as KataGo spells them (kata-*), and KGS's names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.protocols.gtp.framing import GtpError, Request, quoted
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.registry import GO, command

if TYPE_CHECKING:
    from tengen.engine.games.base import Rules
    from tengen.engine.games.go.rules import GoRules

KGS_NAMES = {"chinese": "chinese-kgs", "aga": "aga", "japanese": "japanese", "new_zealand": "new-zealand"}


@command("kata-get-rules", games=GO)
def get_rules(gtp: Gtp, request: Request) -> str:
    """Answer the rules as KataGo's JSON object."""

    from tengen.engine.games.go.rules import rules_to_json

    return rules_to_json(_go_rules(gtp))


@command("kata-set-rules", games=GO)
def set_rules(gtp: Gtp, request: Request) -> str:
    """Set the rules by a name or KataGo's JSON object; the old ones stay on error."""
    from tengen.engine.games.hooks import hooks_of

    try:
        rules = hooks_of(gtp.player.game).parse_rules(gtp.player.game, request.rest)
    except ValueError:
        raise _unknown(request.rest) from None
    return _set(gtp, rules)


@command("kata-set-rule", games=GO)
def set_rule(gtp: Gtp, request: Request) -> str:
    """Set one of the keys of kata-get-rules."""
    from tengen.engine.games.go.rules import with_rule

    words = request.words
    if len(words) != 2:
        raise GtpError("Expected a rule and its value")
    old = _go_rules(gtp)
    try:
        return _set(gtp, with_rule(old, words[0], words[1]))
    except ValueError as error:
        raise GtpError(str(error)) from None


@command("kgs-rules", games=GO)
def kgs_rules(gtp: Gtp, request: Request) -> str:
    """Set the rules by the names of KGS."""
    name = KGS_NAMES.get(request.rest.lower())
    rules = gtp.player.game.rule_sets.get(name or "")
    if rules is None:
        raise _unknown(request.rest)
    return _set(gtp, rules)


@command("kgs-game_over", games=GO)
def kgs_game_over(gtp: Gtp, request: Request) -> str:
    """Take note that a game on KGS is over; nothing changes."""
    return ""


def _set(gtp: Gtp, rules: Rules) -> str:
    try:
        gtp.player.set_rules(rules)
    except ValueError as error:  # the moves so far break them
        raise GtpError(str(error)) from None
    return ""


def _go_rules(gtp: Gtp) -> GoRules:
    from tengen.engine.games.go.rules import GoRules

    rules = gtp.player.rules
    if not isinstance(rules, GoRules):
        raise GtpError(f"the rules of this game ({rules.name}) have no variants")
    return rules


def _unknown(text: str) -> GtpError:
    return GtpError(f"Unknown rules {quoted(text)}")
