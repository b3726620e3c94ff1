"""Filters for the pages of characters and gear: signed numbers, links to rules, figures."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, cast

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import slugify

from combat.rules import find_system
from combat.rules.core.basics.numbers import with_true_minus
from combat.rules.core.book.printed import HOUSE

from ..display.forms import AmmunitionForm
from ..display.sheet_view import ItemView, find_drawn
from ..faces import KEYS
from ..models import Character

register = template.Library()
register.filter("true_minus", with_true_minus)


@register.simple_tag
def drawing(character: Character) -> str:
    """The address of a character's drawn face or sign."""
    drawn = find_drawn(character)
    return f"{staticfiles_storage.url('img/faces.svg' if drawn in KEYS else 'img/tokens.svg')}#{drawn}"


@register.filter
def signed(value: int) -> str:
    """A number with its sign, as in a sum."""
    return f"+{value}" if value >= 0 else f"\N{MINUS SIGN}{-value}"


@register.simple_tag
def rule(rule_id: str, slug: str) -> SafeString:
    """A link to a rule in the game's rulebook, by the short form of its id."""
    if not rule_id:
        return SafeString("<span></span>")
    rule_id = find_system(slug).rulebook.resolve(rule_id)
    short = rule_id.split("-", 1)[-1]
    return format_html(
        '<a class="rule" href="{}{}/">{}</a>', reverse("rulebook", args=[slug]), rule_id, short
    )


@register.filter
def plain(value: int) -> str:
    """A number, with a true minus below 0."""
    return signed(value) if value < 0 else str(value)


@register.filter
def thousands(value: int | None) -> str:
    """A large number with commas, as prices are written."""
    return "" if value is None else f"{value:,}"


@register.filter
def kilograms(value: float) -> str:
    """A weight as the catalogue writes it: "3.5 kg"."""
    return f"{round(value, 2):g} kg"


@register.filter
def origin(word: str) -> str:
    """The source of an item, as a sentence."""
    if word == HOUSE:
        return "Not from the game: added by this table."
    return f"From the game: {word.removeprefix('game: ')}."


@register.filter
def with_numbers(text: str) -> str:
    """A text that never breaks a line between a word and the number after it, as in "Pilot 2"."""
    return re.sub(r"(?<=\w) (?=\d+\b)", "\N{NO-BREAK SPACE}", text)


@register.filter
def in_text(label: str) -> str:
    """A label within a sentence: in lower case, unless it is an abbreviation."""
    return label if label.isupper() else label.lower()


@register.filter
def figure(value: Any) -> str:
    """A figure of an item in words: lists with commas, yes and no, a dash for nothing."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return with_true_minus(f"{value:,}") if value else "\N{EN DASH}"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "\N{EN DASH}"
    return with_true_minus(str(value)) if value not in ("", 0, None) else "\N{EN DASH}"


@register.filter
def unit_for(unit: str, value: Any) -> str:
    """The unit of a figure: "rounds", or "round" for one."""
    return unit.removesuffix("s") if value == 1 else unit


@register.filter
def has_trained(stats: Iterable[Any]) -> bool:
    """Whether any of these skills differs from a blank sheet."""
    return any(stat.value != stat.stat.usual for stat in stats)


@register.filter
def is_among(offer: str, stats: Iterable[Any]) -> bool:
    """Whether one of these skills offered the roll that is open."""
    return offer in {f"s-{slugify(stat.stat.key)}" for stat in stats}


@register.simple_tag(takes_context=True)
def ammunition(context: template.RequestContext, view: ItemView) -> AmmunitionForm:
    """The rounds of one of many items: as on the sheet, or as they were sent and refused."""
    if context.get("section") == "ammunition" and context["open_item"] == view.item.id:
        return cast(AmmunitionForm, context["form"])
    return AmmunitionForm(view, auto_id=f"{view.item.id}-%s")
