"""The table as the GM's browser gets it: every phase, the flow, dice."""

from __future__ import annotations

import gzip
import re
from importlib import import_module
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.display.shapes.result_shapes import Prompt, Question
from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, answer, create_encounter, submit
from combat.play.writing.verification import read_step
from combat.rules.core.basics.errors import Refused
from tests.combat.markup import Element, Page
from tests.combat.visit import (
    MARCUS,
    PIRATE,
    PISTOL,
    SLUG,
    ZARA,
    Visit,
    combatant,
    headings,
    hp,
    load,
    questions,
    read,
    refusal,
    state_of,
)
from tests.typed import sure

ATTACK = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}


def buttons(page: Page, inside: Element | None = None) -> dict[str, Element]:
    """Buttons by their text."""
    return {button.text: button for button in page.all("button", inside=inside)}


def is_disabled(button: Element) -> bool:
    return "disabled" in button.attrs


# ---- The arrangement ----


def test_map_comes_first_only_where_there_is_a_scene(visit: Visit, gm: User) -> None:
    """A spectator's page has one arrangement, and without a scene numbers are all there is."""
    assert visit.page().one("html")["data-arrange"] == "map"
    bare = create_encounter(gm, SLUG, "Anywhere")
    assert "data-arrange" not in read(visit.client.get(f"/encounters/{bare.pk}/")).one("html").attrs


# ---- The phases ----


def test_empty_encounter_says_what_to_do_next(gm: User, gm_client: Client) -> None:
    encounter = create_encounter(gm, SLUG, "Nothing yet")
    page = Visit(gm_client, encounter.pk).page()
    assert page.one("h1").text == "Nothing yet"
    assert "No combatants yet" in headings(page)
    assert page.all("a", href=f"/encounters/{encounter.pk}/prep/#add")
    assert "Roll initiative" not in buttons(page)
    assert "No zones yet" in page.one(id="scene").text
    assert "Nothing yet." in page.one(id="log").text


def test_prepared_encounter_offers_initiative(gm_client: Client, prepared: Encounter) -> None:
    page = Visit(gm_client, prepared.pk).page()
    assert page.one(id="h-turn").text == "Ready to start"
    assert {"Roll initiative", "I rolled…"} <= set(buttons(page))
    assert [e["value"] for e in page.all("input", name="surprised")] == [ZARA, MARCUS, PIRATE]
    assert [row["id"] for row in page.all("li", class_="row")] == ["row-f1", "row-f2", "row-f3"]
    assert not is_disabled(buttons(page)["Undo"])
    assert is_disabled(buttons(page)["Redo"])


def test_fight_shows_the_order_the_turn_and_the_actions(visit: Visit) -> None:
    page = visit.page()
    assert page.one(id="h-turn").text == "Zara"
    assert page.one(id=f"row-{ZARA}")["aria-current"] == "true"
    assert page.one(id=f"row-{PIRATE}")["aria-current"] == ""
    rail = [page.all("b", title="Initiative", inside=row)[0].text for row in page.all("li", class_="row")]
    assert rail == ["16", "12", "10"]
    head = page.one(id="turn-head").text
    assert "1 of 3" in head
    assert "round" not in head, "the bar says it"
    assert {"Standard", "Move", "Quick"} <= set(headings(page))
    assert "Next turn n" in buttons(page)
    for zone in ("Loading ramp", "Bay floor", "Crates", "Collapsed gantry"):
        assert zone in headings(page)


@pytest.mark.slow
def test_fight_that_is_over_says_so_and_can_go_on(gm_client: Client, over: Encounter) -> None:
    page = Visit(gm_client, over.pk).page()
    assert page.one(id="h-turn").text == "Victory: Docking bay 7: the Quick Combat Example"
    (resume,) = page.all("button", inside=page.one("details", id="resume"), value="app")
    assert resume.text == "Resume: reroll initiative"
    assert not page.all(data_key="n"), "no key resumes it by accident"
    assert not page.all("button", class_="btn-primary", inside=page.one("div", class_="finish"))
    (close,) = page.all("button", class_="btn-primary", inside=page.one("div", id="ending-ask"))
    assert close.text == "Close the fight", "the one filled button, as long as something is left"
    assert not [a for a in page.all("a", class_="action") if "combatant=" in a["href"]]
    visit = Visit(gm_client, over.pk)
    visit.do("start", dice="app")
    assert state_of(over.pk).phase == "fight"


def test_choices_of_a_form_have_true_minuses(gm_client: Client, over: Encounter) -> None:
    form = Visit(gm_client, over.pk).page(do="rest").one("form", id="form-rest")
    assert "Pirate, \N{MINUS SIGN}1/80 HP" in form.text


@pytest.mark.parametrize(("more", "lists"), [(5, [7]), (6, [5, 3])])
def test_initiative_of_many_leaves_room_for_what_comes_next(
    gm_client: Client, prepared: Encounter, more: int, lists: list[int]
) -> None:
    """Up to seven rolls stand beside the first; of more, all but five are folded away."""
    visit = Visit(gm_client, prepared.pk)
    submit(prepared.pk, Submission("join", {"block": "pirate_example", "count": more}))
    visit.do("start", dice="app")
    page = visit.page()
    found = page.all("ul", class_="result-others")
    rolls = [[li for li in page.all("li", inside=one) if li.parents[-1] is one] for one in found]
    assert [len(one) for one in rolls] == lists
    folds = [e.text for e in page.all("summary") if e.text.endswith("more rolls")]
    assert folds == ["3 more rolls"] * (len(lists) - 1)


def test_prompt_shows_one_field_for_each_die(visit: Visit) -> None:
    submit(visit.pk, Submission("attack", ATTACK, typed=True))
    page = visit.page()
    prompt = page.one(id="prompt")
    assert page.one(id="h-prompt").text == "Zara: attack on Pirate"
    assert page.one(class_="deed").text.startswith("Pistol · 2d10")
    assert page.one("fieldset", class_="dice-row")["aria-labelledby"] == "h-prompt"
    dice = [e for e in page.all("input", inside=prompt) if "data-die" in e.attrs]
    assert [(d["name"], d["data-die"]) for d in dice] == [(name, "10") for name in _names(prompt, page)]
    assert {d["placeholder"] for d in dice} == {"d10"}
    assert {d.parents[-1]["class"] for d in dice} == {"die-field die-10"}
    for name in ("Undo", "Next turn n", "End fight"):
        assert is_disabled(buttons(page)[name])
    assert not page.all("a", class_="action")


def test_prompt_keeps_what_its_only_roll_does_not_say(visit: Visit) -> None:
    submit(visit.pk, Submission("attack", ATTACK, typed=True))
    answer(visit.pk, 0, faces=(5, 5))
    page = visit.page()
    assert page.one(id="h-prompt").text == "Zara: damage to Pirate"
    assert page.one(class_="deed").text.startswith("Attack · Pistol · ")


def _names(prompt: Element, page: Page) -> list[str]:
    """The names of two dice in one row."""
    row = page.one("fieldset", inside=prompt)["data-keep-fields"]
    return [f"face-{row}-1", f"face-{row}-2"]


def test_prompt_of_a_choice_shows_every_option(visit: Visit) -> None:
    submit(visit.pk, Submission("attack", ATTACK, faces=(10, 10)))
    page = visit.page()
    (request,) = questions(visit.pk)
    offered = page.all("button", inside=page.one(id="prompt"), name="value")
    assert [b["value"] for b in offered] == [option.value for option in request.options]
    assert [b["value"] for b in offered if is_disabled(b)] == [o.value for o in request.options if o.refused]


# ---- With htmx and without ----


def test_htmx_gets_the_changing_part_only(visit: Visit) -> None:
    for found in (visit.get(), visit.get(combatant=PIRATE), visit.do("next_turn"), visit.post("nonsense")):
        html = found.content.decode()
        assert html.strip().startswith('<div id="table"')
        assert "<html" not in html
        assert "<script" not in html


def test_without_htmx_a_write_leads_back_to_the_table(plain_visit: Visit) -> None:
    found = plain_visit.do("next_turn")
    assert found["Location"] == plain_visit.here
    assert state_of(plain_visit.pk).active == PIRATE
    found = plain_visit.post("undo", version="old")
    assert found.status_code == 409
    html = found.content.decode()
    assert html.startswith("<!DOCTYPE html>")
    assert "Someone acted first" in refusal(found)


def test_removing_from_the_preparation_leads_back_there(plain_visit: Visit) -> None:
    found = plain_visit.do("remove", target=PIRATE, next="prep")
    assert found["Location"] == f"{plain_visit.here}prep/"
    assert combatant(plain_visit.pk, PIRATE).gone


@pytest.mark.slow
def test_every_form_says_how_old_the_page_is(visit: Visit) -> None:
    for query in ({}, {"do": "attack", "combatant": ZARA}, {"row": "condition", "combatant": PIRATE}):
        page = visit.page(**query)
        assert page.one(id="table")["data-version"] == visit.version()
        table = page.one(id="table")
        for form in page.all("form", method="post", inside=table):
            if form["action"].endswith(("/pin/", "/point/", "/pen/", "/share/")):
                continue  # these change nothing in the fight
            fields = page.fields(form)
            if fields.get("do") in ("roll_dice", "send_word"):
                continue  # free dice and words wait for nothing: their forms stay the same from turn to turn
            said = fields.get("version")
            assert said == visit.version() or "note" in [b["value"] for b in page.all("button", inside=form)]


# ---- Dice ----


@pytest.mark.usefixtures("fives")
@pytest.mark.parametrize("htmx", [True, False])
def test_attack_rolled_by_the_app(visit: Visit, htmx: bool) -> None:
    visit.htmx = htmx
    visit.act("attack", ZARA, dice="app")
    step = sure(load(visit.pk).log.last())
    assert (step.name, step.by) == ("attack", "gm (GM)")
    assert [(a.faces, a.source) for a in read_step(step).answers] == [((5, 5), "app"), ((5,), "app")]
    assert hp(visit.pk, PIRATE) == 75


@pytest.mark.slow
def test_attack_with_the_dice_typed_into_its_form(visit: Visit) -> None:
    for button in ("table", "auto"):
        visit.act("attack", ZARA, dice=button, **{"face-1": 5, "face-2": 5})
        (request,) = questions(visit.pk)
        assert request.dice == "1d8"
        visit.do("answer", question=0, dice=button, **{"face-1": 8})
        assert hp(visit.pk, PIRATE) == 72
        visit.do("undo")


@pytest.mark.usefixtures("fives")
def test_enter_in_a_form_without_typed_dice_lets_the_app_roll(visit: Visit) -> None:
    visit.act("attack", ZARA, dice="auto")
    assert hp(visit.pk, PIRATE) == 75


@pytest.mark.usefixtures("fives")
@pytest.mark.parametrize("button", ["app", "auto"])
def test_app_answers_a_prompt_for_dice(visit: Visit, button: str) -> None:
    visit.act("attack", ZARA, dice="table")
    visit.do("answer", question=0, dice=button, **{"face-1": "", "face-2": ""})
    visit.do("answer", question=0, dice="table", **{"face-1": "8"})
    answers = read_step(sure(load(visit.pk).log.last())).answers
    assert [(a.faces, a.source) for a in answers] == [((5, 5), "app"), ((8,), "table")]


def test_surprised_combatants_are_flat_footed(gm_client: Client, prepared: Encounter) -> None:
    visit = Visit(gm_client, prepared.pk)
    visit.do("start", dice="app", surprised=[PIRATE, MARCUS])
    surprised = [
        f.id
        for f in state_of(prepared.pk).combatants.values()
        if any(c.kind == "surprised" for c in f.conditions)
    ]
    active = state_of(prepared.pk).active
    assert set(surprised) == {PIRATE, MARCUS} - {active}


# ---- The flow ----


def test_undo_says_which_roll_it_took_back(visit: Visit) -> None:
    submit(visit.pk, Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}, faces=(1, 2)))
    found = read(visit.do("undo"))
    undone = sure(re.search(r"Undone: Zara[^.]* miss\.", found.one(id="table")["data-announce"]))
    log = found.one(id="log").text
    assert undone[0] not in log, "the struck line says it"
    struck = re.escape(undone[0].removeprefix("Undone: "))
    assert re.search(rf"{struck} 1 2 undone", log), "with its dice"


def test_undo_names_the_beginning_of_a_fight_not_its_first_roll(visit: Visit) -> None:
    undo = visit.page().one("button", value="undo")
    assert re.fullmatch(r"Undo: The fight begins\. \(and \d+ more\)", undo["title"])


def test_next_turn_undo_and_redo(visit: Visit) -> None:
    before = bytes(load(visit.pk).state)
    found = read(visit.do("next_turn"))
    assert found.one(id="h-turn").text == "Pirate"
    found = read(visit.do("undo"))
    assert found.one(id="h-turn").text == "Zara"
    assert bytes(load(visit.pk).state) == before
    assert not is_disabled(buttons(found)["Redo"])
    assert "Pirate's turn. ACT-01 undone" in found.one(id="log").text
    assert "Undone: " not in found.one(id="log").text
    found = read(visit.do("redo"))
    log = found.one(id="log").text
    assert "Pirate's turn." in log
    assert not any(word in log for word in ("Redone: ", "Undone: ", "undone")), "the line stands again"
    assert found.one(id="h-turn").text == "Pirate"
    assert is_disabled(buttons(found)["Redo"])


def test_cancel_shows_the_dice_to_the_gm(visit: Visit) -> None:
    visit.act("attack", ZARA, dice="table", **{"face-1": 5, "face-2": 6})
    found = read(visit.do("cancel"))
    log = found.one(id="log")
    assert "Canceled: Attack" in log.text
    assert [e.text for e in found.all(class_="die", inside=log)][:2] == ["5", "6"]
    assert combatant(visit.pk, ZARA).budget["standard"] == 1
    assert "Nothing to cancel" in visit.refused("cancel", 409)


# ---- Impossible actions look so, and tell why ----


@pytest.mark.slow
def test_zone_that_can_be_reached_is_a_link(visit: Visit) -> None:
    links = [one for one in visit.page().all("a") if one.text == "Move here"]
    assert links
    assert all(one["href"] and not one["aria-disabled"] for one in links)
    visit.act("move", ZARA, to=links[0]["href"].rpartition("to=")[2])


def test_who_cannot_move_at_all_reads_why_one_time(visit: Visit) -> None:
    for pool in ("move", "standard"):
        submit(visit.pk, Submission("give_budget", {"target": ZARA, "pool": pool, "left": 0}))
    page = visit.page()
    links = [one for one in page.all("a") if one.text == "Move here"]
    assert links
    assert {(one["href"], one["aria-disabled"], one["aria-describedby"]) for one in links} == {
        ("", "true", "no-way")
    }
    said = visit.refused("move", 409, combatant=ZARA, to="zone:crates")
    assert page.one(id="no-way").text.removeprefix("No move now: ") in said


@pytest.mark.slow
def test_zone_that_is_refused_gives_its_own_reason(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    def lead_anywhere_but_there(*args: Any, **more: Any) -> Any:
        if args[2] == "zone:crates":
            raise Refused("not_allowed", "A wall stands there.")
        return find_path(*args, **more)

    movement = import_module(f"combat.rules.{SLUG}.move.movement")
    find_path = movement.find_path
    monkeypatch.setattr(movement, "find_path", lead_anywhere_but_there)
    page = visit.page()
    off = [one for one in page.all("a") if one.text == "Move here" and one["aria-disabled"]]
    assert [page.one(id=one["aria-describedby"]).text for one in off] == ["A wall stands there."]


@pytest.mark.slow
def test_reason_that_keeps_out_of_several_zones_is_said_once(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lead_nowhere(*args: Any, **more: Any) -> Any:
        raise Refused("not_allowed", "A wall stands there.")

    monkeypatch.setattr(import_module(f"combat.rules.{SLUG}.move.movement"), "find_path", lead_nowhere)
    page = visit.page()
    off = [one for one in page.all("a") if one.text == "Move here" and one["aria-disabled"]]
    assert len(off) > 1
    (note,) = {one["aria-describedby"] for one in off}
    zones = [zone.name for zone in state_of(visit.pk).scene.zones]
    here = [name for name in zones if name not in page.one(id=note).text]
    assert page.one(id=note).text == f"{', '.join(n for n in zones if n not in here)}: A wall stands there."
    assert len(here) == 1
    assert page.one("body").text.count("A wall stands there.") == 1


@pytest.mark.slow
def test_roll_that_the_rules_refuse_is_not_on_offer(visit: Visit) -> None:
    at = state_of(visit.pk)[PIRATE].at
    visit.do("place", target=PIRATE, x=500, y=0)  # too far for any plan
    club = {"do": "attack", "combatant": ZARA, "target": PIRATE, "weapon": f"{ZARA}-3"}
    page = visit.page(**club)
    roll = page.one("button", id="roll-app")
    assert (roll["aria-disabled"], "Out of reach" in page.one(id=roll["aria-describedby"]).text) == (
        "true",
        True,
    )
    assert "btn-primary" not in roll["class"]
    odds = read(visit.client.get(f"{visit.here}odds/", club))
    assert odds.one("button", id="roll-app")["aria-disabled"] == "true"
    assert "Out of reach" in visit.refused("attack", 409, combatant=ZARA, target=PIRATE, weapon=f"{ZARA}-3")
    visit.do("place", target=PIRATE, x=at.x, y=at.y)
    odds = read(visit.client.get(f"{visit.here}odds/", {**club, "weapon": f"{ZARA}-1"}))
    button = odds.one("button", id="roll-app")
    assert (button["aria-disabled"], button["hx-swap-oob"]) == ("", "true")


def test_refusal_is_announced_above_all_panels(visit: Visit) -> None:
    found = read(visit.post("adjust", target=ZARA, track="hp", points="three", sign="-"))
    notice = found.one(id="notice")
    assert notice["role"] == "alert"
    assert not any(parent["class"] == "columns" for parent in notice.parents)
    assert notice.text not in found.one(id="table")["data-announce"], "once"


# ---- Compressed ----


def test_page_is_compressed_for_a_browser_that_accepts_it(gm_client: Client, started: Encounter) -> None:
    here = f"/encounters/{started.pk}/"
    plain = gm_client.get(here)
    for accepted in ("gzip", "gzip, deflate, br"):
        packed = gm_client.get(here, headers={"Accept-Encoding": accepted})
        assert packed["Content-Encoding"] == "gzip"
        assert packed["Content-Length"] == str(len(packed.content))
        assert plain["Vary"] == packed["Vary"]
        assert "Accept-Encoding" in plain["Vary"]
        assert len(packed.content) < len(plain.content) / 4
        unpacked = Page(gzip.decompress(packed.content).decode())
        assert unpacked.one(id="table")["data-tag"] == read(plain).one(id="table")["data-tag"]


def test_title_with_one_of_two_namesakes_leaves_the_other_below() -> None:
    """“Pirate 2” is not “Pirate”."""
    roll = Question(0, kind="roll", who="Pirate 2", text="dodge", rule="")
    prompt = Prompt("Attack", lines=(), questions=(roll,), deed="Pirate → Pirate 2")
    assert prompt.about == "Attack · Pirate → Pirate 2"
