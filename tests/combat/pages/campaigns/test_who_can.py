"""Who of us can: totals as the sheets have them, for the party and the table, as each owner shares them."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.creation.creation_view import find_ready, make_ready_sheet
from characters.display.sheet_view import view_sheet
from characters.display.totals import find_stats, find_total, list_stats, try_sheet
from characters.models import Character
from combat.models import Campaign, Encounter, Seat, ShareLink
from combat.pages.campaigns import who_can_view
from combat.play.campaigns.roster import bring_to_seat
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import SYSTEMS, find_system
from combat.rules.core.sheets.sheets import blank_draft
from combat.rules.core.state.state import present
from tests.combat.audience.test_doors import drop_tokens
from tests.combat.cast import Cast, come_by_account
from tests.combat.pages.campaigns.test_chest import ben, client_of, keep_shown, kim, make_person, nia, zara
from tests.combat.visit import MARCUS, PIRATE, ZARA, state_of

__all__ = ("ben", "kim", "nia", "zara")
GAMES = [slug for slug in SYSTEMS if find_system(slug).book.sheets]


def party(campaign: Campaign) -> str:
    return f"/campaigns/{campaign.pk}/who-can/"


def look(client: Client, where: str, **asked: str) -> str:
    answer = client.get(where, asked)
    assert answer.status_code == 200
    return drop_tokens(answer.content.decode())


@pytest.mark.parametrize("slug", GAMES)
def test_a_total_is_the_one_of_the_sheet(campaign: Campaign, nia: User, slug: str) -> None:
    """Of each skill that the page of a sheet shows, in every game."""
    system = find_system(slug)
    assert system.book.sheets
    draft = blank_draft(system.book.sheets)
    sheet = system.book.sheets.write({}, draft)
    one = make_person(
        campaign, nia, "Ada", slug, **{key: sheet[key] for key in sheet if key not in ("name", "items")}
    )
    page = view_sheet(system, one)
    shown = {view.stat.key: view for _, skills in page.skills for view in skills}
    tried = try_sheet(system, one.name, one.sheet)
    for stat in list_stats(system):
        if stat.key in shown and (best := shown[stat.key].best) and best.total is not None:
            found = find_total(system, tried, stat)
            assert found
            assert (found.number, found.shown) == (best.total, best.shown), stat.key


@pytest.mark.parametrize(
    ("slug", "words", "label"),
    [
        ("cosmos", "medic", "Medicine"),
        ("cosmos", "I use my Athletics on it", "Athletics"),
        ("starshock", "robot", "Robotics"),
        ("cepheus", "advoc", "Advocate"),
        ("guardians", "thrown", "Thrown Weapons"),
    ],
)
def test_words_find_a_skill(slug: str, words: str, label: str) -> None:
    assert label in [stat.label for stat in find_stats(find_system(slug), words)]
    assert not find_stats(find_system(slug), "xyzzy")
    assert not find_stats(find_system(slug), "")


def test_the_party_reads_all_totals_and_chances(
    campaign: Campaign, zara: Character, ben: Character, nia: User, gm_client: Client
) -> None:
    for client in (client_of(nia), gm_client):
        page = look(client, party(campaign), q="medicine", against="12")
        rows = page.partition('class="who-rows"')[2].partition("</ol>")[0]
        assert rows.count("<li") == len(re.findall(r"who-chance\">\d+%", rows)) == 2
    assert "No skill or attribute is called that" in look(gm_client, party(campaign), q="xyzzy")


def test_how_hard_it_is_is_one_tap(campaign: Campaign, nia: User) -> None:
    """As chips where the game has few; what was chosen is pressed, and stays when another skill opens."""
    ready = make_ready_sheet(find_system("cepheus"), find_ready(find_system("cepheus"))[0].archetype)
    make_person(campaign, nia, "Ada", "cepheus", **{key: ready[key] for key in ready if key != "name"})
    client = client_of(nia)
    page = look(client, party(campaign), q="athletics")
    assert "<select" not in page
    chips = dict(re.findall(r'name="against" value="([^"]*)"\s+aria-pressed="(true|false)"', page))
    assert len(chips) > 5
    assert [value for value, pressed in chips.items() if pressed == "true"] == [""]
    hard = list(chips)[-1]
    page = look(client, party(campaign), q="athletics", against=hard)
    chips = dict(re.findall(r'name="against" value="([^"]*)"\s+aria-pressed="(true|false)"', page))
    assert [value for value, pressed in chips.items() if pressed == "true"] == [hard]
    assert f'type="hidden" name="against" value="{hard}"' in page
    assert re.search(r"who-chance\">\d+%", page)
    lines = page.partition('class="who-all"')[2].partition("</table>")[0]
    assert lines.count('class="is-open"') == 1
    assert lines.count(f"against={hard}") == lines.count("<tr") - 1 > 3


def test_who_sees_the_totals_is_one_tap(campaign: Campaign, zara: Character, nia: User) -> None:
    """Of two buttons the one that holds is pressed."""
    for totals, pressed in (("gm", ["false", "true"]), ("", ["true", "false"])):
        client_of(nia).post(party(campaign), {"character": zara.pk, "totals": totals})
        page = look(client_of(nia), party(campaign))
        assert re.findall(r'name="totals" value="\w*" aria-pressed="(\w+)"', page) == pressed


def test_who_keeps_theirs_to_the_gm_is_read_by_no_other(
    campaign: Campaign, zara: Character, ben: Character, nia: User, kim: User, gm_client: Client
) -> None:
    """Two worlds, with a skill and without it: no byte differs for the party."""
    here, other, own = party(campaign), client_of(kim), client_of(nia)
    assert own.post(here, {"character": zara.pk, "totals": "gm"}).status_code == 303
    worlds = []
    for rating in (0, 5):
        sheet = {**zara.sheet, "skills": {**zara.sheet["skills"], "Medicine": rating}}
        Character.objects.filter(pk=zara.pk).update(sheet=sheet)
        pages: tuple[dict[str, str], ...] = ({"q": "medicine", "against": "14"}, {})
        people = (other, own, gm_client)
        worlds.append(["".join(look(client, here, **asked) for asked in pages) for client in people])
    assert worlds[0][0] == worlds[1][0]
    assert "shows it to the GM alone" in worlds[0][0]
    assert worlds[0][1] != worlds[1][1], "their own"
    assert worlds[0][2] != worlds[1][2], "the GM's"
    assert own.post(here, {"character": zara.pk, "totals": ""}).status_code == 303
    assert "shows it to the GM alone" not in look(other, here, q="medicine")


def test_only_its_owner_says_who_sees_it(
    campaign: Campaign, zara: Character, ben: Character, kim: User, nia: User, gm_client: Client
) -> None:
    for client in (client_of(kim), gm_client):
        assert client.post(party(campaign), {"character": zara.pk, "totals": "gm"}).status_code == 409
    assert client_of(nia).post(party(campaign), {"character": zara.pk, "totals": "cake"}).status_code == 422
    assert client_of(nia).post(party(campaign), {"character": "x", "totals": "gm"}).status_code == 409
    zara.refresh_from_db()
    assert zara.totals == ""
    assert client_of(User.objects.create_user("eve")).get(party(campaign)).status_code == 404


def test_a_table_shows_its_heroes_and_no_wounds(cast: Cast, started: Encounter) -> None:
    here = f"/encounters/{started.pk}/who-can/"
    names = {one.name for one in present(state_of(started.pk)) if one.pc}
    before = look(cast.other, here, q="athletics", against="14")
    assert all(name in before for name in names)
    assert "Pirate" not in before.partition("<h2>")[2]
    submit(started.pk, Submission("adjust", {"target": MARCUS, "track": "hp", "by": -60}))
    submit(started.pk, Submission("give_condition", {"target": MARCUS, "kind": "prone"}))
    assert look(cast.other, here, q="athletics", against="14") == before
    assert cast.watcher.get(here).status_code == 403


def test_a_kept_total_stays_kept_at_the_table(
    started: Encounter, cast: Cast, campaign: Campaign, zara: Character, nia: User
) -> None:
    own = come_by_account(started, ShareLink.PLAY, "nia")
    seat = Seat.objects.get(encounter=started, user=nia)
    bring_to_seat(started, seat, nia, str(zara.pk))
    here = f"/encounters/{started.pk}/who-can/"
    for client in (cast.player, cast.gm):
        assert client.post(here, {"character": zara.pk, "totals": "gm"}).status_code == 409
    assert own.post(here, {"character": zara.pk, "totals": "gm"}).status_code == 303
    assert "shows it to the GM alone" in look(cast.player, here, q="athletics")
    for client in (own, cast.gm):
        page = look(client, here, q="athletics")
        assert "only the GM sees it" in page
        assert "shows it to the GM alone" not in page


def test_everyone_stands_in_the_order_of_their_chances(
    campaign: Campaign,
    zara: Character,
    ben: Character,
    nia: User,
    kim: User,
    gm: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whom one may read first, the best first; who keeps theirs has no total, in no row and no cell."""
    shown = keep_shown(monkeypatch, who_can_view)
    yak = make_person(campaign, kim, "Yak")
    for one, rating in ((zara, 3), (ben, 1), (yak, 5)):
        skills = {**one.sheet["skills"], "Medicine": rating}
        Character.objects.filter(pk=one.pk).update(sheet={**one.sheet, "skills": skills})
    Character.objects.filter(pk=ben.pk).update(totals="gm")
    for user, mine in ((nia, ["Zara"]), (kim, ["Ben", "Yak"]), (gm, [])):
        look(client_of(user), party(campaign), q="medicine", against="14")
        assert (shown["problem"], shown["chosen"].label, shown["found"]) == ("", "Medicine", ())
        rows = shown["rows"]
        known = [row for row in rows if row.total]
        assert [row.member.name for row in rows] == ["Yak", "Zara", "Ben"]
        assert len(known) == 2 + (user != nia)
        assert shown["best"] is rows[0]
        assert sorted(((float(r.total.chance), r.total.number) for r in known), reverse=True) == [
            (float(row.total.chance), row.total.number) for row in known
        ]
        look(client_of(user), party(campaign))
        assert (shown["rows"], shown["best"], shown["chosen"], shown["problem"]) == ([], None, None, "")
        (cells,) = [row.cells for row in shown["skills"] if row.stat.label == "Medicine"]
        assert [one.name for one in shown["people"]] == ["Ben", "Yak", "Zara"]
        assert [total is not None for total, _ in cells] == [user != nia, True, True]
        assert [is_best for _, is_best in cells] == [False, True, False]
        assert [one.name for one in shown["mine"]] == mine
        assert (shown["up"], shown["is_gm"]) == ((campaign, True) if user == gm else (None, False))


def test_whom_a_table_shows(cast: Cast, started: Encounter, monkeypatch: pytest.MonkeyPatch) -> None:
    """The heroes of one's own side, and whom one plays; for the GM everyone."""
    shown = keep_shown(monkeypatch, who_can_view)
    state = state_of(started.pk)
    ours, theirs = state[ZARA].side, state[PIRATE].side
    for name, side, pc in (("Guard", ours, False), ("Rex", theirs, True), ("Thug", theirs, False)):
        joined = {"name": name, "side": side, "block": "street_thug", "pc": pc}
        submit(started.pk, Submission("join", joined))
    guard = next(one.id for one in present(state_of(started.pk)) if one.name == "Guard")
    Seat.objects.filter(name="Otto").update(combatants=[MARCUS, guard])

    def find(client: Client) -> tuple[list[str], set[int], bool]:
        look(client, f"/encounters/{started.pk}/who-can/", q="athletics")
        people = shown["people"]
        return [one.name for one in people], {one.number for one in people}, shown["is_gm"]

    heroes = [one.name for one in present(state_of(started.pk)) if one.pc and one.side == ours]
    assert find(cast.player) == (heroes, {0}, False)
    assert find(cast.other) == ([*heroes, "Guard"], {0}, False)
    assert find(cast.gm) == ([one.name for one in present(state_of(started.pk))], {0}, True)


def test_words_are_asked_about_only_where_they_mean_several(
    campaign: Campaign, zara: Character, nia: User, gm: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = keep_shown(monkeypatch, who_can_view)
    stats = [*list_stats(find_system("cosmos"))][:3]
    for number in range(4):
        monkeypatch.setattr(who_can_view, "find_stats", lambda system, words, n=number: stats[:n])
        look(client_of(nia), party(campaign), q="words")
        assert list(shown["found"]) == (stats[:number] if number > 1 else [])
        assert shown["chosen"] == (stats[0] if number else None)
        assert bool(shown["problem"]) == (number == 0)
        assert (shown["skills"] == ()) == (number == 0)
    zara.campaigns.all().delete()
    look(client_of(gm), party(campaign), q="medicine")
    assert (shown["people"], shown["rows"], shown["number"], shown["best"]) == ([], [], None, None)
