"""The rows of the roster, changed in place: one combatant, a group, or all that are selected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest

from combat.play.writing.encounter_service import Submission, submit, submit_all
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.decisions import MAX_COMBATANTS, zone_id_of
from combat.rules.core.state.state import FACE
from combat.sharing.viewer_context import ViewerContext

from ..table.roster_view import RosterBlock, SideView
from .forms import ArrangeForm, PutForm
from .later import LaterForm


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
    zones = {zone_id_of(state, one) for one in people}
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
    form = ArrangeForm(state, sent, auto_id="row-%s", **row)
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
    said = {n: word for n, word in form.cleaned_data.items() if posted.get(f"was-{n}") != posted.get(n)}
    if posted.get("had_alias") and not posted.get("alias"):  # taken out of its field, it is revealed
        said["alias"] = ""
    _submit(context, "arrange", {"targets": _find_targets(request), **said})


def remove(request: HttpRequest, context: ViewerContext) -> None:
    """Remove all that are selected, in one step."""
    _submit(context, "remove_each", {"targets": _find_targets(request)})


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
