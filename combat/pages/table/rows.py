"""The rows of combatants; their characters and players add portraits, faces and links to sheets."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import cos, pi, sin

import msgspec
from django.urls import reverse
from msgspec import UNSET
from msgspec.structs import replace

from characters.models import Character
from combat.audience.changes import is_held_back
from combat.audience.secrecy import view_obscured_health
from combat.audience.viewer import Viewer
from combat.display.combatants.tokens import (
    AllCombatants,
    Look,
    assign_faces,
    find_all_combatants,
    find_look,
    has_face,
)
from combat.display.shapes.chips import Chip, CounterView, Pips
from combat.display.shapes.table_shapes import (
    ActView,
    ClockChoices,
    ClocksView,
    ClockView,
    CombatantView,
    Rider,
    SeatView,
)
from combat.models import Encounter, GuestSheet, Seat, StoredStep
from combat.play.campaigns.roster import find_kept
from combat.play.writing.step_cache import find_rows
from combat.play.writing.verification import read_step
from combat.rules.core.basics.numbers import say_whole
from combat.rules.core.basics.words import possessive
from combat.rules.core.commands import luck
from combat.rules.core.declaration.characters import FOR_GOOD, Health
from combat.rules.core.declaration.parts import WEAPON, Actions
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.clocks import AFTER, ALL, AT_SCORE, AT_START, GM, MAX_CLOCKS, SOME, find_next_round
from combat.rules.core.gm.counters import REFILLS
from combat.rules.core.gm.decisions import GROUP
from combat.rules.core.passengers import find_aboard, find_carrier
from combat.rules.core.space import find_zone
from combat.rules.core.state import events as e
from combat.rules.core.state.events import GM_ONLY
from combat.rules.core.state.history import COMMAND
from combat.rules.core.state.state import (
    SURRENDERED,
    Clock,
    Combatant,
    Condition,
    Counter,
    Happening,
    Item,
    State,
    Until,
    has_condition,
    is_acting,
    is_played,
    present,
)
from combat.sharing.viewer_context import ViewerContext

SIGN_LETTERS = 2  # of a condition whose sign another one has too
RADIUS = 10  # of a dial, in units of its drawing
NUMBER = "0123456789 "  # what tells apart those of a group


def view_combatants(system: System, state: State, viewer: Viewer) -> dict[str, CombatantView]:
    """The rows of all combatants who have not left, by id."""
    combatants = find_all_combatants(system, state)
    return {
        one.id: _view_row(system, state, combatants, combatant=one, viewer=viewer) for one in present(state)
    }


def view_known(context: ViewerContext) -> dict[str, CombatantView]:
    """The rows of all combatants whom the viewer knows now."""
    return view_combatants(context.system, context.known_state, context.viewer)


def _view_row(
    system: System, state: State, combatants: AllCombatants, combatant: Combatant, viewer: Viewer
) -> CombatantView:
    zone = find_zone(state.scene, combatant.at)
    health = system.find_health(state, combatant)
    tone = combatants.tones.get(combatant.side, "")
    active = is_acting(state, combatant.id)
    word = combatants.words.get(combatant.id)
    look = _find_face(system, combatants, combatant, active=active, down=health.is_out)
    if look.is_vehicle and system.look.heading:
        look = replace(look, heading=system.look.heading(state, combatant))
    return CombatantView(
        id=combatant.id,
        name=combatant.name,
        side=combatant.side,
        tone=tone,
        initiative=combatant.initiative,
        health=view_obscured_health(system, state, combatant, viewer=viewer, health=health),
        chips=view_chips(system, state, combatants, combatant),
        pips=_view_pips(system, state, combatant),
        zone=zone.name if zone else "",
        active=active,
        acted=combatant.acted and state.phase == "fight",
        hidden=combatant.hidden,
        is_out=health.is_out,
        pc=combatant.pc,
        played=is_played(state, combatant),
        full_name=f"{combatant.name} ({word})" if word else combatant.name,
        opens=viewer.is_gm or (viewer.plays(combatant.id) and state.phase == "fight"),
        look=look,
        aboard=_view_aboard(system, state, combatants, combatant),
        inside=carrier.name if (carrier := find_carrier(state, combatant.id)) else "",
        station=draw_station(system, combatant),
        given_up=has_condition(combatant, SURRENDERED),
        alias=combatant.alias.name if viewer.is_gm and combatant.alias is not UNSET else "",
        counters=tuple(map(_view_counter, combatant.all_counters)),
        luck=_view_luck(system, state, combatant),
    )


def view_items(system: System, items: Iterable[Item]) -> tuple[str, ...]:
    """The items held and worn, with the rounds left; what is part of a body if no other weapon is held."""
    ready = [item for item in items if item.place in ("held", "worn")]
    bodily = [item for item in ready if _is_bodily(system, item)]
    is_armed = any(item.kind == WEAPON for item in ready if item not in bodily)
    names = Count(_name_item(system, item) for item in ready if item not in bodily or not is_armed)
    return tuple(name if count == 1 else f"{name} × {count}" for name, count in names.items())


def _is_bodily(system: System, item: Item) -> bool:
    catalogue = system.book.catalogue
    return item.kind == WEAPON and bool(catalogue and catalogue.is_built_in(item.kind, item.data))


def _name_item(system: System, item: Item) -> str:
    catalogue = system.book.catalogue
    most = catalogue.capacity(item.kind, item.data) if catalogue else None
    rounds = "" if item.loaded is None else f" {item.loaded}/{most}"
    spare = f" ({item.spares} spare)" if item.spares else ""
    return f"{item.name}{rounds}{spare}"


def _view_aboard(
    system: System, state: State, combatants: AllCombatants, carrier: Combatant
) -> tuple[Rider, ...]:
    """Those inside a carrier with their faces and places, as far as the state contains them."""

    def view(rider: Combatant) -> Rider:
        down = system.find_health(state, rider).is_out
        face = _find_face(system, combatants, rider, active=is_acting(state, rider.id), down=down)
        return Rider(rider.id, rider.name, draw_station(system, rider), face)

    return tuple(map(view, find_aboard(state, carrier.id)))


def _find_face(
    system: System, combatants: AllCombatants, combatant: Combatant, active: bool, down: bool
) -> Look:
    return find_look(
        system,
        combatant,
        combatants.tones.get(combatant.side, ""),
        active=active,
        down=down,
        number=combatants.numbers.get(combatant.id, ""),
        usual=combatants.faces.get(combatant.id, ""),
    )


def draw_station(system: System, combatant: Combatant) -> str:
    """The name of someone's place inside a carrier; empty without one."""
    return system.draw(f"station.{combatant.station}") if combatant.inside and combatant.station else ""


def _view_pips(system: System, state: State, combatant: Combatant) -> tuple[Pips, ...]:
    """The pools of a turn under way, without those that the table does not count."""
    budget = combatant.budget
    counted = ((pool, budget[pool.key]) for pool in system.turn.pools if pool.key in budget)
    shown = (Pips(pool.label, left, max(pool.count_most(state), left), pool.main) for pool, left in counted)
    return tuple(pips for pips in shown if pips.most)


def _view_luck(system: System, state: State, combatant: Combatant) -> tuple[CounterView, ...]:
    """The points of luck of a player's character in a fight, where the table plays with them."""
    most = luck.count_points(system, state) if luck.has_points(combatant) and state.phase == "fight" else 0
    if not most:
        return ()
    left = luck.count_left(system, state, combatant)
    return (CounterView("Luck", left, most, id="", refills="", filled="", secret=False),)


def _view_counter(one: Counter) -> CounterView:
    return CounterView(
        one.name,
        one.left,
        one.most,
        id=one.id,
        refills=one.refills,
        filled=REFILLS[one.refills],
        secret=one.to == GM_ONLY,
    )


def view_chips(
    system: System, state: State, combatants: AllCombatants, combatant: Combatant
) -> tuple[Chip, ...]:
    """The conditions that a row shows."""
    found, names = [], combatants.names
    for held in combatant.conditions:
        known = system.characters.describe_held(held)
        if known.for_gm:
            label = system.draw(held.label, names)
            label = f"{label} {held.level}" if held.level > 1 else label
            about = system.draw(system.look.about(held), names)
            label = f"{label}: {about}" if about else label
            label = f"{label} (only you)" if held.is_secret else label
            what = "" if known.ends == FOR_GOOD else system.draw(held.ends, names) or known.ends
            ends = describe_end(state, held.until) or (f"until {what}" if what else "")
            look = system.kinds.sign_of(held)
            rule, count = "" if held.own else held.rule or known.rule, count_condition(held)
            found.append(Chip(held.id, label, ends, text=known.text, rule=rule, look=look, count=count))
    return tuple(_tell_signs_apart(found))


def _tell_signs_apart(chips: list[Chip]) -> Iterator[Chip]:
    """The conditions with their first letters beside a sign that another one of them has too."""
    shared = Count(look for look, _ in {(chip.look, chip.label) for chip in chips})
    for chip in chips:
        letters = chip.label[:SIGN_LETTERS] if shared[chip.look] > 1 else ""
        yield replace(chip, count=f"{letters} {chip.count}".strip()) if letters else chip


def count_condition(held: Condition) -> str:
    """The number beside a condition's icon: its level, or how often a turn must end first; empty for 1."""
    number = held.level if held.level > 1 else held.until.count if held.until else 1
    return str(number) if number > 1 else ""


def describe_end(state: State, until: Until | None) -> str:
    """When a condition tied to a turn ends, in words."""
    if until is None:
        return ""
    combatant = state.combatants.get(until.who)
    whose = possessive(combatant.name) if combatant else "a"
    further = until.count - 1 if until.edge == "end" and is_acting(state, until.who) else 0
    if further == 1:
        return f"until the end of {whose} next turn"
    if further:
        return f"this turn and {further} more"
    if until.count > 1:
        return f"{until.count} turns left"
    return f"until the {until.edge} of {whose} turn"


def find_people(context: ViewerContext) -> dict[str, CombatantView]:
    """The rows of all combatants whom the viewer knows now, with portraits and faces."""
    return add_sheets(context, view_known(context))


def add_sheets(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> dict[str, CombatantView]:
    """The rows with the portraits of their characters, and links to the sheets that the viewer may open."""
    kept, found = find_kept(context.encounter, present(context.known_state)), dict(combatants)
    theirs = set(kept) if context.viewer.is_gm else _find_theirs(context, kept)
    for who, sheet in kept.items():
        if who in found:
            address = reverse("token", args=[context.encounter.pk, sheet.portrait]) if sheet.portrait else ""
            row = found[who]
            look = replace(row.look, portrait=address)
            found[who] = replace(row, look=look, sheet=sheet.pk if who in theirs else None)
            if who in theirs and is_own_bar(context, sheet):
                found[who] = replace(found[who], bar=tuple(map(str, sheet.bar)))
    return add_faces(context.encounter, context.system, context.known_state, rows=found, kept=kept)


def is_own_bar(context: ViewerContext, sheet: Character) -> bool:
    """Whether the usual actions of a sheet are those of who looks: the GM has those of their own sheets."""
    return not context.viewer.is_gm or sheet.owner_id == context.encounter.owner_id


def find_own_sheet(context: ViewerContext, who: str) -> Character | None:
    """The sheet of a combatant, if the viewer may change its usual actions."""
    one = context.known_state.combatants.get(who)
    kept = find_kept(context.encounter, [one]) if one else {}
    theirs = set(kept) if context.viewer.is_gm else _find_theirs(context, kept)
    sheet = kept.get(who) if who in theirs else None
    return sheet if sheet and is_own_bar(context, sheet) else None


def add_faces(
    encounter: Encounter,
    system: System,
    state: State,
    rows: Mapping[str, CombatantView],
    kept: Mapping[str, Character],
) -> dict[str, CombatantView]:
    """The rows with the faces of these sheets and of players; nobody else has one of those."""
    found, given = dict(rows), find_given(encounter, system, state, kept)
    faces = assign_faces(system, state, given) if given else {}
    for who, face in faces.items():
        if who in found and found[who].look.face not in ("", face):
            found[who] = replace(found[who], look=replace(found[who].look, face=face))
    return found


def find_given(
    encounter: Encounter, system: System, state: State, kept: Mapping[str, Character]
) -> dict[str, str]:
    """The faces of the kept sheets, then those that players chose.

    A player's is that of the character they play: the first that a face fits.
    """
    people = state.combatants
    found = {who: sheet.face for who, sheet in kept.items() if sheet.face and has_face(system, people[who])}
    seats = Seat.objects.filter(encounter=encounter.pk, ended=None, face__gt="")  # in their order
    for combatants, face in seats.values_list("combatants", "face"):
        known = [people[who] for who in combatants if who in people and not people[who].gone]
        who = next((one.id for one in known if one.pc and has_face(system, one)), "")
        found |= {who: face} if who else {}
    return found


def _find_theirs(context: ViewerContext, kept: Mapping[str, Character]) -> set[str]:
    """The combatants that the viewer plays from a seat and whose characters are their own."""
    seat = context.seat
    if seat is None:
        return set()
    played = {who: sheet for who, sheet in kept.items() if context.viewer.plays(who)}
    without_owner = [sheet.pk for sheet in played.values() if not sheet.owner_id]
    made: set[int] = set()
    if without_owner:
        sheets = GuestSheet.objects.filter(seat=seat, character__in=without_owner)
        made = set(sheets.values_list("character", flat=True))
    return {
        who
        for who, sheet in played.items()
        if (sheet.owner_id == seat.user_id if sheet.owner_id else sheet.pk in made)
    }


# The clocks of a table and the timer of a turn, as one viewer sees them.


def view_clocks(system: System, state: State, viewer: Viewer, handouts: bool = True) -> ClocksView:
    """The clocks that a viewer sees; the GM also gets all that their forms need.

    `handouts`: whether the viewer may name those of the campaign.
    """
    people = tuple((one.id, one.name) for one in present(state) if viewer.is_gm and is_played(state, one))
    clocks = tuple(_view_clock(clock, system, state, viewer) for clock in state.all_clocks)
    choices = _find_choices(system, state, handouts) if viewer.is_gm and clocks else None
    return ClocksView(clocks, people, can_add=viewer.is_gm and len(clocks) < MAX_CLOCKS, choices=choices)


def _find_choices(system: System, state: State, handouts: bool = True) -> ClockChoices:
    characters = system.characters
    shared = (characters.shared_track,) if characters.shared_track else ()
    return ClockChoices(
        tuple((one.id, one.name) for one in present(state)),
        tuple((zone.id, zone.name) for zone in state.scene.zones),
        tuple((track.key, track.label) for track in (*shared, *characters.tracks)),
        (
            *((one.kind, one.label) for one in characters.conditions.values() if one.can_choose),
            *((own.id, own.name) for own in state.all_own_conditions),
        ),
        handouts,
    )


def _view_act(acts: Happening, system: System, state: State, viewer: Viewer) -> ActView:
    """When a clock acts; for the GM also what it does, and the values of its form."""
    one = state.combatants.get(acts.after)
    where = f"after {one.name}" if one else "as a round begins" if acts.at is None else f"at {acts.at}"
    turn = find_next_round(state, acts)
    often = f", every {acts.every} rounds" if acts.every > 1 else "" if acts.every else ", once"
    begins = f", next in round {turn}" if turn and (turn > max(state.round, 1) or acts.every > 1) else ""
    when = f"acts {where}{often}{begins}" if turn else f"acted {where}"
    shown = ActView(when, turn=_say_turn(state, turn), at=acts.at, after=acts.after)
    if not viewer.is_gm:
        return shown
    known = dict(_find_choices(system, state).conditions)
    does = [acts.note, f"handout {acts.handout}" if acts.handout else ""]
    does += [f"{acts.harm} damage" if acts.harm else "", known.get(acts.condition, "")]
    kind = AFTER if acts.after else AT_START if acts.at is None else AT_SCORE
    fields = {**msgspec.structs.asdict(acts), "acts": kind, "score": acts.at or 0}
    fields = {key: one for key, one in fields.items() if one is not None}
    return msgspec.structs.replace(shown, does=" · ".join(filter(None, does)), fields=fields)


def _say_turn(state: State, turn: int | None) -> str:
    if not turn or state.phase != "fight":
        return ""
    return "acts this round" if turn == max(state.round, 1) else f"acts in round {turn}"


def weave_clocks(
    rows: tuple[CombatantView, ...], clocks: tuple[ClockView, ...]
) -> tuple[CombatantView | ClockView, ...]:
    """The rows in the order of turns with those of the clocks that act between them.

    A clock after someone whom the viewer does not know has no row.
    """
    found: list[CombatantView | ClockView] = []
    spots = {clock.id: _find_spot(rows, clock.acts) for clock in clocks if clock.acts and clock.acts.turn}
    for number in range(len(rows) + 1):
        found += [clock for clock in clocks if spots.get(clock.id) == number]
        found += rows[number : number + 1]
    return tuple(found)


def _find_spot(rows: tuple[CombatantView, ...], acts: ActView) -> int | None:
    """How many rows come before a clock."""
    if acts.after:
        return next((n for n, row in enumerate(rows, 1) if row.id == acts.after), None)
    if acts.at is None:
        return 0
    before = (n for n, row in enumerate(rows, 1) if row.initiative is not None and row.initiative >= acts.at)
    return max(before, default=0)


def _view_clock(clock: Clock, system: System, state: State, viewer: Viewer) -> ClockView:
    shown = {e.EVERYONE: ALL, e.GM_ONLY: GM}.get(clock.to, SOME)
    who = e.seats_of(clock.to)
    names = ", ".join(one.name for one in present(state) if one.id in who)
    return ClockView(
        id=clock.id,
        name=clock.name,
        size=clock.size,
        filled=clock.filled,
        each_round=clock.each_round,
        veiled=clock.veiled,
        shown=shown,
        who=who,
        audience={ALL: "", GM: "only you"}.get(shown, names),
        lines=_draw_lines(clock.size),
        acts=_view_act(clock.acts, system, state, viewer) if clock.acts else None,
    )


def _draw_lines(size: int) -> tuple[tuple[float, float], ...]:
    """The outer ends of the lines between segments; the first is at the top."""
    turns = (2 * pi * n / size for n in range(size))
    return tuple((round(RADIUS * sin(turn), 2), round(-RADIUS * cos(turn), 2)) for turn in turns)


def view_timer(context: ViewerContext) -> dict[str, int] | None:
    """When the turn began, in milliseconds, and how long it should take; None without a timer.

    It is also None in a pause, and if the viewer does not see who acts. A turn of someone unseen begins for
    those alone who know of it.
    """
    state, began = context.known_state, context.encounter.turn_began
    if state.phase != "fight" or state.is_paused or began is None or not (state.active or state.sharing):
        return None
    seconds = int(context.system.option(state, "turn_seconds"))
    if not seconds:
        return None
    began = began if context.unseen_turn else max(began, _find_unseen_began(context) or began)
    return {"seconds": seconds, "began": int(began.timestamp() * 1000)}


def _find_unseen_began(context: ViewerContext) -> datetime | None:
    """When the turn began, if not everybody may know of it."""
    passed = StoredStep.objects.filter(encounter=context.encounter, name=Actions.advance, struck=False)
    row = next(iter(find_rows(passed.filter(kind=COMMAND).order_by("-number")[:1])), None)
    return row.created if row and is_held_back(read_step(row), Viewer()) else None


# The roster while preparing: each combatant alone, a group as one block, by side; and orders of turns.


@dataclass(frozen=True)
class RosterBlock:
    """One combatant, or several that joined as a group, with the group's name and count."""

    members: tuple[CombatantView, ...]
    name: str
    is_group: bool = False

    @property
    def first(self) -> CombatantView:
        """The combatant that represents the block."""
        return self.members[0]

    @property
    def worst(self) -> CombatantView:
        """The one of those who stand with the least health: the bar of a group is theirs."""
        return min(self.members, key=lambda one: (one.is_out, one.health.percent))

    @property
    def last(self) -> CombatantView:
        """The one that leaves first, if there are to be fewer."""
        return self.members[-1]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all, for forms."""
        return tuple(member.id for member in self.members)

    @property
    def pile(self) -> range:
        """A number for each token drawn behind the first."""
        return range(min(len(self.members), 3) - 1)

    @property
    def zone(self) -> str:
        """The zone where all of them are; "several" if they are in different ones."""
        zones = {member.zone for member in self.members}
        return self.first.zone if len(zones) == 1 else "several zones"

    @property
    def place(self) -> str:
        """Inside whom all of them are, else their zone."""
        inside = {member.inside for member in self.members}
        return f"in {self.first.inside}" if len(inside) == 1 and self.first.inside else self.zone

    @property
    def is_hidden(self) -> bool:
        """Whether all of them are hidden."""
        return all(member.hidden for member in self.members)

    @property
    def standing(self) -> int:
        """How many can still fight."""
        return sum(not member.is_out for member in self.members)


@dataclass(frozen=True)
class SideMember:
    """One combatant or a group on a side, and what they carry."""

    block: RosterBlock
    items: tuple[str, ...]


@dataclass(frozen=True)
class SideView:
    """A side as its combatants joined; `health` is that of all of them together: "144 HP"."""

    name: str
    tone: str
    members: tuple[SideMember, ...]
    health: str = ""

    @property
    def count(self) -> int:
        """The number of combatants on it."""
        return sum(len(member.block.members) for member in self.members)

    @property
    def hidden(self) -> int:
        """The number of those that only the GM sees."""
        return sum(one.hidden for member in self.members for one in member.block.members)


def view_roster(state: State, combatants: Mapping[str, CombatantView]) -> list[RosterBlock]:
    """Everybody in the order they joined, a group at the place of its first member.

    One of a group who got another name or side has a row of their own.
    """
    blocks: dict[tuple[str, str, str], list[CombatantView]] = {}
    for one in present(state):
        if one.id in combatants:
            key = (str(one.marks.get(GROUP, one.id)), one.side, one.name.rstrip(NUMBER))
            blocks.setdefault(key, []).append(combatants[one.id])
    return [_view_block(members) for members in blocks.values()]


def _view_block(members: list[CombatantView]) -> RosterBlock:
    if len(members) == 1:
        return RosterBlock((members[0],), members[0].name)
    name = members[0].name.rstrip(NUMBER) or members[0].name
    return RosterBlock(tuple(members), name, is_group=True)


def view_places(order: Sequence[str], combatants: Mapping[str, CombatantView]) -> tuple[SeatView, ...]:
    """An order of turns or of seats, with the possible moves of each."""
    ring = [who for who in order if who in combatants]
    return tuple(
        SeatView(
            combatants[who],
            up=None if at == 0 else ring[at - 2] if at > 1 else "",
            down=ring[at + 1] if at + 1 < len(ring) else None,
        )
        for at, who in enumerate(ring)
    )


def group_sides(
    system: System, state: State, combatants: Mapping[str, CombatantView]
) -> tuple[SideView, ...]:
    """These combatants by side, in the order in which they joined, with what they carry."""
    sides: dict[str, list[SideMember]] = {}
    for block in view_roster(state, combatants):
        combatant = state[block.first.id]
        items = view_items(system, (*system.characters.borrowed_items(state, combatant), *combatant.items))
        sides.setdefault(block.first.side, []).append(SideMember(block, items))
    return tuple(
        SideView(name, found[0].block.first.tone, tuple(found), _add_health(system, state, found))
        for name, found in sides.items()
    )


def _add_health(system: System, state: State, members: Iterable[SideMember]) -> str:
    """The health of all these together, in points; what is counted in other points, such as hulls, apart."""
    found: dict[tuple[str, bool], list[Health]] = {}
    for who in (who for member in members for who in member.block.ids):
        health = system.find_health(state, state[who])
        found.setdefault((health.label, health.rises), []).append(health)
    return ", ".join(
        _say_points(sum(one.now for one in each), sum(one.most for one in each), label, rises)
        for (label, rises), each in found.items()
    )


def _say_points(now: int, most: int, label: str, rises: bool) -> str:
    """All points with their name, and how many there could be if they are not as many."""
    return f"{say_whole(now)}{'' if now == most and not rises else f' of {say_whole(most)}'} {label}"
