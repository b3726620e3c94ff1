"""The rows of the roster, changed in place: one combatant, a group, or all that are selected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest

from characters.display.number_fields import DecimalField, WholeField
from combat.play.writing.encounter_service import Submission, submit, submit_all
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.battle_map import name_door
from combat.rules.core.gm.decisions import MAX_COMBATANTS, zone_id_of
from combat.rules.core.gm.reserves import CLOCK, DOOR_OPENS, EDGES, HAND, MAX_ROUND, ROUND
from combat.rules.core.space import map_of
from combat.rules.core.space.battle_map import DOOR
from combat.rules.core.state.state import FACE, Reserve, State
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.forms import SiteForm, set_choices, wrong

from ..map.zone_form import name_units
from ..table.rows import RosterBlock, SideView
from .forms import INSIDE, ArrangeForm, PutForm

POINT = "point"


@dataclass(frozen=True)
class OpenRow:
    """The row whose form is open: whom it changes, the form, and that of those who arrive later."""

    block: RosterBlock
    form: ArrangeForm
    later: LaterForm


def find_row(request: HttpRequest, context: ViewerContext, sides: Sequence[SideView]) -> OpenRow | None:
    """The row whose form is open: `row` names a whole group by one of them, `one` only this one.

    A form that was sent and refused stays open.
    """
    one, state = request.GET.get("one", ""), context.known_state
    wanted = one or request.GET.get("row", "")
    sent = request.POST if "was" in request.POST else None
    if sent is not None:
        targets = sent.getlist("targets")
        wanted = targets[0] if targets else ""
        one = wanted if len(targets) == 1 else ""
    blocks = (member.block for side in sides for member in side.members)
    block = next((block for block in blocks if wanted in block.ids), None)
    if block is None:
        return None
    if one:  # of a group
        members = tuple(member for member in block.members if member.id == one)
        block = RosterBlock(members, members[0].name)
    people = [state.combatants[who] for who in block.ids]
    zones = {f"{INSIDE}{one.inside}" if one.inside else zone_id_of(state, one) for one in people}
    faces = {str(one.marks.get(FACE, "")) for one in people}
    row = {
        "name": block.name,
        "alias": block.first.alias if len(people) == 1 else "",
        "side": block.first.side,
        "zone": zones.pop() if len(zones) == 1 else "",
        "hidden": "yes" if block.is_hidden else "no",
        "face": faces.pop() if len(faces) == 1 else "",
    }
    if sent is not None:
        row = {name: sent.get(f"was-{name}", word) for name, word in row.items()}
    form = ArrangeForm(context.system, state, sent, people=block.ids, auto_id="row-%s", **row)
    held = sent if sent and sent.get("do") == "hold_back" else None
    return OpenRow(block, form, LaterForm(state, held, auto_id="row-later-%s"))


def _find_targets(request: HttpRequest) -> list[str]:
    """The selected combatants; the value of a group's box names all of it."""
    found = [who for value in request.POST.getlist("targets") for who in value.split(",") if who]
    if not found:
        raise Refused("bad_target", "No one is selected: select rows first.")
    return list(dict.fromkeys(found))[:MAX_COMBATANTS]


def arrange(request: HttpRequest, context: ViewerContext, form: ArrangeForm) -> None:
    """Change names, side, zone, face and whether hidden, in one step.

    What is as the row was when it was opened stays as it is now: a co-GM may have changed it meanwhile.
    """
    posted = request.POST
    said = {n: word for n, word in form.cleaned_data.items() if _is_changed(posted, n)}
    if posted.get("had_alias") and not posted.get("alias"):  # taken out of its field, it is revealed
        said["alias"] = ""
    _submit(context, "arrange", {"targets": _find_targets(request), **said})


def _is_changed(posted: Mapping[str, str], name: str) -> bool:
    """Whether a field of a row was changed; inside whom they are is said by the field of the zone."""
    field = "zone" if name == "inside" else name
    return posted.get(f"was-{field}") != posted.get(field)


def remove(request: HttpRequest, context: ViewerContext) -> None:
    """Remove all that are selected, in one step."""
    _submit(context, "remove_each", {"targets": _find_targets(request)})


def set_boss(request: HttpRequest, context: ViewerContext) -> None:
    """Say that the one who is selected leads the others, or no longer."""
    target, *others = _find_targets(request)
    if others:
        raise Refused("bad_target", "One combatant leads the others: choose one.")
    _submit(context, "set_boss", {"target": target, "boss": request.POST.get("boss", "") == "yes"})


def hold_back(request: HttpRequest, context: ViewerContext, form: LaterForm) -> None:
    """Hold all that are selected back: they arrive later, together."""
    _submit(context, "hold_back", {"targets": _find_targets(request), **form.cleaned_data})


def change_arrival(request: HttpRequest, context: ViewerContext, form: LaterForm) -> None:
    """Change when and where those who wait arrive."""
    _submit(context, "change_arrival", {"reserve": request.POST.get("reserve", ""), **form.cleaned_data})


def place(request: HttpRequest, context: ViewerContext, form: PutForm) -> None:
    """Put those who are named at a place of the map, and around it."""
    _submit(context, "place_each", {"targets": _find_targets(request), **form.cleaned_data})


def place_by_side(request: HttpRequest, context: ViewerContext) -> None:
    """Put all, or those who are named, back into the start of their side."""
    named = any(request.POST.getlist("targets"))
    _submit(context, "place_by_side", {"targets": _find_targets(request)} if named else {})


def duplicate(request: HttpRequest, context: ViewerContext) -> None:
    """Add another of each that is selected: all of them or none."""
    state, who = context.known_state, _find_targets(request)
    steps = [
        Submission("duplicate", {"target": one}, by=context.name, grant=context.grant)
        for one in who
        if one in state.combatants
    ]
    if len(steps) < len(who):
        raise Refused("bad_target", "Some of them are gone: reload the page.")
    submit_all(context.encounter.pk, steps)
    messages.success(request, f"Added: {len(steps)} more of the same.")


def _submit(context: ViewerContext, name: str, fields: dict[str, object]) -> None:
    submit(context.encounter.pk, Submission(name, fields, by=context.name, grant=context.grant))


# The form of combatants who arrive later: when and where.


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
