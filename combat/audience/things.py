"""Who may name what the campaign of an encounter holds; every form, post and program asks here.

To all others there is no such thing: they get the same answer whether it exists or not.
"""

from __future__ import annotations

from combat.models import Encounter, Handout
from combat.rules.core.basics.errors import Refused

from .rights import Grant
from .viewer import Viewer

# Who may name a thing: the encounter's owner, all who run it, or also the players
OWNER, GMS, SEATED = "owner", "gms", "seated"
HANDOUT, TABLE, CONDITION, NPC, FIGHT, NAME = "handout", "table", "condition", "npc", "fight", "name"
PARTY, NOTE, RULING = "party", "note", "ruling"
MAY_NAME = {
    HANDOUT: OWNER,
    TABLE: OWNER,
    CONDITION: OWNER,
    NPC: OWNER,
    FIGHT: OWNER,  # another encounter of the campaign
    NAME: OWNER,  # of the campaign itself
    RULING: GMS,  # on an act, in an earlier fight
    PARTY: GMS,  # all its characters at once
    NOTE: SEATED,  # the one that its tables share
}
NO_HANDOUT = "You have no handout of that title here: write it as it stands in your campaign."


def may_name(thing: str, encounter: Encounter, viewer: Viewer, grant: Grant | None) -> bool:
    """Whether someone may name things of a kind at an encounter; without a grant the app itself does."""
    who = MAY_NAME[thing]
    if who == OWNER:
        return grant is None or grant.owner == encounter.owner_id
    return viewer.is_gm or (who == SEATED and not viewer.is_spectator)


def find_campaign_id(thing: str, encounter: Encounter, viewer: Viewer, grant: Grant | None) -> int | None:
    """The number of the campaign whose things of a kind someone may name; None if there is none for them."""
    return encounter.campaign_id if may_name(thing, encounter, viewer, grant) else None


def check_handout(encounter: Encounter, viewer: Viewer, grant: Grant | None, title: str) -> None:
    """Refuse the title of a handout that is not there, or that its author may not name."""
    of = find_campaign_id(HANDOUT, encounter, viewer, grant)
    if of is None or not Handout.objects.filter(campaign=of, title=title).exists():
        raise Refused("unknown", NO_HANDOUT)
