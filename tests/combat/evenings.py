"""A campaign with two prepared fights of one party, for the tests of its evening."""

from __future__ import annotations

from django.contrib.auth.models import User

from characters.models import Character
from characters.services.character_service import create
from combat.models import Campaign, Encounter
from combat.play.campaigns.campaigns import add_members, create_campaign, create_in_campaign
from combat.play.campaigns.roster import bring
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from tests.combat.visit import SLUG

FIRST, SECOND = "The cargo deck", "The vault of the Lantern"


def make_evening(gm: User) -> Campaign:
    """Two characters who meet a thug, then two."""
    campaign = create_campaign(gm, "Lanterns over Kessa")
    party = [make_hero(gm, name) for name in ("Vega", "Marcus Oduya")]
    add_members(campaign, [one.pk for one in party])
    for name, thugs in ((FIRST, 1), (SECOND, 2)):
        prepare(campaign, name, party, thugs)
    return campaign


def make_hero(gm: User, name: str, slug: str = SLUG) -> Character:
    """A character with the sheet of the game's first stat block."""
    sheet = next(iter(find_system(slug).book.find_blocks().values())).sheet
    return create(gm, slug, name, {**sheet, "name": name})


def prepare(campaign: Campaign, name: str, party: list[Character], thugs: int, slug: str = SLUG) -> Encounter:
    """A fight of a campaign against so many of the game's first stat block, before it begins."""
    made = create_in_campaign(campaign, campaign.owner, slug, name)
    for one in party:
        bring(made, campaign.owner, str(one.pk), side="heroes", zone="", by="gm")
    if thugs:
        block = next(iter(find_system(slug).book.find_blocks()))
        submit(made.pk, Submission("join", {"block": block, "count": thugs}))
    made.refresh_from_db()
    return made
