"""The rows of the roster, changed in place: one combatant, a group, or all that are selected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest

from characters.faces import KEYS
from combat.display.forms.fields import list_zones
from combat.display.prep.roster_view import RosterBlock
from combat.display.prep.sides_view import SideView
from combat.play.writing.encounter_service import Submission, submit, submit_all
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.decisions import FACE, MAX_COMBATANTS, MAX_LENGTH, zone_id_of
from combat.sharing.viewer_context import ViewerContext

NO_FACE = "none"  # the choice that takes a face away


@dataclass(frozen=True)
class RowForm:
    """The open form of a row: whom it changes, and their present values."""

    block: RosterBlock
    name: str
    side: str
    zone: str
    face: str
    zones: tuple[tuple[str, str], ...]


def find_row(request: HttpRequest, context: ViewerContext, sides: Sequence[SideView]) -> RowForm | None:
    """The row whose form is open: `row` names a whole group by one of them, `one` only this one."""
    one, state = request.GET.get("one", ""), context.known_state
    wanted = one or request.GET.get("row", "")
    blocks = (member.block for side in sides for member in side.members)
    block = next((block for block in blocks if wanted in block.ids), None)
    if block is None:
        return None
    if one:  # of a group
        members = tuple(member for member in block.members if member.id == one)
        block = RosterBlock(members, members[0].name)
    people = [state.combatants[who] for who in block.ids]
    zones = {zone_id_of(state, one) for one in people}
    faces = {str(one.marks.get(FACE, "")) for one in people}
    return RowForm(
        block,
        block.name,
        block.first.side,
        zones.pop() if len(zones) == 1 else "",
        faces.pop() if len(faces) == 1 else "",
        tuple(list_zones(state)[1:]),
    )


def _find_targets(request: HttpRequest) -> list[str]:
    """The selected combatants; the value of a group's box names all of it."""
    found = [who for value in request.POST.getlist("targets") for who in value.split(",") if who]
    if not found:
        raise Refused("bad_target", "No one is selected: select rows first.")
    return list(dict.fromkeys(found))[:MAX_COMBATANTS]


def arrange(request: HttpRequest, context: ViewerContext) -> None:
    """Change names, side, zone, face and whether hidden, in one step."""
    said = {key: " ".join(request.POST.get(key, "").split()) for key in ("name", "side", "zone")}
    fields: dict[str, object] = {"targets": _find_targets(request)} | {k: v for k, v in said.items() if v}
    if any(len(said[key]) > MAX_LENGTH for key in ("name", "side")) or "\0" in "".join(said.values()):
        raise Refused("bad_value", f"A name or a side has 1 to {MAX_LENGTH} characters.")
    if request.POST.get("was") == said["name"]:  # a group's name as it is
        fields.pop("name", None)
    if hidden := request.POST.get("hidden", ""):
        fields["hidden"] = hidden == "yes"
    if face := request.POST.get("face", ""):
        if face not in KEYS | {NO_FACE}:
            raise Refused("bad_value", "There is no such face: choose one from the list.")
        fields["face"] = "" if face == NO_FACE else face
    _submit(context, "arrange", fields)


def remove(request: HttpRequest, context: ViewerContext) -> None:
    """Remove all that are selected, in one step."""
    _submit(context, "remove_each", {"targets": _find_targets(request)})


def place_by_side(request: HttpRequest, context: ViewerContext) -> None:
    """Put all back into the start of their side."""
    _submit(context, "place_by_side", {})


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
