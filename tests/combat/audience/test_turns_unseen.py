"""A turn of somebody out of sight does not show: others go on reading what they read, byte by byte."""

from __future__ import annotations

from datetime import timedelta
from itertools import cycle

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from time_machine import travel

from combat.audience.viewer import GM, Viewer
from combat.models import Encounter, ShareLink
from combat.pages.table.rows import view_timer
from combat.pages.table.shapes import recent_steps
from combat.pages.whatif.branch_view import find_origin, find_start
from combat.play.writing.encounter_service import Submission, redo, submit, undo
from combat.play.writing.unseen_turn import ToldLater, find_told_later
from combat.play.writing.verification import read_step
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.dice import dice as sealed
from combat.rules.core.basics.dice.dice import Roll, parse_dice
from combat.rules.core.declaration.parts import Actions
from combat.rules.core.state import events as e
from combat.rules.core.state.history import Step
from combat.rules.core.state.state import State, encode, present, replace
from combat.sharing.links import make_link
from combat.sharing.viewer_context import LOG_STEPS, ViewerContext
from tests.combat.audience.secrets import find_open_pages
from tests.combat.audience.test_leaks import calm
from tests.combat.audience.test_unseen_pages import find_differences
from tests.combat.audience.unseen import AREA, FOG, GHOST, HIDDEN, make_world
from tests.combat.cast import Place, come
from tests.combat.visit import MARCUS, PIRATE, PISTOL, ZARA, load, read, state_of
from tests.typed import sure

pytestmark = pytest.mark.usefixtures("no_verification", "fives")

PAGES = (
    *("", *find_open_pages("watcher")),
    *("log/?step=2", "log/?step=4", "report/?as=recap", "export/?as=text", "dice/?as=file", "home"),
)
WAYS = (HIDDEN, AREA, FOG)
FIRST, *OTHERS = SYSTEMS
# No game has a say in it: the first plays all ways, the others one each in turn
GAMES = [f"{FIRST} {way}" for way in WAYS] + [f"{slug} {way}" for slug, way in zip(OTHERS, cycle(WAYS))]


class Table:
    """A fight with or without somebody out of sight, who acts alone, and those who read it.

    It begins in the first turn of somebody else.
    """

    def __init__(self, gm: User, slug: str, way: str, *, is_there: bool = True, alone: bool = True) -> None:
        state, self.ghost = make_world(find_system(slug), way, started=True, is_there=is_there)
        state = _put(state, self.ghost) if is_there and alone else state
        raw = encode(state)
        made = Encounter.objects.create(
            owner=gm, system=slug, name="Unseen", start=raw, state=raw, phase="fight"
        )
        self.pk = made.pk
        self.do("note", text="Here we go.", secret=False)
        pcs = [one.id for one in present(state) if one.pc][:2]
        self.people = {"watcher": come(made, ShareLink.WATCH, "Wim")}
        self.people |= {who: come(made, ShareLink.PLAY, f"Pia {who}", who) for who in pcs}
        self.token = make_link(made, ShareLink.WATCH, "overlay")[1]

    @property
    def state(self) -> State:
        return state_of(self.pk)

    @property
    def acting(self) -> set[str]:
        """Those whose turn it is."""
        return {self.state.active, *self.state.sharing} - {""}

    def do(self, name: str, /, **fields: object) -> None:
        """Do something that asks nobody."""
        assert not submit(self.pk, Submission(name, fields, by="gm")).waiting

    def go_on(self) -> None:
        """End the turns of all who act."""
        self.do("next_turn", **({"whole": True} if self.state.sharing else {}))

    def read(self) -> dict[str, str]:
        """All that these people read, byte by byte."""
        texts = {"program": Client().get(f"/api/v1/{self.token}/").content.decode()}
        for who, client in self.people.items():
            for page in PAGES if who == "watcher" else ("", "log/"):
                answer = client.get("/" if page == "home" else f"/encounters/{self.pk}/{page}")
                texts[f"{who} {page}"] = f"{answer.status_code} {answer.content.decode()}"
        return {where: calm(text) for where, text in texts.items()}

    def hear(self) -> tuple[str, str, str, list[str]]:
        """The stamps that pages hear: of the GM, of all, of all at seats and of each seat."""
        now = load(self.pk)
        own = [seat.own_stamp for seat in now.seats.order_by("pk")]
        return now.stamp(is_gm=True), now.stamp(is_gm=False), now.stamp(is_gm=False, is_seated=True), own


def _put(state: State, ghost: str) -> State:
    """The state with the ghost at the beginning of the order, or at its end where some act together."""
    others = [one.initiative or 0 for one in state.combatants.values() if one.id != ghost]
    order, is_first = tuple(who for who in state.order if who != ghost), state.system in ("cosmos", "tiny")
    placed = replace(state[ghost], initiative=max(others) + 1 if is_first else min(others) - 1)
    sharing = tuple(who for who in state.sharing if who != ghost)
    order = (ghost, *order) if is_first else (*order, ghost)
    return replace(state, combatants={**state.combatants, ghost: placed}, order=order, sharing=sharing)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_turn_out_of_sight_does_not_show(gm: User, game: str) -> None:
    """Neither amid a round nor at its beginning: in it and after it all read what they read without it."""
    slug, way = game.split()
    table, twin, turns = Table(gm, slug, way), Table(gm, slug, way, is_there=False), 0
    if slug == "cosmos":
        for each in (table, twin):  # it ends with the turn before
            each.do("give_condition", target=ZARA, kind="frightened", turns=1)
    while turns < (2 if slug in ("cosmos", "tiny") else 1):
        ended, heard = table.acting, table.hear()
        table.go_on()
        is_unseen = table.acting == {table.ghost}
        if is_unseen:
            turns += 1
            told = twin.read()
            now = {where: text for where, text in table.read().items() if where.split()[0] not in ended}
            assert find_differences({where: told[where] for where in now}, now) == []
            assert [now == then for now, then in zip(table.hear(), heard, strict=True)][:3] == [
                False,
                True,
                True,
            ]
            table.go_on()
        twin.go_on()
        assert table.acting == twin.acting
        if is_unseen:
            assert find_differences(twin.read(), table.read()) == []
    assert table.state.round == 2


@pytest.fixture
def table(gm: User) -> Table:
    """The fight of the first game, in Zara's turn: the ghost acts next, then Marcus, then the pirate."""
    return Table(gm, "cosmos", HIDDEN)


def head(table: Table, who: str) -> str:
    """What the head of the turn says on someone's page."""
    return read(table.people[who].get(f"/encounters/{table.pk}/")).one("h2", id="h-turn").text


def acting_rows(table: Table, who: str) -> list[str]:
    """The rows that someone's page marks as acting."""
    page = read(table.people[who].get(f"/encounters/{table.pk}/"))
    return [row["id"] for row in page.all("li") if row["aria-current"]]


@pytest.mark.slow
def test_player_who_ended_their_turn_reads_that_it_is_over(table: Table) -> None:
    """They alone hear of it: the others go on seeing them act."""
    zara, told, heard = Place(table.people[ZARA], table.pk), table.read(), table.hear()
    zara.do("next_turn")
    assert table.acting == {table.ghost}
    assert head(table, ZARA) == "Your turn is over"
    assert acting_rows(table, ZARA) == []
    assert not zara.page().all("button", class_="btn-next")
    zara.refused("next_turn", 403)
    assert zara.refused("attack", 409, actor=ZARA, target=PIRATE, weapon=PISTOL)
    gm, public, seated, own = table.hear()
    assert (gm == heard[0], public, seated) == (False, *heard[1:3])
    assert [now == then for now, then in zip(own, heard[3], strict=True)].count(False) == 1
    assert head(table, MARCUS) == "Zara's turn"
    now = {where: text for where, text in table.read().items() if not where.startswith(ZARA)}
    assert find_differences({where: told[where] for where in now}, now) == []


def test_what_happens_meanwhile_is_told_and_nothing_of_the_turn(table: Table) -> None:
    """Also in a new round, which others do not know of yet."""
    for _ in range(4):
        table.go_on()
    assert (table.acting, table.state.round) == ({table.ghost}, 2)
    table.do("adjust", target=MARCUS, track="hp", by=-2)
    table.do("note", text="It rains.", secret=False)
    for who in ("watcher", MARCUS):
        page = read(table.people[who].get(f"/encounters/{table.pk}/"))
        assert "It rains." in page.one(id="log").text
        assert "Marcus loses 2 HP" in page.one(id="log").text
        assert "Round 2" not in page.one(id="log").text
        assert page.one(id="bar-clock").text.startswith("Round 1 ")
        assert acting_rows(table, who) == [f"row-{PIRATE}"]
    table.go_on()
    assert "Round 2" in read(table.people["watcher"].get(f"/encounters/{table.pk}/")).one(id="log").text


@pytest.fixture
def worlds(gm: User) -> tuple[Table, Table]:
    """A table where round 2 has begun out of sight, and one without that combatant, which is in round 1."""
    table, twin = Table(gm, "cosmos", HIDDEN), Table(gm, "cosmos", HIDDEN, is_there=False)
    while table.acting != {table.ghost} or table.state.round == 1:
        table.go_on()
        if table.acting != twin.acting and table.acting != {table.ghost}:
            twin.go_on()
    assert (table.state.round, twin.state.round) == (2, 1)
    return table, twin


@pytest.mark.slow
def test_round_begun_out_of_sight_reads_as_the_one_before(
    worlds: tuple[Table, Table],
) -> None:
    """In the log as in the bar, and it stays there: nothing tells in whose turn it was."""
    table, twin = worlds
    for each in worlds:
        each.do("adjust", target=MARCUS, track="hp", by=-2)
        each.do("note", text="It rains.", secret=False)
    assert find_differences(twin.read(), table.read()) == []
    log = Client().get(f"/api/v1/{table.token}/").json()["log"]
    assert (log[-1]["text"], log[-1]["round"]) == ("It rains.", 1)
    for each in worlds:
        each.go_on()
    assert table.acting == twin.acting
    assert find_differences(twin.read(), table.read()) == []


@pytest.mark.slow
def test_undone_roll_in_an_unseen_round_reads_as_in_the_last_one(
    worlds: tuple[Table, Table],
) -> None:
    """Also after the beginning of the round is undone."""
    table, twin = worlds
    for each in worlds:
        each.do("roll_dice", actor=MARCUS, term="2d6")
        undo(each.pk, by="gm")
    assert find_differences(twin.read(), table.read()) == []
    undo(table.pk, by="gm")
    assert table.state.round == 1
    assert find_differences(twin.read(), table.read()) == []


def test_roll_between_two_unseen_turns_does_not_tell_the_round(gm: User) -> None:
    """Marcus rolls as the turn passes from one hidden combatant to the next: the round waits for Zara's."""
    roll = e.Checked(MARCUS, "", Roll("1d10", (5,), 5, "app", MARCUS, "", ""), (), 5, "success")
    ghost, other = (e.Fact(e.TurnStarted(who, {}), to=e.GM_ONLY) for who in ("f4", "f5"))
    passed = (
        (e.Fact(e.TurnEnded(PIRATE)), e.Fact(e.RoundStarted(2, 6)), ghost),
        (e.Fact(e.TurnEnded("f4"), to=e.GM_ONLY), e.Fact(roll), other),
        (e.Fact(e.TurnEnded("f5"), to=e.GM_ONLY), e.Fact(e.TurnStarted(ZARA, {}))),
    )
    made = Encounter.objects.create(owner=gm, system="cosmos", start=b"", state=b"")
    for number, facts in enumerate(passed, 1):
        step = Step(number, name=Actions.advance, facts=facts)
        record = msgspec.json.encode(step)
        made.log.create(number=number, kind=step.kind, name=step.name, record=record, after=b"")
        made.steps = number
        if number == 2:
            assert find_told_later(made, Viewer(), held=(1,)) == ToldLater({}, {2: 1})
    assert find_told_later(made, Viewer()) == ToldLater({1: 3}, {2: 1})


def test_one_who_is_revealed_in_their_turn_acts_in_sight(table: Table) -> None:
    table.go_on()
    table.do("hide", target=table.ghost, hidden=False)
    assert head(table, MARCUS) == f"{GHOST}'s turn"
    assert acting_rows(table, "watcher") == [f"row-{table.ghost}"]


@pytest.mark.slow
def test_undo_and_redo_of_the_turn_do_not_show(table: Table) -> None:
    told, heard = table.read(), table.hear()
    table.go_on()
    over = table.read()
    for change, wanted in ((undo, told), (redo, over), (undo, told)):
        change(table.pk, by="gm")
        assert find_differences(wanted, table.read()) == []
        assert table.hear()[1:3] == heard[1:3]
    assert head(table, ZARA) == "Your turn"


@pytest.mark.slow
def test_several_turns_out_of_sight_do_not_show(table: Table) -> None:
    told = table.read()
    table.do("duplicate", target=table.ghost)
    (other,) = table.state.combatants.keys() - {ZARA, PIRATE, MARCUS, table.ghost}
    table.go_on()
    turns = 0
    while table.acting <= {table.ghost, other}:
        turns += 1
        now = {where: text for where, text in table.read().items() if not where.startswith(ZARA)}
        assert find_differences({where: told[where] for where in now}, now) == []
        table.go_on()
    assert turns == 2


def test_first_turn_out_of_sight_says_that_the_fight_begins(
    gm: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dice that nobody may see are the highest."""

    def show(secret: str, name: str, words: str, notation: str) -> tuple[int, ...]:
        dice = parse_dice(notation)
        return (1 if name.isdigit() else dice.sides,) * dice.count

    monkeypatch.setattr(sealed, "draw_faces", show)
    state, ghost = make_world(find_system("cosmos"), HIDDEN, started=False)
    made = Encounter.objects.create(
        owner=gm, system="cosmos", name="Unseen", start=encode(state), state=encode(state)
    )
    submit(made.pk, Submission("start", {}, by="gm"))
    assert state_of(made.pk).active == ghost
    marcus = come(made, ShareLink.PLAY, "Mo", MARCUS)
    assert read(marcus.get(f"/encounters/{made.pk}/")).one("h2", id="h-turn").text == "The fight begins"


def test_timer_of_others_goes_on(table: Table) -> None:
    """The GM's begins anew."""

    def began(viewer: Viewer) -> int:
        timer = sure(view_timer(ViewerContext(load(table.pk), viewer)))
        return timer["began"]

    table.do("set_option", key="turn_seconds", value=60)
    first = timezone.now()
    Encounter.objects.filter(pk=table.pk).update(turn_began=first)
    with travel(first + timedelta(seconds=30), tick=False):
        table.go_on()
        assert began(Viewer()) == int(first.timestamp() * 1000)
        assert began(GM) == int(timezone.now().timestamp() * 1000)
    with travel(first + timedelta(seconds=60), tick=False):
        table.go_on()
        assert began(Viewer()) == began(GM) == int(timezone.now().timestamp() * 1000)


def test_branch_from_now_begins_in_the_last_turn_in_sight(table: Table) -> None:
    table.go_on()
    context = ViewerContext(load(table.pk), Viewer("seat", frozenset((MARCUS,))))
    origin = sure(find_origin(context, "now"))
    assert find_start(context, origin.number).active == ZARA


def test_players_may_do_then_what_their_pages_offer(table: Table) -> None:
    """An interrupt: of the turn that goes on as far as they know."""
    table.go_on()
    marcus = Place(table.people[MARCUS], table.pk)
    assert "Interrupt" in marcus.page().one(id="turn").text
    marcus.do("interrupt", combatant=MARCUS)
    assert MARCUS in {step.command.get("actor") for step in map(read_step, load(table.pk).log.all())}


@pytest.mark.slow
def test_turn_out_of_sight_after_a_shared_one_does_not_show(gm: User) -> None:
    """The one out of sight acts at the same time as two others, and longer."""
    slug = "cepheus_quick"
    table, twin = Table(gm, slug, HIDDEN, alone=False), Table(gm, slug, HIDDEN, is_there=False)
    while table.ghost not in table.acting:
        table.go_on()
        twin.go_on()
    first, last = sorted(table.acting - {table.ghost})
    for each in (table, twin):
        each.do("next_turn", target=first)
    told, heard = table.read(), table.hear()
    for each in (table, twin):
        each.do("next_turn", target=last)
    now = {where: text for where, text in table.read().items() if where.split()[0] != last}
    assert find_differences({where: told[where] for where in now}, now) == []
    assert table.hear()[1:3] == heard[1:3]
    table.go_on()
    assert find_differences(twin.read(), table.read()) == []


@pytest.mark.slow
def test_newest_part_of_a_long_log_has_no_trace_of_unseen_turns(gm: User) -> None:
    """Wherever it begins, and although it is found without looking at the older turns."""
    table, twin = Table(gm, "cosmos", HIDDEN), Table(gm, "cosmos", HIDDEN, is_there=False)
    for turn in range(2 * LOG_STEPS):
        for each in (table, twin):
            each.go_on()
            if each.acting == {each.ghost}:
                each.go_on()
        if turn > 2 * LOG_STEPS - 4:
            assert find_differences(twin.read(), table.read()) == []
    context = ViewerContext(load(table.pk), Viewer())
    shown = {row.number for row in recent_steps(context)}
    told = {held for held, later in context.told_later.steps.items() if later in shown}
    assert told <= context.told_lately.steps.keys() < context.told_later.steps.keys()
