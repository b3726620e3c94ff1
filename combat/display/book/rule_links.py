"""Links to rules in a game's rulebook."""

from __future__ import annotations

from functools import lru_cache

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from combat.rules import SYSTEMS, find_system


@lru_cache(maxsize=4096)  # a table shows a hundred of them
def link_rule(rule_id: str, slug: str, words: str = "") -> SafeString | str:
    """A link to a rule in the game's rulebook, with these words or the short form of its id.

    The stylesheet shows a short form only when asked, and a mark until then. cards.js shows the rule beside
    the link.
    """
    if not rule_id:
        return format_html("<span>{}</span>", words)
    if slug in SYSTEMS:
        rule_id = find_system(slug).rulebook.resolve(rule_id)
    short = rule_id.split("-", 1)[-1]
    address = reverse("rulebook", args=[slug])
    made = (
        '<a class="rule" href="{}#{}">{}</a>'
        if words
        else '<a class="rule rule-code" href="{}#{}"><span>{}</span></a>'
    )
    return format_html(made, address, rule_id, words or short)
