"""Moving and sizing where the sides begin, on the map of the preparation."""

from __future__ import annotations

import msgspec
from django.http import HttpRequest

from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.gm.spots import PREP
from combat.rules.core.map.starts import list_starts, measure, reaches_ground
from combat.rules.core.space.plane import overlap, piece_of
from combat.sharing.viewer_context import ViewerContext

from .forms import StartAreaForm


def move_start(request: HttpRequest, context: ViewerContext, form: StartAreaForm) -> None:
    """Move or size a start area: its corner and size are said in meters. The scene then names its starts."""
    state, encounter = context.known_state, context.encounter
    if state.phase != PREP:
        raise Refused("not_allowed", "The fight has begun: move people instead.")
    hexes = context.system.space.has_hexes(state)
    starts = [piece_of(one) for one in list_starts(state, hexes)]
    number = read_count(request.POST.get("start", ""))
    if number is None or number >= len(starts):
        raise Refused("unknown", "That start area is gone: reload the page.")
    was = starts.pop(number)
    said = {name: round(value, 2) for name, value in form.cleaned_data.items() if value is not None}
    start = msgspec.structs.replace(was, **said)
    if not reaches_ground(state.scene, start, hexes):
        raise Refused("bad_value", "That is beside the map: keep a part of the start area on it.")
    if any(measure(overlap(start, other)) > measure(overlap(was, other)) for other in starts):
        raise Refused("bad_value", "Another side begins there: keep start areas apart.")
    starts.insert(number, start)
    scene = msgspec.structs.replace(state.scene, starts=tuple(starts), map=msgspec.UNSET)
    fields = {"scene": msgspec.to_builtins(scene)}
    wanted = Submission("set_scene", fields, version=encounter.version, by=context.name, grant=context.grant)
    submit(encounter.pk, wanted)
