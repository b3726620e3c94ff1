"""The GM's field for health reads what is typed as a sheet does, and says so before it is set."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect

from combat.models import Encounter
from combat.rules import find_system
from tests.browser import find_overflow
from tests.combat.cast import gather
from tests.combat.rules.games import every_slug
from tests.combat.visit import MARCUS, PIRATE, ZARA, Visit, begun, combatant, hp, load, refusal, stored

OTHERWISE = ". With − it is damage, with + healing."
TYPED = ("-3", "−2", "+2", "4", "0", "9999", "many", "1" * 9)


def read_points(visit: Visit, points: str, track: str = "hp", who: str = PIRATE, sign: str = "typed") -> str:
    asked = {"target": who, "track": track, "points": points, "sign": sign}
    answer = visit.client.get(f"{visit.here}points/", asked)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize(
    ("typed", "reading", "left"),
    [
        ("-15", "Loses 15: HP 80 → 65", 65),
        ("−15", "Loses 15: HP 80 → 65", 65),
        (" +5 ", "Gains 5: HP 70 → 75", 75),
        ("50", f"Sets HP 80 → 50, Wounded{OTHERWISE}", 50),
        ("12", f"Sets HP 80 → 12, Critical{OTHERWISE}", 12),
        ("500", f"Sets HP 80 → 500, above the maximum of 80{OTHERWISE}", 500),
    ],
)
def test_window_reads_points_as_a_sheet_does(visit: Visit, typed: str, reading: str, left: int) -> None:
    if "70" in reading:
        visit.do("adjust", target=PIRATE, track="hp", by="-10")
    before = stored(visit.pk)
    assert read_points(visit, typed) == reading
    assert stored(visit.pk) == before, "it is only said"
    page = visit.page(combatant=PIRATE, row="quick")
    (form,) = page.all("form", class_="quick-health")
    posted = {
        **page.fields(form),
        "points": typed,
        "sign": page.all("button", name="sign", inside=form)[0]["value"],
    }
    posted.pop("csrfmiddlewaretoken")
    visit.do(**posted)
    assert hp(visit.pk, PIRATE) == left


@pytest.mark.parametrize(
    ("typed", "sign", "reading"),
    [
        ("15", "-", "Loses 15: HP 80 → 65"),
        ("15", "", "Pirate: HP is at its maximum of 80; “Set to” goes beyond."),
        ("80", "typed", "Pirate: HP is 80 already; enter another number."),
        ("", "typed", "−8 is a loss, +8 a gain, 8 the new value"),
        ("<b>", "typed", "Enter a number from −9,999 to 9,999: it must be a whole number, not “&lt;b&gt;”"),
        ("10000", "typed", "Enter a number from −9,999 to 9,999."),
        ("3,5", "-", "Points must be a whole number, not “3,5”"),
    ],
)
def test_reading_says_what_the_button_would_do_or_why_not(
    visit: Visit, typed: str, sign: str, reading: str
) -> None:
    """Plain points of a form for damage are damage, as programs send them."""
    assert read_points(visit, typed, sign=sign).startswith(reading)


def test_what_is_not_there_is_a_sentence(visit: Visit) -> None:
    assert read_points(visit, "5", track="luck") == "There is no stat “luck”."
    assert "no longer here" in read_points(visit, "5", who="f99")
    assert visit.client.get(f"{visit.here}points/").status_code == 200


def test_only_the_gm_reads_what_points_would_do(visit: Visit, started: Encounter) -> None:
    """The health of a foe is told to nobody else, by no reading."""
    cast = gather(started, ZARA, MARCUS)
    address = f"{visit.here}points/?target={PIRATE}&track=hp&points=5&sign=typed"
    assert "HP 80 → 5" in cast["gm"].get(address).content.decode()
    for role in ("player", "other", "watcher"):
        refused = cast[role].get(address)
        assert (refused.status_code, "HP 80" in refused.content.decode()) == (403, False)


@pytest.mark.slow
@every_slug
def test_each_number_of_each_game_becomes_what_its_reading_says(
    gm: User, gm_client: Client, slug: str
) -> None:
    """Every track of everyone, shared points among them: set as it was read, or refused in the same words."""
    visit, system = Visit(gm_client, begun(gm, slug).pk, htmx=False), find_system(slug)
    for who in (ZARA, PIRATE):
        shared = system.characters.shared_track
        tracks = [one.key for one in system.characters.find_tracks(combatant(visit.pk, who))]
        for track in [*tracks, *([shared.key] if shared else [])]:
            for typed in TYPED:
                check_reading(visit, who, track, typed)


def check_reading(visit: Visit, who: str, track: str, typed: str) -> None:
    said = read_points(visit, typed, track, who)
    done = visit.post("adjust", target=who, track=track, points=typed, sign="typed")
    if done.status_code >= 400:
        assert said.partition(" ")[0] not in ("Sets", "Loses", "Gains", "Adds", "Takes"), (track, typed, said)
        assert said.partition("“")[0] in refusal(done)
        return
    if load(visit.pk).open_command:
        visit.do("cancel")
    elif found := re.search(r"→ (−?\d+)", said):
        assert combatant(visit.pk, who).tracks[track] == int(found[1].replace("−", "-")), (track, typed, said)
        visit.do("undo")
    else:
        assert "divided among" in said, (track, typed, said)
        visit.do("undo")


@pytest.mark.slow
def test_typed_points_say_what_they_do_before_enter(
    table: Browser, address: str, started: Encounter, complaints: list[str]
) -> None:
    """By keys on a laptop and by taps on a phone: a value, a loss, a gain, and damage by its button."""
    points, said, done = (table.locator(one) for one in ("#quick-points", "#points-read", ".quick-said"))
    table.goto(f"{address}?combatant={PIRATE}&row=quick")
    expect(points).to_be_focused()
    expect(said).to_have_text("−8 is a loss, +8 a gain, 8 the new value")
    table.keyboard.type("50")
    expect(said).to_contain_text("Sets HP 80 → 50")
    table.keyboard.press("Enter")
    expect(done).to_contain_text("(80 → 50)")
    assert hp(started.pk, PIRATE) == 50
    table.set_viewport_size({"width": 390, "height": 844})
    for typed, words, left in (("-8", "Loses 8: HP 50 → 42", 42), ("+3", "Gains 3: HP 42 → 45", 45)):
        points.fill(typed)
        expect(said).to_have_text(words)
        assert find_overflow(table) == []
        table.locator("#quick-set").click()
        expect(done).to_contain_text(f"→ {left})")
        assert hp(started.pk, PIRATE) == left
    points.fill("5")
    expect(said).to_contain_text("With − it is damage")
    table.get_by_role("button", name="Damage Pirate").click()
    expect(done).to_contain_text("(45 → 40)")
    assert complaints == []
