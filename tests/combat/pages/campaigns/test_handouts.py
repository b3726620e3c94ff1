"""Handouts: made, shown to seats or all, withdrawn; others get no byte of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from combat.models import Campaign, Encounter, Handout, HandoutShowing, Seat
from combat.play.campaigns import handouts
from combat.play.campaigns.campaigns import create_campaign, delete_campaign, move_encounter
from combat.rules.core.basics.errors import Refused
from combat.sharing.guests import pass_on
from cosmos_site.base.markdown import cut_markdown
from cosmos_site.base.pictures import HANDOUT, remake
from cosmos_site.base.tags import find_digest
from tests.combat.cast import ROLES, Cast, seat_named
from tests.combat.markup import Page
from tests.combat.visit import load, read
from tests.site.pictures import huge_png, picture
from tests.typed import Answer

TITLE, TEXT = "Wanted poster", "Rook, alive: 5,000 credits"
OTHERS = tuple(role for role in ROLES if role not in ("gm", "co_gm"))


@pytest.fixture
def campaign(gm: User, started: Encounter) -> Campaign:
    """The campaign that the fight belongs to."""
    made = create_campaign(gm, "The long haul")
    move_encounter(started.pk, made)
    return made


@pytest.fixture
def poster(campaign: Campaign) -> Handout:
    """A handout of a text and a picture."""
    return handouts.create_handout(campaign, TITLE, TEXT, remake(picture("PNG", (300, 200)), HANDOUT))


def show(cast: Cast, encounter: Encounter, handout: Handout, *to: str | int) -> Answer:
    """The GM shows a handout to just these people, or to all; to none withdraws it."""
    fields: dict[str, Any] = {"to": [seat for seat in to if seat != "all"]} if to else {"withdraw": "1"}
    return cast.gm.post(f"/encounters/{encounter.pk}/handouts/", {"handout": handout.pk, **fields})


def addresses(encounter: Encounter, handout: Handout) -> Iterator[str]:
    """Every page that could send its bytes."""
    here = f"/encounters/{encounter.pk}/"
    yield from (here, f"{here}handouts/", f"{here}handouts/{handout.pk}/", f"{here}log/")
    yield f"{here}handouts/{handout.pk}/{handout.digest}.webp"
    yield f"/campaigns/{handout.campaign_id}/handouts/{handout.pk}/{handout.digest}.webp"


def sees(client: Client, encounter: Encounter, handout: Handout) -> bool:
    """Whether a person gets a handout: all of its bytes or none."""
    image = bytes(Handout.objects.get(pk=handout.pk).image or b"")
    found = []
    for address in addresses(encounter, handout):
        for extra in ({}, {"HX-Request": "true"}):
            content = client.get(address, headers=extra).content
            found.append(any(part in content for part in (TITLE.encode(), b"5,000 credits", image)))
    table, listed, alone, _, shown, _ = found[::2]
    assert table == listed == alone == shown
    return any(found)


@pytest.mark.slow
def test_nobody_sees_what_is_not_shown(cast: Cast, started: Encounter, poster: Handout) -> None:
    assert cast.gm.get(f"/campaigns/{poster.campaign_id}/").content.count(TITLE.encode()) > 0
    for role in (*OTHERS, "co_gm"):
        assert not sees(cast[role], started, poster), role


def test_handout_for_one_seat_is_seen_by_it_and_the_gms_alone(
    cast: Cast, started: Encounter, poster: Handout
) -> None:
    assert show(cast, started, poster, seat_named("Pia").pk).status_code == 303
    assert {role for role in ROLES if role != "gm" and sees(cast[role], started, poster)} == {
        "player",
        "co_gm",
    }


@pytest.mark.slow
def test_shown_to_everybody_watchers_see_it_and_strangers_do_not(
    cast: Cast, started: Encounter, poster: Handout
) -> None:
    show(cast, started, poster, "all")
    seen = {role for role in ROLES if role != "gm" and sees(cast[role], started, poster)}
    assert seen == {"player", "other", "watcher", "co_gm"}


@pytest.mark.slow
def test_withdrawn_it_is_gone_for_all(cast: Cast, started: Encounter, poster: Handout) -> None:
    show(cast, started, poster, "all")
    assert sees(cast.watcher, started, poster)
    assert show(cast, started, poster).status_code == 303
    assert not any(sees(cast[role], started, poster) for role in (*OTHERS, "co_gm"))
    assert load(started.pk).handouts == 0


@pytest.mark.slow
def test_choosing_others_takes_it_from_those_before(cast: Cast, started: Encounter, poster: Handout) -> None:
    show(cast, started, poster, "all")
    show(cast, started, poster, seat_named("Otto").pk)
    assert (sees(cast.player, started, poster), sees(cast.other, started, poster)) == (False, True)
    show(cast, started, poster, seat_named("Otto").pk, seat_named("Pia").pk)
    assert sees(cast.player, started, poster)
    assert HandoutShowing.objects.count() == 2


@pytest.mark.slow
def test_those_whom_it_concerns_look_again(cast: Cast, started: Encounter, poster: Handout) -> None:
    def stamps() -> tuple[str, ...]:
        address = f"/encounters/{started.pk}/"
        roles = ("gm", "player", "other", "watcher")
        return tuple(read(cast[role].get(address)).one(id="table")["data-version"] for role in roles)

    before = stamps()
    show(cast, started, poster, seat_named("Pia").pk)
    after = stamps()
    assert [old != new for old, new in zip(before, after, strict=True)] == [True, True, False, False]
    show(cast, started, poster, "all")
    assert all(old != new for old, new in zip(after, stamps(), strict=True))
    last = stamps()
    show(cast, started, poster, "all")  # nothing new
    assert stamps() == last


NOTHING = [
    ({}, "Choose a handout."),
    ({"handout": "x", "to": "all"}, "Choose a handout."),
    ({"handout": "99999", "to": "all"}, "not in this encounter&#x27;s campaign"),
    ({"handout": "", "to": "all"}, "Choose a handout."),
]


def test_what_shows_nothing_is_refused(cast: Cast, started: Encounter, poster: Handout) -> None:
    for fields, words in NOTHING:
        refused = cast.gm.post(f"/encounters/{started.pk}/handouts/", fields)
        assert (refused.status_code, words in refused.content.decode()) == (422, True), (fields, words)


def test_seat_of_another_table_or_none_is_refused(cast: Cast, started: Encounter, poster: Handout) -> None:
    assert show(cast, started, poster, "424242").status_code == 422
    assert not HandoutShowing.objects.exists()


def test_handout_is_for_everyone_unless_seats_are_chosen(
    cast: Cast, started: Encounter, poster: Handout
) -> None:
    address = f"/encounters/{started.pk}/handouts/"
    assert not read(cast.gm.get(address)).all("input", name="to", checked="")
    assert cast.gm.post(address, {"handout": poster.pk}).status_code == 303
    assert set(HandoutShowing.objects.values_list("seat", flat=True)) == {None}
    assert cast.gm.post(address, {"handout": poster.pk, "to": seat_named("Pia").pk}).status_code == 303
    assert set(HandoutShowing.objects.values_list("seat", flat=True)) == {seat_named("Pia").pk}


def test_picture_is_checked_each_time_and_not_kept_by_others(
    cast: Cast, started: Encounter, poster: Handout
) -> None:
    show(cast, started, poster, "all")
    address = f"/encounters/{started.pk}/handouts/{poster.pk}/{poster.digest}.webp"
    answer = cast.watcher.get(address)
    assert (answer["Content-Type"], answer["Cache-Control"]) == ("image/webp", "private, no-cache")
    assert Image.open(BytesIO(answer.content)).size == (300, 200)
    again = cast.watcher.get(address, HTTP_IF_NONE_MATCH=answer["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    show(cast, started, poster)
    assert cast.watcher.get(address, HTTP_IF_NONE_MATCH=answer["ETag"]).status_code == 404


def tap_of(page: Page) -> str:
    """The words of the only button of the table's list."""
    return page.one("button", inside=page.one("div", id="handout-taps")).text


@pytest.mark.slow
def test_one_tap_shows_a_handout_to_everyone_one_withdraws_it(
    cast: Cast, started: Encounter, poster: Handout
) -> None:
    here = f"/encounters/{started.pk}/handouts/"
    assert tap_of(read(cast.gm.get(f"{here}?to=table"))) == f"Show {TITLE} to everyone"
    shown = cast.gm.post(here, {"handout": poster.pk, "next": "table"})
    assert shown["Location"] == f"{here}?to=table"
    assert all(sees(cast[role], started, poster) for role in ("player", "watcher"))
    assert tap_of(read(cast.gm.get(shown["Location"]))) == f"Withdraw {TITLE}"
    cast.gm.post(here, {"handout": poster.pk, "next": "table", "withdraw": "1"})
    assert not any(sees(cast[role], started, poster) for role in ("player", "watcher"))
    folds = {role: b"handouts-fold" in cast[role].get(f"/encounters/{started.pk}/").content for role in ROLES}
    assert [role for role, has in folds.items() if has] == ["gm"]


def test_who_comes_back_finds_what_they_were_shown(cast: Cast, started: Encounter, poster: Handout) -> None:
    old = seat_named("Pia")
    show(cast, started, poster, old.pk)
    fresh = Seat.objects.create(encounter=started, name="Pia again", kind="play", digest="z" * 64)
    Seat.objects.filter(pk=old.pk).update(digest=find_digest("secret"))
    pass_on(["secret"], fresh)
    assert HandoutShowing.objects.get().seat == fresh


@pytest.mark.slow
def test_leaving_or_deleting_the_campaign_withdraws_all(
    cast: Cast, started: Encounter, poster: Handout
) -> None:
    show(cast, started, poster, "all")
    move_encounter(started.pk, None)
    assert not sees(cast.watcher, started, poster)
    move_encounter(started.pk, poster.campaign)
    show(cast, started, poster, "all")
    delete_campaign(poster.campaign)
    assert (load(started.pk).handouts, Handout.objects.count()) == (0, 0)
    assert TITLE not in cast.watcher.get(f"/encounters/{started.pk}/").content.decode()


MARKS = "# Wanted\n**Rook**, alive:\n- 5,000 credits\n\n<b onclick=x>[x](javascript:alert(1)) ![x](https://elsewhere/x.png)"
DRAWN = (
    "<h4>Wanted</h4>",
    "<strong>Rook</strong>, alive:",
    "<li>5,000 credits</li>",
    "&lt;b onclick=x&gt;[x](javascript",
)


def test_text_is_drawn_as_markdown_wherever_it_shows(
    cast: Cast, started: Encounter, poster: Handout, campaign: Campaign
) -> None:
    address = f"/campaigns/{campaign.pk}/handouts/{poster.pk}/"
    cast.gm.post(address, {"title": TITLE, "text": MARKS})
    show(cast, started, poster, "all")
    here = f"/encounters/{started.pk}/handouts/"
    for page in (here, f"{here}{poster.pk}/"):
        for extra in ({}, {"HX-Request": "true"}):
            found = cast.watcher.get(page, headers=extra).content.decode()
            assert all(part in found for part in DRAWN), page
            assert not any(part in found for part in ("<b onclick", '<img src="https:', "**Rook"))
    editor = read(cast.gm.get(address))
    assert editor.one("textarea").text == " ".join(MARKS.split())
    assert "Markdown: **bold**" in editor.one("form", enctype="multipart/form-data").text


def test_lists_show_the_first_words_without_marks(
    cast: Cast, started: Encounter, poster: Handout, campaign: Campaign
) -> None:
    cast.gm.post(f"/campaigns/{campaign.pk}/handouts/{poster.pk}/", {"title": TITLE, "text": MARKS})
    for page in (f"/campaigns/{campaign.pk}/", f"/encounters/{started.pk}/handouts/"):
        assert "Wanted Rook, alive: 5,000 credits &lt;b onclick=x&gt;" in cast.gm.get(page).content.decode()


@pytest.mark.parametrize(
    ("text", "most", "words"),
    [
        ("two\nlines", 20, "two lines"),
        ("**bold**ness `code`", 20, "boldness code"),
        ("| a | b |\n|---|---|\n| c | d |", 20, "a b c d"),
        ("    indented\n", 20, "indented"),
        ("x" * 50, 10, "xxxxxxxxx…"),
        ("", 10, ""),
    ],
)
def test_excerpt_is_plain_and_short(text: str, most: int, words: str) -> None:
    assert cut_markdown(text, most) == words


# ---- Making ----


def send(client: Client, campaign: Campaign, raw: bytes | None = None, **fields: str) -> Answer:
    files = {"picture": SimpleUploadedFile("p.png", raw, "image/png")} if raw is not None else {}
    return client.post(f"/campaigns/{campaign.pk}/", {"do": "handout", **fields, **files})


def test_handout_is_made_of_text_or_picture(gm_client: Client, campaign: Campaign) -> None:
    assert send(gm_client, campaign, title="Letter", text="Dear <b>").status_code == 303
    assert send(gm_client, campaign, picture("PNG"), title="Map").status_code == 303
    assert {(h.title, bool(h.digest)) for h in campaign.handouts.all()} == {("Letter", False), ("Map", True)}
    page = gm_client.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert "Dear &lt;b&gt;" in page
    (address,) = set(re.findall(r'src="(/campaigns/[^"]+\.webp)"', page))
    assert gm_client.get(address)["Content-Type"] == "image/webp"


UNFIT = [
    (None, {"title": "Empty"}, "A handout needs a text or a picture."),
    (None, {"text": "No title"}, "A name has 1 to 100 characters."),
    (b"<svg/>", {"title": "Evil"}, "This is a drawing (SVG): send"),
    (huge_png(30_000, 30_000), {"title": "Bomb"}, "too large"),
    (None, {"title": "Long", "text": "x" * 10_001}, "at most 10,000 characters"),
]


@pytest.mark.slow
def test_refused_handout_says_why_and_keeps_what_was_typed(gm_client: Client, campaign: Campaign) -> None:
    for raw, fields, words in UNFIT:
        refused = send(gm_client, campaign, raw, **fields)
        page = refused.content.decode()
        assert (refused.status_code, words in page) == (422, True), words
        assert all(value in page for value in fields.values()), words
        assert not Handout.objects.exists(), words


def test_handout_is_changed_and_deleted_with_a_tick(
    gm_client: Client, campaign: Campaign, poster: Handout
) -> None:
    address = f"/campaigns/{campaign.pk}/handouts/{poster.pk}/"
    gm_client.post(address, {"title": "Old poster", "text": "Torn", "drop_picture": "1"})
    poster.refresh_from_db()
    assert (poster.title, poster.digest, poster.image) == ("Old poster", "", None)
    assert gm_client.post(address, {"title": "Old poster", "text": ""}).status_code == 422
    assert gm_client.post(address, {"delete": "1"}).status_code == 422
    assert Handout.objects.exists()
    assert gm_client.post(address, {"delete": "1", "sure": "1"}).status_code == 303
    assert not Handout.objects.exists()


def test_handout_saved_from_an_old_page_replaces_nothing_unread(
    gm_client: Client, campaign: Campaign, poster: Handout
) -> None:
    address = f"/campaigns/{campaign.pk}/handouts/{poster.pk}/"
    seen = read(gm_client.get(address)).one("input", name="seen_text")["value"]
    first = {"title": "Old poster", "text": "Torn", "drop_picture": "1", "seen_text": seen}
    assert gm_client.post(address, first).status_code == 303
    typed = {"title": "New poster", "text": "Rook, dead"}
    late = gm_client.post(address, {**typed, "seen_text": seen})
    page = read(late)
    assert late.status_code == 409
    assert page.one("input", name="title")["value"] == "New poster"
    assert page.one("textarea").text.strip() == "Rook, dead"
    assert page.one(class_="note-other").text == "What it says now: Old poster Torn"
    poster.refresh_from_db()
    assert (poster.title, poster.text, poster.digest) == ("Old poster", "Torn", "")
    seen = page.one("input", name="seen_text")["value"]
    assert gm_client.post(address, {**typed, "seen_text": seen}).status_code == 303
    poster.refresh_from_db()
    assert (poster.title, poster.text) == ("New poster", "Rook, dead")


def test_changing_what_is_shown_makes_pages_look_again(
    cast: Cast, started: Encounter, poster: Handout
) -> None:
    show(cast, started, poster, "all")
    before = load(started.pk).public
    cast.gm.post(f"/campaigns/{poster.campaign_id}/handouts/{poster.pk}/", {"title": TITLE, "text": "Dead"})
    assert load(started.pk).public > before
    assert "Dead" in cast.watcher.get(f"/encounters/{started.pk}/handouts/").content.decode()


def test_text_for_a_handout_deleted_in_another_tab_is_kept(gm_client: Client, poster: Handout) -> None:
    address = f"/campaigns/{poster.campaign_id}/handouts/{poster.pk}/"
    seen = read(gm_client.get(address)).one("input", name="seen_text")["value"]
    typed = {"title": "New poster", "text": "Rook, dead"}
    handouts.delete_handout(poster)
    answer = gm_client.post(address, {**typed, "seen_text": seen})
    page = read(answer)
    assert answer.status_code == 409
    assert page.one("textarea", name="text").text == "Rook, dead"
    assert page.one(class_="alert").text == "This handout was deleted meanwhile: save to create it again."
    seen = page.one("input", name="seen_text")["value"]
    assert gm_client.post(address, {**typed, "seen_text": seen}).status_code == 303
    made = Handout.objects.get()
    assert (made.title, made.text) == ("New poster", "Rook, dead")
    assert gm_client.post(address, {"delete": "1", "sure": "on"}).status_code == 404


def test_handout_deleted_while_it_is_saved_is_refused(poster: Handout) -> None:
    seen = Handout.objects.get()
    handouts.delete_handout(poster)
    with pytest.raises(Refused, match="was deleted meanwhile"):
        handouts.change_handout(seen, "New poster", "Rook, dead", None)


def test_light_table_lays_out_one_and_says_by_faces_who_sees_it(
    cast: Cast, started: Encounter, poster: Handout
) -> None:
    """The chosen handout lies large; each seat is a switch, and what is shown can be taken away beside it."""
    other = handouts.create_handout(poster.campaign, "Letter", "Come alone", None)
    here = f"/encounters/{started.pk}/handouts/"
    page = read(cast.gm.get(f"{here}?of={other.pk}"))
    assert page.one("section", class_="light-main").text.startswith("Come alone")
    assert page.one("input", name="handout", inside=page.one("form", class_="light-who"))["value"] == str(
        other.pk
    )
    pia = seat_named("Pia").pk
    shown = cast.gm.post(here, {"handout": other.pk, "to": pia})
    assert shown["Location"] == f"{here}?of={other.pk}#handout-{other.pk}"
    page = read(cast.gm.get(shown["Location"]))
    lit = [one["value"] for one in page.all("input", name="to") if "checked" in one.attrs]
    assert lit == [str(pia)]
    assert "Letter 1 of the seats" in page.one("form", class_="light-now").text
    cast.gm.post(here, {"handout": other.pk, "withdraw": "1"})
    assert not read(cast.gm.get(here)).all("form", class_="light-now")
