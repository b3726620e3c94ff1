"""Small words for the table's templates: signed numbers and links to rules."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from combat.display.parts import DRAWINGS
from combat.display.rule_links import link_rule
from combat.rules import find_system
from combat.rules.core.basics.numbers import with_true_minus
from combat.rules.core.basics.words import possessive
from combat.rules.core.system import System

register = template.Library()


@register.filter
def signed(value: int) -> str:
    """A number with its sign, as in a sum."""
    return f"+{value}" if value >= 0 else f"\N{MINUS SIGN}{-value}"


@register.filter
def accent(slug: str) -> str:
    """The class of a page that is about a game: it gives the page the game's colour."""
    return f"accent-{find_system(slug).accent}"


@register.filter
def game(slug: str) -> System:
    """The game of this short name, for what a list says of it; Refused("unknown") if there is none."""
    return find_system(slug)


register.filter("true_minus", with_true_minus)
register.filter("possessive", possessive)
register.simple_tag(link_rule, name="rule")


@register.simple_tag
def kept(template_name: str, **given: Any) -> SafeString:
    """What a template makes of these things and nothing else: not drawn again of the same, whoever looks."""
    return DRAWINGS.draw(template_name, given).html


@register.simple_tag
@lru_cache(maxsize=256)
def icon(kind: str) -> SafeString | str:
    """The icon of a kind in its hue, beside words that say the same; nothing for what has no kind."""
    sprite = static("img/kinds.svg")
    drawn = '<svg class="icon k-{0}" aria-hidden="true"><use href="{1}#{0}"/></svg>'
    return format_html(drawn, kind, sprite) if kind else ""


@register.filter
def metres(value: float) -> str:
    """A length in metres for SVG, without needless digits and never with a comma."""
    return f"{value:g}"
