"""A campaign with every part filled: fights to come and over, party, NPCs, notes, handouts, rules, a pack."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from characters.services import character_service
from combat.models import Campaign
from combat.play.campaigns.campaigns import (
    add_members,
    change_notes,
    create_campaign,
    move_encounter,
    plan_encounter,
    set_rules,
)
from combat.play.campaigns.handouts import create_handout
from combat.play.campaigns.random_tables import read_table, save_table
from combat.play.campaigns.table_notes import save_shared
from combat.play.demo import make_demo_fight
from combat.play.packs.keeping import keep_pack
from combat.play.packs.using import switch_on
from cosmos_site.base.pictures import HANDOUT, remake
from tests.combat.evenings import make_hero, prepare
from tests.combat.play.packs.world import SHEET, make_campaign, pack_all
from tests.combat.visit import DEMO, SLUG, play
from tests.site.pictures import picture

PARTY = ("Vega", "Marcus Oduya", "Zara Chen", "Doc", "Rook")
PEOPLE = ("Mother Saro", "Captain Vex", "Old Tom", "The Broker", "Krax", "Sil")
COMING = (("The cargo deck", 3), ("The vault of the Lantern", 2), ("Bazaar at night", 4))


def make_full_campaign(gm: User) -> Campaign:
    """Five characters, three fights to come, two that are over, six NPCs, and some of all other kinds."""
    campaign = create_campaign(gm, "Lanterns in the dark between the stars")
    party = [make_hero(gm, name) for name in PARTY]
    add_members(campaign, [one.pk for one in party])
    met = [character_service.create(gm, SLUG, name, SHEET, npc=True, kind="Dockers") for name in PEOPLE]
    add_members(campaign, [one.pk for one in met], npc=True)
    for days, (name, thugs) in enumerate(COMING):
        made = prepare(campaign, name, party, thugs)
        plan_encounter(campaign, made.pk, timezone.localdate() + timedelta(days=7 * days))
    for _ in range(2):
        over = make_demo_fight(gm, SLUG)
        play(over.pk, DEMO.script)
        move_encounter(over.pk, campaign)
    change_notes(campaign, "Captain Vex owes Mother Saro a ship. The Broker knows.", "")
    save_shared(campaign.pk, "We agreed to meet at the dock.", 0)
    for number in range(4):
        shown = remake(picture(), HANDOUT) if number % 2 else None
        create_handout(campaign, f"Letter {number + 1}", "Come at once, and alone.", shown)
    set_rules(campaign, SLUG, [("foe_health", "bar"), ("max_attacks", 2)])
    save_table(campaign, read_table("Dock", "d6", "1-3 3 pirates\n4-6 nobody"))
    switch_on(keep_pack(gm, pack_all(make_campaign(gm))), campaign)
    return campaign
