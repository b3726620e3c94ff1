"""The table's setting decides how foes' health is shown: numbers with the same word look alike everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User

from combat.audience import secrecy
from combat.audience.secrecy import find_obscured, obscure_health, view_obscured_health
from combat.audience.viewer import Viewer
from combat.display.combatants.cards import Figures
from combat.display.forms import action_form
from combat.display.forms.action_form import open_form, suggest
from combat.display.forms.odds_panel import compute_odds
from combat.models import Encounter
from combat.play.writing.encounter_service import read_state
from combat.play.writing.verification import read_step
from combat.rules import SYSTEMS, find_system
from combat.rules.cepheus.demo import BLACK_CAR, CAR, GUNMAN, PELL, ROAD_SETUP, SARN
from combat.rules.core.basics.words import Phrase
from combat.rules.core.commands.commands import Action
from combat.rules.core.declaration.system import System
from combat.rules.core.odds.proposals import find_suggestions
from combat.rules.core.space import Point
from combat.rules.core.state.events import TrackChanged
from combat.rules.core.state.state import Combatant, State, encode, is_acting, replace
from combat.rules.core.wording import describe_facts
from combat.sharing.viewer_context import ViewerContext
from tests.combat.audience.secrets import SYSTEM, Reading, make_fight, words
from tests.combat.audience.test_hidden import draw
from tests.combat.cast import gather
from tests.combat.rules.every_game.wild.wild import few_wild_fights, play
from tests.combat.rules.every_game.wild.wild_gm import Chance
from tests.combat.rules.stage import Stage
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA, demo_fight
from tests.thinning import thin
from tests.typed import as_a

LOST = 1237  # points that appear as no other number
MAX_TRIED = 6  # actions at each moment


@pytest.fixture(scope="module")
def computed_once() -> Iterator[None]:
    """Reckon odds and suggestions once for the same state and command: they know nothing but these.

    So a twin costs little, unless something of its own reaches them.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(action_form, "compute_odds", remember(compute_odds))
        patch.setattr(action_form, "find_suggestions", remember(find_suggestions))
        yield


def remember(find: Callable[..., Any]) -> Callable[..., Any]:
    """The same function of a game, a state, an action and its command, with its results kept."""
    kept: dict[bytes, Any] = {}

    def find_once(system: System, state: State, action: Action, *more: Any, **budget: Any) -> Any:
        known = [sorted(one) if isinstance(one, frozenset) else one for one in more if not callable(one)]
        key = msgspec.msgpack.encode((system.slug, state, action.name, known))
        if key not in kept:
            kept[key] = find(system, state, action, *more, **budget)
        return kept[key]

    return find_once


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.usefixtures("computed_once")
@pytest.mark.parametrize("slug", thin(SYSTEMS, "guardians"))
@few_wild_fights
def test_no_wild_fight_tells_more_of_health_than_its_word(slug: str, seed: int, length: int) -> None:
    """Rows, forms, sums, odds, advice and suggestions look alike; each run tries some of them."""
    system, chance = find_system(slug), Chance(seed)
    for log, _ in play(system, seed, length):
        state = log.state
        me = next((f for f in state.combatants.values() if is_acting(state, f.id) and not f.gone), None)
        if me is None or me.hidden or state.phase != "fight" or chance.random() < 0.8:
            continue
        viewer = Viewer("seat", frozenset((me.id,)))
        actions = [action for action in system.actions.by_name.values() if action.who != "gm"]
        tried = chance.sample(actions, min(MAX_TRIED, len(actions)))
        for twin in islice(find_twins(system, state, viewer, chance), 1):
            advised = chance.random() < 0.5
            (foe,) = (who for who, one in state.combatants.items() if one != twin.combatants[who])
            shown, also = (
                read(system, each, viewer, me.id, foe, tried)
                | (advise(system, each, viewer, me.id) if advised else {})
                for each in (state, twin)
            )
            assert shown.keys() == also.keys()
            for where, text in shown.items():
                assert text == also[where], where


def find_twins(system: System, state: State, viewer: Viewer, chance: Chance) -> Iterator[State]:
    """The same fight with another number behind the shown health of a foe."""
    track = system.characters.tracks[0].key
    is_told = system.option(state, "foe_health") == "number"
    for combatant in () if is_told else state.combatants.values():
        if combatant.pc or combatant.id in viewer.seats or combatant.gone or combatant.hidden:
            continue
        numbers = range(system.characters.health(combatant).most + 1)
        mixed = chance.sample(numbers, len(numbers))
        others = (replace(combatant, tracks={**combatant.tracks, track: number}) for number in mixed)
        seen = look_at(system, state, combatant, viewer)
        alike = (
            other for other in others if other != combatant and look_at(system, state, other, viewer) == seen
        )
        for other in islice(alike, 1):
            yield replace(state, combatants={**state.combatants, combatant.id: other})


def look_at(system: System, state: State, combatant: Combatant, viewer: Viewer) -> tuple[Any, ...]:
    """The visible health and parts of someone, and whether they lie down."""
    health, parts = system.characters.health(combatant), Figures(system, state, viewer).view(combatant)
    return view_obscured_health(system, state, combatant, viewer, health), health.is_out, health.dead, parts


def come(system: System, state: State, viewer: Viewer) -> ViewerContext:
    """What a viewer's pages start from, in a fight that is stored nowhere."""
    return ViewerContext(Encounter(pk=1, name="Wild", system=system.slug, state=encode(state)), viewer)


def advise(system: System, state: State, viewer: Viewer, me: str) -> dict[str, Any]:
    """What the page suggests to a player, with its odds."""
    advice = suggest(come(system, state, viewer), me)
    panel = msgspec.to_builtins(advice["open"].odds_panel) if "open" in advice else ""
    return {"advice": (advice["advice"], panel)}


def read(
    system: System, state: State, viewer: Viewer, me: str, foe: str, tried: list[Action]
) -> dict[str, Any]:
    """The table, and all that the player's combatant could do to a foe, with sums and odds."""
    context = come(system, state, viewer)
    found: dict[str, Any] = {"table": draw(system, state, [], viewer)}
    for action in tried:
        found |= read_action(context, action, me, foe)
    return found


def read_action(context: ViewerContext, action: Action, me: str, foe: str) -> dict[str, Any]:
    """The forms of an action: as it opens, and against a foe if it can be."""
    try:
        action.check_now(context.obscured_state, me)
    except Exception as refused:  # noqa: BLE001 - whatever is said has to be the same
        return {action.name: str(refused)}
    first = open_form(context, action, me, {}, False)
    found: dict[str, Any] = {action.name: describe(first)}
    if foe in first.targets:
        found[f"{action.name} {foe}"] = describe(open_form(context, action, me, {"target": foe}, False))
    return found


def describe(form: Any) -> tuple[str, Any]:
    """Everything the page shows of an open form."""
    return str(form.form), msgspec.to_builtins(form.odds_panel)


# ---- Losses in the log ----


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("health", ["number", "word", "bar", "nothing"])
def test_log_tells_as_much_of_a_loss_as_the_table_shows(gm: User, health: str) -> None:
    """The log shows neither the points nor what armor took off; with nothing shown, not even a wound.

    Everyone sees the dice and their sum before armor.
    """
    fight = make_fight(gm, secret=False, health=health, notes=0)
    fight.do("adjust", target=PIRATE, track="hp", by=-LOST)
    cast = gather(fight.encounter, ZARA, MARCUS)
    left = abs(fight.state.combatants[PIRATE].tracks["hp"])
    secret = words(str(LOST), str(left))
    for role in ("gm", "player", "other", "watcher"):
        reading, here = Reading(), f"/encounters/{fight.pk}/"
        for path in ("", "log/", "export/", "export/?as=text", "log/?step=8"):
            reading.note(path, cast[role].get(here + path))
        assert bool(reading.find(secret)) == (role == "gm" or health == "number"), role
    seen = [fact.event for row in fight.encounter.log.all() for fact in Viewer().select(read_step(row).facts)]
    losses = [event for event in seen if isinstance(event, TrackChanged) and event.who == PIRATE]
    if health == "nothing":
        assert not losses
    elif health != "number":
        assert losses
        assert {event.old for event in losses} == {0}
        terms = [term.label for event in losses for term in event.terms]
        labels = {label.key if isinstance(label, Phrase) else label for label in terms}
        assert labels <= {"term.rolled", "term.bonuses"}
        assert {event.new for event in losses} <= {-1, 0, 1}


def test_loss_in_words_says_what_is_seen(gm: User) -> None:
    told = {}
    for health in ("number", "word", "bar", "nothing"):
        fight = make_fight(gm, secret=False, health=health, notes=0)
        fight.do("adjust", target=PIRATE, track="hp", by=-3, reason="a slip")
        row = fight.encounter.log.latest("number")
        facts = Viewer().select(read_step(row).facts)
        lines = [line.text for line in describe_facts(SYSTEM, facts, {PIRATE: "Pirate"})]
        told[health] = [text for text in lines if "slip" in text and "GM" not in text]
    word = SYSTEM.draw(SYSTEM.characters.health(fight.state.combatants[PIRATE]).word, {})
    left = fight.state.combatants[PIRATE].tracks["hp"]
    assert told == {
        "number": [f"Pirate loses 3 HP ({left + 3} → {left}): a slip."],
        "word": [f"Pirate loses HP ({word}): a slip."],
        "bar": ["Pirate loses HP: a slip."],
        "nothing": [],
    }


# ---- Aboard a vehicle ----


def make_road() -> Stage:
    """The chase of Cepheus, with words for the health of others."""
    stage = Stage(find_system("cepheus"))
    for step in ROAD_SETUP:
        stage.do(step.name, dice=step.answers, **step.command)
    stage.do("set_option", key="foe_health", value="word")
    return stage


def test_only_those_aboard_see_the_numbers_of_their_vehicle() -> None:
    """Two fights that differ only in a car's Hull look alike to all but those inside that car."""
    stage = make_road()
    eyes = {who: Viewer("seat", frozenset((who,))) for who in (SARN, PELL, GUNMAN)} | {"": Viewer()}
    for car, inside in ((CAR, {SARN, PELL}), (BLACK_CAR, {GUNMAN})):
        attributes = {**as_a(stage[car].sheet["attributes"], dict), "hull": 12}
        stage.edit(car, sheet={**stage[car].sheet, "attributes": attributes})
        pair = [changed(stage.state, stage[car], tracks={**stage[car].tracks, "hull": n}) for n in (9, 8)]
        for who, viewer in eyes.items():
            seen, also = (look_at(stage.system, state, state[car], viewer) for state in pair)
            assert (seen != also) is (who in inside), (car, who)
            assert bool(seen[0].number) is (who in inside)
            assert (car in find_obscured(stage.system, stage.state, viewer)) is (who not in inside)
    stage.do("seat", target=PELL, vehicle="")
    assert not look_at(stage.system, stage.state, stage[CAR], eyes[PELL])[0].number, "no longer inside"


# ---- The numbers behind computed values ----


def test_enemies_are_taken_for_as_badly_off_as_they_look(gm: User) -> None:
    """A foe of many points, slightly wounded, counts as at the worse end of its word; a player's own not."""
    fight = make_fight(gm, secret=False, notes=0, health="word")
    state, viewer = fight.state, Viewer("seat", frozenset((ZARA,)))
    health = SYSTEM.characters.health(state.combatants[PIRATE])
    blurred = obscure_health(SYSTEM, state, viewer).combatants
    now = SYSTEM.characters.health(blurred[PIRATE])
    assert (now.word, now.level) == (health.word, health.level)
    assert now.now < health.now
    worse = replace(blurred[PIRATE], tracks={SYSTEM.characters.tracks[0].key: now.now - 1})
    assert SYSTEM.characters.health(worse).word != health.word
    assert blurred[ZARA] == state.combatants[ZARA]
    assert obscure_health(SYSTEM, state, Viewer("gm")) is state


@pytest.mark.django_db
def test_obscured_health_is_found_again_only_for_who_has_changed(
    gm: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moving and acting change no look; a wound or another setting of the table does."""
    fight = demo_fight(gm, SLUG)
    system, state, viewer = find_system(SLUG), read_state(fight), Viewer("seat", frozenset({ZARA}))
    found: list[str] = []
    find_worst = secrecy._find_worst

    def count(*args: Any) -> Combatant:
        found.append(args[2].id)
        return find_worst(*args)

    monkeypatch.setattr(secrecy, "_find_worst", count)
    monkeypatch.setattr(secrecy, "_obscured", {})
    obscure_health(system, state, viewer)
    assert found == [PIRATE]
    pirate = state[PIRATE]
    for same in (state, *(changed(state, pirate, **change) for change in UNSEEN)):
        obscured = obscure_health(system, same, viewer)
        assert found == [PIRATE]
        assert obscured[PIRATE].at == same[PIRATE].at
    hurt = changed(state, pirate, tracks={**pirate.tracks, "hp": 1})
    assert obscure_health(system, hurt, viewer)[PIRATE].tracks != obscured[PIRATE].tracks
    assert found == [PIRATE, PIRATE]
    obscure_health(system, replace(state, options={**state.options, "foe_health": "bar"}), viewer)
    assert found == [PIRATE] * 3


UNSEEN: tuple[dict[str, Any], ...] = ({"at": Point(3, 4)}, {"acted": True}, {"budget": {}}, {"initiative": 7})


def changed(state: State, combatant: Combatant, **changes: Any) -> State:
    """The state with one combatant changed."""
    return replace(state, combatants={**state.combatants, combatant.id: replace(combatant, **changes)})
