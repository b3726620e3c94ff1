"""The GM's changes in the rows of combatants, conditions and corrections."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from characters.services import character_service
from combat.models import Encounter, Seat
from combat.play.campaigns.roster import submission_to_join
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.state.state import has_condition
from combat.sharing.links import HERE
from tests.combat.cast import Cast, gather
from tests.combat.markup import Page
from tests.combat.rules.games import every_slug
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA, Visit, combatant, hp, load, read, state_of

# ---- The GM's changes in the rows ----


def test_gm_alone_reads_who_plays_whom_and_whether_they_are_here(cast: Cast, started: Encounter) -> None:
    seat, here = Seat.objects.get(encounter=started, name="Pia"), f"/encounters/{started.pk}/"
    (who,) = seat.combatants

    def row(client: Client) -> str:
        page = read(client.get(here))
        names = page.all(inside=page.one("li", id=f"row-{who}"), class_="row-main")
        return " ".join(names[0].text.split())

    def head(client: Client) -> str:
        return " ".join(read(client.get(here, {"combatant": who})).one(id="turn-head").text.split())

    for client in (cast.gm, cast.co_gm):
        assert "Pia, here" in row(client)
        assert "Pia is choosing ·" in head(client)
    for client in (cast.player, cast.other, cast.watcher):
        assert "Pia" not in row(client)
    Seat.objects.filter(pk=seat.pk).update(seen=timezone.now() - HERE)
    assert "Pia" in row(cast.gm)
    assert "here" not in row(cast.gm)
    assert "Pia ·" in head(cast.gm)
    submit(started.pk, Submission("next_turn", {}))
    Seat.objects.filter(pk=seat.pk).update(seen=timezone.now())
    assert "Pia is here ·" in head(cast.gm)


@pytest.mark.slow
def test_row_forms_open_in_the_small_window(visit: Visit) -> None:
    own = ("adjust", "give_condition", "place", "reorder", "rename", "resize", "give_budget")
    for row in ("damage", "heal", "condition", "place", "reorder", "rename", "resize", "budget"):
        page = visit.page(combatant=PIRATE, row=row)
        form = page.one("form", id=f"form-{PIRATE}")
        assert form.is_in(page.one(id="row-window")), row
        assert page.fields(form)["target"] == PIRATE
        (button,) = [b for b in page.all(inside=form) if b.attrs.get("name") == "do"]
        assert button["value"] in own, row


def post_row(visit: Visit, row: str, who: str, **changes: Any) -> Page:
    """Open a form in a row, change some fields, press its button."""
    page = visit.page(combatant=who, row=row)
    form = page.one("form", id=f"form-{who}")
    (button,) = [b for b in page.all(inside=form) if b.attrs.get("name") == "do"]
    posted = {**page.fields(form), **changes}
    posted.pop("csrfmiddlewaretoken")
    posted.pop("do", "")
    return read(visit.do(button["value"], **posted))


@pytest.mark.slow
def test_damage_and_heal(visit: Visit) -> None:
    post_row(visit, "damage", PIRATE, points=30, reason="falling crate")
    assert hp(visit.pk, PIRATE) == 50
    assert "Pirate loses 30 HP (80 → 50): falling crate." in visit.page().one(id="log").text
    post_row(visit, "heal", PIRATE, points=5)
    assert hp(visit.pk, PIRATE) == 55
    visit.do("undo")
    assert hp(visit.pk, PIRATE) == 50


def test_condition_is_given_and_ended(visit: Visit) -> None:
    """One for some turns says when it ends."""
    post_row(visit, "condition", PIRATE, kind="prone")
    page = visit.page(combatant=PIRATE, row="condition")
    assert "Prone" in page.one(id=f"row-{PIRATE}").text
    (end,) = [b for b in page.all("button") if b.text == "Remove Prone"]
    posted = page.fields(end.parents[-1])
    visit.do("take_condition", target=posted["target"], condition=posted["condition"])
    assert not combatant(visit.pk, PIRATE).conditions
    page = post_row(visit, "condition", PIRATE, kind="bleeding", level=2, turns=3)
    (chip,) = page.all("li", class_="chip", inside=page.one(id=f"row-{PIRATE}"))
    assert chip.text == "Bleeding 2 3 turns left"


def test_chip_counts_the_turn_under_way_apart(visit: Visit) -> None:
    """As the form does, which says that it does not count."""
    who = state_of(visit.pk).active
    for turns, told in ((1, "until the end of"), (3, "this turn and 3 more")):
        page = post_row(visit, "condition", who, kind="blinded", turns=turns)
        (chip,) = page.all("li", class_="chip", inside=page.one(id=f"row-{who}"))
        assert told in chip.text
        (held,) = combatant(visit.pk, who).conditions
        visit.do("take_condition", target=who, condition=held.id)


@pytest.mark.slow
def test_place_by_zone_and_by_meters(visit: Visit) -> None:
    page = post_row(visit, "place", PIRATE, zone="rubble")
    rubble = [e for e in page.all("li", class_="zone") if e.text.startswith("Collapsed gantry")]
    assert len(page.all("svg", inside=rubble[0])) == 1
    post_row(visit, "place", PIRATE, x="3.5", y="4")
    at = combatant(visit.pk, PIRATE).at
    assert (at.x, at.y) == (3.5, 4)


@pytest.mark.slow
def test_reorder_rename_budget_hide_duplicate_remove(visit: Visit) -> None:
    post_row(visit, "reorder", MARCUS, after="")
    assert state_of(visit.pk).order == (MARCUS, ZARA, PIRATE)
    post_row(visit, "rename", PIRATE, name="Captain", side="guild")
    assert (combatant(visit.pk, PIRATE).name, combatant(visit.pk, PIRATE).side) == ("Captain", "guild")
    post_row(visit, "budget", ZARA, pool="quick", left=0)
    assert combatant(visit.pk, ZARA).budget["quick"] == 0
    visit.do("hide", target=PIRATE, hidden="true")
    assert "hidden from players" in visit.page().one(id=f"row-{PIRATE}").text
    visit.do("hide", target=PIRATE, hidden="false")
    assert not combatant(visit.pk, PIRATE).hidden
    visit.do("duplicate", target=PIRATE)
    names = [f.name for f in state_of(visit.pk).combatants.values()]
    assert len(names) == 4
    assert len(set(names)) == 4
    visit.do("remove", target=PIRATE, reason="flees")
    assert combatant(visit.pk, PIRATE).gone
    assert not visit.page().all(id=f"row-{PIRATE}")
    for _ in range(7):
        visit.do("undo")
    assert state_of(visit.pk).order == (ZARA, PIRATE, MARCUS)
    assert combatant(visit.pk, PIRATE).name == "Pirate"


def test_after_who_acts_is_removed_it_is_nobodys_turn(visit: Visit) -> None:
    visit.do("remove", target=ZARA)
    assert visit.page().one(id="h-turn").text == "No one's turn"
    visit.do("next_turn")
    assert visit.page().one(id="h-turn").text == "Pirate"


def test_everyone_ticked_is_hurt_in_one_step(visit: Visit) -> None:
    steps = load(visit.pk).steps
    visit.do("adjust_each", targets=[ZARA, PIRATE], track="hp", by="-7", reason="steam")
    assert (hp(visit.pk, ZARA), hp(visit.pk, PIRATE)) == (73, 73)
    assert load(visit.pk).steps == steps + 1
    visit.do("adjust_each", targets=ZARA, track="hp", by="2")
    assert hp(visit.pk, ZARA) == 75
    assert visit.refused("adjust_each", 409, track="hp", by="-7") == "Select combatants first."


def test_note_is_kept_for_the_gm_alone(visit: Visit) -> None:
    found = visit.client.post(
        visit.here, {"do": "note", "text": "The crates are empty."}, headers=visit.headers
    )
    assert found.status_code == 200
    log = read(found).one(id="log")
    assert "The crates are empty." in log.text
    assert "private" in log.text


@pytest.mark.slow
@every_slug
def test_stat_is_asked_for_only_where_there_are_several(gm: User, gm_client: Client, slug: str) -> None:
    visit, characters = Visit(gm_client, make_demo_fight(gm, slug).pk), find_system(slug).characters
    page = visit.page(combatant=PIRATE, row="damage")
    asked = page.all(inside=page.one("form", id=f"form-{PIRATE}"), name="track")
    kinds, tracks = {one.attrs.get("type", "select") for one in asked}, combatant(visit.pk, PIRATE).tracks
    assert page.one("header", class_="quick-head").text.startswith(combatant(visit.pk, PIRATE).name)
    assert len(kinds) == 1
    assert (kinds == {"hidden"}) == (len(asked) == 1 and not characters.shared_track and len(tracks) < 7)
    if kinds == {"radio"}:
        assert sum("checked" in one.attrs for one in asked) == 1


@pytest.mark.slow
@every_slug
def test_damage_harms_and_heal_mends_in_every_game(gm: User, gm_client: Client, slug: str) -> None:
    visit = Visit(gm_client, make_demo_fight(gm, slug).pk)
    track = find_system(slug).characters.tracks[0]
    start = combatant(visit.pk, PIRATE).tracks.get(track.key, 0)
    for form, who in (("adjust", {"target": PIRATE}), ("adjust_each", {"targets": [PIRATE]})):
        for sign, after in (("-", start + (3 if track.rises else -3)), ("", start)):
            visit.do(form, track=track.key, points="3", sign=sign, **who)
            assert combatant(visit.pk, PIRATE).tracks[track.key] == after, (form, sign)


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "after"), [("−8", 68), ("-8", 68), ("+3", 79), ("8", 68)])
def test_points_with_a_sign_change_the_present_number(visit: Visit, typed: str, after: int) -> None:
    """In the form for damage, which says so; a correction asks for points without a sign."""
    visit.do("adjust", target=ZARA, track="hp", points=str(hp(visit.pk, ZARA) - 76), sign="-")
    page = visit.page(combatant=ZARA, row="damage")
    assert page.one("input", id="row-by")["title"] == "−8 or +3 changes the present number"
    visit.do("adjust", target=ZARA, track="hp", points=typed, sign="-")
    assert hp(visit.pk, ZARA) == after
    said = visit.refused("adjust", 422, target=ZARA, track="hp", points="+3x", sign="-")
    assert said == "Points must be a whole number, not “+3x”: type digits, such as 3, +3 or −3."
    assert "0 or more" in visit.refused(
        "adjust", 422, target=ZARA, track="hp", points="−8", was="8", sign="-"
    )


# ---- Conditions and corrections ----


def test_condition_opens_to_what_it_does_and_its_rule(visit: Visit) -> None:
    visit.do("give_condition", target=ZARA, kind="prone")
    held = visit.page().one("details", id="held-1")
    known = find_system(SLUG).characters.describe_condition("prone")
    assert known.text in held.text
    assert known.rule.split("-", 1)[1] in held.text


@pytest.mark.slow
def test_lines_of_harm_and_conditions_lead_the_gm_to_correction(visit: Visit) -> None:
    visit.do("adjust", target=PIRATE, track="hp", by="-9")
    visit.do("give_condition", target=PIRATE, kind="prone")
    links = [link["href"] for link in visit.page().all("a", class_="correction")]
    assert f"?combatant={PIRATE}&row=mend&track=hp&points=-9#row-{PIRATE}" in links
    assert f"?combatant={PIRATE}&row=condition#row-{PIRATE}" in links
    for link in links:
        query = dict(pair.split("=") for pair in link[1:].split("#")[0].split("&"))
        assert visit.page(**query).all("form", id=f"form-{PIRATE}")


@pytest.mark.slow
def test_old_damage_is_corrected_with_its_number_filled_in(visit: Visit) -> None:
    visit.do("adjust", target=PIRATE, track="hp", by="-30")
    visit.do("adjust", target=PIRATE, track="hp", by="5")
    asked = {"combatant": PIRATE, "row": "mend", "track": "hp", "points": "-30"}
    page = visit.page(**asked)
    posted = page.fields(page.one("form", id=f"form-{PIRATE}"))
    assert (posted["points"], posted["was"]) == ("30", "30")
    post_correction = {name: posted[name] for name in ("target", "track", "sign", "was", "reason")}
    visit.do("adjust", **post_correction, points="12")
    assert hp(visit.pk, PIRATE) == 73
    assert "Corrected: Pirate gains 18 HP (55 → 73)." in visit.page().one(id="log").text
    told = visit.refused("adjust", 409, **post_correction, points="30")
    assert told == "Points were 30: enter what they should have been."
    for wrong in ({"track": "luck"}, {"points": "0"}, {"points": "many"}, {"points": ""}):
        assert not visit.page(**(asked | wrong)).all("form", id=f"form-{PIRATE}")


@pytest.mark.slow
def test_condition_for_some_turns_is_one_choice_and_one_button(visit: Visit) -> None:
    page = visit.page(combatant=PIRATE, row="condition")
    form = page.one("form", id=f"form-{PIRATE}")
    turns = page.all("input", inside=form, name="turns")
    assert [one["value"] for one in turns] == ["1", "2", "3", "5", "10", "0"]
    assert [one["value"] for one in turns if "checked" in one.attrs] == ["0"]
    fields = {"target": PIRATE, "kind": "blinded", "level": "1", "turns": "3", "turns-free": ""}
    visit.do("give_condition", **fields)
    assert "3 turns left" in visit.page().one(id=f"row-{PIRATE}").text
    visit.do("give_condition", **(fields | {"kind": "deafened", "turns-free": "7"}))
    assert "7 turns left" in visit.page().one(id=f"row-{PIRATE}").text
    told = visit.refused("give_condition", 422, **(fields | {"turns-free": "soon"}))
    assert "number" in told
    told = visit.refused("give_condition", 422, **(fields | {"kind": ""}))
    assert told == "Choose a condition first."


@pytest.mark.slow
def test_menu_of_a_row_changes_side_surrenders_and_revives(visit: Visit) -> None:
    def offered() -> list[str]:
        page = visit.page()
        menu = page.one("details", id=f"menu-{PIRATE}")
        return [button.text for button in page.all("button", inside=menu)]

    assert offered() == ["Surrender", "Join crew", "Hide from players v", "Duplicate", "Remove"]
    visit.do("surrender", target=PIRATE)
    assert "Pirate surrenders." in visit.page().one(id="log").text
    assert offered()[0] == "Fight on"
    visit.do("fight_on", target=PIRATE)
    visit.do("rename", target=PIRATE, side="crew")
    assert "Pirate joins the crew." in visit.page().one(id="log").text
    assert "Join crew" not in offered()
    visit.do("adjust", target=PIRATE, track="hp", by="-300")
    assert offered()[0] == "Revive"
    visit.do("revive", target=PIRATE)
    assert hp(visit.pk, PIRATE) == 1
    visit.do("undo")
    assert offered()[0] == "Revive"


@pytest.mark.slow
def test_reinforcements_join_from_the_table_and_lead_back_to_it(visit: Visit) -> None:
    address = f"/encounters/{visit.pk}/prep/"
    (add,) = [link for link in visit.page().all("a") if link.text == "Add"]
    assert add["href"] == f"{address}people/?to=table"
    page = read(visit.client.get(add["href"]))
    fields = {**page.fields(page.one("form", id="people")), "do": "join", "side": "crew", "count": "1"}
    fields |= {"block": "pirate", "name": "Late"}
    assert visit.client.post(address, fields)["Location"] == visit.here
    (late,) = [one for one in state_of(visit.pk).combatants.values() if one.name == "Late"]
    assert late.id in state_of(visit.pk).order
    wrong = visit.client.post(address, {**fields, "count": "many"})
    assert wrong.status_code == 422
    assert read(wrong).one("form", id="people")


@pytest.mark.slow
def test_row_conditions_are_counted_icons_with_words_a_tap_away(visit: Visit) -> None:
    """Up to three stand beside the name, more below it; a narrow column shows four and how many are left."""
    visit.do("give_condition", target=PIRATE, kind="bleeding", level="2")
    for kind in ("prone", "stunned"):
        visit.do("give_condition", target=PIRATE, kind=kind)
    page = visit.page()
    button = page.one("button", id=f"conditions-{PIRATE}")
    assert "is-many" not in button["class"]
    level = next(iter(page.all("b", inside=button)))
    assert (level.text, level["class"]) == ("2", "in-word"), "hidden where the words are shown"
    assert "Bleeding 2" in button.text, "a screen reader hears the words"
    words = page.one(id=button["popovertarget"])
    assert "Prone" in words.text
    for kind in ("frightened", "blinded"):
        visit.do("give_condition", target=PIRATE, kind=kind)
    page = visit.page()
    button = page.one("button", id=f"conditions-{PIRATE}")
    assert "is-many" in button["class"]
    count = len(page.all("svg", inside=button))
    for shown in (3, 4):
        (rest,) = page.all("span", inside=button, class_=f"chip-of-{shown}")
        assert rest.text == f"+{count - shown}"


def test_menu_offers_its_combatants_sheet_while_there_is_one(gm: User, visit: Visit) -> None:
    sheet = character_service.create(gm, "cosmos", "Pim", combatant(visit.pk, ZARA).sheet)
    submit(visit.pk, submission_to_join(sheet, side="allies", by="gm"))
    pim = next(one.id for one in state_of(visit.pk).combatants.values() if one.name == "Pim")

    def leads() -> list[str]:
        page = visit.page()
        links = page.all("a", inside=page.one("details", id=f"menu-{pim}"))
        return [link["href"] for link in links if "/characters/" in link["href"]]

    assert leads() == [f"/characters/{sheet.pk}/"]
    character_service.delete(sheet)
    assert leads() == []


@pytest.mark.slow
def test_form_that_is_refused_keeps_its_place_and_what_was_typed(visit: Visit) -> None:
    visit.do("adjust", target=PIRATE, track="hp", by="-9")
    asked = {"combatant": PIRATE, "row": "mend", "track": "hp", "points": "-9"}
    page = visit.page(**asked)
    posted = page.fields(page.one("form", id=f"form-{PIRATE}"))
    answer = visit.post("adjust", **posted | {"points": "-4", "reason": "a slip"})
    assert answer.status_code == 422
    page = read(answer)
    assert "Points must be a whole number, 0 or more." in page.one(id="notice").text
    form = page.one("form", id=f"form-{PIRATE}", inside=page.one(id="row-window"))
    again = page.fields(form)
    assert (again["points"], again["was"], again["sign"], again["reason"]) == ("-4", "9", "-", "a slip")
    visit.do("adjust", **again | {"points": "0"})
    for kind, fields in (
        ("damage", {"track": "hp", "points": "-x", "sign": "-"}),
        ("place", {"zone": "", "x": "far", "y": "2"}),
        ("resize", {"metres": "huge"}),
    ):
        do = {"damage": "adjust"}.get(kind, kind)
        answer = visit.post(do, target=PIRATE, row=kind, **fields)
        assert answer.status_code == 422, kind
        page = read(answer)
        again = page.fields(page.one("form", id=f"form-{PIRATE}"))
        assert {name: again[name] for name in fields if fields[name]} == {
            n: w for n, w in fields.items() if w
        }


@pytest.mark.slow
def test_condition_for_one_turn_lasts_for_the_next_one(plain_visit: Visit) -> None:
    """The turn under way does not count for the active combatant, and the form says so."""
    acting = state_of(plain_visit.pk).active
    other = next(who for who in state_of(plain_visit.pk).order if who != acting)
    said = "the one under way does not count"
    assert said in plain_visit.page(combatant=acting, row="condition").one("form", id=f"form-{acting}").text
    assert said not in plain_visit.page(combatant=other, row="condition").one("form", id=f"form-{other}").text
    for who in (acting, other):
        plain_visit.do("give_condition", target=who, kind="blinded", level="1", turns="1")
    assert "next turn" in plain_visit.page().one(id=f"row-{acting}").text
    holders = []
    for _ in range(len(state_of(plain_visit.pk).order) + 1):
        plain_visit.do("next_turn")
        holding = [w for w, c in state_of(plain_visit.pk).combatants.items() if has_condition(c, "blinded")]
        holders.append(acting in holding)
    assert holders[0], "the turn under way has ended"
    assert not holders[-1], "their next turn has ended"


def test_row_of_whom_the_turn_column_shows_is_marked(visit: Visit) -> None:
    """The row of the active combatant has a mark of its own."""
    page = visit.page(combatant=PIRATE)
    shown = [row["id"] for row in page.all("li") if "is-shown" in row["class"].split()]
    assert shown == [f"row-{PIRATE}"]
    assert not [row for row in visit.page().all("li") if "is-shown" in row["class"].split()]


def test_conditions_with_the_same_sign_have_letters(visit: Visit) -> None:
    """Those with a sign of their own have none."""
    kinds = find_system(SLUG).kinds
    by_sign: dict[str, list[str]] = {}
    for kind, known in find_system(SLUG).characters.conditions.items():
        if known.for_gm:
            by_sign.setdefault(kinds.of_condition(kind), []).append(kind)
    first, second = next(pair for pair in by_sign.values() if len(pair) > 1)[:2]
    for kind in (first, second):
        visit.do("give_condition", target=MARCUS, kind=kind, level="1", turns="0")
    page = visit.page()
    chips = page.all("span", class_="chip", inside=page.one(id=f"conditions-{MARCUS}"))
    letters = [b.text for chip in chips for b in page.all("b", inside=chip)]
    assert len([word for word in letters if word[:1].isalpha()]) >= 2


def test_small_window_takes_typed_health_and_is_the_gms_alone(visit: Visit, started: Encounter) -> None:
    """Two of its buttons are damage and healing; what is typed with a sign keeps it."""
    page = visit.page(combatant=PIRATE, row="quick")
    (form,) = page.all("form", class_="quick-health")
    assert form.is_in(page.one(id="row-window"))
    assert "is-chosen" in page.one(id=f"row-{PIRATE}")["class"]
    assert [button["value"] for button in page.all("button", name="sign", inside=form)] == [
        *("typed", "-", "", "typed")
    ]
    posted = page.fields(form)
    posted.pop("csrfmiddlewaretoken")
    posted.pop("do")
    for points, sign, left in (("8", "-", 72), ("3", "", 75), ("−5", "-", 70), ("+5", "-", 75)):
        visit.do("adjust", **{**posted, "points": points, "sign": sign, "version": visit.version()})
        assert hp(visit.pk, PIRATE) == left, points
    changed = {**posted, "do": "adjust", "points": "−5", "version": visit.version()}
    said = visit.client.post(visit.here, changed, HTTP_HX_REQUEST="true")
    assert "quick-said" in said.content.decode()
    assert "(75 → 70)" in said.content.decode()
    refused = visit.refused("adjust", 422, **{**posted, "points": "many", "version": visit.version()})
    assert "whole number" in refused
    signs = page.all("li", class_="pick", inside=page.one(id="row-picks"))
    assert all(page.all("svg", inside=one) for one in signs)
    post_row(visit, "quick", PIRATE, kind="prone")
    assert has_condition(combatant(visit.pk, PIRATE), "prone")
    page = visit.page(combatant=PIRATE, row="quick")
    (had,) = page.all("li", inside=page.one("ul", class_="quick-had"))
    assert had.text.startswith("Prone ")
    assert "until standing up" in had.text
    take = page.one("button", inside=had)
    assert (take["aria-label"], take["form"]) == ("Remove Prone", f"take-{PIRATE}")
    visit.do("take_condition", target=PIRATE, row="quick", condition=take["value"])
    assert not has_condition(combatant(visit.pk, PIRATE), "prone")
    assert not visit.page(combatant=PIRATE, row="quick").all("ul", class_="quick-had")
    cast = gather(started, ZARA, MARCUS)
    for role in ("player", "watcher"):
        shown = cast[role].get(f"{visit.here}?combatant={PIRATE}&row=quick").content.decode()
        assert "quick-health" not in shown
        assert "row-quick" not in shown
