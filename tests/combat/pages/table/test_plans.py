"""A plan mends what is refused: its form offers it as one button, and each part is a step of the log."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import StoredStep
from combat.play.plans import do_plan
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.odds.planner import Part, Plan
from combat.rules.core.state.state import Item, find_item
from tests.combat.cast import gather
from tests.combat.visit import MARCUS, PIRATE, ZARA, Visit, begun, load, read, refusal, state_of

# How a weapon is put away: the action and its field
AWAY = {
    "cosmos": ("draw", "item"),
    "cepheus": ("put_away", "weapon"),
    "starshock": ("change_items", "stow"),
    "guardians": ("put_away", "item"),
}
WHOLE = {  # the plans for an attack with it, and what their buttons say
    "cosmos": ("draw attack", "Draw Pistol, then attack · 97%"),
    "cepheus": ("ready attack", "Draw Assault Rifle, then attack · 58%"),
    "starshock": ("change_items attack", "Draw Electron Revolver, then attack · 58%"),
    "guardians": ("draw", "Draw Light Pistol"),
}


def disarm(gm: User, client: Client, slug: str) -> tuple[Visit, str, Item]:
    """A fight in which the person whose turn it is has put their first weapon away, with their whole turn."""
    visit = Visit(client, begun(gm, slug).pk)
    who = state_of(visit.pk).active
    if slug == "starshock":
        visit.post(do="declare", combatant=who, actions="3")
    state = state_of(visit.pk)
    gun = next(item for item in state[who].items if item.kind == "weapon" and item.place == "held")
    do, field = AWAY[slug]
    visit.do(do, combatant=who, **{field: gun.id})
    for pool, left in state[who].budget.items():
        if any(pool == one.key for one in find_system(slug).turn.pools):
            submit(visit.pk, Submission("give_budget", {"target": who, "pool": pool, "left": left}))
    return visit, who, gun


def steps_of(pk: int) -> list[str]:
    return list(StoredStep.objects.filter(encounter=pk).order_by("number").values_list("name", flat=True))


@pytest.mark.parametrize("slug", AWAY)
def test_one_button_draws_and_attacks(gm: User, gm_client: Client, slug: str) -> None:
    visit, who, gun = disarm(gm, gm_client, slug)
    key, words = WHOLE[slug]
    foe = next(
        one.id for one in state_of(visit.pk).combatants.values() if one.side != state_of(visit.pk)[who].side
    )
    address = f"{visit.here}?combatant={who}&do=attack&target={foe}&weapon={gun.id}"
    page = read(gm_client.get(address))
    button = page.one("button", id="roll-app")
    assert (button["name"], button["value"]) == ("plan", key)
    assert words.partition(" · ")[0] in button.text
    assert "btn-primary" in button["class"]
    before = steps_of(visit.pk)
    sent = {"do": "attack", "combatant": who, "target": foe, "weapon": gun.id, "plan": key, "dice": "app"}
    visit.do(**sent)
    state = state_of(visit.pk)
    assert find_item(state[who], gun.id).place == "held"
    done, waits = steps_of(visit.pk)[len(before) :], bool(load(visit.pk).open_command)
    assert [*done, *["attack"] * waits] == key.split(), "the attack is a step, or waits for an answer"


def test_a_form_that_nobody_filled_begins_with_the_best_plan(gm: User, gm_client: Client) -> None:
    """It shows the weapon that its button draws, and the page never names another."""
    visit, who, gun = disarm(gm, gm_client, "cosmos")
    page = read(gm_client.get(f"{visit.here}?combatant={who}&do=attack"))
    assert page.one("button", id="roll-app").text.startswith("Draw Pistol, then attack · 97%")
    weapons = page.all("input", name="weapon", type="radio")
    assert [one["value"] for one in weapons if "checked" in one.attrs] == [gun.id]


def test_a_weapon_that_hits_better_is_offered_with_its_plan(gm: User, gm_client: Client) -> None:
    visit, who, gun = disarm(gm, gm_client, "cepheus")
    page = read(gm_client.get(f"{visit.here}?combatant={who}&do=attack"))
    helps = page.one("section", class_="helps")
    assert "Draw Assault Rifle, then attack 58%" in helps.text
    assert any(f"weapon={gun.id}" in link["href"] for link in page.all("a", inside=helps))


def test_what_changed_since_or_is_no_plan_changes_nothing(gm: User, gm_client: Client) -> None:
    visit, who, gun = disarm(gm, gm_client, "cosmos")
    sent = {"do": "attack", "combatant": who, "target": PIRATE, "weapon": gun.id}
    before = load(visit.pk).steps
    for plan in ("reload attack", "x" * 500, "attack"):
        assert "look at what is offered now" in refusal(visit.post(**sent, plan=plan))
    assert visit.post(**{**sent, "target": "f99"}, plan="draw attack").status_code in (409, 422)
    assert visit.post(**{**sent, "weapon": ""}, plan="draw attack").status_code in (409, 422)
    assert visit.post(**sent, plan="draw attack", version="0.0").status_code == 409
    assert load(visit.pk).steps == before


def test_only_those_who_may_act_do_a_plan(gm: User, gm_client: Client) -> None:
    visit, who, gun = disarm(gm, gm_client, "cosmos")
    assert who == ZARA
    cast = gather(load(visit.pk), ZARA, MARCUS)
    sent = {"do": "attack", "combatant": ZARA, "target": PIRATE, "weapon": gun.id, "plan": "draw attack"}
    before = load(visit.pk).steps
    assert cast["other"].post(visit.here, sent).status_code in (403, 404)
    assert cast["watcher"].post(visit.here, sent).status_code == 403
    assert cast["stranger"].post(visit.here, sent).status_code in (302, 404)
    assert load(visit.pk).steps == before
    assert cast["player"].post(visit.here, sent).status_code == 303
    assert find_item(state_of(visit.pk)[ZARA], gun.id).place == "held"


def test_a_plan_stops_at_dice_that_it_did_not_foresee(gm: User, gm_client: Client) -> None:
    visit, who, gun = disarm(gm, gm_client, "cosmos")
    fist = next(item.id for item in state_of(visit.pk)[who].items if item.name == "Unarmed strike")
    state = state_of(visit.pk)
    submit(visit.pk, Submission("place", {"target": PIRATE, "x": state[who].at.x + 1, "y": state[who].at.y}))
    hit = Part("attack", {"actor": who, "target": PIRATE, "weapon": fist}, "Attack")
    then = Part("draw", {"actor": who, "item": gun.id}, "Draw Pistol")
    _, stopped = do_plan(visit.pk, Plan((hit, then), state), Submission(""))
    assert stopped
    assert "Stopped after “Attack”" in stopped.message or load(visit.pk).open_command
    assert find_item(state_of(visit.pk)[who], gun.id).place == "carried"


def test_a_plan_keeps_what_is_done_before_a_part_that_is_refused(gm: User, gm_client: Client) -> None:
    visit, who, gun = disarm(gm, gm_client, "cosmos")
    drawn = Part("draw", {"actor": who, "item": gun.id}, "Draw Pistol")
    again = Part("reload", {"actor": who, "item": gun.id}, "Reload Pistol")
    _, stopped = do_plan(visit.pk, Plan((drawn, again), state_of(visit.pk)), Submission(""))
    assert stopped
    assert "full" in stopped.message
    assert find_item(state_of(visit.pk)[who], gun.id).place == "held"


def test_a_plan_is_the_same_with_and_without_somebody_unseen(gm: User, gm_client: Client) -> None:
    """Who hides beside the actor, and would answer, changes no byte of the offer."""
    visit, who, gun = disarm(gm, gm_client, "cosmos")
    cast = gather(load(visit.pk), ZARA, MARCUS)
    asked = f"{visit.here}odds/?combatant={who}&do=attack&target={PIRATE}&weapon={gun.id}"
    side = state_of(visit.pk)[PIRATE].side
    submit(visit.pk, Submission("join", {"name": "Lurker", "side": side, "block": "street_thug"}))
    submit(visit.pk, Submission("hide", {"target": "f4", "hidden": True}))
    at = state_of(visit.pk)[who].at
    seen = cast["player"].get(asked).content
    submit(visit.pk, Submission("place", {"target": "f4", "x": at.x + 1, "y": at.y}))
    assert cast["player"].get(asked).content == seen
    assert b"Draw Pistol, then attack" in seen
