"""Every place that asks whether a person plays a combatant, or whether it is a hero by the rules."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User

from combat.audience import changes
from combat.audience.viewer import GM
from combat.display.forms.helping import find_help_after
from combat.display.map.road import _find_middle
from combat.models import Encounter, ShareLink
from combat.pages.campaigns.tiles import FightCard
from combat.pages.table import end_view
from combat.pages.table.rows import view_clocks, view_combatants
from combat.play.autopilot import is_npc
from combat.play.campaigns.prisoners import find_prisoners
from combat.play.campaigns.roster import find_side
from combat.play.demo import make_demo_fight
from combat.play.notes.glossary import make_glossary
from combat.rules import find_system
from combat.rules.cepheus.body.allocation import is_asked
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import LiveDriver, forget_unseen
from combat.rules.core.gm import several
from combat.rules.core.gm.loot import find_takers
from combat.rules.core.gm.private_words import find_hearers
from combat.rules.core.gm.squads import is_free
from combat.rules.core.map import vision
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.map.starts import find_start
from combat.rules.core.report.story import Story
from combat.rules.core.sides import Outcome, gives_up
from combat.rules.core.space import Area, BattleMap, Point, Zone, with_map
from combat.rules.core.state import events as e
from combat.rules.core.state.state import SURRENDERED, Berth, Condition, State, present, replace
from combat.rules.core.turn.turns import find_group
from combat.rules.guardians.turn.rounds import find_leader
from combat.rules.starshock.move.ways import find_choosers
from combat.rules.starshock.turn.rounds import find_seats
from combat.sharing.links import assign, end_seat
from tests.combat.cast import come, seat_named
from tests.combat.visit import state_of

ROOT = Path(__file__).resolve().parents[3]
Patch = pytest.MonkeyPatch
OWN = "the side of one"


@dataclass(frozen=True)
class World:
    """A fight as the seats left it: `who` alone on a side, all others without a player on another one."""

    system: System
    state: State
    who: str
    patch: Patch

    @property
    def others(self) -> list[str]:
        return [one.id for one in present(self.state) if one.id != self.who]

    def edit(self, who: str = "", **fields: Any) -> World:
        """The world with someone changed."""
        who = who or self.who
        one = replace(self.state.combatants[who], **fields)
        return self.change(combatants={**self.state.combatants, who: one})

    def change(self, **fields: Any) -> World:
        return World(self.system, replace(self.state, **fields), self.who, self.patch)

    def context(self) -> RuleContext:
        return RuleContext(self.system, self.state, LiveDriver())

    def with_map(self, battle_map: BattleMap) -> World:
        return self.change(scene=with_map(self.state.scene, battle_map))


# ---- What each place makes of someone: as one whom a person plays, or not ----


def gives_up_never(world: World) -> bool:
    one = world.state.combatants[world.who]
    fled = world.edit(sheet={**one.sheet, "flees": "wounded"})
    health = world.system.characters.health
    hurt = [
        fled.edit(tracks={**one.tracks, key: number})
        for key in one.tracks
        for number in range(1, one.tracks[key])
    ]
    found = [w for w in hurt if 0 < health(w.state.combatants[w.who]).share <= 0.5]
    return not any(gives_up(world.system, w.state, w.who) for w in found[:1])


def is_asked_of_what_they_know(world: World) -> bool:
    """Beside someone hidden."""
    hidden = world.edit(world.others[0], hidden=True)
    return world.others[0] not in forget_unseen(hidden.system, hidden.state, world.who).combatants


def looks_for_players(world: World) -> bool:
    return OWN in vision.find_player_sides(world.state)


def is_witness(world: World) -> bool:
    """Of someone whom only that side sees."""
    world.patch.setattr(vision, "is_seen", lambda state, eyes, observer, one: observer.side == OWN)
    hero = world.edit(world.others[0], pc=True).with_map(BattleMap(fog=True))
    target = world.others[1]
    return world.who in (hero.system.find_witnesses(hero.state, (target,)) or ())


def is_kept_from_the_dark(world: World) -> bool:
    area = Area("a", -500, -500, width=1000, depth=1000)
    dark = world.with_map(BattleMap(hidden=(area,)))
    seer, other = (dark.state.combatants[who] for who in (dark.who, dark.others[0]))
    return is_concealed_from(dark.state, seer, other)


def hears_of_their_own(world: World) -> bool:
    return e.for_own_player(world.state, world.state.combatants[world.who]) != e.GM_ONLY


def starts_first(world: World) -> bool:
    zones = tuple(Zone(f"z{n}", f"Start {n}", 20.0 * n, y=0, width=5, depth=5) for n in (1, 2))
    scene = replace(world.state.scene, starts=zones)
    world = world.change(scene=scene)
    empty = replace(world.state, combatants={})
    start = find_start(world.state, empty, world.state.combatants[world.who], hexes=False)
    assert start
    return start.x == 20.0


def is_put_first(world: World) -> bool:
    placed: list[str] = []

    def find(state: State, there: State, one: Any, hexes: bool, **more: bool) -> None:
        placed.append(one.id)

    world.patch.setattr(several, "find_start", find)
    world.patch.setattr(several, "free_spot", lambda *given, **more: Point())
    people = {who: world.state.combatants[who] for who in (*world.others, world.who)}
    scene = replace(world.state.scene, starts=())
    several.put_by_side(world.change(combatants=people, scene=scene, phase="prep").context())
    return placed[0] == world.who


def is_of_no_squad(world: World) -> bool:
    return not is_free(world.state, world.state.combatants[world.who])


def is_handed_things(world: World) -> bool:
    return [one.id for one in find_takers(world.system, world.state)] == [world.who]


def can_be_written_to(world: World) -> bool:
    return [one.id for one in find_hearers(world.state)] == [world.who]


def has_narrow_escapes(world: World) -> bool:
    one, health = world.state.combatants[world.who], world.system.characters.health
    story = Story(world.system, replace(world.state, phase="fight"))
    for key, most in one.tracks.items():
        for left in range(most, 0, -1):
            fact = e.Fact(e.TrackChanged(world.who, key, old=left + 1, new=left))
            if not health(replace(one, tracks={**one.tracks, key: left})).is_out:
                story.follow(fact, fact.event)
    return bool(story.escapes)


def rolls_alone(world: World) -> bool:
    return find_group(world.state, world.state.combatants[world.who]) == world.who


def tells_own_player(world: World) -> bool:
    return e.for_player_of(world.state, world.state.combatants[world.who]) in (
        e.EVERYONE,
        e.for_seat(world.who),
    )


def tells_own_health(world: World) -> bool:
    event = e.TrackChanged(world.who, "any", old=2, new=1)
    to = world.context().find_health_audience(world.who, event)
    return to in (e.EVERYONE, e.for_seat(world.who))


def divides_damage(world: World) -> bool:
    return is_asked(world.state, world.state.combatants[world.who])


def sits_at_the_table(world: World) -> bool:
    return find_seats(world.state) == [world.who]


def chooses_who_strikes(world: World) -> bool:
    one = world.state.combatants[world.who]
    mates = world.edit(world.others[0], side=one.side)
    options = tuple(Choice(f"{who}/weapon", who) for who in (mates.who, mates.others[0]))
    return find_choosers(mates.state, options) == (world.who,)


def leads_nobody(world: World) -> bool:
    """A mate who joined earlier rolls for the rest of the side, unless a person plays them."""
    mates = world.edit(world.others[0], side=world.state.combatants[world.who].side)
    mates = mates.change(options={**mates.state.options, "npc_initiative": "together"})
    rolling = (mates.others[0], mates.who)
    return find_leader(mates.state, rolling, mates.who) == mates.who


def follows_nobody(world: World) -> bool:
    """Nor do they roll for the mates who come after them."""
    mates = world.edit(world.others[0], side=world.state.combatants[world.who].side)
    mates = mates.change(options={**mates.state.options, "npc_initiative": "together"})
    rolling = (mates.who, mates.others[0])
    return find_leader(mates.state, rolling, mates.others[0]) == mates.others[0]


def is_left_by_auto_play(world: World) -> bool:
    return not is_npc(world.state, world.who)


def draws_newcomers(world: World) -> bool:
    return find_side(world.state) == OWN


def hears_of_changes(world: World) -> bool:
    """Of one that only their own side can see."""
    before, after = world.state, world.change(clock=world.state.clock + 1).state

    def look(state: State, viewer: Any) -> tuple[object, ...]:
        return (state is after and world.who in viewer.seats,)

    world.patch.setattr(changes, "_look", look)
    return world.who in changes.find_seen_audience(before, after).people


def is_row_of_a_player(world: World) -> bool:
    return view_combatants(world.system, world.state, GM)[world.who].played


def is_middle_of_the_road(world: World) -> bool:
    """The car of someone whom a person plays, and themselves as a car."""
    first, car = world.others[:2]
    inside = world.edit(berth=Berth(car))
    rides = _find_middle(inside.state, [first, car], GM) == car
    drives = _find_middle(world.state, [first, world.who], GM) == world.who
    assert rides == drives
    return rides


def may_be_told_of_clocks(world: World) -> bool:
    return world.who in dict(view_clocks(world.system, world.state, GM).people)


def wins_for_the_players(world: World) -> bool:
    other = world.state.combatants[world.others[0]].side
    world.patch.setattr(end_view, "find_outcome", lambda *given: Outcome((OWN,), (other,)))
    return end_view.find_title(world.system, world.state) == "Victory"


def is_no_prisoner(world: World) -> bool:
    """Having given up to a hero of another side."""
    one, given_up = world.state.combatants[world.who], Condition("c9", SURRENDERED, "condition.surrendered")
    beaten = world.edit(world.others[0], pc=True, side="heroes").edit(conditions=(*one.conditions, given_up))
    return world.who not in [found.id for found in find_prisoners(beaten.state)]


def is_offered_first_aid(world: World) -> bool:
    """At the end, hurt, with nobody else of their side."""
    over = world.change(phase="over").edit(tracks={**world.state.combatants[world.who].tracks, "hp": 5})
    return world.who in [one.friend.id for one in find_help_after(over.system, over.state)]


def is_no_foe_on_a_card(world: World) -> bool:
    """Foes are counted, without whom a player plays."""
    context = SimpleNamespace(system=world.system, known_state=world.state)
    one_side: Any = FightCard.__dict__["one_side"]
    return str(one_side.fget(SimpleNamespace(context=context))).startswith(f"{len(world.others)} of the GM")


def counts_as_a_player(world: World) -> bool:
    """“1 thug per player” in notes."""
    present_and_gone = (world, world.edit(gone=True))
    here, away = (make_glossary(each.system, each.state, OWN).players for each in present_and_gone)
    return here > away


# By place: the game that it is tried in, and what it makes of someone
PLACES: dict[str, tuple[str, Callable[[World], bool]]] = {
    "combat/rules/core/engine/engine.py forget_unseen": ("cosmos", is_asked_of_what_they_know),
    "combat/audience/changes.py find_seen_audience": ("cosmos", hears_of_changes),
    "combat/display/forms/helping.py find_help_after": ("cosmos", is_offered_first_aid),
    "combat/pages/campaigns/tiles.py FightCard.one_side": ("cosmos", is_no_foe_on_a_card),
    "combat/display/map/road.py _find_middle": ("cosmos", is_middle_of_the_road),
    "combat/pages/table/rows.py view_clocks": ("cosmos", may_be_told_of_clocks),
    "combat/pages/table/end_view.py find_title": ("cosmos", wins_for_the_players),
    "combat/pages/table/rows.py _view_row": ("cosmos", is_row_of_a_player),
    "combat/play/autopilot.py is_npc": ("cosmos", is_left_by_auto_play),
    "combat/play/campaigns/prisoners.py find_prisoners": ("cosmos", is_no_prisoner),
    "combat/play/campaigns/roster.py find_side": ("cosmos", draws_newcomers),
    "combat/play/notes/glossary.py make_glossary": ("cosmos", counts_as_a_player),
    "combat/rules/cepheus/body/allocation.py is_asked": ("cepheus", divides_damage),
    "combat/rules/core/commands/context.py RuleContext.find_health_audience": ("cosmos", tells_own_health),
    "combat/rules/core/gm/loot.py find_takers": ("cosmos", is_handed_things),
    "combat/rules/core/gm/private_words.py find_hearers": ("cosmos", can_be_written_to),
    "combat/rules/core/gm/several.py put_by_side": ("cosmos", is_put_first),
    "combat/rules/core/gm/squads.py is_free": ("cosmos", is_of_no_squad),
    "combat/rules/core/map/bodies.py is_concealed_from": ("cosmos", is_kept_from_the_dark),
    "combat/rules/core/map/starts.py find_start": ("cosmos", starts_first),
    "combat/rules/core/map/vision.py find_player_sides": ("cosmos", looks_for_players),
    "combat/rules/core/map/vision.py _find_knowing": ("cosmos", is_witness),
    "combat/rules/core/report/story.py Story._add_escape": ("cosmos", has_narrow_escapes),
    "combat/rules/core/sides.py gives_up": ("cosmos", gives_up_never),
    "combat/rules/core/state/events.py for_player_of": ("cosmos", tells_own_player),
    "combat/rules/core/turn/turns.py find_group": ("cosmos", rolls_alone),
    "combat/rules/guardians/turn/rounds.py find_leader": ("guardians", leads_nobody),
    "combat/rules/guardians/turn/rounds.py find_leader, of others": ("guardians", follows_nobody),
    "combat/rules/starshock/move/ways.py find_choosers": ("starshock", chooses_who_strikes),
    "combat/rules/core/state/events.py for_own_player": ("cosmos", hears_of_their_own),
    "combat/rules/starshock/turn/rounds.py _find_seated": ("starshock", sits_at_the_table),
}

# Every place that asks for a hero: a player's own character by the rules, also while another plays it
HEROES = {
    "combat/pages/campaigns/who_can_view.py _view_table": "an NPC's totals are the GM's and its player's",
    "combat/pages/prep/rest_view.py _foresee": "heroes stand before others",
    "combat/sharing/closed.py _find_hero": "whom else the GM gave them is no part of the party",
    "combat/audience/secrecy.py knows_health": "a hero's are open; an NPC's only to its player",
    "combat/pages/home/shapes.py _view_guest": "only the GM is told who plays an NPC",
    "combat/pages/prep/odds_view.py read_open_dangers": "what an NPC beside them can do is the GM's",
    "combat/pages/prep/ready.py _check_players": "a hero needs a player",
    "combat/pages/sharing/forms.py HandsForm.__init__": "heroes are always at hand",
    "combat/pages/sharing/gathering.py view_gathering": "newcomers take a hero, no NPC",
    "combat/pages/table/end_view.py find_title": "where heroes fight, the end is theirs",
    "combat/pages/table/players_view.py find_player_look": "a player's face is their hero's",
    "combat/pages/table/players_view.py _find_namesakes": "a hero goes with no group",
    "combat/pages/table/shapes.py _view_people": "a hero's row has that face already",
    "combat/pages/table/waiting_view.py _view_person": "only the GM is told who plays an NPC",
    "combat/pages/table/rows.py _view_row": "templates say player character, and offer an alias to NPCs",
    "combat/pages/table/rows.py find_given": "the face of a player is that of their hero",
    "combat/play/campaigns/roster.py find_side": "newcomers join the heroes first",
    "combat/play/packs/making.py write_encounter": "a player's own character is in no pack",
    "combat/play/whatif/forecast_jobs.py list_changes": "there is one of each hero",
    "combat/play/writing/encounter_service.py settle_players": "the fact tells only of others than heroes",
    "combat/rules/core/commands/context.py RuleContext.find_health_audience": "a hero's are open",
    "combat/rules/core/commands/luck.py has_points": "points of luck are for players' characters alone",
    "combat/rules/core/engine/playing.py Playing._bring": "who is a hero in an example of the rulebook",
    "combat/rules/core/gm/aliases.py give_alias": "a hero has no alias; an NPC keeps it in anyone's hands",
    "combat/rules/core/gm/decisions.py _join_one": "who joins as a hero",
    "combat/rules/core/gm/decisions.py join": "a hero has no alias",
    "combat/rules/core/gm/loot.py give_item": "what an NPC gets is told to the GM and its player",
    "combat/rules/core/gm/loot.py is_fallen": "a hero's things are their own while they live",
    "combat/rules/core/state/events.py for_player_of": "what a hero has is open to all",
    "combat/rules/core/state/state.py is_played": "a hero counts as played, by the GM if nobody sits there",
    "combat/rules/starshock/body/damage.py find_drop": "only opponents may simply drop (SS-DMG-10)",
    "combat/rules/starshock/time.py is_in_mortal_danger": "opponents have no XP (SS-COMA-06)",
    "combat/sharing/links.py find_characters": "newcomers take a hero, no NPC",
}
TEMPLATES = {
    "templates/combat/prep/roster/roster_row.html": "says that it is a player character",
    "templates/combat/prep/roster/row_form.html": "only NPCs have an alias",
    "templates/combat/table/rows/combatant_menu.html": "only NPCs have an alias",
    "templates/combat/table/rows/forms/quick_foot.html": "only NPCs have an alias",
}


def find_places(finds: Callable[[ast.AST], bool]) -> set[str]:
    """The functions of the code with such a node, each with its file."""
    found = set()

    def walk(node: ast.AST, path: Path, name: str) -> None:
        for child in ast.iter_child_nodes(node):
            inner = name
            if isinstance(child, ast.ClassDef | ast.FunctionDef):
                inner = f"{name}.{child.name}" if name else child.name
            if finds(child):
                found.add(f"{path.relative_to(ROOT).as_posix()} {inner}")
            walk(child, path, inner)

    for path in sorted((ROOT / "combat").rglob("*.py")):
        walk(ast.parse(path.read_text("utf-8")), path, "")
    return found


@pytest.mark.slow
def test_every_place_that_asks_for_a_hero_says_why() -> None:
    places = find_places(lambda node: isinstance(node, ast.Attribute) and node.attr == "pc")
    assert places == HEROES.keys(), (
        "ask is_played if any person's combatant is meant; else say here why a hero"
    )
    paths = (ROOT / "templates").rglob("*.html")
    found = {p.relative_to(ROOT).as_posix() for p in paths if re.search(r"\.pc\b", p.read_text("utf-8"))}
    assert found == TEMPLATES.keys(), "ask for `played` if any person's combatant is meant"


@pytest.mark.slow
def test_every_place_that_asks_who_is_played_is_in_the_table() -> None:
    def asks(node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "is_played"

    assert find_places(asks) == {place.partition(",")[0] for place in PLACES}, "add the place with its check"


@pytest.mark.slow
def test_only_these_read_the_fact_itself() -> None:
    """All others ask `is_played`."""
    places = find_places(
        lambda node: (
            isinstance(node, ast.Attribute)
            and node.attr == "played"
            and isinstance(node.value, ast.Name | ast.Call)
            and ast.unparse(node.value) in ("state", "now", "then", "one", "other", "read_state(encounter)")
        )
    )
    assert {place for place in places if "/display/" not in place and "/pages/" not in place} == {
        "combat/audience/secrecy.py find_played",  # what of it a viewer may know
        "combat/play/writing/encounter_service.py make_ready",  # it follows the seats
        "combat/play/writing/encounter_service.py settle_players",
        "combat/play/writing/unseen_turn.py find_unseen_turn",  # in older states as now
        "combat/rules/core/state/history.py go_back",
        "combat/rules/core/state/secret_names.py is_seen_alike",
        "combat/rules/core/state/state.py is_played",
    }


# ---- The table: every place, and everyone who may or may not be played ----


def own_character(fight: Encounter, hero: str, npc: str) -> str:
    assign(fight, [hero], seat_named("Pia"))
    return hero


def handed_over(fight: Encounter, hero: str, npc: str) -> str:
    assign(fight, [npc], seat_named("Pia"))
    return npc


def taken_back(fight: Encounter, hero: str, npc: str) -> str:
    assign(fight, [npc], seat_named("Pia"))
    assign(fight, [npc], None)
    return npc


def seat_left(fight: Encounter, hero: str, npc: str) -> str:
    assign(fight, [npc], seat_named("Pia"))
    end_seat(seat_named("Pia"))
    return npc


def hero_without_a_seat(fight: Encounter, hero: str, npc: str) -> str:
    assign(fight, [hero], seat_named("Pia"))
    end_seat(seat_named("Pia"))
    return hero


def of_a_co_gm(fight: Encounter, hero: str, npc: str) -> str:
    come(fight, ShareLink.CO_GM, "Cleo")
    return npc


SITUATIONS = {
    own_character: True,
    handed_over: True,
    taken_back: False,
    seat_left: False,
    hero_without_a_seat: True,
    of_a_co_gm: False,
}
GAMES = sorted({slug for slug, _ in PLACES.values()})


@pytest.mark.slow
@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("slug", GAMES)
def test_every_place_asks_the_seats(gm: User, slug: str, situation: Callable[..., str]) -> None:
    fight = make_demo_fight(gm, slug)
    come(fight, ShareLink.PLAY, "Pia")
    people = present(state_of(fight.pk))
    hero, npc = (next(one.id for one in people if one.pc == is_hero) for is_hero in (True, False))
    who = situation(fight, hero, npc)
    state = state_of(fight.pk)
    alone = {
        one.id: replace(one, side=OWN) if one.id == who else replace(one, pc=False, side="rest")
        for one in state.combatants.values()
    }
    for place, (game, check) in PLACES.items():
        if game == slug:
            with pytest.MonkeyPatch.context() as patch:
                world = World(find_system(slug), replace(state, combatants=alone), who, patch)
                assert check(world) == SITUATIONS[situation], place
