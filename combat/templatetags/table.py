"""Filters and tags of the table's templates: signed numbers, links to rules and more."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.forms import BoundField
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from characters.display.forms import FaceForm
from characters.templatetags.sheets import signed
from combat.display.combatants.cards import Card, make_card
from combat.display.combatants.tokens import Look
from combat.display.dice import view_faces
from combat.display.rules_view import link_rule
from combat.display.shapes.result_shapes import Face
from combat.display.shapes.scene_shapes import LANE, RoadView, SceneView, Token
from combat.rules import find_system
from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.numbers import with_true_minus
from combat.rules.core.basics.words import possessive
from combat.rules.core.declaration.book import StatBlock
from combat.rules.core.declaration.system import System
from cosmos_site.base.markdown import cut_markdown, draw_markdown

register = template.Library()
register.filter(signed)

RIMS = {
    "round": '<circle class="rim" cx="24" cy="24" r="21"/>',
    "diamond": '<path class="rim" d="M24 1 47 24 24 47 1 24z"/>',
    "square": '<path class="rim" d="M4 4h40v40H4z"/>',
    "hexagon": '<path class="rim" d="M13 4h22l11 20-11 20H13L2 24z"/>',
}
PORTRAIT = 'x="2" y="2" width="44" height="44" preserveAspectRatio="xMidYMid slice"'
VEHICLE = 'x="7" y="7" width="34" height="34"'
IN_DIAMOND = 'x="1" y="3" width="46" height="46"'
USUAL = 'x="-2" y="-.5" width="52" height="52"'
CROSS = '<path class="cross" d="M13 13l22 22M35 13 13 35"/>'
RETICLE = (
    '<path class="reticle" d="M24-7a31 31 0 1 1 0 62 31 31 0 1 1 0-62M24-11v8M24 51v8M-11 24h8M51 24h8"/>'
)


@register.filter
def accent(slug: str) -> str:
    """The CSS class of a game, which gives a page the game's colour."""
    return f"accent-{find_system(slug).look.accent}"


@register.filter
def game(slug: str) -> System:
    """The game of this short name, for lists; Refused("unknown") if there is none."""
    return find_system(slug)


@register.filter
def marked(text: str, words: Sequence[str]) -> SafeString | str:
    """A text in which those of the words that have two letters or more are marked."""
    long = sorted((re.escape(word) for word in words if len(word) > 1), key=len, reverse=True)
    if not long:
        return text
    parts = re.split(f"({'|'.join(long)})", text, flags=re.IGNORECASE)
    drawn = ("<mark>{}</mark>" if place % 2 else "{}" for place in range(len(parts)))
    return format_html("".join(drawn), *parts)


@register.simple_tag
def block_card(system: System, block: StatBlock) -> Card | None:
    """The card of a stat block, as the gallery has it."""
    return make_card(system, block.id, block.name, (block.tier, block.summary), sheet=block.sheet)


register.filter("true_minus", with_true_minus)
register.filter("possessive", possessive)
register.filter("markdown", draw_markdown)
register.filter("excerpt", cut_markdown)
register.simple_tag(link_rule, name="rule")


@register.filter
def printed(cell: str | int) -> str:
    """A cell of a printed table: whole numbers with commas, true minus signs."""
    return with_true_minus(f"{cell:,}" if isinstance(cell, int) else cell)


@register.filter
def whereabouts(scene: SceneView) -> str:
    """Who stands where on a map, for those who hear it."""
    people = [f"\n{one.name} {spot(one, scene.unit)}" for one in scene.tokens]
    return f"{';'.join(people)}\n" if people else ""


@register.filter
def spot(token: Token, unit: str) -> str:
    """Where a token stands on a map, for those who hear it."""
    return f"at {token.x:g}, {token.y:g} {unit}"


@register.simple_tag
def icon(kind: str) -> SafeString | str:
    """The icon of a kind in its hue; empty without a kind. The words beside it say the same."""
    sprite = staticfiles_storage.url("img/kinds.svg")
    drawn = '<svg class="icon k-{0}" aria-hidden="true"><use href="{1}#{0}"/></svg>'
    return format_html(drawn, kind, sprite) if kind else ""


@register.simple_tag
def tool(name: str) -> SafeString:
    """The icon of a button or a link, in the color of its words, which say the same."""
    sprite = staticfiles_storage.url("img/tools.svg")
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>', sprite, name)


@register.simple_tag
def faces(chosen: str) -> BoundField:
    """The drawn faces to choose one from, in a region: it holds no forms."""
    return FaceForm(initial={"face": chosen})["face"]


@register.filter
def meters(value: float) -> str:
    """A length in meters for SVG, without needless digits and never with a comma."""
    return f"{value:g}"


@register.simple_tag
def token(look: Look) -> SafeString:
    """A token in a square of 48: its ground, the face or sign on it, and its number."""
    outline, badge = look.outline, escape(look.badge)
    if look.portrait:
        face = f'<image class="bust" href="{escape(look.portrait)}" {PORTRAIT}/>'
    else:
        sprite, sign = ("img/faces.svg", look.face) if look.face else ("img/tokens.svg", look.bust)
        place = VEHICLE if look.is_vehicle else IN_DIAMOND if outline == "diamond" else USUAL
        face = f'<use class="bust" href="{staticfiles_storage.url(sprite)}#{escape(sign)}" {place}/>'
    wide = ' class="two"' if len(look.badge) > 1 else ""
    number = f'<circle class="badge" cx="39" cy="38" r="11"/><text x="39" y="43.5"{wide}>{badge}</text>'
    parts = (
        RIMS[outline],
        f'<g clip-path="url(#token-{outline})">{face}</g>',
        CROSS if look.dead else "",
        number if badge else "",
        RETICLE if look.active else "",
    )
    return mark_safe("".join(parts))  # noqa: S308 - all that varies is escaped above


@register.simple_tag
def mark(look: Look, name: str = "") -> SafeString:
    """A token without marks of conditions: a picture with a name, or none to those who hear the page."""
    said = f'role="img" aria-label="{escape(name)}"' if name else 'aria-hidden="true"'
    drawn = f'<svg class="mark {escape(look.classes)}" viewBox="0 0 48 48" {said}>{token(look)}</svg>'
    return mark_safe(drawn)  # noqa: S308 - all that varies is escaped above


@register.filter
def at(values: Mapping[str, Any] | None, key: str) -> Any:
    """The value of a key; None if there is none."""
    return values.get(key) if values else None


@register.filter
def dice(roll: Roll | None) -> tuple[Face, ...]:
    """The dice of a roll as drawn; none without one."""
    return view_faces(roll) if roll else ()


@register.simple_tag
def bands(road: RoadView, upright: bool = False) -> SafeString:
    """The range bands of a road that lies or stands upright, and the lines between its lanes."""
    x, y, width, height = ("y", "x", "height", "width") if upright else ("x", "y", "width", "height")
    parts = list[str]()
    for band in road.bands:
        at, edge = (band.down, band.edge_down) if upright else (band.start, band.edge)
        shape = f'{x}="{at:g}%" {width}="{band.long:g}%" {height}="100%"'
        parts.append(f'<rect class="road-band band-{band.level}" {shape}/>')
        if band.edge:
            parts.append(f'<line class="road-edge" {x}1="{edge:g}%" {x}2="{edge:g}%" {y}2="100%"/>')
        name = escape(band.name)
        if upright and band.long > 8:
            left = road.broad * road.find_free_lane(band.end) + 6
            named = f'<text class="road-name at-start" x="{left}" y="17">{name}</text>'
            parts.append(f'<svg y="{at:g}%" overflow="visible">{named}</svg>')
        elif not upright and band.long > 7:
            lane = road.find_free_lane(band.middle)
            top = 16 if lane == 0 else LANE * (lane + 1) - 6
            parts.append(f'<text class="road-name" x="{band.middle:g}%" y="{top}">{name}</text>')
    lanes = [line[upright] for line in road.lines]
    parts += [f'<line class="road-lane" {y}1="{at}" {x}2="100%" {y}2="{at}"/>' for at in lanes]
    return mark_safe("".join(parts))  # noqa: S308 - numbers, and names that are escaped above


@register.simple_tag
def ticks(road: RoadView, upright: bool = False) -> SafeString:
    """The ruler of a road that lies or stands upright."""
    parts = list[str]()
    for at, words in road.upright_ticks if upright else road.ticks:
        if upright:
            parts.append(f'<line class="road-tick" x1="38" x2="46" y1="{at:g}%" y2="{at:g}%"/>')
            named = f'<text class="road-number" x="19" y="4">{escape(words)}</text>'
            parts.append(f'<svg y="{at:g}%" overflow="visible">{named}</svg>')
            continue
        end, unit = " at-end" if at > 96 else "", " m" if at == road.ticks[-1][0] else ""
        parts.append(f'<line class="road-tick" x1="{at:g}%" x2="{at:g}%" y2="9"/>')
        parts.append(f'<text class="road-number{end}" x="{at:g}%" y="25">{escape(words)}{unit}</text>')
    return mark_safe("".join(parts))  # noqa: S308 - numbers, and words that are escaped above
