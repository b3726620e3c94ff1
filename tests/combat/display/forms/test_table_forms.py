"""The forms of the actions, their odds, and the log beside them."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.commands.commands import find_refusal
from tests.combat.markup import Page
from tests.combat.visit import (
    DEMO,
    MARCUS,
    PIRATE,
    PISTOL,
    SLUG,
    ZARA,
    Visit,
    combatant,
    play,
    questions,
    read,
    refusal,
    state_of,
    stored,
)
from tests.typed import sure

SYSTEM = find_system(SLUG)


# ---- Forms ----


def find_actions(page: Page) -> list[str]:
    return [a["href"].split("do=")[1] for a in page.all("a", class_="action")]


@pytest.mark.slow
def test_every_action_offered_opens_a_form_that_can_be_sent(visit: Visit, settings: Settings) -> None:
    """A form sent as it opens is accepted, or says what is missing."""
    settings.COSMOS_VERIFY = False
    names = find_actions(visit.page())
    assert {"attack", "charge", "move", "quick_aim", "skill"} <= set(names)
    visit.stay()
    for name in names:
        page, form = visit.open_form(name, ZARA)
        posted = {**page.fields(form), "dice": "app"}
        posted.pop("csrfmiddlewaretoken")
        found = visit.client.post(visit.here, posted, headers=visit.headers)
        shown = page.all("p", class_="alert", inside=form)
        if found.status_code == 200:
            visit.do("cancel" if questions(visit.pk) else "undo")
        else:
            assert found.status_code in (409, 422)
            said = refusal(found)
            assert said
            assert (shown and shown[0].text in said) or "choose one first" in said or "required" in said, name


def test_attack_form_opens_with_a_legal_target_and_weapon(visit: Visit) -> None:
    page, form = visit.open_form("attack", ZARA)
    posted = page.fields(form)
    assert (posted["target"], posted["weapon"]) == (PIRATE, PISTOL)
    assert not page.all("p", class_="alert", inside=form)
    assert page.one(id="odds-panel").is_in(form)
    assert "vs Defense" in page.one(id="odds-panel").text


@pytest.mark.slow
def test_no_attack_begins_with_a_comrade_as_its_target(visit: Visit) -> None:
    """Marcus stands next to Zara; the pirate is out of reach of her remaining actions."""
    visit.do("place", target=PIRATE, x=500, y=0)
    page, form = visit.open_form("attack", ZARA)
    assert page.fields(form)["target"] == PIRATE
    assert "Out of reach" in page.one(class_="alert", inside=form).text


def test_refused_options_say_why_and_can_be_chosen_only_to_plan(visit: Visit) -> None:
    """What is carried may be drawn first; nothing else that is refused can be chosen."""
    page, form = visit.open_form("attack", ZARA)
    weapons = page.all("input", name="weapon", inside=form)
    knife = next(o for o in weapons if o["value"] == "f1-2")
    fields = SYSTEM.action("attack").find_fields(state_of(visit.pk), ZARA)
    reasons = {o.value: o.refused for f in fields if f.name == "weapon" for o in f.options}
    carried = {item.id for item in state_of(visit.pk)[ZARA].items if item.place == "carried"}
    expected = {value: bool(reason) and value not in carried for value, reason in reasons.items()}
    assert {o["value"]: "disabled" in o.attrs for o in weapons} == expected
    if reasons["f1-2"]:
        tiles = page.all("label", class_="tile-one", inside=form)
        (tile,) = [one for one in tiles if page.all("input", inside=one, id=knife["id"])]
        assert tile.text.endswith(reasons["f1-2"])


def test_actions_that_cannot_be_taken_are_greyed_with_the_reason(visit: Visit) -> None:
    visit.do("give_budget", target=ZARA, pool="standard", left=0)
    page = visit.page()
    groups = {
        page.one("b", inside=e).text: page.one("small", inside=e).text
        for e in page.all("div", class_="action-off")
    }
    greyed = {
        label: reason.replace("; each needs", f"; {label} needs") if " · " in labels else reason
        for labels, reason in groups.items()
        for label in labels.split(" · ")
    }
    assert "attack" not in find_actions(page)
    assert "No Standard left this turn; each needs 1 Standard." in groups.values()
    assert greyed["Attack"] == "No Standard left this turn; Attack needs 1 Standard."
    state = state_of(visit.pk)
    for action in SYSTEM.actions.by_name.values():
        refused = find_refusal(action, state, ZARA)
        if action.who != "gm" and action.on_turn and refused and action.has_place(state):
            assert greyed[action.label] == refused.message


def test_form_with_nothing_allowed_says_why(visit: Visit) -> None:
    page = visit.page(combatant=ZARA, do="reload")
    options = page.all("option", inside=page.one("select", name="item", inside=page.one(id="form-reload")))
    assert options
    assert all("disabled" in option.attrs for option in options)
    said = page.one(class_="alert", inside=page.one(id="odds-panel")).text
    assert said == "Pistol is full."


def test_actions_greyed_for_the_same_reason_stand_together(visit: Visit) -> None:
    visit.do("give_condition", target=ZARA, kind="unconscious")
    page = visit.page(combatant=ZARA)
    turn, gm_visit = page.one("section", id="turn"), page.one(id="gm-actions")
    greyed = page.all("div", inside=page.one("details", inside=turn, id="not-now"), class_="action-off")
    reasons = [page.one("small", inside=e).text for e in greyed]
    assert len(set(reasons)) == len(reasons)
    assert not any(e.is_in(gm_visit) for e in greyed)
    assert "Attack · " in " ".join(e.text for e in page.all("div", class_="action-off"))


def test_out_of_turn_the_actions_of_a_turn_are_only_named(visit: Visit) -> None:
    page = visit.page(combatant=MARCUS)
    assert page.one(id="h-turn").text == "Marcus"
    assert "attack" not in find_actions(page)
    assert "interrupt" in find_actions(page)
    assert "Zara's turn now" in page.one(id="turn").text
    assert page.one("summary", inside=page.one(id="later")).text == "On their turn"
    assert "Attack · " in page.one(id="later").text
    gm_visit = page.one(id="gm-actions")
    assert all(off.is_in(gm_visit) for off in page.all("div", class_="action-off"))


def test_form_that_was_refused_keeps_what_was_typed(visit: Visit) -> None:
    page, form = visit.open_form("attack", ZARA)
    posted = {**page.fields(form), "aimed": "true", "attacks": "2", "dice": "app"}
    posted.pop("csrfmiddlewaretoken")
    found = visit.client.post(visit.here, posted, headers=visit.headers)
    assert found.status_code == 409
    assert refusal(found).startswith("An aimed shot is one single ranged attack.")
    again = read(found)
    form = again.one("form", id="form-attack")
    kept = again.fields(form)
    assert (kept["aimed"], kept["attacks"], kept["target"]) == ("true", "2", PIRATE)


def test_table_modifier_is_added_with_its_reason(visit: Visit) -> None:
    visit.act("attack", ZARA, dice="table", adjust="-3", because="smoke", **{"face-1": 5, "face-2": 5})
    assert "attacks Pirate (15 vs" in visit.page().one(id="prompt").text
    visit.do("answer", question=0, dice="table", **{"face-1": 8})
    assert "Situational: smoke" in visit.page().one(id="log").text


def test_address_of_an_action_that_cannot_be_taken_says_why(visit: Visit) -> None:
    """The link comes from the tile of a zone, a bookmark, or an outdated page."""
    visit.do("give_condition", target=ZARA, kind="unconscious")
    page = visit.page(combatant=ZARA, do="move", to="zone:floor")
    assert not page.all("form", id="form-move")
    reason = page.one(id="notice").text
    assert reason == sure(find_refusal(SYSTEM.action("move"), state_of(visit.pk), ZARA)).message


# ---- Odds and suggestions ----


def test_odds_follow_the_form(visit: Visit) -> None:
    page, form = visit.open_form("attack", ZARA)
    posted = {**page.fields(form), "csrfmiddlewaretoken": ""}
    found = visit.get("odds/", **posted)
    assert found.status_code == 200
    html = found.content.decode().strip()
    assert html.startswith('<div class="odds-panel" id="odds-panel">')
    whole = page.one(id="odds-panel").text
    assert read(found).one(id="odds-panel").text == whole
    worse = read(visit.get("odds/", **{**posted, "adjust": "-6", "because": "smoke"}))
    assert "Situational: smoke" in worse.one(id="odds-panel").text
    assert chance_of(worse) < chance_of(read(found))


def test_button_says_what_the_action_takes(visit: Visit) -> None:
    """Also when another part of the turn has to pay; the form can refuse that."""
    at = combatant(visit.pk, ZARA).at
    near, back = f"{at.x + 1},{at.y}", f"{at.x},{at.y}"
    assert visit.page(do="move", combatant=ZARA, to=near).one(id="price").text == "1 Move"
    assert not visit.page(do="move", combatant=ZARA, to=near).all(id="untraded")
    visit.act("move", ZARA, to=near)
    page = visit.page(do="move", combatant=ZARA, to=back)
    form = page.one("form", id="form-move")
    assert page.one(id="price", inside=form).text == "takes 1 Standard instead"
    posted = {**page.fields(form), "csrfmiddlewaretoken": "", "to": back}
    assert "untraded" not in posted
    assert read(visit.get("odds/", **posted)).one(id="price").text == "takes 1 Standard instead"
    visit.post(**{**posted, "dice": "app", "untraded": "true"})
    assert combatant(visit.pk, ZARA).budget["standard"] == 1
    kept = visit.page(do="move", combatant=ZARA, to=back, untraded="true")
    assert "checked" in kept.one(id="untraded").attrs
    assert "No Move left" in kept.one(id="odds-panel").text
    visit.act("move", ZARA, to=back)
    assert combatant(visit.pk, ZARA).budget["standard"] == 0


def chance_of(page: Page) -> float:
    return float(page.one("p", class_="odds-main").text.split("%")[0])


def test_odds_say_what_is_wrong_with_the_form(visit: Visit) -> None:
    for query, words in (
        (
            {"do": "attack", "combatant": ZARA, "target": PIRATE, "weapon": PISTOL, "attacks": "9"},
            "1 to 3 attacks",
        ),
        ({"do": "attack", "combatant": ZARA, "target": "f9", "weapon": PISTOL}, "not in this encounter"),
        ({"do": "attack", "combatant": ZARA, "weapon": PISTOL}, "Target: choose one first."),
        ({"do": "no such", "combatant": ZARA}, "no action"),
    ):
        found = visit.get("odds/", **query)
        assert found.status_code == 200
        assert words in read(found).one(id="odds-panel").text


def test_suggestion_is_shown_before_anything_is_done(visit: Visit) -> None:
    for pool in ("move", "quick"):
        visit.do("give_budget", target=ZARA, pool=pool, left=0)
    page = visit.page(do="suggest", combatant=ZARA)
    assert "Check it, then confirm." in page.one(id="notice").text
    form = page.one("form", id="form-attack")
    posted = page.fields(form)
    assert (posted["target"], posted["weapon"]) == (PIRATE, PISTOL)
    assert combatant(visit.pk, ZARA).budget["standard"] == 1


def test_suggestion_with_nothing_left_says_to_go_on(visit: Visit) -> None:
    for pool in ("standard", "move"):
        visit.do("give_budget", target=ZARA, pool=pool, left=0)
    page = visit.page(do="suggest", combatant=ZARA)
    assert "end the turn" in page.one(id="notice").text


@pytest.mark.slow
def test_suggestions_play_a_whole_fight(visit: Visit, settings: Settings) -> None:
    """Every suggestion is legal as its form shows it; when none is left, the next turn follows."""
    settings.COSMOS_VERIFY = False
    visit.stay()
    for _ in range(30):
        who = state_of(visit.pk).active
        page = visit.page(do="suggest", combatant=who)
        forms = page.all("form", class_="action-form")
        if not forms:
            visit.do("next_turn", dice="app")
            continue
        posted = {**page.fields(forms[0]), "dice": "app"}
        posted.pop("csrfmiddlewaretoken")
        visit.do(posted.pop("do"), **posted)
        while waiting := questions(visit.pk):
            visit.do("answer", question=0, value=waiting[0].default)
    state = state_of(visit.pk)
    assert state.round > 2
    assert any(f.budget["standard"] == 0 for f in state.combatants.values())


# ---- The log ----


def test_log_line_opens_to_dice_terms_and_rule(visit: Visit) -> None:
    play(visit.pk, DEMO.script[1:2])
    page = visit.page()
    log = page.one(id="log")
    line = next(e for e in page.all("details", inside=log) if "attacks Pirate (18 vs" in e.text)
    assert [e.text for e in page.all(class_="die", inside=line)] == ["5", "5"]
    assert "rolled at the table" in line.text
    assert "Half Combat" in line.text
    assert "/rules/cosmos/COS-ATK-02/" in [a["href"] for a in page.all("a", class_="rule", inside=line)]


def test_page_announces_what_happened(visit: Visit) -> None:
    assert "Zara" in visit.page().one(id="table")["data-announce"]
    found = read(visit.do("next_turn"))
    assert "Pirate" in found.one(id="table")["data-announce"]
    found = read(visit.post("undo", version="old"))
    assert "Someone acted first" in found.one(id="notice").text
    assert "Pirate" in found.one(id="table")["data-announce"]


def test_page_announces_that_an_action_was_canceled(visit: Visit) -> None:
    """And not that it hit: what was rolled for it does not count."""
    attack = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
    submit(visit.pk, Submission("attack", attack, faces=(5, 7), typed=True))
    found = read(visit.do("cancel"))
    assert found.one(id="table")["data-announce"] == "Canceled: Attack. Zara's turn."


def test_page_announces_what_is_asked(visit: Visit) -> None:
    attack = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
    submit(visit.pk, Submission("attack", attack, faces=(10, 10)))
    so_far = "Zara attacks Pirate (28 vs Defense 12): critical hit."
    asked = "Zara: Critical hit with Pistol: which effect?"
    assert visit.page().one(id="table")["data-announce"] == f"{so_far} {asked}"


def test_ids_of_a_page_are_its_own(visit: Visit, gm_client: Client, prepared: Encounter) -> None:
    for query in ({}, {"do": "attack", "combatant": ZARA}, {"row": "damage", "combatant": PIRATE}):
        ids = [e["id"] for e in visit.page(**query).elements if e["id"]]
        assert len(ids) == len(set(ids)), sorted(i for i in ids if ids.count(i) > 1)


def test_labels_belong_to_fields(visit: Visit) -> None:
    queries: list[dict[str, str]] = [
        {},
        {"do": "attack", "combatant": ZARA},
        {"do": "skill", "combatant": ZARA},
    ]
    queries += [{"row": row, "combatant": PIRATE} for row in ("damage", "condition", "place", "rename")]
    for query in queries:
        page = visit.page(**query)
        ids = {e["id"] for e in page.elements if e["id"]}
        labels = {label["for"] for label in page.all("label") if label["for"]}
        assert labels <= ids
        for e in page.elements:
            if e.tag in ("input", "select", "textarea") and e["type"] != "hidden":
                around = "".join(parent.text for parent in e.parents if parent.tag == "label").strip()
                assert e["id"] in labels or e["aria-label"] or around, (query, e)


def test_head_and_other_verbs(visit: Visit) -> None:
    assert visit.client.head(visit.here).status_code == 200
    for verb in (visit.client.put, visit.client.delete, visit.client.patch):
        assert verb(visit.here).status_code == 405
    assert visit.client.post(f"{visit.here}odds/").status_code == 405


def test_get_never_does_anything(visit: Visit) -> None:
    before = stored(visit.pk)
    for do in ("undo", "next_turn", "end_fight", "cancel", "answer", "remove"):
        assert (
            visit.client.get(visit.here, {"do": do, "target": PIRATE, "combatant": ZARA}).status_code == 200
        )
    assert stored(visit.pk) == before
