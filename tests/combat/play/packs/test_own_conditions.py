"""Conditions of the GM's own in packs."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from msgspec.structs import replace

from combat.play.campaigns.campaigns import create_campaign, create_in_campaign
from combat.play.campaigns.own_conditions import find_kept_conditions, keep_condition
from combat.play.packs.documents import PackCondition, write_document
from combat.play.packs.keeping import open_pack, read_pack
from combat.play.packs.making import find_offers, make_pack
from combat.play.packs.using import compare, switch_off, switch_on
from combat.play.writing.encounter_service import read_state
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from tests.combat.visit import SLUG

from .world import WORDS


def test_own_conditions_come_along_replace_and_go_again(gm: User) -> None:
    home, cosmos = create_campaign(gm, "Home"), find_system(SLUG)
    other = create_campaign(User.objects.create_user("other"), "Elsewhere")
    curse = {"name": "Cursed", "changes": {"attack": -2}, "note": "Touched the idol."}
    keep_condition(home, cosmos, curse)
    create_in_campaign(home, gm, SLUG, "The bay")
    offers = [one.value for kind in find_offers(home).values() for one in kind]
    packed = make_pack(home, [one for one in offers if one.startswith(("conditions", "encounter"))], WORDS)
    keep_condition(other, cosmos, {"name": "cursed", "note": "Unlucky."})
    pack = read_pack(other.owner, write_document(packed))
    rows = [(row.name, row.state) for row in compare(open_pack(pack), other) if row.kind == "Condition"]
    assert rows == [("Cursed", "replaces")]
    switch_on(pack, other)
    other.refresh_from_db()
    assert [one.note for one in find_kept_conditions(other, SLUG)] == ["Touched the idol."]
    assert [one.name for one in read_state(other.encounters.get()).all_own_conditions] == ["Cursed"]
    assert [row.state for row in compare(open_pack(pack), other) if row.kind == "Condition"] == ["same"]
    switch_off(pack, other)
    other.refresh_from_db()
    assert [one.note for one in find_kept_conditions(other, SLUG)] == ["Unlucky."]
    wrong = {SLUG: (PackCondition("Odd", changes={"luck": 1}),)}
    with pytest.raises(Refused, match="luck"):
        read_pack(other.owner, write_document(replace(packed, conditions=wrong)))
