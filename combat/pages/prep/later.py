"""The form of combatants who arrive later: when and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest

from characters.display.number_fields import DecimalField, WholeField
from combat.rules import find_system
from combat.rules.core.gm.battle_map import name_door
from combat.rules.core.gm.reserves import CLOCK, DOOR_OPENS, EDGES, HAND, MAX_ROUND, ROUND
from combat.rules.core.space import map_of
from combat.rules.core.space.battle_map import DOOR
from combat.rules.core.state.state import Reserve, State
from cosmos_site.base.forms import SiteForm, set_choices, wrong

from ..map.zone_form import name_units

POINT = "point"


class LaterForm(SiteForm):
    """When and where combatants arrive."""

    ids = "later-%s"
    when = forms.ChoiceField(label="Arrive", error_messages=wrong("Choose when from the list."))
    at_round = WholeField(label="Round", required=False, min_value=1, max_value=MAX_ROUND)
    where = forms.ChoiceField(
        label="Where", required=False, error_messages=wrong("Choose a place from the list.")
    )
    x = DecimalField(label="x", required=False)
    y = DecimalField(label="y", required=False)
    rows = (("when", "at_round"), ("where", "x", "y"))

    def __init__(self, state: State, *sent: Any, **more: Any) -> None:
        super().__init__(*sent, **more)
        name_units(self, find_system(state.system).space.unit)
        doors = [wall for wall in map_of(state.scene).walls if wall.kind == DOOR and not wall.open]
        set_choices(
            self,
            "when",
            [
                (HAND, "when you tap Arrive"),
                (ROUND, "in a round"),
                *((f"{CLOCK}:{one.id}", f"when {one.name} is full") for one in state.all_clocks),
                *((f"{DOOR_OPENS}:{one.id}", f"when {name_door(one)} opens") for one in doors),
            ],
        )
        set_choices(
            self,
            "where",
            [
                ("", "their side, or the door"),
                *((f"zone:{zone.id}", zone.name) for zone in state.scene.zones),
                *((f"edge:{edge}", f"{edge} edge of the map") for edge in EDGES),
                (POINT, "at x and y"),
            ],
        )

    def clean(self) -> dict[str, Any]:
        """The fields of the command."""
        said = self.cleaned_data
        when, _, of = said.get("when", "").partition(":")
        kind, _, name = said.get("where", "").partition(":")
        found: dict[str, Any] = {"when": when, "of": of}
        unused = {*(() if when == ROUND else ("at_round",)), *(() if kind == POINT else ("x", "y"))}
        for field in unused & self.errors.keys():  # the page does not show it
            del self.errors[field]
        if when == ROUND:
            if said.get("at_round") is None and "at_round" not in self.errors:
                self.add_error("at_round", "Type the round in which they arrive.")
            found["at_round"] = said.get("at_round")
        if kind == POINT:
            if (said.get("x") is None or said.get("y") is None) and not self.errors:
                self.add_error("x", "Type both x and y, or choose another place.")
            found |= {"x": said.get("x"), "y": said.get("y")}
        elif kind:
            found[kind] = name
        return found


@dataclass(frozen=True)
class OpenPlan:
    """Those who wait and whose plan is open, by the id of their record, and its form."""

    id: str
    form: LaterForm


def find_plan(request: HttpRequest, state: State) -> OpenPlan | None:
    """The plan that is open, as it is or as it was sent; None if none is."""
    sent = request.POST if request.POST.get("do") == "change_arrival" else None
    wanted = (request.GET if sent is None else sent).get("reserve", "")
    one = next((each for each in state.all_reserves if each.id == wanted), None)
    if one is None and sent is None:
        return None
    first = _find_initial(one) if one else {}
    return OpenPlan(wanted, LaterForm(state, sent, initial=first, auto_id="plan-%s"))


def _find_initial(one: Reserve) -> dict[str, Any]:
    kinds = {"zone": one.zone, "edge": one.edge}
    where = next((f"{kind}:{name}" for kind, name in kinds.items() if name), POINT if one.at else "")
    return {
        "when": f"{one.when}:{one.of}" if one.of else one.when,
        "at_round": one.at_round or None,
        "where": where,
        "x": one.at.x if one.at else None,
        "y": one.at.y if one.at else None,
    }
