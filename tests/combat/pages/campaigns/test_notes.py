"""Notes: the GM's on the fight, each player's own, those of the campaign; others get no byte of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter, Note, Seat
from combat.play.after.imports import copy_encounter, import_encounter
from combat.play.campaigns.campaigns import create_campaign, delete_campaign, move_encounter
from combat.play.campaigns.table_notes import MAX_NOTE, write_notes
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.basics.errors import Refused
from combat.sharing.guests import pass_on
from cosmos_site.base.markdown import draw_markdown
from cosmos_site.base.tags import find_digest
from tests.combat.cast import ROLES, Cast, seat_named
from tests.combat.visit import MARCUS, PIRATE, ZARA, load, read, refusal
from tests.thinning import thin
from tests.typed import Answer

SECRET = "turncoat since Ceres"
HTMX = {"HX-Request": "true"}


def write(client: Client, encounter: Encounter, about: str, text: str, seen: int = 0, **more: Any) -> Answer:
    """Save a note as its editor does."""
    posted = {"about": about, "text": text, "seen": seen, **more}
    return client.post(f"/encounters/{encounter.pk}/notes/", posted, headers=HTMX)


def read_all(client: Client, encounter: Encounter) -> bytes:
    """Every page that could send notes, and the table as htmx asks for it."""
    here = f"/encounters/{encounter.pk}/"
    addresses = ("", "notes/", f"notes/?about={PIRATE}", "notes/?about=own", "log/", "export/", "handouts/")
    pages = [client.get(here + address).content for address in addresses]
    return b"".join([*pages, client.get(here, headers=HTMX).content])


def note_of(client: Client, encounter: Encounter, about: str) -> str:
    """The text of a note on the page, as it is drawn."""
    page = read(client.get(f"/encounters/{encounter.pk}/notes/"))
    return " ".join(page.one("article", data_note=about).text.split())


@pytest.mark.slow
@pytest.mark.parametrize("about", thin(["encounter", "scene", PIRATE], PIRATE))
def test_only_those_who_run_the_table_read_the_gms_notes(cast: Cast, started: Encounter, about: str) -> None:
    before = {role: read_all(cast[role], started) for role in ROLES}
    assert write(cast.gm, started, about, SECRET).status_code == 200
    assert SECRET in note_of(cast.co_gm, started, about)
    for role in ROLES:
        now = read_all(cast[role], started)
        assert (SECRET.encode() in now) == (role in ("gm", "co_gm")), role
        assert len(before[role]) == len(now) or role in ("gm", "co_gm"), role


@pytest.mark.parametrize(("role", "about"), [("gm", "encounter"), ("player", "own")])
def test_page_begins_with_an_empty_page_to_write_on(
    cast: Cast, started: Encounter, role: str, about: str
) -> None:
    """Beside the fight; what is written is read first, and the table's own list opens nothing."""
    here, client = f"/encounters/{started.pk}/notes/", cast[role]
    opened = f'id="notes-{about}-text"'.lower()

    def look(**headers: str) -> str:
        return client.get(here, headers=headers).content.decode()

    assert opened in look().lower()
    assert "go-on-scene notes-scene" in look()
    assert "go-on-scene notes-scene" not in look(**HTMX)
    assert opened not in look(**HTMX).lower()
    assert write(client, started, about, "").status_code == 200  # the filled button is never refused
    write(client, started, about, SECRET)
    assert opened not in look().lower()
    assert SECRET in look()


def test_names_in_a_fights_note_lead_to_people_its_reader_knows(cast: Cast, started: Encounter) -> None:
    """With their faces; a player's own note tells nothing of whom the GM hides, and code stays code."""
    submit(started.pk, Submission("hide", {"target": PIRATE}))
    submit(started.pk, Submission("rename", {"target": MARCUS, "name": "Marcus Oduya"}))
    for client, about, known in (
        (cast.gm, "encounter", [ZARA, PIRATE, MARCUS]),
        (cast.player, "own", [ZARA, MARCUS]),
    ):
        assert (
            write(
                client, started, about, "Zara fears the Pirate, not Zaras or `Zara`, nor Marcus."
            ).status_code
            == 200
        )
        page = read(client.get(f"/encounters/{started.pk}/notes/"))
        note = page.one("article", data_note=about)
        links = page.all("a", class_="named")
        assert [one["href"] for one in links] == [
            f"/encounters/{started.pk}/?combatant={who}" for who in known
        ]
        assert "Zara fears the Pirate, not Zaras or Zara, nor Marcus." in " ".join(note.text.split())


def test_note_on_a_combatant_shows_a_sign_in_the_gms_row_alone(cast: Cast, started: Encounter) -> None:
    write(cast.gm, started, PIRATE, SECRET)
    here = f"/encounters/{started.pk}/"
    signs = {role: b"row-noted" in cast[role].get(here).content for role in ("gm", "player", "watcher")}
    assert signs == {"gm": True, "player": False, "watcher": False}
    write(cast.gm, started, PIRATE, SECRET, seen=1, delete="1")
    assert b"row-noted" not in cast.gm.get(here).content
    assert load(started.pk).noted == []


def test_gms_note_moves_no_stamp_of_others(cast: Cast, started: Encounter) -> None:
    before = load(started.pk)
    write(cast.gm, started, PIRATE, SECRET)
    after = load(started.pk)
    assert (after.public, after.seated, after.steps) == (before.public, before.seated, before.steps)
    assert after.version == before.version + 1


def test_each_players_own_notes_are_not_read_even_by_the_gm(cast: Cast, started: Encounter) -> None:
    write(cast.player, started, "own", SECRET)
    assert SECRET in note_of(cast.player, started, "own")
    for role in ROLES:
        assert (SECRET.encode() in read_all(cast[role], started)) == (role == "player"), role


@pytest.mark.slow
def test_shared_notes_are_for_all_seats_of_the_campaigns_tables(
    cast: Cast, started: Encounter, gm: User
) -> None:
    assert write(cast.player, started, "shared", SECRET).status_code == 409  # there is no campaign yet
    campaign = create_campaign(gm, "The long haul")
    move_encounter(started.pk, campaign)
    write(cast.player, started, "shared", SECRET)
    for role in ROLES:
        reads = role in ("gm", "co_gm", "player", "other")
        assert (SECRET.encode() in read_all(cast[role], started)) == reads, role
    write(cast.gm, started, "shared", "Rook is dead", seen=1)
    assert "Rook is dead" in note_of(cast.other, started, "shared")
    assert b"Rook is dead" in cast.gm.get(f"/campaigns/{campaign.pk}/").content
    move_encounter(started.pk, None)
    assert b"Rook is dead" not in read_all(cast.player, started)


def test_who_saves_over_another_sees_both_texts_and_loses_none(cast: Cast, started: Encounter) -> None:
    write(cast.gm, started, "scene", "The vent is **open**")
    late = write(cast.co_gm, started, "scene", "The vent is shut", seen=0)
    assert late.status_code == 409
    page = read(late)
    assert page.one("textarea").text.strip() == "The vent is shut"
    assert "The vent is open" in page.one(class_="note-other").text
    assert note_of(cast.gm, started, "scene").count("The vent is open") == 1
    seen = int(page.one("input", name="seen")["value"])
    assert write(cast.co_gm, started, "scene", "The vent is shut", seen=seen).status_code == 200
    assert "The vent is shut" in note_of(cast.gm, started, "scene")


def test_text_is_saved_while_it_is_written_and_the_editor_stays(cast: Cast, started: Encounter) -> None:
    """The answer is the line that says so, and the revision that the next text goes over."""
    for seen, text in enumerate(("The vent", "The vent is open")):
        page = read(write(cast.gm, started, PIRATE, text, seen=seen, typing="1"))
        assert page.one("span", class_="note-said").text == "Saved."
        assert page.one("input", name="seen")["value"] == str(seen + 1)
        assert not page.all("textarea")
    assert Note.objects.get().text == "The vent is open"
    here = f"/encounters/{started.pk}/notes/"
    plain = cast.gm.post(here, {"about": "scene", "text": SECRET, "seen": "0", "typing": "1"})
    assert (plain.status_code, plain["Location"]) == (303, here)


def test_window_with_an_older_text_no_longer_saves_by_itself(cast: Cast, started: Encounter) -> None:
    write(cast.gm, started, "scene", "The vent is **open**", typing="1")
    late = write(cast.co_gm, started, "scene", "The vent is shut", typing="1")
    assert late.status_code == 409
    page = read(late)
    assert "Compare, then save" in page.one("span", class_="note-said").text
    assert "The vent is open" in page.one(class_="note-other").text
    assert "data-saves" not in page.one(class_="note-state").attrs
    assert Note.objects.get().text == "The vent is **open**"
    seen = int(page.one("input", name="seen")["value"])
    assert write(cast.co_gm, started, "scene", "The vent is shut", seen=seen).status_code == 200


def test_refused_text_is_asked_for_again(cast: Cast, started: Encounter) -> None:
    refused = write(cast.player, started, "own", "x" * (MAX_NOTE + 1), typing="1")
    assert refused.status_code == 422
    page = read(refused)
    assert "at most 10,000 characters" in page.one("span", class_="note-said").text
    assert "data-saves" in page.one(class_="note-state").attrs
    assert page.one("input", name="seen")["value"] == "0"


@pytest.mark.parametrize(
    ("role", "about", "status"),
    [
        ("player", "scene", 404),
        ("player", PIRATE, 404),
        ("gm", "own", 404),
        ("watcher", "own", 403),
        ("stranger", "own", 404),
    ],
)
def test_who_has_no_such_note_saves_none_by_writing(
    cast: Cast, started: Encounter, role: str, about: str, status: int
) -> None:
    assert write(cast[role], started, about, SECRET, typing="1").status_code == status
    assert not Note.objects.exists()


def test_text_written_on_has_nobody_look_again(cast: Cast, started: Encounter) -> None:
    """Only whom a note is on shows at the table."""
    write(cast.gm, started, PIRATE, "The", typing="1")
    before = load(started.pk).version
    write(cast.gm, started, PIRATE, SECRET, seen=1, typing="1")
    write(cast.gm, started, "scene", SECRET, typing="1")
    assert load(started.pk).version == before


def test_owner_writes_the_shared_note_on_the_campaign_page(cast: Cast, started: Encounter, gm: User) -> None:
    campaign = create_campaign(gm, "The long haul")
    move_encounter(started.pk, campaign)
    here = f"/campaigns/{campaign.pk}/"
    assert not read(cast.gm.get(here)).all("form", data_keep_fields="notes note shared")
    page = read(cast.gm.get(f"{here}?about=shared"))
    assert page.one("form", data_keep_fields="notes note shared")["action"] == here
    saved = cast.gm.post(here, {"about": "shared", "text": "Rook **lives**", "seen": "0"})
    assert (saved.status_code, saved["Location"]) == (303, f"{here}#shared")
    assert "Rook lives" in note_of(cast.player, started, "shared")
    write(cast.player, started, "shared", "Rook is dead", seen=1)

    late = cast.gm.post(here, {"about": "shared", "text": "Rook left", "seen": "1"}, headers=HTMX)
    assert late.status_code == 409
    page = read(late)
    assert page.one("textarea", name="text", inside=page.one("article")).text.strip() == "Rook left"
    assert "Rook is dead" in page.one(class_="note-other").text
    seen = page.one("input", name="seen")["value"]
    sent = {"about": "shared", "text": "Rook left", "typing": "1"}
    assert read(cast.gm.post(here, {**sent, "seen": "1"}, headers=HTMX)).one(class_="note-other")
    again = cast.gm.post(here, {"about": "shared", "text": "Rook left", "seen": seen}, headers=HTMX)
    assert (again.status_code, read(again).one("span", role="status").text) == (200, "Saved.")
    assert "Rook left" in note_of(cast.other, started, "shared")


def test_what_is_typed_for_a_deleted_campaign_can_be_copied(cast: Cast, started: Encounter, gm: User) -> None:
    """Without scripts, at a table and on the campaign's own pages."""
    campaign = create_campaign(gm, "The long haul")
    move_encounter(started.pk, campaign)
    here = f"/campaigns/{campaign.pk}/"
    delete_campaign(campaign)
    late = cast.player.post(
        f"/encounters/{started.pk}/notes/", {"about": "shared", "text": SECRET, "seen": 0}
    )
    assert late.status_code == 409
    assert "no campaign any more" in refusal(late)
    assert read(late).one("textarea").text.strip() == SECRET
    for address, sent in (
        (here, {"about": "shared", "text": SECRET, "seen": 0}),
        (here, {"do": "notes", "notes": SECRET}),
        (f"{here}handouts/1/", {"title": "Letter", "text": SECRET}),
    ):
        answer = cast.gm.post(address, sent)
        assert answer.status_code == 404
        assert SECRET in [one.text.strip() for one in read(answer).all("textarea")]
    assert not Note.objects.exists()
    assert cast.gm.post(here, {"do": "archive"}).status_code == 404


def test_refused_shared_note_of_a_campaign_changes_nothing(cast: Cast, started: Encounter, gm: User) -> None:
    campaign = create_campaign(gm, "The long haul")
    move_encounter(started.pk, campaign)
    here, posted = f"/campaigns/{campaign.pk}/", {"about": "shared", "seen": "0"}
    for role in ("co_gm", "player"):  # they write it at a table
        assert cast[role].post(here, {**posted, "text": SECRET}).status_code in (302, 404)
    long = cast.gm.post(here, {**posted, "text": "x" * (MAX_NOTE + 1)})
    assert long.status_code == 422
    assert "at most 10,000 characters" in long.content.decode()
    assert not Note.objects.exists()


def test_deleted_note_comes_back_with_save(cast: Cast, started: Encounter) -> None:
    write(cast.player, started, "own", "Rook owes me")
    gone = write(cast.player, started, "own", "Rook owes me", seen=1, delete="1")
    assert "Rook" not in note_of(cast.player, started, "own")
    page = read(gone)
    assert page.one("textarea").text.strip() == "Rook owes me"
    assert page.one("p", role="status").text == "Deleted. Save brings it back."
    write(cast.player, started, "own", "Rook owes me", seen=int(page.one("input", name="seen")["value"]))
    assert "Rook owes me" in note_of(cast.player, started, "own")
    assert write(cast.player, started, "own", "Late", seen=1).status_code == 409  # of an older editor


def test_too_long_a_note_is_refused_and_stays_typed(cast: Cast, started: Encounter) -> None:
    long = "x" * (MAX_NOTE + 1)
    refused = write(cast.player, started, "own", long)
    assert refused.status_code == 422
    assert "at most 10,000 characters" in refused.content.decode()
    assert read(refused).one("textarea").text.strip() == long
    assert not Note.objects.exists()


def test_nobody_writes_notes_on_those_who_are_not_there(cast: Cast, started: Encounter) -> None:
    for about in ("", "f99", "own", "x" * 400):
        assert write(cast.gm, started, about, SECRET).status_code == 404
    assert not Note.objects.exists()


def test_without_scripts_a_saved_note_leads_back_to_the_list(cast: Cast, started: Encounter) -> None:
    here = f"/encounters/{started.pk}/notes/"
    assert read(cast.gm.get(f"{here}?about={PIRATE}")).one("textarea")
    answer = cast.gm.post(here, {"about": PIRATE, "text": SECRET, "seen": "0"})
    assert (answer.status_code, answer["Location"]) == (303, here)
    assert "Pirate: note saved." in cast.gm.get(here).content.decode()


def test_returning_player_finds_their_notes_and_overwrites_none(cast: Cast, started: Encounter) -> None:
    write(cast.player, started, "own", SECRET)
    fresh = Seat.objects.create(encounter=started, name="Pia again", kind="play", digest="z" * 64)
    Seat.objects.filter(pk=seat_named("Pia").pk).update(digest=find_digest("secret"))
    Note.objects.create(seat=fresh, about="own", text="New here", revision=1)
    pass_on(["secret"], fresh)
    assert fresh.notes.get().text == "New here"
    fresh.notes.all().delete()
    pass_on(["secret"], fresh)
    assert fresh.notes.get().text == SECRET


# ---- Files ----


def test_notes_go_with_the_gms_export_and_into_a_copy(cast: Cast, started: Encounter, gm: User) -> None:
    for about in ("encounter", "scene", PIRATE):
        write(cast.gm, started, about, f"{SECRET} {about}")
    write(cast.player, started, "own", "Mine alone")
    raw = cast.gm.get(f"/encounters/{started.pk}/export/").content
    texts = {about: f"{SECRET} {about}" for about in ("encounter", "scene", PIRATE)}
    assert json.loads(raw)["notes"] == texts
    assert b"Mine alone" not in raw
    for made in (import_encounter(gm, raw).encounter, copy_encounter(load(started.pk), gm)):
        assert write_notes(made) == texts
        assert load(made.pk).noted == [PIRATE]


@pytest.mark.parametrize(
    ("notes", "said"),
    [({"f99": "Who?"}, "a note on someone who is not in it"), ({"scene": "x" * (MAX_NOTE + 1)}, "notes")],
)
def test_file_with_wrong_notes_is_refused(
    cast: Cast, started: Encounter, gm: User, notes: dict[str, str], said: str
) -> None:
    raw = json.loads(cast.gm.get(f"/encounters/{started.pk}/export/").content)
    before = Encounter.objects.count()
    with pytest.raises(Refused, match=said):
        import_encounter(gm, json.dumps({**raw, "notes": notes}).encode())
    assert Encounter.objects.count() == before


@pytest.mark.parametrize(
    ("typed", "drawn"),
    [
        ("# Plan", "<h4>Plan</h4>"),
        ("###### Deep", "<h6>Deep</h6>"),
        ("two\nlines", "<p>two<br />\nlines</p>"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("~~no~~ **yes**", "<p><s>no</s> <strong>yes</strong></p>"),
        ("|a|\n|-:|\n|b|", '<td align="right">b</td>'),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("<b onclick=x>hi</b>", "<p>&lt;b onclick=x&gt;hi&lt;/b&gt;</p>"),
        ("![x](https://elsewhere/x.png)", '<p>!<a href="https://elsewhere/x.png"'),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
        ("[x](https://a.example)", '<a href="https://a.example" rel="noopener noreferrer nofollow">x</a>'),
        ('[x](https://a.example "a\\" onclick=b")', 'title="a&quot; onclick=b"'),
    ],
)
def test_markdown_is_drawn_and_nothing_else(typed: str, drawn: str) -> None:
    assert drawn in draw_markdown(typed)
