"""Filters and tags of the table's templates: signed numbers, links to rules and more."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from combat.display.book.rule_links import link_rule
from combat.display.drawings import DRAWINGS
from combat.display.log.step_drawing import draw_sums
from combat.display.map.scene import strip_scene
from combat.display.scene_drawing import draw_token, draw_tokens, draw_zone, tell_whereabouts
from combat.display.shapes.scene_shapes import SceneView
from combat.display.shapes.table_shapes import LogStep
from combat.rules import find_system
from combat.rules.core.basics.numbers import with_true_minus
from combat.rules.core.basics.words import possessive
from combat.rules.core.declaration.system import System

register = template.Library()


@register.filter
def signed(value: int) -> str:
    """A number with its sign, as in a sum."""
    return f"+{value}" if value >= 0 else f"\N{MINUS SIGN}{-value}"


@register.filter
def accent(slug: str) -> str:
    """The CSS class of a game, which gives a page the game's colour."""
    return f"accent-{find_system(slug).look.accent}"


@register.filter
def game(slug: str) -> System:
    """The game of this short name, for lists; Refused("unknown") if there is none."""
    return find_system(slug)


register.filter("true_minus", with_true_minus)
register.filter("possessive", possessive)
register.simple_tag(link_rule, name="rule")
register.simple_tag(draw_sums, name="sums")


@register.simple_tag
def kept(template_name: str, **given: Any) -> SafeString:
    """A template drawn from the given values alone; the drawing is kept for all who get the same values."""
    return DRAWINGS.draw(template_name, given).html


@register.simple_tag(takes_context=True)
def told(context: template.Context, step: LogStep) -> SafeString:
    """The lines of a step of the log; the drawing is kept for all who read the same."""
    given: dict[str, Any] = {
        name: bool(context.get(name)) for name in ("oldest_first", "can_branch", "signed")
    }
    if given["can_branch"]:
        given |= {"encounter": {"pk": context["encounter"].pk}, "viewer": {"is_gm": context["viewer"].is_gm}}
    if table := context.get("table"):
        given |= {"table": {"viewer": {"is_gm": table.viewer.is_gm}}}
    return DRAWINGS.draw("combat/log/log_step.html", {**given, "slug": context["slug"], "step": step}).html


@register.simple_tag
def ground(scene: SceneView, encounter: int) -> SafeString:
    """The ground of a scene, without anyone on it; `encounter` is whose picture lies under it."""
    given = {"scene": strip_scene(scene), "encounter": {"pk": encounter}}
    return DRAWINGS.draw("combat/map/ground/map_ground.html", given).html


register.simple_tag(draw_token, name="placed")
register.simple_tag(draw_tokens, name="all_placed")
register.simple_tag(draw_zone, name="zone_of_list")
register.filter("whereabouts", tell_whereabouts)


@register.simple_tag
@lru_cache(maxsize=256)
def icon(kind: str) -> SafeString | str:
    """The icon of a kind in its hue; empty without a kind. The words beside it say the same."""
    sprite = static("img/kinds.svg")
    drawn = '<svg class="icon k-{0}" aria-hidden="true"><use href="{1}#{0}"/></svg>'
    return format_html(drawn, kind, sprite) if kind else ""


@register.filter
def metres(value: float) -> str:
    """A length in metres for SVG, without needless digits and never with a comma."""
    return f"{value:g}"
