"""Packs: made of a campaign, read at another table, switched on and off; hostile files change nothing."""

from __future__ import annotations

import json
from base64 import b64encode
from codecs import BOM_UTF8
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import jsonschema
import msgspec
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from characters.gear.models import OwnItem
from characters.models import Character
from combat.management.commands.schema import find_schema
from combat.models import Campaign, Encounter, Handout, HandoutShowing, Pack, PackUse
from combat.play.after.imports import import_encounter
from combat.play.campaigns.campaigns import create_campaign, create_in_campaign, set_rules
from combat.play.campaigns.handouts import create_handout
from combat.play.campaigns.random_tables import find_tables, read_table, save_table
from combat.play.campaigns.rulings import find_rulings
from combat.play.campaigns.table_notes import save_note, write_notes
from combat.play.packs import documents
from combat.play.packs.documents import (
    FORMAT,
    MAX_BYTES,
    VERSION,
    Document,
    PackCombatant,
    PackCondition,
    PackEncounter,
    PackHandout,
    PackItem,
    PackNpc,
    PackReserve,
    PackTable,
    read_document,
    sign,
    sum_up,
    write_document,
)
from combat.play.packs.keeping import delete_pack, keep_pack, open_pack, read_file, read_pack
from combat.play.packs.making import find_offers, make_pack, write_keepsakes
from combat.play.packs.using import NEW, REPLACES, SAME, compare, switch_off, switch_on
from combat.play.writing.encounter_service import Submission, read_history, read_state, submit
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.document import write_document as export
from combat.rules.core.gm.aliases import real_name
from combat.rules.core.gm.decisions import GROUP
from combat.rules.core.space import Scene
from combat.rules.core.state.state import present
from tests.combat.visit import SLUG
from tests.site.pictures import picture

from .world import FOE, WORDS, find_all, make_campaign, pack_all

replace = msgspec.structs.replace


@pytest.fixture
def document(gm: User) -> Document:
    return pack_all(make_campaign(gm))


@pytest.fixture
def other(db: None) -> Campaign:
    """A campaign at another table."""
    return create_campaign(User.objects.create_user("other"), "Elsewhere")


def count_all() -> tuple[int, ...]:
    kinds: tuple[Any, ...] = (OwnItem, Handout, Encounter, Pack, PackUse)
    live = Character.objects.filter(deleted_at=None).count()
    return (live, *(kind.objects.count() for kind in kinds))


# ---- The file ----


def test_file_of_a_pack_is_the_same_pack_again(document: Document) -> None:
    again = read_document(write_document(document))
    assert replace(again, hash="") == document
    plain = json.loads(write_document(document))
    jsonschema.Draft202012Validator(find_schema("pack")).validate(plain)
    said = plain.pop("hash")
    written = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert again.hash == said == sha256(written.encode()).hexdigest(), "as the schema says, in any program"
    assert (again.name, again.license, again.release) == (WORDS["name"], WORDS["license"], WORDS["release"])
    (ambush,) = again.encounters
    assert [one.name for one in ambush.combatants] == ["Thug 1", "Thug 2"], "player characters stay at home"


def test_card_counts_each_kind_by_itself() -> None:
    """Each kind another number of times, so that none stands for another."""
    person = PackCombatant("Thug", "enemies", {}, x=0, y=0)
    scene = PackEncounter(SLUG, "Bay", Scene())
    fight = replace(scene, name="Ambush", combatants=(person,))
    plain = Document(FORMAT, VERSION, "All")
    full = replace(
        plain,
        npcs=(PackNpc(SLUG, "Guard", {}),),
        items=(PackItem(SLUG, "weapon", "Heirloom", {}),) * 2,
        handouts=(PackHandout("Wanted"),) * 3,
        encounters=(scene, fight) * 4 + (scene,),
        rules={SLUG: dict.fromkeys("ab", "x"), "tiny": dict.fromkeys("abcd", "x")},
        conditions={SLUG: (PackCondition("Cursed"),) * 6, "guardians": (PackCondition("Odd"),)},
    )
    counts = {
        "npcs": 1,
        "items": 2,
        "handouts": 3,
        "encounters": 4,
        "scenes": 5,
        "rules": 6,
        "conditions": 7,
    }
    told = sum_up(full)
    assert told["counts"] == counts
    assert told["games"] == [SLUG, "tiny", "guardians"]
    assert told["people"] == ["Guard", "Thug"]
    assert plain.is_empty
    assert set(sum_up(plain)["counts"].values()) == {0}
    for name in ("npcs", "items", "handouts", "encounters", "rules", "conditions"):
        assert not replace(plain, **{name: getattr(full, name)}).is_empty, name
    assert not replace(plain, tables=(PackTable("Bar", "1d6", "1-6 nobody"),)).is_empty


def test_byte_order_mark_of_an_editor_does_no_harm(document: Document) -> None:
    assert read_document(BOM_UTF8 + write_document(document)) == read_document(write_document(document))


def test_pack_of_nothing_is_not_made(gm: User) -> None:
    with pytest.raises(Refused, match="Nothing is selected"):
        make_pack(make_campaign(gm), {"item-0", "npc-x", "handout-²", "nothing"}, WORDS)


def test_all_own_items_are_offered_and_too_big_a_pack_is_refused(gm: User) -> None:
    campaign = make_campaign(gm)
    first = OwnItem.objects.get()
    names = [f"Heirloom {number:03}" for number in range(1, 201)]
    OwnItem.objects.bulk_create(
        OwnItem(owner=gm, system=SLUG, kind=first.kind, name=name, record={**first.record, "name": name})
        for name in names
    )
    assert len(find_offers(campaign)["Own items"]) == 201
    with pytest.raises(Refused, match="at most 200 items, this one has 201: divide it"):
        keep_pack(gm, make_pack(campaign, find_all(campaign), WORDS))


def change(data: Any, path: str, value: Any) -> Any:
    """The plain document with another value at a place."""
    *places, last = path.split(".")
    inner = data
    for place in places:
        inner = inner[int(place)] if isinstance(inner, list) else inner[place]
    inner[last] = b64encode(value).decode() if isinstance(value, bytes) else value
    return data


def resign(data: dict[str, Any]) -> bytes:
    """A file whose hash fits its changed content, as an author with bad intentions makes it."""
    return write_document(sign(msgspec.convert(data, Document)))


UNREADABLE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda raw: b"", "Not a pack"),
    "not JSON": (lambda raw: raw[:-20], "Not a pack"),
    "not text": (lambda raw: b"\xff\xfe\x00PK\x03\x04", "Not a pack"),
    "deep": (lambda raw: b"[" * 200_000, "Not a pack"),
    "another file": (
        lambda raw: b'{"format": "cosmos-table-characters"}',
        "a file of characters: Characters → Import",
    ),
    "another version": (lambda raw: raw.replace(b'"version": 1', b'"version": 2', 1), "another release"),
    "huge": (lambda raw: b" " * (MAX_BYTES + 1), "too large"),
    "changed": (lambda raw: raw.replace(b"Dead or alive", b"Dead and alive"), "changed or damaged"),
    "unknown field": (lambda raw: raw.replace(b'"release"', b'"script"'), "script"),
    "wrong shape": (lambda raw: raw.replace(b'"handouts": [', b'"handouts": ["x",'), "handouts"),
    "bytes of no picture": (lambda raw: raw.replace(b'"picture": "', b'"picture": "%%', 1), "picture"),
    "nothing in it": (lambda raw: write_document(Document("cosmos-table-pack", 1, "Empty")), "empty"),
}
UNUSABLE = {
    "a title in control characters": ("handouts.0.title", "\u202e\u202e", "Wanted|handout|shown"),
    "no picture": ("handouts.0.picture", b"MZ\x90\x00", "“Wanted”: This is a program, not a picture"),
    "a wrong record": ("items.0.record", {"name": "Heirloom"}, "Heirloom"),
    "another kind": ("items.0.kind", "spell", "no kind of item"),
    "a wrong sheet": ("npcs.0.sheet", {"attributes": "many"}, FOE),
    "an unknown rule": (f"rules.{SLUG}", {"win": True}, "house rules"),
    "a wrong rule": (f"rules.{SLUG}", {"foe_health": "all"}, "house rules"),
    "an unknown option": ("encounters.0.options", {"win": True}, "Ambush"),
    "a wrong combatant": ("encounters.0.combatants.0.sheet", {}, "Ambush"),
    "a place nowhere": ("encounters.0.combatants.0.x", 1e300, "Ambush"),
    "a picture without its map": ("encounters.0.picture", picture(), "do not belong together"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_malformed_file_gets_a_sentence_and_nothing(document: Document, other: Campaign, case: str) -> None:
    spoil, said = UNREADABLE[case]
    before = count_all()
    with pytest.raises(Refused, match=said) as refused:
        read_pack(other.owner, spoil(write_document(document)))
    assert len(refused.value.message) < 400
    assert count_all() == before


@pytest.mark.slow
@pytest.mark.parametrize("case", UNUSABLE)
def test_hostile_content_gets_a_sentence_and_nothing(document: Document, other: Campaign, case: str) -> None:
    path, value, said = UNUSABLE[case]
    before = count_all()
    raw = resign(change(json.loads(msgspec.json.encode(document)), path, value))
    with pytest.raises(Refused, match=said) as refused:
        read_pack(other.owner, raw)
    assert len(refused.value.message) < 400
    assert count_all() == before


def test_pack_that_would_keep_the_table_busy_is_refused(
    document: Document, other: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ambush,) = document.encounters
    crowd = replace(ambush, combatants=ambush.combatants * 50)
    with pytest.raises(Refused, match="200 combatants, this one has 300"):
        read_pack(other.owner, write_document(replace(document, encounters=(crowd,) * 3)))
    monkeypatch.setattr(documents, "MAX_SECONDS", -1.0)
    with pytest.raises(Refused, match="too long to check"):
        read_pack(other.owner, write_document(document))


# ---- On and off ----


def test_pack_is_switched_on_and_off_without_a_trace(document: Document, other: Campaign) -> None:
    pack = read_pack(other.owner, write_document(document))
    before = count_all()
    rows = {(row.kind, row.name): row.state for row in compare(document, other)}
    assert set(rows.values()) == {"new"}
    assert {kind for kind, _ in rows} == {"Item", "Stat block", "House rule", "Handout", "Encounter"}
    switch_on(pack, other)
    other.refresh_from_db()
    assert [
        row.state for row in compare(document, other) if row.kind in ("Item", "Stat block", "House rule")
    ] == ["same"] * 3
    made = other.encounters.get()
    people = present(read_state(made))
    assert [one.name for one in people] == ["Thug 1", "Thug 2"]
    assert len({one.marks[GROUP] for one in people}) == 1
    assert [(one.at.x, one.at.y) for one in people] == [
        (one.x, one.y) for one in document.encounters[0].combatants
    ]
    assert read_state(made).scene == document.encounters[0].scene
    assert bytes(other.handouts.get().image or b"")[:4] == b"RIFF"
    with pytest.raises(Refused, match="on already"):
        switch_on(pack, other)
    with pytest.raises(Refused, match="switch it off"):
        delete_pack(pack)
    switch_off(pack, other)
    assert count_all() == before
    assert Campaign.objects.get(pk=other.pk).options[SLUG] == {}
    with pytest.raises(Refused, match="off already"):
        switch_off(pack, other)
    delete_pack(pack)


@pytest.mark.slow
def test_encounters_are_made_before_others_have_to_wait(
    document: Document, other: Campaign, django_assert_max_num_queries: Any
) -> None:
    """In the lock, each is only stored: how many people it has costs no query, a face one for each sheet."""
    (ambush,) = document.encounters
    crowd = replace(ambush, combatants=ambush.combatants * 45)
    pack = read_pack(other.owner, write_document(replace(document, encounters=(crowd, crowd))))
    with django_assert_max_num_queries(41):
        switch_on(pack, other)
    assert [len(present(read_state(made))) for made in other.encounters.all()] == [90, 90]


def test_encounter_of_a_pack_is_exported_and_imported_as_others(document: Document, other: Campaign) -> None:
    switch_on(read_pack(other.owner, write_document(document)), other)
    made = other.encounters.get()
    whole = read_history(made)
    assert import_encounter(other.owner, export(whole)).verdict.ok
    assert made.seals[0]["seal"] == whole.steps[0].seal != ""
    submit(made.pk, Submission("note", {"text": "Ready."}))
    assert len(Encounter.objects.get(pk=made.pk).seals) == 1


def test_preview_asks_as_often_for_many_things_as_for_few(gm: User, document: Document) -> None:
    def ask(shown: Document) -> int:
        with CaptureQueriesContext(connection) as asked:
            rows = compare(shown, campaign)
        assert {(row.kind, row.state) for row in rows} >= {("Item", "same"), ("Stat block", "same")}
        return len(asked)

    campaign = Campaign.objects.get()
    assert [row.state for row in compare(document, campaign)] == [NEW, NEW, SAME, SAME, SAME]
    many = replace(document, items=document.items * 3, npcs=document.npcs * 3)
    assert ask(document) == ask(many) == 2


def test_encounters_and_handouts_keep_their_order(gm: User, other: Campaign) -> None:
    campaign = make_campaign(gm)
    create_in_campaign(campaign, gm, SLUG, "Chase")
    create_handout(campaign, "Map", "Here", None)
    switch_on(read_pack(other.owner, write_document(pack_all(campaign))), other)
    for mine, theirs in ((campaign.encounters, other.encounters), (campaign.handouts, other.handouts)):
        assert list(map(str, mine.all())) == list(map(str, theirs.all()))


def test_those_who_arrive_later_come_along(gm: User, document: Document, other: Campaign) -> None:
    mine = Campaign.objects.get(owner=gm)
    made = mine.encounters.get()
    who = [one.id for one in present(read_state(made)) if not one.pc]
    submit(made.pk, Submission("hide", {"target": who[1]}))
    submit(made.pk, Submission("start_clock", {"name": "Alarm"}))
    submit(made.pk, Submission("hold_back", {"targets": who[:1], "when": "clock", "of": "c1"}))
    plan = {"when": "round", "at_round": 4, "edge": "north"}
    submit(made.pk, Submission("hold_back", {"targets": who[1:], **plan}))
    packed = pack_all(mine)
    assert [len(one.combatants) for one in packed.encounters] == [len(document.encounters[0].combatants)]
    switch_on(read_pack(other.owner, write_document(packed)), other)
    state = read_state(other.encounters.get())
    waiting, later = state.all_reserves
    assert (waiting.when, waiting.of) == ("clock", state.all_clocks[0].id)
    assert (later.when, later.at_round, later.edge, later.hidden) == ("round", 4, "north", later.who)
    wrong = replace(packed.encounters[0], reserves=(PackReserve((99,)),))
    with pytest.raises(Refused, match="not in its list of combatants"):
        read_pack(other.owner, write_document(replace(packed, encounters=(wrong,))))
    for strange in (PackReserve((0,), "clock"), PackReserve((0,), "clock", clock=1)):
        wrong = replace(packed.encounters[0], reserves=(strange,))
        with pytest.raises(Refused, match="not in its list of clocks"):
            read_pack(other.owner, write_document(replace(packed, encounters=(wrong,))))
    submit(made.pk, Submission("tick_clock", {"clock": "c1", "by": 6}))
    assert pack_all(mine).encounters[0].reserves[0].when == "hand", "what has happened comes no more"


def test_clocks_come_along_with_what_they_do(gm: User, other: Campaign) -> None:
    campaign = make_campaign(gm)
    made = campaign.encounters.get()
    thug = next(one for one in present(read_state(made)) if not one.pc)
    vega = next(one for one in present(read_state(made)) if one.pc)
    start = {"name": "Alarm", "size": 4, "filled": 1, "each_round": 1, "veiled": True}
    submit(made.pk, Submission("start_clock", start))
    flood = {
        "name": "Flood",
        "acts": "after",
        "after": thug.id,
        "first": 2,
        "every": 3,
        "harm": 2,
        "track": "hp",
    }
    submit(made.pk, Submission("start_clock", {**flood, "shown": "gm", "note": "Water!"}))
    submit(made.pk, Submission("start_clock", {"name": "Vow", "acts": "after", "after": vega.id}))
    submit(made.pk, Submission("start_clock", {"name": "Tide", "acts": "at", "score": 12, "every": 0}))
    pack = read_pack(other.owner, write_document(pack_all(campaign)))
    switch_on(pack, other)
    alarm, flooded, vow, tide = read_state(other.encounters.get()).all_clocks
    assert (alarm.name, alarm.size, alarm.filled, alarm.each_round, alarm.veiled, alarm.to) == (
        *("Alarm", 4, 1, 1, True),
        "all",
    )
    assert flooded.to == "gm"
    assert flooded.acts
    acts = flooded.acts
    assert (acts.first, acts.every, acts.harm, acts.note, acts.track) == (2, 3, 2, "Water!", "hp")
    assert read_state(other.encounters.get())[acts.after].name == "Thug 1"
    assert not vow.acts, "no player character comes along"
    assert tide.acts
    assert (tide.acts.at, tide.acts.every) == (12, 0)


def test_tables_to_roll_on_come_along_and_go_again(gm: User, other: Campaign) -> None:
    campaign = make_campaign(gm)
    save_table(campaign, read_table("Docks", "2d6", "2-5 nobody\n6-12 4 thugs"))
    save_table(campaign, read_table("Bar", "1d6", "1-6 2 guards"))
    document = read_document(write_document(pack_all(campaign)))
    assert [one.name for one in document.all_tables] == ["Bar", "Docks"]
    mine = read_table("docks", "1d6", "1-6 nobody")
    save_table(other, mine)
    rows = {row.name: row.state for row in compare(document, other) if row.kind == "Table to roll on"}
    assert rows == {"Bar": NEW, "Docks": REPLACES}
    pack = read_pack(other.owner, write_document(document))
    switch_on(pack, other)
    other.refresh_from_db()
    assert [(one.name, one.dice) for one in find_tables(other)] == [("Bar", "1d6"), ("Docks", "2d6")]
    assert {row.state for row in compare(document, other) if row.kind == "Table to roll on"} == {SAME}
    switch_off(pack, other)
    other.refresh_from_db()
    assert find_tables(other) == [mine]
    bad = resign(
        json.loads(write_document(document)) | {"tables": [{"name": "x", "dice": "1d6", "lines": "1 a"}]}
    )
    with pytest.raises(Refused, match="2 to 6 have no line"):
        read_pack(other.owner, bad)


def test_exported_campaign_keeps_its_tables(gm: User) -> None:
    campaign = create_campaign(gm, "Docks")
    assert write_keepsakes(campaign) == []
    save_table(campaign, read_table("Bar", "1d6", "1-6 2 guards"))
    (raw,) = write_keepsakes(campaign)
    assert [one.name for one in read_document(raw).all_tables] == ["Bar"]
    assert b"tables" not in write_document(pack_all(make_campaign(gm))), "older releases read such a pack"


def test_rulings_come_along_as_everybodys_and_go_again(gm: User, other: Campaign) -> None:
    """A pack has none of whom they were: at another table the GM rules by them."""
    campaign = make_campaign(gm)
    check = [["skill", "Athletics"], ["attribute", "COO"]]
    ruled = {"id": "r3", "name": "Swing", "words": "I swing", "check": check, "grade": "17", "secret": True}
    plain: dict[str, Any] = {"of": 7, **ruled}
    campaign.rulings = {SLUG: [plain, {**plain, "of": 8, "grade": "14"}]}
    campaign.save()
    assert b'"rulings"' in b"".join(write_keepsakes(campaign)), "the export of a campaign has them"
    document = read_document(write_document(pack_all(campaign)))
    assert [(one.name, one.grade, one.secret) for one in document.all_rulings[SLUG]] == [
        ("Swing", "14", True)
    ]
    assert [row.state for row in compare(document, other) if row.kind == "Ruling"] == [NEW]
    pack = read_pack(other.owner, write_document(document))
    switch_on(pack, other)
    other.refresh_from_db()
    assert [(of, one.name, one.grade) for of, one in find_rulings(other, SLUG)] == [(0, "Swing", "14")]
    assert [row.state for row in compare(document, other) if row.kind == "Ruling"] == [SAME]
    switch_off(pack, other)
    other.refresh_from_db()
    assert find_rulings(other, SLUG) == []
    faults: tuple[dict[str, Any], ...] = (
        {"check": [["luck", "1"]]},
        {"check": []},
        {"cost": "luck"},
        {"name": ""},
        {"words": "x" * 201},
        {"works": [{"kind": "harm", "who": ["f2"], "dice": "1d6"}]},
        {"works": [{"kind": "harm", "who": ["them"], "dice": "99d99"}]},
    )
    for wrong in faults:
        data = json.loads(write_document(document)) | {"rulings": {SLUG: [{**ruled, **wrong}]}}
        with pytest.raises(Refused):
            read_pack(other.owner, resign(data))
    assert b"rulings" not in write_document(pack_all(make_campaign(gm))), "older releases read such a pack"


def test_npcs_keep_their_aliases(gm: User, other: Campaign) -> None:
    campaign = make_campaign(gm)
    prepared = campaign.encounters.get()
    who = next(one for one in present(read_state(prepared)) if not one.pc)
    submit(prepared.pk, Submission("alias", {"target": who.id, "alias": "Hooded figure"}))
    switch_on(read_pack(other.owner, write_document(pack_all(campaign))), other)
    people = present(read_state(other.encounters.get()))
    assert [real_name(one) for one in people if one.name == "Hooded figure"] == [who.name]


TEXT_ONLY, PICTURE_ONLY = PackHandout("Rumors", "They say…"), PackHandout("Map", picture=picture())


def test_notes_of_the_gm_come_along(gm: User, document: Document, other: Campaign) -> None:
    mine = Campaign.objects.get(owner=gm)
    made = mine.encounters.get()
    _, two = (each.id for each in present(read_state(made)) if not each.pc)
    for about in ("encounter", "scene", two):
        save_note(made.pk, about, f"On {about}", 0)
    switch_on(read_pack(other.owner, write_document(pack_all(mine))), other)
    theirs = other.encounters.get()
    _, second = (each.id for each in present(read_state(theirs)))
    assert write_notes(theirs) == {"encounter": "On encounter", "scene": "On scene", second: f"On {two}"}
    assert theirs.noted == [second]


def test_handouts_of_only_text_or_only_a_picture_come_along(document: Document, other: Campaign) -> None:
    handouts = (TEXT_ONLY, PICTURE_ONLY)
    pack = read_pack(other.owner, write_document(replace(document, handouts=handouts)))
    rows = [row.note for row in compare(open_pack(pack), other) if row.kind == "Handout"]
    assert rows == ["", "with a picture"]
    switch_on(pack, other)
    made = {one.title: (one.text, bytes(one.image or b"")[:4]) for one in other.handouts.all()}
    assert made == {"Rumors": ("They say…", b""), "Map": ("", b"RIFF")}
    names = {offer.value: offer.note for offer in find_offers(other)["Handouts"]}
    assert sorted(names.values()) == ["", "with a picture"]
    again = make_pack(other, names, WORDS).handouts
    assert {one.title: (one.text, one.picture[:4]) for one in again} == made
    before = count_all()
    with pytest.raises(Refused, match="text or a picture"):
        read_pack(other.owner, write_document(replace(document, handouts=(PackHandout("Nothing", " "),))))
    assert count_all() == before


def test_pack_gives_back_what_it_replaced(gm: User, document: Document) -> None:
    mine = Campaign.objects.get(owner=gm)
    set_rules(mine, SLUG, [("foe_health", "nothing")])
    mine.refresh_from_db()
    npc = Character.objects.get(name=FOE)
    Character.objects.filter(pk=npc.pk).update(sheet={**npc.sheet, "name": "Other"})
    item = OwnItem.objects.get()
    item.record = {**item.record, "cost": (item.record.get("cost") or 0) + 1}
    item.save()
    pack = keep_pack(gm, document)
    replaced = {row.kind: row.note for row in compare(document, mine) if row.state == "replaces"}
    assert set(replaced) == {"Item", "Stat block", "House rule"}
    assert replaced["House rule"] == "now nothing"
    switch_on(pack, mine)
    assert Campaign.objects.get(pk=mine.pk).options[SLUG] == {"foe_health": "bar"}
    assert OwnItem.objects.get().record != item.record
    assert not mine.members.filter(character=npc).exists()
    switch_off(pack, mine)
    assert Campaign.objects.get(pk=mine.pk).options[SLUG] == {"foe_health": "nothing"}
    assert OwnItem.objects.get().record == item.record
    assert [one.character_id for one in mine.members.all()] == [npc.pk]


def test_fights_keep_what_they_used_and_people_what_they_changed(document: Document, other: Campaign) -> None:
    pack = read_pack(other.owner, write_document(document))
    switch_on(pack, other)
    fight = other.encounters.get()
    npc = Character.objects.get(owner=other.owner, npc=True)
    submit(
        fight.pk,
        Submission(
            "join", {"sheet": npc.sheet, "name": npc.name, "side": "enemies", "source": f"npc:{npc.pk}"}
        ),
    )
    handout = other.handouts.get()
    HandoutShowing.objects.create(handout=handout, encounter=fight)
    item = OwnItem.objects.get(owner=other.owner)
    item.record = {**item.record, "cost": 12345}
    item.save()
    before = read_state(Encounter.objects.get(pk=fight.pk))
    switch_off(pack, other)
    assert read_state(Encounter.objects.get(pk=fight.pk)) == before
    assert Handout.objects.filter(pk=handout.pk).exists()
    assert OwnItem.objects.get(owner=other.owner).record["cost"] == 12345
    assert not Character.objects.filter(owner=other.owner, npc=True, deleted_at=None).exists()


def test_game_that_is_not_here_is_left_out(document: Document, other: Campaign) -> None:
    (npc,) = document.npcs
    foreign = replace(
        document,
        npcs=(npc, replace(npc, system="chess", sheet={"queen": 1})),
        rules={**document.rules, "chess": {"castling": True}},
        encounters=(replace(document.encounters[0], system="chess"),),
    )
    pack = read_pack(other.owner, write_document(foreign))
    rows = [(row.kind, row.system) for row in compare(foreign, other) if row.state == "missing"]
    assert rows == [("Stat block", "chess"), ("House rules", "chess"), ("Encounter", "chess")]
    switch_on(pack, other)
    assert not other.encounters.exists()
    assert other.members.count() == 1
    assert json.loads(read_file(pack))["rules"]["chess"] == {"castling": True}, "the file stays whole"


def test_items_of_one_name_in_a_pack_are_two_items(document: Document, other: Campaign) -> None:
    pack = keep_pack(other.owner, replace(document, items=document.items * 2, npcs=document.npcs * 2))
    switch_on(pack, other)
    assert OwnItem.objects.filter(owner=other.owner).count() == 2
    assert other.members.count() == 2
    switch_off(pack, other)
    assert OwnItem.objects.filter(owner=other.owner).count() == 0


def test_item_stays_while_another_campaign_uses_it(document: Document, other: Campaign) -> None:
    pack = keep_pack(other.owner, document)
    second = create_campaign(other.owner, "Second")
    switch_on(pack, other)
    switch_on(pack, second)
    switch_off(pack, other)
    assert OwnItem.objects.filter(owner=other.owner).count() == 1
    switch_off(pack, second)
    assert OwnItem.objects.filter(owner=other.owner).count() == 0
