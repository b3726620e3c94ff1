"""A campaign with one thing of each kind, and the pack made of it."""

from __future__ import annotations

import msgspec
from django.contrib.auth.models import User

from characters.gear.item_service import save_own
from characters.services import character_service
from combat.models import Campaign
from combat.play.campaigns.campaigns import add_members, create_campaign, create_in_campaign, set_rules
from combat.play.campaigns.handouts import create_handout
from combat.play.packs.documents import Document
from combat.play.packs.making import find_offers, make_pack
from combat.play.scenes.ready import find_ready_scenes
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from cosmos_site.base.pictures import HANDOUT, remake
from tests.combat.visit import SLUG
from tests.site.pictures import picture

SYSTEM = find_system(SLUG)
SHEET = next(iter(SYSTEM.book.find_blocks().values())).sheet
WORDS = {
    "name": "Dock life",
    "author": "Mara",
    "license": "CC BY 4.0",
    "release": "1.2",
    "about": "Two docks.",
}
FOE = "Dock thug"


def make_campaign(gm: User) -> Campaign:
    """A campaign with an item, a stat block, a house rule, a handout and a prepared encounter."""
    campaign = create_campaign(gm, "The long haul")
    assert SYSTEM.book.catalogue
    record = next(e.record for e in SYSTEM.book.catalogue.find_entries() if e.kind == "weapon")
    save_own(gm, SYSTEM, "weapon", {**record, "name": "Heirloom"})
    npc = character_service.create(gm, SLUG, FOE, SHEET, npc=True, kind="Dockers")
    add_members(campaign, [npc.pk], npc=True)
    set_rules(campaign, SLUG, [("foe_health", "bar")])
    create_handout(campaign, "Wanted", "Dead or alive", remake(picture(), HANDOUT))
    made = create_in_campaign(campaign, gm, SLUG, "Ambush")
    scene = msgspec.to_builtins(find_ready_scenes()[0].scene)
    submit(made.pk, Submission("set_scene", {"scene": scene}))
    submit(
        made.pk,
        Submission("join", {"sheet": SHEET, "name": "Thug", "side": "enemies", "count": 2, "group": True}),
    )
    submit(made.pk, Submission("join", {"sheet": SHEET, "name": "Vega", "side": "allies", "pc": True}))
    return campaign


def find_all(campaign: Campaign) -> set[str]:
    return {offer.value for offers in find_offers(campaign).values() for offer in offers}


def pack_all(campaign: Campaign) -> Document:
    return make_pack(campaign, find_all(campaign), WORDS)
