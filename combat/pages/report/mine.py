"""What a player's own did in a fight: a part of the table, asked for once it is over."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from combat.play.after.reports import Fight, find_fight
from combat.rules.core.report.luck import add_up
from combat.rules.core.report.tally import Tally
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext

from .shapes import LuckView, find_rare, say_dealt, tell_roll, view_luck


@dataclass(frozen=True)
class MyFight:
    """What one of a player's own dealt and took, their luck, and their unlikeliest success in words.

    `note` says how `dealt` was counted, if not as usual.
    """

    name: str
    dealt: str
    note: str
    taken: int
    luck: LuckView
    best: str


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_my_fight(request: HttpRequest, pk: int) -> HttpResponse:
    """The numbers of each of a player's own."""
    context = find_context(request, pk)
    fight = find_fight(context.encounter, context.viewer) if context.encounter.phase == "over" else None
    if fight is None or not context.viewer.seats:
        raise Http404("No fight of yours is over.")
    mine = [_view_mine(context, fight, who) for who in fight.after.combatants if who in context.viewer.seats]
    return render(request, "combat/table/waiting/my_fight.html", {"mine": mine})


def _view_mine(context: ViewerContext, fight: Fight, who: str) -> MyFight:
    names = {one.id: one.name for one in context.known_state.combatants.values()}
    tally = fight.tallies.of.get(who, Tally())
    chances = [one for one in fight.chances if one.who == who and who in names]
    best = next((tell_roll(context, one, names) for one in find_rare(chances) if one.good), "")
    dealt, note = say_dealt(tally, bool(context.obscured - {who}))
    return MyFight(names.get(who, ""), dealt, note, tally.taken, view_luck(add_up(chances)), best)
