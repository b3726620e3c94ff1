"""Tables to roll on for who comes: faults are named, and every game understands the ready ones."""

from __future__ import annotations

import pytest
from django.test import Client

from combat.models import Campaign, Encounter
from combat.play.campaigns.campaigns import create_campaign, move_encounter
from combat.play.campaigns.random_tables import (
    EXAMPLE,
    find_ready_tables,
    find_tables,
    is_nobody,
    read_rows,
    read_table,
    save_table,
)
from combat.play.notes.glossary import make_glossary
from combat.play.notes.notes import read_notes
from combat.play.scenes.ready import GROUPS
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from tests.combat.cast import Cast
from tests.combat.rules.games import every_slug
from tests.combat.visit import load, read


def test_lines_are_read_in_their_order() -> None:
    rows = read_rows("2d6", "7-12: 1 captain, 2 guards\n2–5 nobody\n 6 4 thugs")
    assert [(row.range, row.words) for row in rows] == [
        ("2–5", "nobody"),
        ("6", "4 thugs"),
        ("7–12", "1 captain, 2 guards"),
    ]


@pytest.mark.parametrize(
    ("dice", "lines", "said"),
    [
        ("2d6", "2-5 nobody\n8-12 x", "6 to 7 have no line"),
        ("2d6", "2-5 nobody\n7-12 x", "6 has no line"),
        ("2d6", "2-8 nobody", "9 to 12 have no line"),
        ("2d6", "2-8 nobody\n7-12 x", "7 has two lines"),
        ("1d6", "1-7 x", "1–7 cannot all come up: 1d6 gives 1 to 6"),
        ("1d6", "6-1 x", "runs backward: write 1–6"),
        ("d66", "11-36 x\n41-67 y", "^41–67 cannot all come up: d66 gives 11 to 66, each digit 1 to 6"),
        ("d66", "11-37 x\n41-66 y", "^11–37 cannot all come up"),
        ("d66", "10-36 x\n41-66 y", "^10–36 cannot all come up"),
        ("d66", "11-36 x\n42-66 y", r"^41 has no line\.$"),
        ("d66", "11-41 x\n41-66 y", r"^41 has two lines\.$"),
        ("1d6", "thugs", "“thugs” is no line"),
        ("1d6", " ", "A table has 1 to 60 lines"),
        ("many", "1 x", "“many” is no roll"),
    ],
)
def test_faults_of_a_table_are_named(dice: str, lines: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        read_table("Corridor", dice, lines)


@every_slug
def test_every_game_understands_the_ready_tables(slug: str) -> None:
    system = find_system(slug)
    tables = find_ready_tables(system)
    assert [one.name for one in tables] == ([*GROUPS] if system.book.imports.people_names else [])
    glossary = make_glossary(system, system.begin(), "allies")
    for words in {row.words for one in tables for row in one.rows if not is_nobody(row.words)}:
        assert not read_notes(words, glossary).issues, words


def test_gm_rolls_in_secret_and_reads_the_line_in_the_notes(cast: Cast, started: Encounter) -> None:
    campaign = create_campaign(started.owner, "The long haul")
    move_encounter(started.pk, campaign)
    page = f"/campaigns/{campaign.pk}/tables/"
    fields = {"name": "Corridor", "dice": "1d6", "lines": "1-6 4 thugs"}
    assert cast.gm.post(page, {**fields, "lines": "1-5 4 thugs"}).status_code == 422
    assert cast.gm.post(page, fields).status_code == 303
    cast.gm.post(page, {**fields, "name": "Hall", "old": "Corridor"})
    campaign.refresh_from_db()
    assert [one.name for one in find_tables(campaign)] == ["Hall"]
    before, seen = load(started.pk), cast.player.get(f"/encounters/{started.pk}/log/").content
    done = cast.gm.post(f"/encounters/{started.pk}/prep/who/", {"table": "own:Hall"})
    assert done["Location"] == f"/encounters/{started.pk}/prep/who/?table=own%3AHall#came"
    done = cast.gm.post(f"/encounters/{started.pk}/prep/who/", {"do": "notes"})
    shown = read(cast.gm.get(done["Location"]))
    assert shown.one("textarea", name="notes").text.strip() == "4 thugs"
    after = load(started.pk)
    assert (after.steps, after.public) == (before.steps + 1, before.public)
    assert cast.player.get(f"/encounters/{started.pk}/log/").content.count(b"roll") == seen.count(b"roll")
    assert cast.gm.post(page, {"drop": "Hall"}).status_code == 303
    assert cast.gm.post(page, {"drop": "Hall"}).status_code == 409


def test_campaign_keeps_at_most_thirty_tables(client: Client, started: Encounter) -> None:
    campaign = create_campaign(started.owner, "The long haul")
    for number in range(30):
        save_table(campaign, read_table(f"T{number}", "2d6", EXAMPLE))
    with pytest.raises(Refused, match="at most 30"):
        save_table(campaign, read_table("One more", "2d6", EXAMPLE))
    save_table(campaign, read_table("T3", "1d6", "1-6 nobody"), "T3")
    assert len(find_tables(campaign)) == 30


def test_table_never_replaces_another_of_its_name(client: Client, started: Encounter) -> None:
    campaign = create_campaign(started.owner, "The long haul")
    for name in ("Hall", "Dock"):
        save_table(campaign, read_table(name, "2d6", EXAMPLE))
    for old in ("", "Dock"):
        with pytest.raises(Refused, match="There is a table “hall”: change that one"):
            save_table(campaign, read_table("hall", "2d6", EXAMPLE), old)
    assert [one.name for one in find_tables(campaign)] == ["Dock", "Hall"]


def test_tables_that_two_tabs_save_are_both_kept(client: Client, started: Encounter) -> None:
    """Each tab knows the campaign as it was before the other saved."""
    campaign = create_campaign(started.owner, "The long haul")
    tabs = [Campaign.objects.get(pk=campaign.pk) for _ in range(2)]
    for tab, name in zip(tabs, ("Hall", "Dock"), strict=True):
        save_table(tab, read_table(name, "2d6", EXAMPLE))
    campaign.refresh_from_db()
    assert [one.name for one in find_tables(campaign)] == ["Dock", "Hall"]
