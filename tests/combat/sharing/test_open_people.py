"""A GM gives an own item to someone of an open encounter, from the item's page."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client

from characters.gear.catalogue import find_items
from characters.gear.item_service import save_own
from combat.models import Encounter
from combat.rules import find_system
from tests.combat.visit import PIRATE, ZARA, combatant, load, read


def test_own_item_goes_to_someone_of_an_open_encounter(
    gm: User, gm_client: Client, started: Encounter
) -> None:
    system = find_system(started.system)
    model = next(one for one in find_items(gm, [system]) if one.kind.key == "weapon")
    key = f"own-{save_own(gm, system, 'weapon', {**model.entry.record, 'name': 'Heirloom'}).pk}"
    page = read(gm_client.get(f"/gear/item/{key}/"))
    offered = [one["value"] for one in page.all("button", name="combatant")]
    assert f"{started.pk}.{PIRATE}" in offered
    for who, is_told in ((PIRATE, False), (ZARA, True)):
        before = load(started.pk)
        gm_client.post(f"/gear/item/{key}/add/", {"combatant": f"{started.pk}.{who}"})
        item = combatant(started.pk, who).items[-1]
        assert (item.name, item.place) == ("Heirloom", "carried")
        now = load(started.pk)
        assert (now.public > before.public, now.seated > before.seated) == (is_told, is_told)
    steps = load(started.pk).log.order_by("-number")[:2]
    assert [one.public for one in steps] == [True, False], "what an NPC gets only the GM reads"
    gone = gm_client.post(f"/gear/item/{key}/add/", {"combatant": f"{started.pk}.f99"})
    assert gone.status_code == 422


def test_nobody_gives_to_the_people_of_others(gm: User, client: Client, started: Encounter) -> None:
    ana = User.objects.create_user("ana")
    client.force_login(ana)
    before = combatant(started.pk, PIRATE).items
    system = find_system(started.system)
    model = next(one for one in find_items(ana, [system]) if one.kind.key == "weapon")
    key = f"own-{save_own(ana, system, 'weapon', {**model.entry.record, 'name': 'Heirloom'}).pk}"
    page = read(client.get(f"/gear/item/{key}/"))
    assert not page.all("button", name="combatant")
    assert client.post(f"/gear/item/{key}/add/", {"combatant": f"{started.pk}.{PIRATE}"}).status_code == 422
    assert combatant(started.pk, PIRATE).items == before
