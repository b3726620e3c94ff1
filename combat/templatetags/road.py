"""Tags for the road of a chase: its range bands, its lanes and its ruler, each a list of plain numbers."""

from __future__ import annotations

from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe

from combat.display.shapes.road_shapes import RoadView

register = template.Library()
LEAST_WIDE, LEAST_TALL = 7, 8  # percent of the road that a band with a name takes


@register.simple_tag
def wide_bands(road: RoadView) -> SafeString:
    """The range bands and the lanes of a road that lies."""
    parts = []
    for band in road.bands:
        parts.append(f'<rect class="road-band band-{band.level}" x="{band.start:g}%"')
        parts.append(f' width="{band.long:g}%" height="100%"/>')
        if band.edge:
            parts.append(f'<line class="road-edge" x1="{band.edge:g}%" x2="{band.edge:g}%" y2="100%"/>')
        if band.long > LEAST_WIDE:
            parts.append(f'<text class="road-name" x="{band.middle:g}%" y="16">{escape(band.name)}</text>')
    parts += [f'<line class="road-lane" y1="{lying}" x2="100%" y2="{lying}"/>' for lying, _ in road.lines]
    return _join(parts)


@register.simple_tag
def tall_bands(road: RoadView) -> SafeString:
    """The range bands and the lanes of a road that stands upright."""
    parts = []
    for band in road.bands:
        parts.append(f'<rect class="road-band band-{band.level}" y="{band.down:g}%" width="100%"')
        parts.append(f' height="{band.long:g}%"/>')
        if band.edge:
            edge = f"{band.edge_down:g}%"
            parts.append(f'<line class="road-edge" y1="{edge}" x2="100%" y2="{edge}"/>')
        if band.long > LEAST_TALL:
            parts.append(f'<svg y="{band.down:g}%" overflow="visible">')
            parts.append(f'<text class="road-name at-start" x="6" y="17">{escape(band.name)}</text></svg>')
    parts += [
        f'<line class="road-lane" x1="{upright}" x2="{upright}" y2="100%"/>' for _, upright in road.lines
    ]
    return _join(parts)


@register.simple_tag
def wide_ticks(road: RoadView) -> SafeString:
    """The ruler of a road that lies."""
    parts, last = [], len(road.ticks)
    for number, (at, words) in enumerate(road.ticks, 1):
        place = " at-end" if at > 96 else ""
        unit = " m" if number == last else ""
        parts.append(f'<line class="road-tick" x1="{at:g}%" x2="{at:g}%" y2="9"/>')
        parts.append(f'<text class="road-number{place}" x="{at:g}%" y="25">{escape(words)}{unit}</text>')
    return _join(parts)


@register.simple_tag
def tall_ticks(road: RoadView) -> SafeString:
    """The ruler of a road that stands upright."""
    parts = []
    for at, words in road.upright_ticks:
        parts.append(f'<line class="road-tick" x1="38" x2="46" y1="{at:g}%" y2="{at:g}%"/>')
        parts.append(f'<svg y="{at:g}%" overflow="visible">')
        parts.append(f'<text class="road-number" x="19" y="4">{escape(words)}</text></svg>')
    return _join(parts)


def _join(parts: list[str]) -> SafeString:
    return mark_safe("".join(parts))  # noqa: S308 - numbers, and words that are escaped above
