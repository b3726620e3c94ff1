"""Small words for the table's templates: signed numbers and links to rules."""

from __future__ import annotations

from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.numbers import with_true_minus

register = template.Library()


@register.filter
def signed(value: int) -> str:
    """A number with its sign, as in a sum."""
    return f"+{value}" if value >= 0 else f"\N{MINUS SIGN}{-value}"


register.filter("true_minus", with_true_minus)


@register.simple_tag
@lru_cache(maxsize=4096)  # a table shows a hundred of them each time
def rule(rule_id: str, slug: str, words: str = "") -> SafeString | str:
    """A link to a rule in the game's rulebook, by these words or the short form of its id.

    cards.js shows what the rule says.
    """
    if not rule_id:
        return format_html("<span>{}</span>", words)
    if slug in SYSTEMS:
        rule_id = find_system(slug).rulebook.resolve(rule_id)
    short = rule_id.split("-", 1)[-1]
    address = reverse("rulebook", args=[slug])
    return format_html('<a class="rule" href="{}#{}">{}</a>', address, rule_id, words or short)


@register.simple_tag
def icon(kind: str) -> SafeString | str:
    """The icon of a kind in its hue, beside words that say the same; nothing for what has no kind."""
    return _draw_icon(kind, static("img/kinds.svg")) if kind else ""


@lru_cache(maxsize=256)
def _draw_icon(kind: str, sprite: str) -> SafeString:
    return format_html('<svg class="icon k-{0}" aria-hidden="true"><use href="{1}#{0}"/></svg>', kind, sprite)


@register.filter
def metres(value: float) -> str:
    """A length in metres for SVG, without needless digits and never with a comma."""
    return f"{value:g}"
