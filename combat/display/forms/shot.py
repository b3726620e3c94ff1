"""Whom an action's form names and with what, as faces and tiles, each target with its chance."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import Any

import msgspec
from django import forms

from combat.audience.viewer import HealthView
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Command, command_data, read_command
from combat.sharing.viewer_context import ViewerContext

from ..combatants.tokens import Look
from ..map.scene import CLEAR
from ..shapes.table_shapes import CombatantView
from .fields import ChoiceSelect
from .odds_panel import OddsPanel
from .usual_odds import say_chance

WHOM, WITH = "target", "weapon"
MOST_TILES = 9  # of things: more are a list
MOST_CHANCES = 12  # counted for one form: the nearest come first


class Tile(msgspec.Struct, frozen=True):
    """A choice of a form as a face or a thing: what it is called, and what else there is to say of it.

    `refused` is why the rules forbid it; one that is not `shut` can be chosen, since a plan may mend it.
    """

    value: str
    name: str
    note: str = ""
    look: Look | None = None
    sign: str = ""
    health: HealthView | None = None
    chance: str = ""
    refused: str = ""
    shut: bool = False

    @property
    def said(self) -> str:
        """All of it in a line, as a list would have it."""
        return ", ".join(filter(None, (self.name, self.note)))


class TileSelect(forms.Select):
    """Choices as faces or tiles to tap. Without scripts they are what they are: radio buttons."""

    template_name = "combat/forms/tiles.html"
    use_fieldset = True

    def __init__(self, tiles: Iterable[Tile], *, are_people: bool) -> None:
        self.tiles, self.are_people = tuple(tiles), are_people
        super().__init__()

    def id_for_label(self, id_: str, index: Any = None) -> str:
        """None: the legend names all of them."""
        return ""

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        """The tiles, and which of them is chosen."""
        context = super().get_context(name, value, attrs)
        return context | {"tiles": self.tiles, "are_people": self.are_people, "chosen": str(value or "")}


def count_chances(
    context: ViewerContext, action: Action, wanted: Mapping[str, Any] | Command, panel: OddsPanel | None
) -> dict[str, str]:
    """The chance in percent of an action at each whom it can name, as its form stands; none without odds.

    That of the chosen one is the panel's own, and those of the others are counted in the same way.
    """
    system, state = context.system, context.obscured_state
    if panel is None or not system.actions.has_odds(action):
        return {}
    data = dict(command_data(wanted) if isinstance(wanted, Command) else wanted)
    fields = action.find_fields(state, str(data.get("actor", "")))
    whom = next((field for field in fields if field.name == WHOM), None)
    if whom is None:
        return {}
    chosen = str(data.get(WHOM, ""))
    mine = panel.plan.chance if panel.plan else "" if panel.is_refused else panel.likely
    found = {chosen: mine} if chosen and mine else {}
    for option in whom.options[:MOST_CHANCES]:
        if option.value == chosen or option.refused:
            continue
        with suppress(Refused):
            command = read_command(action, {**data, WHOM: option.value}, state)
            if chance := say_chance(system, state, action, command):
                found[option.value] = chance
    return found


def put_tiles(
    context: ViewerContext,
    form: Any,
    actor: str,
    people: Iterable[CombatantView],
    chances: Mapping[str, str],
) -> None:
    """Let a form's target be chosen by face, and its weapon by tile where there are few."""
    rows = {row.id: row for row in people}
    for name in (WHOM, WITH):
        field = form.fields.get(name)
        if field is None or not isinstance(field.widget, ChoiceSelect):
            continue
        pairs, refused, planned = list(field.choices), field.widget.refused, field.widget.planned
        if name == WHOM and any(value in rows for value, _ in pairs):
            side = rows[actor].side if actor in rows else ""
            squads = {who for who, row in rows.items() if row.squad and side and row.side != side}
            shown = _fold_squads(pairs, rows, squads, {*refused} - {*planned}, str(form[name].value()))
            tiles = [
                _show_person(rows.get(value), value, label, chances, is_squad=value in squads)
                for value, label in shown
            ]
        elif name == WITH and len(pairs) <= MOST_TILES:
            tiles = [_show_thing(context, actor, value, label) for value, label in pairs]
        else:
            continue
        closed = [
            msgspec.structs.replace(
                tile,
                refused=refused.get(tile.value, ""),
                shut=tile.value in refused and tile.value not in planned,
            )
            for tile in tiles
        ]
        field.widget = TileSelect(closed, are_people=name == WHOM)
        field.widget.choices = pairs


def _fold_squads(
    pairs: list[tuple[str, str]],
    rows: Mapping[str, CombatantView],
    squads: Collection[str],
    refused: Collection[str],
    chosen: str,
) -> list[tuple[str, str]]:
    """The choices with one for all of a squad: of who is chosen, else of the first who stands
    and can be named.

    `squads` are those who fold: of other sides alone, since help is for one of one's own.
    """
    front: dict[tuple[str, ...], str] = {}

    def rank(value: str) -> tuple[bool, bool, bool]:
        return value != chosen, rows[value].is_out, value in refused

    for value, _ in pairs:
        squad = rows[value].squad if value in squads else None
        if squad:
            front[squad.ids] = min(front.get(squad.ids, value), value, key=rank)
    folded = {who for ids in front for who in ids} - {*front.values()}
    return [(value, label) for value, label in pairs if value not in folded]


def _show_person(
    row: CombatantView | None, value: str, label: str, chances: Mapping[str, str], *, is_squad: bool
) -> Tile:
    name, *notes = label.split(", ")
    note = ", ".join(one for one in notes if one.lower() != CLEAR.lower())
    chance = chances.get(value, "")
    if row is None:
        return Tile(value, name, note, chance=chance)
    health = row.health if row.health.shown else None
    if is_squad and row.squad:
        note = ", ".join(filter(None, (row.squad.said, note)))
        return Tile(value, row.squad.name, note, row.look.plain, health=health, chance=chance)
    return Tile(value, name, note, row.look.plain, health=health, chance=chance)


def _show_thing(context: ViewerContext, actor: str, value: str, label: str) -> Tile:
    """A weapon with the sign of what it is."""
    state = context.obscured_state
    items = {item.id: item for item in state[actor].items} if actor in state.combatants else {}
    name, _, note = label.partition(", ")
    item = items.get(value)
    return Tile(value, name, note, sign=context.system.kinds.of_damage(item.name if item else name))
