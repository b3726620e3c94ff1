"""The forms of an act: whom it concerns, what follows as chips, how many characters fit."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict

from combat.audience.viewer import GM
from combat.display.forms.improvising import KINDS, read_ruling, view_act
from combat.models import Encounter
from combat.pages.table.submissions import perform
from combat.pages.table.wishes_view import open_ruling
from combat.play.improvising import read_wishes
from combat.play.writing.encounter_service import Submission, submit, undo
from combat.play.writing.verification import verify
from combat.rules.core.gm.improvising import MAX_WORDS
from combat.rules.core.gm.verbs import understand
from combat.rules.core.state.rulings import THEM
from combat.rules.core.state.state import State, has_condition, present
from combat.sharing.viewer_context import ViewerContext
from tests.combat.cast import Cast
from tests.combat.pages.table.test_wishes import OTHERS, RULED, SWING, ask, newest, post, see
from tests.combat.rules.games import GAMES, demo_fights
from tests.combat.visit import MARCUS, PIRATE, ZARA, Visit, begun, combatant, load, read, refusal, state_of

ENDINGS = ("works", "fails")
FIELDS = ("key", "to", "n", "turns", "dice", "text")
STEPS = {"cosmos": 8, "cepheus": 6, "guardians": 3, "starshock": 6}  # of the demo, to someone's turn


def faces(cast: Cast, role: str, pk: int, name: str, **query: Any) -> set[str]:
    """Whose faces a person can choose in a form."""
    page = read(cast[role].get(f"/encounters/{pk}/", query))
    return {one["value"] for one in page.all("input", type="radio", name=name)} - {""}


# ---- Whom it concerns ----


def test_a_player_taps_whom_it_concerns(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    assert PIRATE in faces(cast, "player", pk, "about")
    assert ZARA not in faces(cast, "player", pk, "about"), "themselves are no one to do it to"
    ask(cast.player, pk, "I throw sand in their face", about=PIRATE)
    assert read_wishes(load(pk)).open[0].about == PIRATE
    for role in OTHERS:
        assert faces(cast, role, pk, "opposed") == set()


def test_nobody_is_offered_whom_the_player_does_not_see(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    typed = {"words": SWING, "combatant": ZARA}
    address = f"/encounters/{pk}/wishes/words/"
    assert f'data-concerns="{PIRATE}"' in cast.player.get(address, typed).content.decode()
    Visit(cast.gm, pk).do("hide", target=PIRATE, hidden="true")
    assert PIRATE not in faces(cast, "player", pk, "about")
    assert PIRATE in faces(cast, "gm", pk, "about", wish=0)
    assert PIRATE not in cast.player.get(address, typed).content.decode()


def test_gm_taps_whom_it_concerns_and_the_endings_follow(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk, "I throw sand at the tall one")
    assert "works.points.on" not in _checked(cast, pk, wish=newest(pk)), "the words name nobody"
    asked = {"wish": newest(pk), "mode": "nothing", "was": "", "about": PIRATE}
    assert "works.points.on" in _checked(cast, pk, **asked)
    assert _fields(cast, pk, **asked)["works.points.who"] == PIRATE
    kept = {**asked, "was": PIRATE, "works.harm.on": "yes", "works.harm.dice": "3d6"}
    assert _checked(cast, pk, **kept) == {"works.harm.on"}, "what the GM has chosen stays"


def test_opponent_is_whom_it_concerns_unless_another_is_tapped(cast: Cast, started: Encounter) -> None:
    ask(cast.player, started.pk, "I throw sand in their face", about=PIRATE)

    def find_opposed(**typed: str) -> list[str]:
        page = read(cast.gm.get(f"/encounters/{started.pk}/", {"wish": str(newest(started.pk)), **typed}))
        return [one["value"] for one in page.all("input", name="opposed") if "checked" in one.attrs]

    assert find_opposed() == [PIRATE]
    tapped = {"mode": "opposed", "was": PIRATE, "about": PIRATE, "opposed": MARCUS}
    assert find_opposed(**tapped) == [MARCUS]


def _checked(cast: Cast, pk: int, **query: Any) -> set[str]:
    """The chips of a form that are switched on."""
    return {name for name in _fields(cast, pk, **query) if name.endswith(".on")}


def _fields(cast: Cast, pk: int, **query: Any) -> dict[str, Any]:
    """What the GM's form posts as it stands."""
    page = read(cast.gm.get(f"/encounters/{pk}/", query))
    return page.fields(page.one("form", id="ruling"))


NEEDS = {
    "cosmos": "9 or more on the dice",
    "cepheus": "6 or more on the dice",
    "guardians": "55 or less on the dice",
    "starshock": "6 or more on the dice",
}


@pytest.mark.parametrize("slug", NEEDS)
def test_what_the_dice_have_to_show_is_said_as_each_game_rolls(slug: str) -> None:
    """Percentile dice are to be low, all others to be high."""
    system = GAMES[slug]
    state = next(one.before for one in demo_fights(system) if is_heros(one.before))
    act = understand(system, state, state.active, SWING, {}).act
    assert view_act(system, state, act, for_gm=True).need == NEEDS[slug]


def is_heros(state: State) -> bool:
    """Whether it is the turn of a player's character."""
    return bool(state.active) and state[state.active].pc


# ---- What follows ----


def test_only_what_is_switched_on_follows(cast: Cast, started: Encounter) -> None:
    pk, before = started.pk, combatant(started.pk, PIRATE)
    fields = {"wish": 0, "words": "The lamp falls", "mode": "nothing", "works.harm.who": PIRATE}
    fields |= {"works.harm.dice": "1d6", "works.condition.who": PIRATE, "works.condition.key": "prone"}
    cast.gm.post(f"/encounters/{pk}/", {"do": "rule_wish", **fields, "works.condition.on": "yes"})
    after = combatant(pk, PIRATE)
    assert has_condition(after, "prone")
    assert after.tracks == before.tracks


@pytest.mark.parametrize(("typed", "number"), [("", 0), ("0", 0), ("2", 2)])
def test_a_condition_without_a_number_has_none(started: Encounter, typed: str, number: int) -> None:
    state, system = state_of(started.pk), GAMES["cosmos"]
    fields = {"on": "yes", "who": PIRATE, "key": "prone", "n": typed}
    posted = {"mode": "nothing"} | {f"works.condition.{name}": value for name, value in fields.items()}
    act = read_ruling(system, state, understand(system, state, ZARA, SWING, {}).act, posted)
    assert [(effect.key, effect.n) for effect in act.works] == [("prone", number)]


def test_what_was_filled_in_wrong_stands_there_again(cast: Cast, started: Encounter) -> None:
    pk, steps = started.pk, load(started.pk).steps
    ask(cast.player, pk)
    wrong = {**RULED, "works.harm.dice": "a lot", "works.points.on": "yes", "works.points.n": "many"}
    for do in ("offer_wish", "rule_wish"):
        answer = cast.gm.post(f"/encounters/{pk}/", {"do": do, "wish": newest(pk), **wrong})
        assert answer.status_code in (409, 422)
        assert refusal(answer)
        page = read(answer)
        shown = page.fields(page.one("form", id="ruling"))
        assert {shown[name] for name in ("works.harm.dice", "works.points.n")} == {"a lot", "many"}
    assert load(pk).steps == steps


@pytest.mark.parametrize("slug", sorted(STEPS))
def test_every_chip_can_be_ruled_as_it_is_proposed(gm: User, slug: str) -> None:
    """One tap fills a kind of ending in so that it works, in every game; one undo takes it back."""
    fight = begun(gm, slug, steps=STEPS[slug])
    state = state_of(fight.pk)
    foe = next(one for one in present(state) if one.side != state[state.active].side)
    before, ruled = state.combatants, set[str]()

    def tap(**fields: str) -> None:
        posted = QueryDict(mutable=True)
        posted.update({"do": "rule_wish", "wish": "0", **fields})
        perform(posted, ViewerContext(load(fight.pk), GM, None, "gm"))

    about = {"words": "Something happens", "whose": state.active, "about": foe.id}
    form = open_ruling(ViewerContext(load(fight.pk), GM, None, "gm"), _query(wish="0", **about))
    assert form
    for ending in form.endings[:1]:
        for effect in ending.effects:
            name = f"{ending.key}.{effect.kind}"
            fields = {f"{name}.{field}": getattr(effect, field) for field in FIELDS}
            fields |= {f"{name}.on": "yes", f"{name}.who": next(iter(effect.who), "")}
            if effect.kind == "words":
                fields[f"{name}.text"] = "It creaks."
            steps = load(fight.pk).steps
            tap(**about, mode="nothing", **fields)
            assert load(fight.pk).steps == steps + 1, name
            undo(fight.pk, by="gm")
            assert state_of(fight.pk).combatants == before, name
            ruled.add(effect.kind)
    assert ruled >= KINDS.keys() - {"door", "count"}, "these need something that is there"
    verify(load(fight.pk))


def _query(**fields: str) -> QueryDict:
    made = QueryDict(mutable=True)
    made.update(fields)
    return made


# ---- The chance of both endings ----


def test_both_endings_say_their_chance_and_follow_the_grade(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    page = read(cast.gm.get(f"/encounters/{pk}/", {"wish": newest(pk)}))
    assert [page.one(id=f"ruling-{one}-chance").text for one in ENDINGS] == ["72%", "28%"]
    for grade in page.all("label", class_="grade"):
        value = page.one("input", inside=grade)["value"]
        asked = {**_fields(cast, pk, wish=newest(pk)), "grade": value}
        found = read(cast.gm.get(f"/encounters/{pk}/wishes/grades/", asked))
        works, fails = (found.one("b", id=f"ruling-{one}-chance") for one in ENDINGS)
        assert works["hx-swap-oob"] == "true"
        assert works.text == page.one("span", class_="pct", inside=grade).text
        assert int(works.text.strip("%")) + int(fails.text.strip("%")) == 100


def test_a_ruling_against_someone_says_the_chance_of_each(cast: Cast, started: Encounter) -> None:
    """The chance of an opposed ruling is that against whom one taps: on the tile, and in the form."""
    pk = started.pk
    check = (("skill", "Athletics"), ("attribute", "MIG"))
    ruling = {"id": "r1", "name": "Wrestle", "check": check, "opposed": THEM, "counter": check}
    submit(pk, Submission("bring_rulings", {"rulings": {ZARA: [ruling]}}))
    page = read(cast.player.get(f"/encounters/{pk}/"))
    faces = page.all("label", inside=page.one("div", class_="ruled-whom"))
    shown = {page.one("input", inside=one)["value"]: one.text.split()[-1] for one in faces}
    assert shown.keys() == {one.id for one in present(state_of(pk))} - {ZARA}
    assert all(re.fullmatch(r"\d+%", chance) for chance in shown.values())
    secret = {**ruling, "secret": True}
    submit(pk, Submission("bring_rulings", {"rulings": {MARCUS: [secret]}}))
    for role, told in (("other", False), ("gm", True)):
        kept = read(cast[role].get(f"/encounters/{pk}/", {"combatant": MARCUS})).one(
            "div", class_="ruled-whom"
        )
        assert ("%" in kept.text) is told, role
    tile = page.one("button", class_="again").text
    assert "Athletics with Might, opposed" in tile
    assert "%" not in tile, "which depends on whom one taps"
    asked: dict[str, str | int] = {
        "wish": 0,
        "whose": ZARA,
        "about": PIRATE,
        "mode": "opposed",
        "opposed": PIRATE,
    }
    asked |= {f"{side}.{name}": value for side in ("check", "against") for name, value in check}
    form = read(cast.gm.get(f"/encounters/{pk}/", asked))
    assert form.one(id="ruling-works-chance").text == shown[PIRATE]


def test_map_line_to_whom_it_concerns_is_for_the_gm_alone(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    assert "wish-line" not in see(cast.gm, pk)
    ask(cast.player, pk)
    (line,) = read(cast.gm.get(f"/encounters/{pk}/")).all("line", class_="wish-line")
    spots = [combatant(pk, who).at for who in (ZARA, PIRATE)]
    assert all(spots)
    assert (line["x1"], line["y1"]) != (line["x2"], line["y2"])
    alone = f"/encounters/{pk}/?wish=0&whose={PIRATE}&about={MARCUS}"
    (other,) = read(cast.gm.get(alone)).all("line", class_="wish-line")
    assert (other["x1"], other["y1"]) == (line["x2"], line["y2"]), "it begins at the Pirate"
    for role in (*OTHERS, "player"):
        assert "wish-line" not in see(cast[role], pk), role
    post(cast.gm, pk, "refuse_wish", text="No.")
    assert "wish-line" not in see(cast.gm, pk), "what was refused leads nowhere"


# ---- How much it costs, and how many characters fit ----


def test_what_it_costs_shows_how_many_are_left(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    page = read(cast.gm.get(f"/encounters/{pk}/", {"wish": newest(pk)}))
    costs = [one.text for one in page.all("label", inside=page.one("fieldset", class_="ruling-cost"))]
    assert costs[0].split() == ["Standard", "1", "left"]
    assert costs[-1] == "Free"
    post(cast.gm, pk, "offer_wish")
    offer = read(cast.player.get(f"/encounters/{pk}/")).one("p", class_="offer-cost")
    assert offer.text.split() == ["It", "costs", "your", "Standard", "1", "left"]


def test_the_wish_says_why_it_costs_something_else(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    assert "none left" not in see(cast.gm, pk)
    submit(pk, Submission("give_budget", {"target": ZARA, "pool": "standard", "left": 0}))
    assert "Standard: none left, so it costs Move" in see(cast.gm, pk)


def test_fields_hold_what_the_server_takes(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    page = read(cast.player.get(f"/encounters/{pk}/"))
    assert page.one("textarea", id="wish-words")["maxlength"] == str(MAX_WORDS)
    assert f"{MAX_WORDS} characters at most" in page.one(id="wish-words-letters").text
    assert ask(cast.player, pk, "x" * (MAX_WORDS + 1)).status_code == 422
    assert ask(cast.player, pk, "x" * MAX_WORDS).status_code == 200
    form = read(cast.gm.get(f"/encounters/{pk}/", {"wish": 0}))
    assert form.one("input", id="ruling-words")["maxlength"] == str(MAX_WORDS)
    assert form.one("input", name="works.words.text")["maxlength"] == str(MAX_WORDS)


def test_a_projector_shows_whom_it_happened_to(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    post(cast.gm, pk, "let_work")
    page = read(cast.watcher.get(f"/encounters/{pk}/"))
    moment = page.one("section", class_="is-act")
    assert len(page.all("svg", class_="moment-face", inside=moment)) == 2
