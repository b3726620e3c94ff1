"""Closing a fight: loot, sheets, experience, a recap and prisoners, all that is selected or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from characters.access import person_of
from characters.guests import visitor_of
from combat.audience.things import NOTE, NPC
from combat.display.shapes.table_shapes import CombatantView
from combat.play.after.recaps import find_told
from combat.play.campaigns.prisoners import find_open_prisoners, keep_prisoners
from combat.play.campaigns.roster import bring_all_back, find_returns, give_experience
from combat.play.campaigns.table_notes import add_to_shared, has_room, has_shared
from combat.play.handing_out import hand_all
from combat.play.writing.encounter_service import Submission, submit
from combat.play.writing.locking import locked
from combat.rules.core.basics.errors import Refused
from combat.sharing.access import find_context
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import lead_on, see_other

from ..report.recap_view import write_recap
from ..table.rows import find_people
from ..table.submissions import read_gifts

HEAD = 3  # lines of a recap that tell it from others: its name, and when and where it was
NOT_YOURS = "Only the GM whose fight it is keeps prisoners: select none."


@dataclass(frozen=True)
class Closing:
    """What the GM can select besides the sheets: a recap for the players' notes, and who stays as a prisoner.

    `has_recap`: there is a campaign whose notes have none of this fight; `is_full`: it would not fit.
    """

    has_recap: bool
    is_full: bool
    prisoners: tuple[CombatantView, ...]


def find_closing(context: ViewerContext) -> Closing:
    """What closing can do now besides what it hands out and writes to sheets."""
    campaign, recap = context.find_campaign_id(NOTE), ""
    if campaign is not None:
        recap = _write_recap(context)
        recap = "" if has_shared(campaign, _find_head(recap)) else recap
    is_full = bool(recap) and campaign is not None and not has_room(campaign, recap)
    known = find_people(context)
    taken = find_open_prisoners(context.encounter, context.full_state) if context.may_name(NPC) else []
    return Closing(bool(recap), is_full, tuple(known[one.id] for one in taken if one.id in known))


def _write_recap(context: ViewerContext) -> str:
    """The recap of the fight as everyone may know it; empty if none was fought."""
    told = find_told(context.encounter)
    return write_recap(context.system, context.encounter.name, context.full_state, told) if told else ""


def _find_head(recap: str) -> str:
    return "\n".join(recap.splitlines()[:HEAD])


def close_fight(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """Hand out what is set out, then do what is selected: all of it or nothing. The report follows."""
    person, posted, pk = visitor_of(request), request.POST, context.encounter.pk
    usual = find_returns(context.encounter, context.full_state, person, runs=True)
    chosen = "sheets" in posted  # else their list has not come yet: all are updated, as the bar says
    left = {str(one.character.pk) for one in usual if chosen and one.usual}.difference(
        posted.getlist("sheet")
    )
    claim: dict[str, Any] = {"version": posted.get("version"), "by": context.name, "grant": context.grant}
    try:
        with locked(pk):
            hand_all(pk, read_gifts(posted), money=posted.get("money", ""), needed=False, **claim)
            now = find_context(request, pk)
            sheets = _write_sheets(request, now, left)
            if "gives" in posted and (word := posted.get("experience", "").strip()):
                give_experience(now.encounter, now.full_state, person_of(request), word)
            kept = _keep(request, now)
            submit(pk, Submission("close_fight", {}, by=context.name, grant=context.grant))
    except Refused as refused:
        shown = {"refused": refused.message}
        return render(request, "combat/prep/roster/not_closed.html", shown, status=status_of(refused))
    done = ", ".join([*([f"{sheets} sheet{'s' if sheets > 1 else ''} updated"] if sheets else []), *kept])
    messages.success(request, f"The fight is closed{': ' if done else ''}{done}.")
    return lead_on(request, see_other("report", pk))


def _write_sheets(request: HttpRequest, context: ViewerContext, left: set[str]) -> int:
    """Write what usually goes to sheets, but for those left out; how many sheets that were."""
    person, state = visitor_of(request), context.full_state
    found = find_returns(context.encounter, state, person, runs=True)
    usual = {str(one.character.pk): [change.token for change in one.usual] for one in found}
    wanted = {who: changes for who, changes in usual.items() if changes and who not in left}
    return len(bring_all_back(context.encounter, state, person, wanted, runs=True)) if wanted else 0


def _keep(request: HttpRequest, context: ViewerContext) -> list[str]:
    """Keep the recap and the prisoners that are selected; what was done, in words. Raises Refused."""
    done, posted, campaign = list[str](), request.POST, context.find_campaign_id(NOTE)
    if "recap" in posted and campaign is not None and (recap := _write_recap(context)):
        if not has_shared(campaign, _find_head(recap)):
            add_to_shared(campaign, recap)
            done.append("the recap is in the shared notes")
    if taken := list(dict.fromkeys(posted.getlist("prisoner"))):
        if not context.may_name(NPC):
            raise Refused("not_allowed", NOT_YOURS)
        made = keep_prisoners(context.encounter, person_of(request), context.full_state, taken)
        done.append(f"{len(made)} prisoner{'s' if len(made) > 1 else ''} among your NPCs")
    return done
