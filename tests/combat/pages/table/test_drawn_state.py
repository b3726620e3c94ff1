"""What is drawn is what the state holds: names, order, health, budgets, places, distances, odds; two of each.

Each page is read back as a browser gets it, and compared with the stored state and the engine's own answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.utils.http import urlencode

from combat.audience.viewer import GM, Viewer
from combat.display.forms.odds_panel import percent
from combat.models import Seat
from combat.pages.table.submissions import read_known_fields
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import SYSTEMS, find_system
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.odds.odds import find_odds
from combat.rules.core.space import Zone, distance, find_zone
from combat.rules.core.state.state import Combatant, State, is_acting, present
from combat.sharing.viewer_context import ViewerContext
from tests.combat.cast import Cast, gather
from tests.combat.markup import Element, Page
from tests.combat.pages.programs.asking import make_program
from tests.combat.visit import begun, load, read, state_of
from tests.thinning import thin
from tests.typed import sure
from tests.walker.checks import read_chances

LESS = {0: "100", 1: "75", 2: "50", 3: "25", 4: "0"}  # of a bar that shows a word, by the level of health
SPOTS = ((4.0, 1.0), (6.0, 7.0), (9.0, 4.0))  # of those who join
HURT = (2, 5, 3, 7)  # points of the two heroes and of two of one name
NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass
class World:
    """A fight with two of each, and its people."""

    pk: int
    system: System
    cast: Cast
    heroes: tuple[str, str]
    foes: tuple[str, str]
    hidden: str

    @property
    def state(self) -> State:
        return state_of(self.pk)

    @property
    def here(self) -> str:
        return f"/encounters/{self.pk}/"

    @property
    def eyes(self) -> dict[str, frozenset[str]]:
        """Who looks, and whose numbers they know beside those of all heroes."""
        first, second = self.heroes
        all_of_them = frozenset(self.state.combatants)
        return {
            "gm": all_of_them,
            "player": frozenset({first}),
            "other": frozenset({second}),
            "watcher": frozenset(),
        }

    def page(self, who: str, path: str = "", **query: str) -> Page:
        return read(self.cast[who].get(f"{self.here}{path}", query))

    def find_own(self, who: str) -> Combatant | None:
        """Whose turn or own hero stands beside the map of someone; None for a spectator."""
        state = self.state
        own = {"gm": state.active, "player": self.heroes[0], "other": self.heroes[1]}.get(who, "")
        return state.combatants.get(own)

    def list_people(self, who: str) -> list[Combatant]:
        """Those whom someone sees."""
        return [one for one in present(self.state) if who == "gm" or not one.hidden]

    def knows(self, who: str, one: Combatant) -> bool:
        """Whether someone reads the numbers of a combatant."""
        return one.pc or one.id in self.eyes[who]


@pytest.fixture(params=thin([*SYSTEMS], next(iter(SYSTEMS))))
def world(request: pytest.FixtureRequest, gm: User) -> World:
    """A demo fight in its first turn; two of one name and one in hiding come, and four are hurt."""
    fight = begun(gm, request.param)
    system, state = find_system(fight.system), state_of(fight.pk)
    heroes = [one.id for one in present(state) if one.pc]
    foe = next(one for one in present(state) if not one.pc)
    block = next(iter(system.book.find_blocks()))
    if len(heroes) < 2:
        fields = {"block": block, "name": "Second", "side": state[heroes[0]].side, "pc": True}
        submit(fight.pk, Submission("join", fields))
        heroes.append(list(state_of(fight.pk).combatants)[-1])
    for name, (x, y) in zip(("Twin", "Twin", "Lurker"), SPOTS, strict=True):
        fields = {"block": block, "name": name, "side": foe.side, "hidden": name == "Lurker"}
        submit(fight.pk, Submission("join", fields))
        who = list(state_of(fight.pk).combatants)[-1]
        submit(fight.pk, Submission("place", {"target": who, "x": x, "y": y}))
    *_, first, second, hidden = state_of(fight.pk).combatants
    track = system.characters.tracks[0]
    for who, points in zip((heroes[0], heroes[1], first, second), HURT, strict=True):
        by = points if track.rises else -points
        submit(fight.pk, Submission("adjust", {"target": who, "track": track.key, "by": by}))
    if "declare" in system.actions.by_name:
        submit(fight.pk, Submission("declare", {"actor": state.active, "actions": 1}))
    cast = gather(fight, heroes[0], heroes[1])
    return World(fight.pk, system, cast, (heroes[0], heroes[1]), (first, second), hidden)


# ---- What is read from a page ----


def row_of(page: Page, one: Combatant) -> Element:
    """The row of someone at the table."""
    return page.one("li", id=f"row-{one.id}")


def find_bar(page: Page, inside: Element) -> Element | None:
    """The block of health inside an element; None without one."""
    return next(iter(page.all("div", inside=inside, class_="health")), None)


def find_numbers(text: str) -> list[float]:
    """The numbers of a text; a minus is a minus."""
    return [float(found) for found in NUMBER.findall(text)]


def read_place(token: Element) -> tuple[float, ...]:
    """Where a token is drawn."""
    found = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", token["transform"])
    assert found, token["transform"]
    return tuple(map(float, found.groups()))


def expect_health(world: World, who: str, one: Combatant) -> tuple[str, str]:
    """The bar's width and the number that someone has to read of a combatant; empty if they know none."""
    state, system = world.state, world.system
    health = system.find_health(state, one)
    if not world.knows(who, one):
        return LESS[health.level], ""
    if health.part:
        return str(round(100 * health.part[1] / health.part[2])), f"{health.part[1]} / {health.part[2]}"
    left = 1 - health.now / health.most if health.rises else health.now / health.most
    parted = f"{health.now} of {health.most}" if health.rises else f"{health.now} / {health.most}"
    assert abs(left - health.share) < 0.001, "the world has nobody below nothing"
    return str(round(100 * left)), parted


def check_health(world: World, who: str, one: Combatant, page: Page, inside: Element) -> None:
    """A block of health has the word, the bar and the number of this combatant."""
    bar, where = find_bar(page, inside), f"{who} reads of {one.name} ({one.id})"
    assert bar is not None, where
    width, number = expect_health(world, who, one)
    (filled,) = page.all("rect", inside=bar)
    assert filled["width"] == width, f"{where}: a bar of {filled['width']}, not {width}"
    said = " ".join(found.text for found in page.all("span", inside=bar, class_="num"))
    assert (number in said) if number else not said, f"{where}: “{said}”, not “{number}”"
    word = world.system.draw(world.system.find_health(world.state, one).word)
    (told,) = page.all("b", inside=bar)
    assert told.text == word, where


# ---- Rows ----


def test_rows_have_the_order_names_and_numbers_of_the_state(world: World) -> None:
    state = world.state
    assert len({world.system.find_health(state, state[who]).now for who in world.foes}) == 2
    for who in world.eyes:
        page, people = world.page(who), {one.id: one for one in world.list_people(who)}
        rows = [row["data-order-id"] for row in page.all("li", class_="row")]
        assert rows == [one for one in state.order if one in people], who
        assert sorted(rows) == sorted(people), who
        for one in people.values():
            row = row_of(page, one)
            assert [found["title"] for found in page.all("span", inside=row) if found["title"]][:1] == [
                one.name
            ]
            (side,) = [
                found.text for found in page.all("span", class_="vh", inside=row) if found.text[:1] == ","
            ]
            assert side == f", {one.side}"
            told = [found.text for found in page.all("b", inside=row) if found["title"] == "Initiative"]
            assert told == ([] if one.initiative is None else [str(one.initiative)]), (who, one.name)
            assert (row["aria-current"] == "true") == is_acting(state, one.id)
            assert ("hidden from players" in row.text) == one.hidden
            check_health(world, who, one, page, row)


def test_the_budget_of_the_turn_is_drawn_as_it_is_left(world: World) -> None:
    """Also once one of it is spent: as many pips as are left, beside the same number in words."""
    state = world.state
    pools = {pool.label: pool for pool in world.system.turn.pools}
    key = next(pool.key for pool in pools.values() if state[state.active].budget.get(pool.key, 0))
    for left in (state[state.active].budget[key], state[state.active].budget[key] - 1):
        submit(world.pk, Submission("give_budget", {"target": state.active, "pool": key, "left": left}))
        budget = world.state[state.active].budget
        for who in world.eyes:
            page = world.page(who)
            places = [row_of(page, world.state[state.active])]
            own = world.find_own(who)
            if (
                own
                and own.id == state.active
                and page.all(id="turn-state")
                and page.all("p", class_="pips-big")
            ):
                places.append(page.one(id="turn-state"))
            for place in places:
                parts = [
                    span
                    for pips in page.all("p", inside=place, class_="pips")
                    for span in page.all("span", inside=pips)
                    if page.all("i", inside=span) or page.all("span", inside=span)
                ]
                assert parts, who
                for part in parts:
                    (label,) = [name for name in pools if part.text.startswith(name)]
                    whole = [one for one in page.all("i", inside=part) if "pip-spent" not in one["class"]]
                    assert len(whole) == budget[pools[label].key], (who, label)
                    assert f"{len(whole)} of {pools[label].count_most(state)} left" in part.text


def test_conditions_stand_in_the_row_of_who_has_them(world: World) -> None:
    kinds = [key for key, kind in world.system.characters.conditions.items() if kind.can_choose][:2]
    for who, kind, turns in zip(world.foes, kinds, (2, 3), strict=True):
        submit(world.pk, Submission("give_condition", {"target": who, "kind": kind, "turns": turns}))
    for who in world.eyes:
        page = world.page(who)
        for one in world.list_people(who):
            chips = page.all("li", inside=row_of(page, one), class_="chip")
            held = [world.system.draw(each.label, {}) for each in one.conditions]
            assert [len(chips), *(name in chip.text for chip, name in zip(chips, held, strict=True))] == [
                len(held),
                *[True] * len(held),
            ], (who, one.name)


# ---- The map and its places ----


def test_everyone_stands_on_the_map_where_the_state_has_them(world: World) -> None:
    state = world.state
    assert not world.system.space.has_hexes(state)
    for who in world.eyes:
        page = world.page(who, fold="board-plain")  # a board of zones has its map folded
        drawn = {one["data-token"]: one for one in page.all("g", class_="token") if one["data-token"]}
        people = world.list_people(who)
        assert sorted(drawn) == sorted(one.id for one in people), who
        (spoken,) = [one["aria-label"] for one in page.all("svg", class_="map")]
        for one in people:
            token = drawn[one.id]
            assert read_place(token) == pytest.approx((one.at.x, one.at.y), abs=0.01), (who, one.name)
            assert token.parent is not None
            told = find_numbers(token.parent["data-place"])
            assert told == pytest.approx([one.at.x, one.at.y], abs=0.01)
            assert one.name in token.parent["aria-label"]
            assert f"at {one.at.x:g}, {one.at.y:g}" in " ".join(spoken.split()), (who, one.name)


def test_each_zone_has_those_who_are_in_it_and_its_distance(world: World) -> None:
    state = world.state
    for who in world.eyes:
        page = world.page(who)
        for zone in page.all("li", class_="zone"):
            (name,) = [found.text for found in page.all("h3", inside=zone)]
            (place,) = [one for one in state.scene.zones if one.name == name]
            inside = [one for one in world.list_people(who) if find_zone(state.scene, one.at) == place]
            named = [svg["aria-label"] for svg in page.all("svg", inside=zone) if svg["role"] == "img"]
            named += [sure(one.parent)["aria-label"] for one in page.all("g", inside=zone, class_="stand")]
            assert len(named) == len(inside), (who, name)
            assert all(any(one.name in label for label in named) for one in inside), (who, name)
            (way,) = [found.text for found in page.all("small", inside=zone)][:1]
            if actor := world.find_own(who):
                is_here = find_zone(state.scene, actor.at) == place
                told = expect_way(world, actor, place, inside if page.all("ol", class_="board") else [])
                assert way.startswith("here" if is_here else told), (who, name)


def expect_way(world: World, actor: Combatant, zone: Zone, people: list[Combatant]) -> str:
    """The way to a zone in words: on a board to the nearest of its people, as attacks count it."""
    state, zones = world.state, world.system.space.zones
    nearest = min(people, key=lambda one: distance(actor.at, one.at), default=None)
    return zones.describe_far(state, actor, nearest) if nearest else zones.describe_way(state, actor, zone)


def check_length(words: str, straight: float) -> None:
    """A distance in words is that of a straight line, but for a step; some games count whole zones."""
    for told in find_numbers(words)[:1] if " m" in words or " yd" in words else ():
        assert abs(told - straight) < 1.01, (words, straight)


def list_pairs(world: World) -> Iterator[tuple[str, Combatant, Combatant]]:
    """Who measures, from whom to whom: a player from their own hero, the GM from who acts."""
    state = world.state
    for who, first in (("gm", state[state.active]), ("player", state[world.heroes[0]])):
        for other in world.list_people(who):
            if other.id != first.id:
                yield who, first, other


def test_every_distance_is_that_of_the_two_places(world: World) -> None:
    """The same on a card, in the lines of sight and in the choices of a form."""
    state = world.state
    for who, one, other in list_pairs(world):
        straight = hypot(one.at.x - other.at.x, one.at.y - other.at.y, one.at.z - other.at.z)
        told = world.system.space.zones.describe_far(state, one, other)
        check_length(told, straight)
        lines = world.cast[who].get(f"{world.here}lines/", {"combatant": one.id}).json()["lines"]
        (line,) = [each for each in lines if each["id"] == other.id]
        assert told in line["words"], (who, other.name)
        assert line["at"] == pytest.approx([other.at.x, other.at.y], abs=0.01)
        card = world.page(who, "foe/", combatant=one.id, target=other.id)
        assert told in card.one("div", class_="map-card").text, (who, other.name)
        asked = {"from": f"@{one.id}", "to": f"@{other.id}"}
        ruler = world.cast[who].get(f"{world.here}ruler/", asked).json()
        measured = world.system.space.measure(state, one.at, other.at)
        assert ruler["words"] == measured.words
        check_length(measured.words, straight)


# ---- Odds ----


def find_chance(world: World, who: str, fields: dict[str, str]) -> str:
    """The chance of an attack in percent, worked out by the engine from what its reader knows."""
    viewer = GM if who == "gm" else Viewer("seat", world.eyes[who])
    context = ViewerContext(load(world.pk), viewer)
    action, asked = world.system.action(world.system.actions.attack), QueryDict(urlencode(fields))
    known = read_known_fields(context, action, fields["combatant"], asked, prefill=False)
    state = context.obscured_state
    odds = find_odds(world.system, state, action, read_command(action, known, state))
    return percent(odds.headline.chance) if odds.headline else ""


def test_the_chance_of_each_target_is_its_own(world: World) -> None:
    """On the form, on its button and on the card of the map: two in unlike places, one of them helpless."""
    state = world.state
    actor = state[state.active]
    submit(world.pk, Submission("place", {"target": world.foes[0], "x": actor.at.x + 1, "y": actor.at.y}))
    state, chances, attack = world.state, [], world.system.actions.attack
    who = "player" if actor.id == world.heroes[0] else "gm"
    for target in world.foes:
        foe = state[target]
        query = {"do": attack, "combatant": actor.id, "target": target}
        page = world.page(who, **query)
        if not (chance := read_chances(page)[0]):
            continue
        form = page.one("form", id=f"form-{attack}")
        fields = page.fields(form)
        assert (fields["combatant"], fields["target"]) == (actor.id, target)
        (button,) = [one for one in page.all("button", inside=form) if one["value"] == "app"][:1]
        last = page.all("span", class_="big", inside=page.one("p", class_="odds-main"))[-1].text
        assert f"· {last}" in button.text, foe.name
        (option,) = [
            label
            for label in page.all("label", class_="tile-one", inside=form)
            for one in page.all("input", inside=label)
            if one["name"] == "target" and one["value"] == target
        ]
        assert f" {foe.name} " in f" {option.text} "
        told = world.system.space.zones.describe_far(state, actor, foe)
        assert told.lower() in option.text.lower(), foe.name
        assert chance == find_chance(world, who, fields), foe.name
        weapon = str(fields.get("weapon", ""))
        card = world.page(who, "foe/", combatant=actor.id, target=target, weapon=weapon)
        pressed = [one.text for one in card.all("button") if "data-card-go" in one.source]
        assert all(f"· {last}" in words for words in pressed), (foe.name, pressed)
        chances.append(chance)
    assert chances


# ---- What other pages and programs are told ----


def test_preparation_and_branches_say_it_the_same_way(world: World) -> None:
    state = world.state
    prep = world.page("gm", "prep/")
    for one in present(state):
        row = prep.one("li", id=f"row-{one.id}")
        health = world.system.find_health(state, one)
        (told,) = [found.text for found in prep.all("span", inside=row, class_="cast-health")]
        expected = f"{health.now} of" if health.rises else f"{health.now} / "
        assert told.startswith(expected) or health.part, one.name
        assert one.name in row.text
        assert ("hidden" in row["class"]) == one.hidden
        zone = find_zone(state.scene, one.at)
        assert not zone or zone.name in row.text
    begun_at = world.cast.gm.post(f"{world.here}whatif/", {"do": "begin", "step": "now"})
    page = read(world.cast.gm.get(begun_at["Location"]))
    rows = page.all("li", class_="row")
    assert len(rows) == len(state.order)
    for row, who in zip(rows, state.order, strict=True):
        assert state[who].name in row.text
        check_health(world, "gm", state[who], page, row)


def test_programs_are_told_what_the_state_holds(world: World) -> None:
    state = world.state
    first = Seat.objects.get(encounter=world.pk, name="Pia")
    for who, seat in (("gm", None), ("player", first)):
        told = make_program(load(world.pk), seat).get("state")["state"]
        people = world.list_people(who)
        assert [one["id"] for one in told["combatants"]] == [one.id for one in people]
        assert told["order"] == [one for one in state.order if one in {each.id for each in people}]
        acting = [one for one in state.order if is_acting(state, one)]
        assert (told["round"], told["active"]) == (state.round, acting)
        for one, found in zip(people, told["combatants"], strict=True):
            width, number = expect_health(world, who, one)
            zone = find_zone(state.scene, one.at)
            assert (found["name"], found["side"]) == (one.name, one.side)
            assert found["initiative"] == one.initiative
            assert found["zone"] == (zone.name if zone else "")
            assert found["at"] == {"x": one.at.x, "y": one.at.y}
            assert str(found["health"]["percent"]) == width, (who, one.name)
            assert number in found["health"]["number"] if number else not found["health"]["number"]


def test_two_clocks_and_two_counters_are_drawn_as_full_as_set(world: World) -> None:
    for name, size, filled in (("Alarm", 6, 2), ("Air", 4, 3)):
        submit(world.pk, Submission("start_clock", {"name": name, "size": size, "filled": filled}))
    for who, most, left in zip(world.heroes, (3, 5), (2, 4), strict=True):
        submit(
            world.pk,
            Submission("start_counter", {"target": who, "name": "Nerve", "most": most, "left": left}),
        )
    state = world.state
    assert [(clock.size, clock.filled) for clock in state.all_clocks] == [(6, 2), (4, 3)]
    for who in world.eyes:
        page = world.page(who)
        dials = page.all("svg", class_="dial")[:2]
        for clock, dial in zip(state.all_clocks, dials, strict=True):
            (fill,) = page.all("circle", inside=dial, class_="dial-fill")
            assert fill["stroke-dasharray"] == f"{clock.filled} {clock.size}"
            assert len(page.all("path", inside=dial, class_="dial-line")) == clock.size
            assert dial.parent is not None
            assert clock.name in dial.parent.text
            assert f"{clock.filled} of {clock.size}" in dial.parent.text
        for hero in world.heroes:
            (counter,) = state[hero].all_counters
            text = row_of(page, state[hero]).text
            assert f"Nerve {counter.left} of {counter.most}" in text, (who, text)
