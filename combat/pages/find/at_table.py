"""What can be found at a table, by what one viewer may know and do there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from combat.display.combatants.namesakes import name_fully
from combat.rules.core.space import find_zone
from combat.rules.core.state.state import present
from combat.sharing.viewer_context import ViewerContext, find_handouts

from ..table.action_groups import list_possible
from ..table.rows import view_known
from ..table.shapes import find_usual, view_gm_actions
from .matching import Hit

ROW_FORMS = {"damage": "Damage", "heal": "Heal", "condition": "Conditions", "place": "Reposition"}
# The pages of a table, by the name of their address: what they are called, and what else they have
FOR_ALL = {
    "log": ("Log", "the whole story, step by step"),
    "dice": ("Dice", "seals, rolls and their proof"),
    "report": ("Report", "what happened, in numbers"),
    "handouts": ("Handouts", "texts and pictures that are shown"),
}
FOR_SEATS = {
    "branches": ("What if…", "play on from any step"),
    "programs": ("Programs", "tokens for programs that play a seat"),
}
FOR_GM = {
    "prep": ("Prepare", "people, scene, house rules"),
    "scene": ("Draw the scene", "map editor: walls, doors, light"),
    "forecast": ("Forecast", "the chances of each side"),
    "fault": ("Report a fault", "a file that names nobody"),
}
FOR_OWNER = {"share": ("Share", "links, codes and seats")}


def find_people(context: ViewerContext) -> Iterator[Hit]:
    """The combatants that the viewer knows of; those they play open with their actions."""
    state, viewer, rows = context.known_state, context.viewer, view_known(context)
    for one in present(state):
        opens = viewer.is_gm or (viewer.plays(one.id) and state.phase == "fight")
        place = _link(context, combatant=one.id) if opens else f"{_link(context)}#row-{one.id}"
        yield Hit(name_fully(state, one), place, one.side, look=rows[one.id].look)


def find_actions(context: ViewerContext) -> Iterator[Hit]:
    """What is possible now: for whom the table shows, for the GM, and the forms of the GM's rows."""
    state, viewer = context.known_state, context.viewer
    if viewer.is_spectator or context.pending or (state.is_paused and not viewer.is_gm):
        return
    who = find_usual(state, [one.id for one in present(state)], viewer)
    if state.phase == "fight" and who in state.combatants:
        shown = context.obscured_state
        for action in list_possible(context.system, shown, shown.combatants[who]):
            name = name_fully(state, state.combatants[who])
            yield Hit(action.label, _link(context, combatant=who, do=action.name), name)
    if viewer.is_gm:
        yield from _find_gm_actions(context)


def _find_gm_actions(context: ViewerContext) -> Iterator[Hit]:
    state = context.known_state
    if not present(state):
        return
    offer = view_gm_actions(context.system, state)
    for group in offer.groups if offer else ():
        for action in group.actions:
            yield Hit(action.label, _link(context, do=action.name), group.label)
    for one in present(state):
        for row, label in ROW_FORMS.items():
            yield Hit(f"{label}: {name_fully(state, one)}", _link(context, combatant=one.id, row=row))


def find_zones(context: ViewerContext) -> Iterator[Hit]:
    """The zones that the viewer may know, each with who is seen there; the GM's lead to their form."""
    state, scene = context.known_state, f"{_link(context)}#scene"
    people: dict[str, list[str]] = {}
    for one in present(state):
        if zone := find_zone(state.scene, one.at):
            people.setdefault(zone.id, []).append(one.name)
    for zone in state.scene.zones:
        yield Hit(zone.name, scene, ", ".join(people.get(zone.id, ())))


def find_shown_handouts(context: ViewerContext) -> Iterator[Hit]:
    """The handouts that the viewer sees at the table."""
    for one in find_handouts(context):
        yield Hit(one.title, reverse("handout", args=[context.encounter.pk, one.pk]), "shown here")


def find_settings(context: ViewerContext) -> Iterator[Hit]:
    """The environment and the house rules of the table, for the GM."""
    if context.viewer.is_gm:
        book, place = context.system.book, f"{reverse('prep', args=[context.encounter.pk])}#options"
        for setting in context.system.find_settings(context.known_state):
            yield Hit(setting.label, place, "environment")
        for option in book.all_options:
            yield Hit(option.label, place, "house rule")


def find_table_pages(context: ViewerContext, owns: bool) -> Iterator[Hit]:
    """The pages of the table that the viewer may open."""
    encounter, viewer = context.encounter, context.viewer
    yield Hit("Table", _link(context), encounter.name)
    shown = FOR_ALL | (FOR_SEATS if not viewer.is_spectator else {})
    shown |= (FOR_GM if viewer.is_gm else {}) | (FOR_OWNER if owns else {})
    for name, (label, about) in shown.items():
        yield Hit(label, reverse(name, args=[encounter.pk]), about)


def _link(context: ViewerContext, **asked: Any) -> str:
    """The address of the table, with what it opens."""
    address = reverse("table", args=[context.encounter.pk])
    return f"{address}?{urlencode(asked)}" if asked else address
