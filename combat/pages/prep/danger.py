"""How dangerous someone is to a party: the forecast plays as many of them against it as it has people.

Nobody is measured before it is asked for. A few are played at a time, so that other forecasts wait for no
more than a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from django.contrib.auth.models import AnonymousUser, User

from combat.display.combatants.cards import NPC, Danger
from combat.play.campaigns.npcs import find_fields
from combat.play.campaigns.roster import find_side, list_sides
from combat.play.whatif import forecast_jobs
from combat.play.whatif.forecast_changes import try_out
from combat.play.whatif.forecast_jobs import Job
from combat.rules.core.basics.errors import Refused
from combat.rules.core.odds.forecast import CHUNK
from combat.rules.core.sides import find_able
from combat.rules.core.state.state import State
from combat.sharing.viewer_context import ViewerContext

from .people_view import digest_of

FIGHTS = 2 * CHUNK
AT_ONCE = 2  # jobs that are begun together
MOST = 12  # of the party
# How dangerous: its word, its tone, and from how many percent on the party wins
LEVELS = (("easy", "d-easy", 80), ("even", "d-even", 50), ("hard", "d-hard", 20), ("deadly", "d-deadly", 0))


def find_party_state(context: ViewerContext) -> State | None:
    """The fight with nobody but the party; None without anyone in it who can fight."""
    state = context.full_state
    side = find_side(state)
    party = [one for one in find_able(context.system, state) if one.side == side][:MOST]
    if not party:
        return None
    kept = {one.id: one for one in party}
    return msgspec.structs.replace(state, combatants=kept, order=(), active="", phase="prep")


def read_danger(context: ViewerContext, key: str) -> Danger | None:
    """What is known of someone's danger to the party as it is now; None before it is asked for."""
    party = find_party_state(context)
    job = forecast_jobs.read_job(_place(context, key)) if party else None
    if party is None or job is None or job.stamp != _stamp(party) or job.failed or job.lost:
        return None
    return _tell(job, find_side(context.full_state), len(party.combatants))


def _tell(job: Job, side: str, people: int) -> Danger:
    if not job.done:
        return Danger(0, 0, people, job.running)
    won = sum(ending.outcome.side == side and not ending.outcome.escapes for ending in job.endings)
    percent = round(100 * won / job.done)
    number = next(number for number, (_, _, least) in enumerate(LEVELS) if percent >= least)
    level, tone, _ = LEVELS[number]
    return Danger(
        percent, job.done, people=people, running=job.running, level=level, tone=tone, segments=number + 1
    )


def begin_danger(context: ViewerContext, user: User | AnonymousUser, key: str) -> bool:
    """Begin to measure someone; False if there is no party, or nobody of this key."""
    party = find_party_state(context)
    if party is None:
        return False
    sides = list_sides(context.full_state)
    fields: dict[str, Any] = {"name": "", "side": sides[0], "count": len(party.combatants)}
    try:
        if key.startswith(NPC):
            fields |= find_fields(user, context.encounter.system, key.removeprefix(NPC))
        else:
            fields["block"] = key
        state = try_out(context.system, party, "join", fields)
        forecast_jobs.begin(_place(context, key), _stamp(party), context.encounter.system, state, most=FIGHTS)
    except Refused:
        return False
    return True


def begin_some(context: ViewerContext, user: User | AnonymousUser, keys: Sequence[str]) -> int:
    """Begin to measure the next of these, a few at a time; returns how many are left."""
    begun = 0
    for key in keys:
        if begun == AT_ONCE:
            break
        begun += begin_danger(context, user, key)
    return len(keys) if begun else 0


def _place(context: ViewerContext, key: str) -> str:
    return f"{context.encounter.pk}:danger-{digest_of(key)}"


def _stamp(party: State) -> str:
    """A mark of the party as it stands, so that adding enemies leaves what was measured."""
    return digest_of("".join(repr(one) for one in party.combatants.values()) + repr(party.options))
