"""A GM's own NPCs to add: those of the campaign first, each once, found by their words."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser, User

from characters.services import character_service
from combat.models import Campaign, CampaignMember
from combat.play.campaigns.npcs import find_fields, find_offered
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused


def make_npc(owner: User, name: str, kind: str = "") -> int:
    sheet = next(iter(find_system("cosmos").book.find_blocks().values())).sheet
    made = character_service.create(owner, "cosmos", name, sheet)
    made.npc, made.kind = True, kind
    made.save()
    return made.pk


def test_npcs_of_the_campaign_come_first_and_each_is_there_once(gm: User) -> None:
    ours, thug, plain = make_npc(gm, "Ours", "guard"), make_npc(gm, "Thug", "guard"), make_npc(gm, "Plain")
    campaign = Campaign.objects.create(owner=gm, name="Ring")
    CampaignMember.objects.create(campaign=campaign, character_id=ours)
    found = [(title, npc.pk) for title, npc in find_offered(gm, "cosmos", campaign=campaign.pk)]
    assert found == [("NPCs of this campaign", ours), ("Your NPCs", plain), ("Your NPCs: guard", thug)]
    alone = [(title, npc.pk) for title, npc in find_offered(gm, "cosmos")]
    assert alone == [("Your NPCs", plain), ("Your NPCs: guard", ours), ("Your NPCs: guard", thug)]
    assert [npc.pk for _, npc in find_offered(gm, "cosmos", "guard thug")] == [thug]
    assert find_offered(gm, "starshock") == []
    assert find_offered(AnonymousUser(), "cosmos") == []


@pytest.mark.parametrize("number", ["", "x", "0", "²", "9" * 15])
def test_npc_of_someone_else_or_none_is_refused(gm: User, number: str) -> None:
    theirs = make_npc(User.objects.create_user("other"), "Theirs")
    mine = make_npc(gm, "Mine")
    assert find_fields(gm, "cosmos", str(mine))["name"] == "Mine"
    for wrong in (number, str(theirs)):
        with pytest.raises(Refused):
            find_fields(gm, "cosmos", wrong)
