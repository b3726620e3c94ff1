"""Rest after a fight: what each rest of the game brings each of a party, then one tap for all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods
from msgspec.structs import replace

from combat.audience.secrecy import view_health
from combat.audience.viewer import HealthView
from combat.display.combatants.tokens import Look
from combat.display.dice import view_faces
from combat.display.log_view import view_log
from combat.display.shapes.result_shapes import Face
from combat.models import StoredStep
from combat.play.campaigns.roster import find_side
from combat.play.writing.encounter_service import Submission, submit, undo
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.parts import Interlude
from combat.rules.core.declaration.system import System
from combat.rules.core.odds.resting import foresee_rest
from combat.rules.core.state.history import COMMAND
from combat.rules.core.state.state import Combatant, State, present
from combat.sharing.access import find_gm_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import is_htmx, see_other

from ..table.rows import find_people
from .downtime import tell_day

SIZES = {"short": "Breather", "night": "A night", "week": "A week"}
MOST_LINES = 80  # of the log of a rest


@dataclass(frozen=True)
class RestTile:
    """A rest to choose: its size in a word, and the game's words for it with their rule."""

    key: str
    label: str
    words: str
    rule: str
    is_on: bool


@dataclass(frozen=True)
class Rested:
    """Someone who would rest: health now, with the lowest and the highest dice after it, and in words.

    The bar has what is sure and what the dice may add, in percent.
    """

    name: str
    look: Look | None
    now: HealthView | None
    low: HealthView | None
    was: int = 0
    least: int = 0
    most: int = 0
    sure: int = 0
    may: int = 0
    words: tuple[str, ...] = ()

    @property
    def is_full(self) -> bool:
        """Whether nothing changes, since nothing is lost."""
        return self.was == self.least == self.most and not self.words


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def show_rest(request: HttpRequest, pk: int) -> HttpResponse:
    """The rests after a fight for its GM: what they bring, and a POST does one for all or takes it back."""
    context, status = find_gm_context(request, pk), 200
    if request.method == "POST":
        try:
            done = _perform(request, context)
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
        else:
            answer = see_other("rest", pk)
            answer["Location"] = done
            return answer
    if context.full_state.phase == "fight":
        messages.info(request, "The fight goes on: end it before anyone rests.")
        return redirect("table", pk)
    partial = "#rests" if "end" in request.GET and is_htmx(request) else ""
    shown = {**_view_rest(request, context), "is_part": bool(partial)}
    return render(request, "combat/prep/roster/rest_together.html" + partial, shown, status=status)


def _perform(request: HttpRequest, context: ViewerContext) -> str:
    """Do what the form asks; returns the address that shows it. Raises Refused."""
    asked, here = request.POST, reverse("rest", args=[context.encounter.pk])
    claim: dict[str, Any] = {
        "version": asked.get("version") or None,
        "by": context.name,
        "grant": context.grant,
    }
    if asked.get("do") == "undo":
        last = _find_last(context)
        if last is None or str(last.number) != asked.get("number"):
            raise Refused("stale", "Something came after that rest: undo that first, at the table.")
        undo(context.encounter.pk, **claim)
        messages.success(request, "The rest is undone.")
        return here
    rest = _find_rest(context.system, asked.get("size", ""))
    if asked.get("do") != "rest" or rest is None:
        raise Refused("unknown", "Choose a rest first.")
    with transaction.atomic():
        result = submit(context.encounter.pk, Submission(rest.action, dict(rest.fields), **claim))
    if result.waiting:
        return reverse("table", args=[context.encounter.pk])
    return f"{here}?size={rest.size}&done"


def find_rests(system: System) -> list[Interlude]:
    """The rests that a game offers after a fight, the shortest first."""
    return [one for one in system.turn.passing.interludes if one.size]


def _find_rest(system: System, size: str) -> Interlude | None:
    return next((one for one in find_rests(system) if one.size == size), None)


def _find_last(context: ViewerContext) -> StoredStep | None:
    """The last step of the log, if it is a rest that stands."""
    last = context.encounter.log.order_by("-number").first()
    actions = {one.action for one in find_rests(context.system)}
    if last is None or last.struck or last.kind != COMMAND or last.name not in actions:
        return None
    return last


def _view_rest(request: HttpRequest, context: ViewerContext) -> dict[str, Any]:
    system, rests = context.system, find_rests(context.system)
    asked = request.GET.get("size", "")
    chosen = _find_rest(system, asked) or next(iter(rests), None)
    tiles = [RestTile(one.size, SIZES[one.size], one.label, one.rule, one is chosen) for one in rests]
    rows, problem = _foresee(context, chosen)
    last = _find_last(context)
    shows_done = last is not None and "done" in request.GET
    return {
        "encounter": context.encounter,
        "system": system,
        "stamp": context.stamp,
        "tiles": tiles,
        "chosen": next((one for one in tiles if one.is_on), None),
        "rows": rows,
        "problem": problem,
        "last": last,
        "told": _tell(context, last) if shows_done and last else (),
    }


def _tell(context: ViewerContext, step: StoredStep) -> list[tuple[str, tuple[Face, ...]]]:
    """The lines of a step: whom the rest helped, with the dice that fell."""
    lines = [line for one in view_log(context, [step]) for line in one.lines][:MOST_LINES]
    told = {
        line.text: view_faces(line.roll) if line.roll else () for line in lines
    }  # a day like another: once
    return list(told.items())


def _foresee(context: ViewerContext, rest: Interlude | None) -> tuple[list[Rested], str]:
    """What a rest brings each of the players' side, and why it cannot be, if so."""
    system, state = context.system, context.full_state
    if rest is None:
        return [], f"{system.name} has no rests: let time pass at the table."
    try:
        ((low, high),) = foresee_rest(system, state, rest, 1)
        problem = ""
    except Refused as refused:
        low, high, problem = state, state, refused.message
    looks = {who: one.look for who, one in find_people(context).items()}
    side = find_side(state)
    people = [one for one in present(state) if one.side == side and not system.characters.health(one).dead]
    people.sort(key=lambda one: not one.pc)
    return [_view_one(system, state, one, looks.get(one.id), low, high) for one in people], problem


def _view_one(
    system: System, state: State, one: Combatant, look: Look | None, low: State, high: State
) -> Rested:
    then = low.combatants[one.id], high.combatants[one.id]
    now, least, most = (system.characters.health(each) for each in (one, *then))
    full = max(now.most, least.most, most.most, 1)
    sure, may = (max(0, min(100, round(100 * each.now / full))) for each in (least, most))
    return Rested(
        one.name,
        replace(look, down=now.is_out) if look else None,
        view_health(system, now),
        view_health(system, least),
        was=now.now,
        least=min(least.now, most.now),
        most=max(least.now, most.now),
        sure=min(sure, may),
        may=max(sure, may) - min(sure, may),
        words=tuple(event.words for event in tell_day(system, 1, state, low, one.id)),
    )
