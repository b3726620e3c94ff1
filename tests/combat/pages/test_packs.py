"""The pages of packs: from one table to another, and nobody else's."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from msgspec.structs import replace

from combat.models import Campaign, Encounter, Pack
from combat.play.campaigns.campaigns import create_campaign
from combat.play.campaigns.handouts import create_handout
from combat.play.packs import keeping
from combat.play.packs.documents import sign, write_document
from combat.play.packs.keeping import keep_pack
from tests.combat.play.packs.world import WORDS, find_all, make_campaign, pack_all
from tests.combat.visit import read, refusal
from tests.typed import Answer


@pytest.fixture
def campaign(gm: User) -> Campaign:
    return make_campaign(gm)


@pytest.fixture
def pack(gm_client: Client, campaign: Campaign) -> Pack:
    answer = gm_client.post(f"/campaigns/{campaign.pk}/pack/", {**WORDS, "thing": sorted(find_all(campaign))})
    assert answer.status_code == 303
    return Pack.objects.get()


def upload(client: Client, raw: bytes) -> Answer:
    return client.post("/packs/", {"file": SimpleUploadedFile("dock.json", raw)})


def test_pack_goes_from_one_table_to_another(gm_client: Client, pack: Pack) -> None:
    page = read(gm_client.get(f"/packs/{pack.pk}/"))
    assert page.one("h1").text == "Dock life"
    assert "Version 1.2 by Mara · CC BY 4.0" in page.one("header", class_="page-head").text
    assert pack.digest in page.one("main").text
    file = gm_client.get(f"/packs/{pack.pk}/file/")
    assert file["Content-Disposition"] == 'attachment; filename="dock-life.pack.json"'
    owner, client = User.objects.create_user("other"), Client()
    client.force_login(owner)
    theirs = create_campaign(owner, "Elsewhere")
    kept = Pack.objects.get(pk=int(upload(client, file.content)["Location"].split("/")[2]))
    assert (kept.owner, kept.digest, bytes(kept.document)) == (owner, pack.digest, bytes(pack.document))
    here = f"/packs/{kept.pk}/"
    assert not theirs.packs.exists()
    preview = read(client.get(here, {"campaign": theirs.pk}))
    assert "5 new, 0 replaced, 0 already there" in preview.one(id="contents").text
    assert client.post(here, {"do": "on", "campaign": theirs.pk}).status_code == 303
    assert "Dock life" in read(client.get(f"/campaigns/{theirs.pk}/")).one(id="packs").text
    assert refusal(client.post(here, {"do": "on", "campaign": theirs.pk})).startswith(
        "“Dock life” is switched on"
    )
    assert refusal(client.post(here, {"do": "delete"})).startswith("This pack is switched on")
    assert client.post(here, {"do": "off", "campaign": theirs.pk}).status_code == 303
    assert not Encounter.objects.filter(owner=owner).exists()
    assert client.post(here, {"do": "delete"})["Location"] == "/packs/"
    assert Pack.objects.get() == pack


def test_refused_pack_keeps_what_was_chosen_and_typed(gm_client: Client, campaign: Campaign) -> None:
    here = f"/campaigns/{campaign.pk}/pack/"
    answer = gm_client.post(here, {**WORDS, "name": ""})
    assert answer.status_code == 422
    answer = gm_client.post(here, {**WORDS, "name": "", "thing": sorted(find_all(campaign))})
    page = read(answer)
    assert page.one("input", name="license")["value"] == WORDS["license"]
    boxes = page.all("input", name="thing")
    assert len(boxes) == 5
    assert all("checked" in box.attrs for box in boxes)
    assert not Pack.objects.exists()


def test_new_pack_names_what_the_campaign_has_none_of(gm_client: Client, gm: User) -> None:
    bare = create_campaign(gm, "Bare")
    create_handout(bare, "A letter", "Come at once.", None)
    page = read(gm_client.get(f"/campaigns/{bare.pk}/pack/"))
    groups = [one.text for one in page.all("legend")]
    assert groups == ["Handouts 1"]
    missing = [one.text for one in page.all("b", page.one(class_="pack-missing"))]
    assert missing[:3] == ["Encounters and scenes", "Stat blocks", "Tables to roll on"]


def test_new_pack_of_an_empty_campaign_leads_on(gm_client: Client, gm: User) -> None:
    page = read(gm_client.get(f"/campaigns/{create_campaign(gm, 'Bare').pk}/pack/"))
    empty = page.one("section", class_="empty")
    assert "Nothing to pack yet" in empty.text
    assert [one.text for one in page.all("a", inside=empty)] == ["Plan a fight", "Back to the campaign"]
    assert not page.all("input", name="thing")


def test_new_pack_shows_the_faces_of_its_people(gm_client: Client, campaign: Campaign) -> None:
    page = read(gm_client.get(f"/campaigns/{campaign.pk}/pack/"))
    [row] = [one for one in page.all("label") if "Dock thug" in one.text]
    assert page.all("svg", inside=row, class_="shot")
    assert page.all("svg", inside=page.one("div", class_="pack-picture"), class_="shot")


def test_file_that_is_no_pack_gets_a_sentence(gm_client: Client) -> None:
    for raw in [b"", b"{}", b"PK\x03\x04", b'{"format":"cosmos-table-pack","version":1}']:
        answer = upload(gm_client, raw)
        assert answer.status_code == 422, raw
        assert refusal(answer), raw
        assert not Pack.objects.exists(), raw
        assert gm_client.post("/packs/").status_code == 422, raw


def test_pack_and_campaign_of_someone_else_do_not_exist(
    gm_client: Client, pack: Pack, campaign: Campaign
) -> None:
    owner, client = User.objects.create_user("other"), Client()
    client.force_login(owner)
    mine = create_campaign(owner, "Mine")
    sent: list[tuple[str, dict[str, Any]]] = [
        (f"/packs/{pack.pk}/", {"do": "delete"}),
        (f"/packs/{pack.pk}/", {"do": "on", "campaign": mine.pk}),
        (f"/campaigns/{campaign.pk}/pack/", WORDS),
    ]
    for address, fields in sent:
        assert client.get(address).status_code == 404
        assert client.post(address, fields).status_code == 404
    assert client.get(f"/packs/{pack.pk}/file/").status_code == 404
    assert "Dock life" not in client.get("/packs/").content.decode()
    for wrong in (mine.pk, 0, "x", "²"):
        assert gm_client.post(f"/packs/{pack.pk}/", {"do": "on", "campaign": wrong}).status_code == 404
    assert gm_client.post(f"/packs/{pack.pk}/", {"do": "eat"}).status_code == 422


def test_pack_read_twice_is_there_once_and_its_name_is_told(gm_client: Client, gm: User, pack: Pack) -> None:
    upload(gm_client, keeping.read_file(pack))
    assert Pack.objects.count() == 1
    assert "You have “Dock life” already: the file is the same" in gm_client.get("/packs/").content.decode()
    changed = keeping.open_pack(pack)
    other = write_document(sign(replace(changed, release="1.3")))
    upload(gm_client, other)
    assert "You have another pack of this name: compare them." in gm_client.get("/packs/").content.decode()


def test_long_lists_of_what_is_in_a_pack_are_folded(gm_client: Client, gm: User, campaign: Campaign) -> None:
    for number in range(25):
        create_handout(campaign, f"Letter {number:02}", "Text", None)
    page = read(gm_client.get(f"/campaigns/{campaign.pk}/pack/"))
    (fold,) = page.all("details", inside=page.one("main"))
    assert len(page.all("input", inside=fold, name="thing")) == 6
    pack = keep_pack(gm, pack_all(campaign))
    page = read(gm_client.get(f"/packs/{pack.pk}/"))
    fold = page.one("details", inside=page.one(id="contents"))
    shown, folded = len(page.all("b", inside=page.one(id="contents"))), len(page.all("b", inside=fold))
    assert (shown - folded, folded) == (20, 10)
