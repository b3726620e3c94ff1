"""What a posted form of the table does: an entry for each `do`; any other names an action of the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, QueryDict

from characters.display.number_fields import read_faces
from combat.audience.rights import check_right
from combat.display.forms.division import read_parts
from combat.display.forms.fields import read_fields
from combat.display.forms.overruling_form import read_overruled
from combat.play.autopilot import autoplay
from combat.play.overruling import overrule_roll
from combat.play.scenes import fog_of_war
from combat.play.writing.encounter_service import Submission, SubmissionResult, answer, cancel, submit
from combat.play.writing.group_rolls import answer_all
from combat.play.writing.refusals import stale
from combat.play.writing.undoing import redo, undo
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.engine.engine import find_action
from combat.rules.core.state.state import State
from combat.sharing import waiting_room
from combat.sharing.viewer_context import ViewerContext

MAX_LENGTH = 100  # of a word quoted in a refusal
Change = Callable[[HttpRequest, ViewerContext, str], SubmissionResult | None]


def perform(request: HttpRequest, context: ViewerContext) -> SubmissionResult | None:
    """Do what the posted form asks; None if it changes nothing of the fight itself.

    Raises Refused, or PermissionDenied for spectators.
    """
    if context.viewer.is_spectator:
        raise PermissionDenied("Spectators can't act.")
    do = request.POST.get("do", "")
    changes = FOR_GM if context.viewer.is_gm else FOR_ALL
    return changes.get(do, _act)(request, context, do)


def _claim(request: HttpRequest, context: ViewerContext) -> dict[str, Any]:
    """Whose change it is, and of which version; Refused("stale") if the page showed an outdated one."""
    stamp = request.POST.get("version", "")
    if stamp and stamp != context.stamp:
        raise stale()
    return {"version": stamp or None, "by": context.name, "grant": context.grant}


def _enter_room(request: HttpRequest, context: ViewerContext, do: str) -> None:
    return waiting_room.CHANGES[do](context, request.POST)


def _answer_all(request: HttpRequest, context: ViewerContext, _: str) -> SubmissionResult:
    """Each row names its question, so it stays right when others are answered."""
    return answer_all(context.encounter.pk, request.POST.dict(), by=context.name, grant=context.grant)


def _answer(request: HttpRequest, context: ViewerContext, _: str) -> SubmissionResult:
    claim = _claim(request, context)
    number, given = read_answer(request)
    always = bool(request.POST.get("always"))
    return answer(context.encounter.pk, number, **given, **claim, always=always)


def read_answer(request: HttpRequest) -> tuple[int, dict[str, Any]]:
    """Which question a form answers, and how: by faces, a value, or a roll of the app."""
    posted = request.POST
    number = read_count(posted.get("question", ""))
    if number is None:
        raise Refused("bad_value", "This answer names no question: reload the page.")
    value, faces = (posted.get("value") or read_parts(posted))[:MAX_LENGTH], read_faces(posted)
    roll = posted.get("dice") == "app" or (posted.get("dice") == "auto" and not faces)
    return number, {"faces": faces, "value": value, "roll": roll}


def _autoplay(request: HttpRequest, context: ViewerContext, do: str) -> SubmissionResult:
    return autoplay(context.encounter.pk, everybody=do == "autoplay_all", **_claim(request, context))


def _undo(request: HttpRequest, context: ViewerContext, _: str) -> SubmissionResult:
    return undo(context.encounter.pk, **_claim(request, context))


def _redo(request: HttpRequest, context: ViewerContext, _: str) -> SubmissionResult:
    return redo(context.encounter.pk, **_claim(request, context))


def _cancel(request: HttpRequest, context: ViewerContext, _: str) -> SubmissionResult:
    return cancel(context.encounter.pk, **_claim(request, context))


def _overrule(request: HttpRequest, context: ViewerContext, _: str) -> SubmissionResult:
    claim = _claim(request, context)
    return overrule_roll(context.encounter.pk, *read_overruled(request.POST), **claim)


def _set_fog(request: HttpRequest, context: ViewerContext, do: str) -> SubmissionResult:
    """Set fog, or hide or reveal an area: a change of the map like any other."""
    claim = _claim(request, context)
    fields = fog_of_war.find_changes(context.known_state.scene, do, request.POST)
    return submit(context.encounter.pk, Submission("change_map", fields, **claim))


def _act(request: HttpRequest, context: ViewerContext, do: str) -> SubmissionResult:
    claim = _claim(request, context)
    posted, viewer, system = request.POST, context.viewer, context.system
    action = find_action(system, do[:MAX_LENGTH])
    actor = posted.get("combatant", "") if action.who != "gm" else ""
    fields = {**posted.dict(), "actor": actor}
    check_right(viewer, system, context.full_state, action, fields)  # and again inside the lock
    fields = read_fields(action, context.known_state, actor, posted)
    typed, faces = read_dice(posted, context.known_state)
    wanted = Submission(do, fields, typed=typed, faces=faces, known=context.encounter, **claim)
    return submit(context.encounter.pk, wanted)


def read_dice(posted: QueryDict, state: State) -> tuple[bool, tuple[int, ...]]:
    """Whether the dice of a form are typed, and those that are typed already."""
    dice = posted.get("dice", "")
    faces = read_faces(posted) if dice in ("auto", "table") else ()
    return dice == "table" or bool(faces) or (not dice and _types_dice(state)), faces


def _types_dice(state: State) -> bool:
    """Whether this table rolls its own dice unless a button says otherwise."""
    return bool(state.options.get("typed_dice"))


FOR_ALL: dict[str, Change] = {
    **dict.fromkeys(waiting_room.CHANGES, _enter_room),
    "answer": _answer,
    "answer_all": _answer_all,
}
FOR_GM: dict[str, Change] = {
    **FOR_ALL,
    **dict.fromkeys(fog_of_war.CHANGES, _set_fog),
    "autoplay": _autoplay,
    "autoplay_all": _autoplay,
    "undo": _undo,
    "redo": _redo,
    "cancel": _cancel,
    "overrule": _overrule,
}
