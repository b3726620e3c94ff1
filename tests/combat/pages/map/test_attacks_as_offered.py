"""An attack as it is offered: form, card of a foe, tile, plan and suggestion give one answer, which holds."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict

from combat.audience.viewer import GM
from combat.display.forms.action_form import open_form, suggest
from combat.display.forms.blast import find_blast
from combat.display.forms.foe_card import FoeWay, find_foe_ways
from combat.display.forms.odds_panel import OddsPanel, PlanView
from combat.display.forms.usual_odds import find_usual, say_chance
from combat.pages.map.previews import find_area
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, command_data, find_refusal, read_command
from combat.rules.core.engine.engine import TryDriver, find_action, run
from combat.rules.core.odds.planner import find_plans
from combat.rules.core.state.state import State, is_acting, replace
from combat.sharing.viewer_context import ViewerContext
from tests.combat.rules.every_game.test_plans import do, hinder
from tests.combat.rules.games import ARMED, GAMES, demo_moments
from tests.combat.visit import demo_fight

BLASTS = {
    "cepheus": ("grenade/grenade_frag", "grenade/grenade_smoke", "weapon/grenade_launcher"),
    "cepheus_quick": ("grenade/grenade_frag",),
}
WALL = [{"id": "w1", "kind": "wall", "x1": 4, "y1": -30, "x2": 4, "y2": 60}]


def arm(state: State, who: str, slug: str) -> State:
    """Someone with what bursts, put away, in a turn that has not begun to be spent."""
    for entry in BLASTS.get(slug, ()):
        state = do(GAMES[slug], state, "give_item", target=who, entry=entry)
    if "declare" in GAMES[slug].actions.by_name:
        state = do(GAMES[slug], state, "declare", actor=who, actions=3)
    return state


def stand(state: State, slug: str, chance: random.Random) -> State:
    """All in a row, 2 to 20 m apart, or hand to hand; a wall may stand between them."""
    system, gap = GAMES[slug], chance.choice((1, 2, 7, 20))
    settings = dict(state.scene.settings)
    if slug == "starshock":
        settings["positioning"] = "squares"
    state = do(system, state, "set_scene", scene={"zones": [], "settings": settings})
    state = do(system, state, "set_map", map={"walls": chance.choice(([], WALL)), "metres": [60, 20]})
    for number, one in enumerate(state.combatants):
        state = do(system, state, "place", target=one, x=2 + gap * number, y=4)
    return state


def draw_all(state: State, who: str, chance: random.Random) -> State:
    """What is put away is in hand instead, by chance."""
    items = tuple(
        replace(one, place="held") if one.place == "carried" and chance.random() < 0.5 else one
        for one in state[who].items
    )
    return replace(state, combatants={**state.combatants, who: replace(state[who], items=items)})


def make_contexts(gm: User, slug: str, count: int) -> list[tuple[ViewerContext, str]]:
    """Moments of the demo fight, each with someone who acts, hindered in some way."""
    chance, encounter = random.Random(79), demo_fight(gm, slug)
    moments = [one.before for one in demo_moments(slug) if is_acting(one.before, one.before.active)]
    found = list[tuple[ViewerContext, str]]()
    while len(found) < count:
        state = chance.choice(moments)
        who = state.active
        try:
            state = stand(arm(state, who, slug), slug, chance)
        except Refused:
            continue
        state = draw_all(hinder(state, who, chance), who, chance)
        if find_refusal(find_action(GAMES[slug], "attack"), state, who) and chance.random() < 0.8:
            continue  # most can still attack
        found.append((ViewerContext(encounter, GM, decoded=state), who))
    return found


def ask_form(context: ViewerContext, action: Action, who: str, way: FoeWay) -> OddsPanel:
    """What the form says with the choices of a card."""
    asked = QueryDict(way.asks(who))
    opened = open_form(context, action, who, asked, refused=False)
    assert opened.odds_panel
    return opened.odds_panel


def tell_plan(plan: PlanView | None) -> Any:
    return plan and (plan.key, plan.words, plan.chance, plan.price, plan.note, plan.blast)


def check_card(context: ViewerContext, who: str, way: FoeWay) -> None:
    """The card of a foe says what the form says, and what it offers is done as it stands."""
    system, state, action = context.system, context.obscured_state, find_action(context.system, way.action)
    panel, sent = ask_form(context, action, who, way), {**way.sends(who), "actor": who}
    fields = {name: value for name, value in sent.items() if name not in ("combatant", "do", "plan")}
    assert tell_plan(way.plan) == tell_plan(panel.plan)
    if way.plan:
        check_plan(context, action, fields, way.plan)
        return
    assert way.refused == panel.refusal
    if way.refused:
        with pytest.raises(Refused):
            run(system, state, action, read_command(action, fields, state), TryDriver())
        return
    command = read_command(action, fields, state)
    run(system, state, action, command, TryDriver())
    assert (way.chance, way.price) == (panel.likely, panel.price)
    if panel.likely:
        assert say_chance(system, state, action, command) in ("", way.chance), "what is sent has that chance"
    drawn = find_area(context, action, fields) if action.find_area else {"shapes": []}
    assert (way.blast.words if way.blast else "") == (drawn["words"] if drawn["shapes"] else "")
    if panel.allies:
        assert way.blast
        assert way.blast.allies.split(", ") == sorted(panel.allies.split(", "), key=way.blast.allies.find)


def check_plan(context: ViewerContext, action: Action, fields: dict[str, Any], view: PlanView) -> None:
    """The odds of a plan are those of the form that stands there once its first parts are done."""
    system, state = context.system, context.obscured_state
    plan = next(one for one in find_plans(system, state, action, fields) if one.key == view.key)
    if not (plan.asked and plan.parts[-1].do == action.name and action.preview):
        assert not view.chance
        return
    later = ViewerContext(context.encounter, GM, decoded=plan.after)
    asked = QueryDict(mutable=True)
    asked.update({key: str(value) for key, value in fields.items() if key != "actor"})
    panel = open_form(later, action, str(fields["actor"]), asked, refused=False).odds_panel
    assert panel
    assert not panel.is_refused
    assert view.chance == panel.likely
    assert view.blast == find_blast(later, plan.after, action, fields)


def check_tile(context: ViewerContext, who: str, name: str) -> None:
    """The tile has the chance of the form that it opens, or none."""
    system, state, action = context.system, context.obscured_state, find_action(context.system, name)
    usual = None if find_refusal(action, state, who) else find_usual(system, state, who, name)
    if usual is None or usual.command is None or not usual.is_legal:
        return
    chance = say_chance(system, state, action, usual.command)
    told = {key: str(value) for key, value in command_data(usual.command).items() if key != "actor"}
    asked = QueryDict(mutable=True)
    asked.update(told)
    panel = open_form(context, action, who, asked, refused=False).odds_panel
    assert panel
    assert not panel.is_refused
    assert chance in ("", panel.likely)


def check_suggestion(context: ViewerContext, who: str) -> None:
    """What is suggested is allowed as the form shows it."""
    opened = suggest(context, who).get("open")
    if opened is not None and opened.odds_panel is not None:
        assert not opened.odds_panel.is_refused, opened.odds_panel.problem


CASES = [
    pytest.param(first, last, slug, marks=marks)
    for first, last, marks in ((0, 8, []), (8, 30, [pytest.mark.slow]))
    for slug in ARMED
]


@pytest.mark.slow
@pytest.mark.parametrize(("first", "last", "slug"), CASES)
def test_all_that_offer_an_attack_say_the_same(gm: User, slug: str, first: int, last: int) -> None:
    """In the first moments, and in more of them."""
    seen = set[str]()
    for context, who in make_contexts(gm, slug, last)[first:]:
        state = context.obscured_state
        check_tile(context, who, "attack")
        check_suggestion(context, who)
        for foe in (one for one in state.combatants.values() if one.side != state[who].side):
            found = find_foe_ways(context, who, foe.id)
            for way in found.ways:
                check_card(context, who, way)
                seen |= {"plan" if way.plan else "refused" if way.refused else "at once"}
                seen |= {"blast"} if way.blast else set()
            chosen = found.chosen
            if chosen and not chosen.in_hand:
                assert not any(one.in_hand and one.is_possible for one in found.ways), "in hand comes first"
    assert {"refused", "at once"} <= seen
    assert "plan" in seen or slug == "guardians", "there what comes first takes the turn"
    assert ("blast" in seen) == (slug in BLASTS)
