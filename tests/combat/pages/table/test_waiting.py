"""A seat hears when its turn comes, how long that takes, and what happened to its combatant meanwhile."""

from __future__ import annotations

from types import SimpleNamespace

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from combat.audience.changes import read_pending
from combat.audience.viewer import Viewer
from combat.display.forms.questions import find_deciders
from combat.models import Encounter, Seat, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import RollRequest
from combat.rules.core.state.events import GM_ONLY
from combat.rules.core.state.state import is_acting, present, replace
from tests.browser import sign_in
from tests.combat.cast import come, gather
from tests.combat.markup import Page
from tests.combat.rules.cepheus.vehicles.garage import Garage
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA, begun, demo_fight, load, play, read, state_of
from tests.typed import sure


class Player:
    """A player at a seat who plays one combatant."""

    def __init__(self, encounter: Encounter, who: str) -> None:
        self.pk, self.client = encounter.pk, come(encounter, ShareLink.PLAY, f"Player of {who}")
        Seat.objects.filter(name=f"Player of {who}").update(combatants=[who])

    def page(self) -> Page:
        return read(self.client.get(f"/encounters/{self.pk}/"))

    def head(self) -> str:
        """The top of the page: whose turn it is, and how many come before this player's."""
        return self.page().one("header", id="turn-head").text

    def waiting(self) -> str:
        """The page's text until the turn of this player."""
        return " ".join(box.text for box in self.page().all("section", class_="waiting"))


def pass_turn(pk: int) -> None:
    submit(pk, Submission(find_system(SLUG).actions.advance, {}))


@pytest.fixture
def marcus(started: Encounter) -> Player:
    """The player of Marcus in Zara's turn, who acts first."""
    return Player(started, MARCUS)


def test_waiting_player_reads_who_acts_and_turns_before_theirs(marcus: Player) -> None:
    order = state_of(marcus.pk).order
    for before in range(order.index(MARCUS), 0, -1):
        name = state_of(marcus.pk).combatants[state_of(marcus.pk).active].name
        head = marcus.head()
        assert head.startswith(f"{name}'s turn Marcus · ")
        assert ("You are next" if before == 1 else f"{before} turns until yours") in head
        assert marcus.page().one(id="table")["data-next"] == ("Marcus" if before == 1 else "")
        assert marcus.page().all("p", class_="latest") == []  # which would repeat it
        assert not marcus.page().one(id="table")["data-your-turn"]
        pass_turn(marcus.pk)
    assert not marcus.waiting()
    assert marcus.page().one(id="table")["data-your-turn"] == "Marcus"
    assert marcus.head().startswith("Your turn Marcus · ")
    assert not marcus.page().one(id="table")["data-next"]


def test_turn_of_someone_unseen_is_the_gm_s(marcus: Player) -> None:
    while state_of(marcus.pk).active != PIRATE:
        pass_turn(marcus.pk)
    submit(marcus.pk, Submission("hide", {"target": PIRATE}))
    assert marcus.page().one("h2", id="h-turn").text == "The GM is playing"
    assert "Pirate" not in marcus.head()


def test_who_waits_sees_the_line_from_whoever_acts(marcus: Player) -> None:
    def line() -> list[str]:
        page = marcus.page()
        return [one.text for place in page.all("ol", class_="line") for one in page.all("li", inside=place)]

    assert line() == ["now", "Pirate", "you"]
    submit(marcus.pk, Submission("hide", {"target": PIRATE}))
    assert line() == ["now", "you"]
    pass_turn(marcus.pk)
    assert line() == ["now", "you"], "whoever acts is hidden: the line stays as it was"


def test_those_who_are_down_are_neither_next_nor_counted(marcus: Player) -> None:
    """The turn order is Zara, Pirate, Marcus."""

    watcher = come(load(marcus.pk), ShareLink.WATCH, "Wim")

    def come_next() -> list[str]:
        page = read(watcher.get(f"/encounters/{marcus.pk}/"))
        return [row["id"] for row in page.all("li", class_="is-next")]

    assert come_next() == [f"row-{PIRATE}"]
    submit(marcus.pk, Submission("give_condition", {"target": PIRATE, "kind": "dead"}))
    assert come_next() == [f"row-{MARCUS}"]
    assert "You are next" in marcus.head()


@pytest.mark.parametrize(
    ("slug", "mine", "kind", "helps"),
    [
        (
            "cosmos",
            "Marcus",
            "unconscious",
            "Zara acts now First aid, Field medicine, Press on a wound · 2.8 m",
        ),
        ("starshock", "Oslo", "unconscious", "Vega acts now Emergency Medicate, Rouse · same zone"),
        (
            "guardians",
            "Rook",
            "unconscious",
            "Ines acts now First Aid · 2 yd Rook is 2 yd away: go next to them",
        ),
    ],
)
def test_who_is_out_reads_what_happened_and_who_can_help(
    gm: User, slug: str, mine: str, kind: str, helps: str
) -> None:
    made = begun(gm, slug)
    ids = {one.name: who for who, one in state_of(made.pk).combatants.items()}
    player = Player(made, ids[mine])
    submit(made.pk, Submission("give_condition", {"target": ids[mine], "kind": kind}))
    page = player.page()
    (card,) = page.all("section", class_="down")
    assert f"{mine} You are out" in card.text
    assert f"What happened {mine} falls unconscious." in card.text
    assert "Who can help" in card.text
    assert helps in card.text
    assert "You can still" in card.text
    assert "until yours" not in player.head()


def test_who_is_dead_is_not_offered_help(marcus: Player) -> None:
    submit(marcus.pk, Submission("give_condition", {"target": MARCUS, "kind": "dead"}))
    assert "No one can help Marcus any longer" in marcus.waiting()
    assert "Zara" not in marcus.waiting()


def test_who_is_out_reads_that_no_ally_is_left(marcus: Player) -> None:
    for who in (ZARA, MARCUS):
        submit(marcus.pk, Submission("give_condition", {"target": who, "kind": "unconscious"}))
    assert "No ally can now" in marcus.waiting()
    assert "Pirate" not in marcus.waiting()


@pytest.mark.parametrize(
    ("fletch", "words"), [(4, "Rook and Knuckles act now."), (9, "Rook, Knuckles and Fletch act now.")]
)
def test_who_waits_for_several_reads_who_they_are(gm: User, fletch: int, words: str) -> None:
    made = demo_fight(gm, "guardians")
    start = find_system("guardians").demo.make_first().script[0]
    play(made.pk, [replace(start, answers=(*start.answers[:-1], (fletch,)))])
    ids = {one.name: who for who, one in state_of(made.pk).combatants.items()}
    player = Player(made, ids["Ines"])
    submit(made.pk, Submission("next_turn", {}))
    assert player.head().startswith("Others act now Ines · ")
    assert player.waiting() == words
    assert not player.page().all("ol", class_="line")


def test_ways_to_zones_begin_where_ones_own_combatant_stands(marcus: Player) -> None:
    """Also while someone else acts: players plan their turn then."""
    submit(marcus.pk, Submission("place", {"target": MARCUS, "x": 14, "y": 3}))

    def here() -> list[str]:
        return [zone.text for zone in marcus.page().all("li", class_="zone-here")]

    assert [zone.split(" here")[0] for zone in here()] == ["Bay floor"]


@pytest.mark.slow
def test_who_looks_at_another_of_theirs_is_told_whose_turn_it_is(started: Encounter) -> None:
    player = Player(started, ZARA)
    Seat.objects.filter(name=f"Player of {ZARA}").update(combatants=[ZARA, MARCUS])
    assert not player.page().all("p", class_="your-turn")  # the head says it
    found = read(player.client.get(f"/encounters/{started.pk}/?combatant={MARCUS}"))
    assert found.one("p", class_="your-turn").text == "Your turn: Zara"
    assert found.one(id="h-turn").text == "Zara's turn"


def test_waiting_player_reads_what_happened_to_them_alone(marcus: Player) -> None:
    submit(marcus.pk, Submission("adjust", {"target": MARCUS, "track": "hp", "by": -5}))
    submit(marcus.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -7}))
    submit(marcus.pk, Submission("give_condition", {"target": MARCUS, "kind": "prone"}))
    said = marcus.waiting()
    assert "Marcus loses 5 HP" in said
    assert said.index("loses 5") < said.index("falls prone")
    assert "Pirate" not in said.partition("Since your last turn")[2]


def test_a_turn_of_ones_own_begins_the_story_again(marcus: Player) -> None:
    submit(marcus.pk, Submission("adjust", {"target": MARCUS, "track": "hp", "by": -5}))
    while state_of(marcus.pk).active != MARCUS:
        pass_turn(marcus.pk)
    pass_turn(marcus.pk)
    assert "loses" not in marcus.waiting()


def test_acting_player_reads_what_happened_since_their_last_turn(marcus: Player) -> None:
    def since() -> str:
        return " ".join(fold.text for fold in marcus.page().all("details", id="since"))

    submit(marcus.pk, Submission("adjust", {"target": MARCUS, "track": "hp", "by": -5}))
    submit(marcus.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -7}))
    assert not since(), "they wait, and read the same at once"
    while state_of(marcus.pk).active != MARCUS:
        pass_turn(marcus.pk)
    assert since().startswith("Since your last turn 1 Marcus loses 5 HP")
    submit(marcus.pk, Submission("adjust", {"target": MARCUS, "track": "hp", "by": -3}))
    assert "loses 3" not in since(), "that is part of this turn"


def test_who_waits_reads_what_they_are_given(gm: User) -> None:
    made, system = begun(gm, "guardians"), find_system("guardians")
    state = state_of(made.pk)
    who = next(one.id for one in present(state) if one.pc and not is_acting(state, one.id))
    weapon = next(field for field in system.action("arm").find_fields(state, "") if field.name == "weapon")
    player = Player(made, who)
    submit(made.pk, Submission("arm", {"target": who, "weapon": weapon.options[0].value, "name": "Gift"}))
    assert f"{state[who].name} gets Gift." in player.waiting()


def test_a_page_in_the_background_calls_by_its_title(
    live_server: LiveServer, context: BrowserContext, started: Encounter
) -> None:
    player = Player(started, ZARA)
    sign_in(context, live_server, player.client)
    page = context.new_page()
    page.goto(f"{live_server.url}/encounters/{started.pk}/")
    expect(page).to_have_title(f"● Your turn · {started.name} · Cosmos Table")
    assert "icon-turn" in str(page.locator("link[rel=icon]").evaluate("e => e.href"))
    for _ in range(2):  # it asks once: the main action is unspent
        page.locator("[data-key=n]").click()
    expect(page).to_have_title(f"{started.name} · Cosmos Table")
    expect(page.locator("#turn-head")).to_contain_text("until yours")
    submit(started.pk, Submission("end_fight", {}))
    submit(started.pk, Submission("start", {}, typed=True))
    page.reload()
    expect(page).to_have_title(f"● Your answer · {started.name} · Cosmos Table")


def test_who_is_asked_out_of_turn_is_called_as_well(prepared: Encounter, gm_client: Client) -> None:
    """Dice for initiative, or a question to a defender: the phone may be in a pocket."""
    player, watcher = Player(prepared, MARCUS), come(prepared, ShareLink.WATCH, "Wanda")
    assert not player.page().one(id="table")["data-asked"]
    submit(prepared.pk, Submission("start", {}, typed=True))
    assert player.page().one(id="table")["data-asked"] == "Marcus"
    for client in (gm_client, watcher):
        assert not read(client.get(f"/encounters/{prepared.pk}/")).one(id="table")["data-asked"]


@pytest.mark.slow
def test_who_keeps_their_turn_for_later_is_told_so(gm: User) -> None:
    made = begun(gm, "cepheus")
    who = state_of(made.pk).active
    player = Player(made, who)
    submit(made.pk, Submission("delay", {"actor": who}))
    assert "Your turn waits until you begin it." in player.waiting()
    submit(made.pk, Submission("step_in", {"actor": who}))
    submit(made.pk, Submission(find_system("cepheus").actions.advance, {}))
    assert not player.waiting()
    submit(made.pk, Submission(find_system("cepheus").actions.advance, {}))
    assert "until yours" in player.head()


def test_those_aboard_a_carrier_nobody_plays_wait_for_the_gm(prepared: Encounter) -> None:
    """The GM rolls for it: the driver at a seat reads that, not that the table waits for their vehicle."""
    stage = Garage()
    car = stage.vehicle("Rustbucket")
    driver, other = stage.crew(car), stage.foe("Zed")
    asked = tuple(RollRequest("CE-COLL-02", who, 1, "6d6", "roll.collision") for who in (car, other))
    waiting = SimpleNamespace(requests=asked)

    def look(*seats: str) -> tuple[str, ...]:
        viewer = Viewer("seat", frozenset(seats))
        context = SimpleNamespace(known_state=stage.state, viewer=viewer, encounter=prepared)
        found = find_deciders(context, waiting, {})  # type: ignore[arg-type]  # all that is looked at
        return tuple(one.name for one in found)

    assert look(driver) == ("the GM (Rustbucket)", "Zed")
    assert look(driver, car) == ("Zed",)
    Seat.objects.create(encounter=prepared, name="Pia", kind=ShareLink.PLAY, combatants=[car])
    assert look(driver) == ("Rustbucket", "Zed")


def test_open_action_shows_dice_so_far_and_the_deciders_face(started: Encounter) -> None:
    """Everyone at the table and the projector see the roll; who decides and the GM have the question."""
    cast = gather(started, ZARA, MARCUS)
    attack = {"actor": ZARA, "target": PIRATE, "weapon": f"{ZARA}-1"}
    submit(started.pk, Submission("attack", attack, faces=(10, 10)))
    places = {"gm": "prompt", "player": "prompt", "other": "prompt", "watcher": "watch-result"}
    for role, name in places.items():
        page = read(cast[role].get(f"/encounters/{started.pk}/"))
        card = page.one(class_="so-far", inside=page.one(id=name))
        assert [face["aria-label"] for face in page.all("svg", class_="face", inside=card)] == [
            "10 on a d10"
        ] * 2
        assert page.one(class_="result-word", inside=card).text == "critical hit"
        asks = page.all(class_="decider", inside=page.one(id=name)) or page.all(class_="deciders")
        assert page.all("svg", class_="mark", inside=asks[0]), role
        assert bool(page.all("form", id="question-0")) == (role in ("gm", "player")), role


def test_dice_that_only_the_gm_may_see_are_on_no_other_card(started: Encounter) -> None:
    cast = gather(started, ZARA, MARCUS)
    submit(
        started.pk,
        Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": f"{ZARA}-1"}, faces=(10, 10)),
    )
    waiting = sure(read_pending(load(started.pk)))
    hidden = tuple(replace(fact, to=GM_ONLY, redacted=None) for fact in waiting.facts)
    kept = msgspec.json.encode(replace(waiting, facts=hidden))
    Encounter.objects.filter(pk=started.pk).update(open_command=kept)
    for role in ("gm", "player", "other", "watcher"):
        page = read(cast[role].get(f"/encounters/{started.pk}/"))
        assert page.all(class_="deciders") or page.all(class_="decider"), role
        assert bool(page.all(class_="result-of")) == (role == "gm"), role
