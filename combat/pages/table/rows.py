"""The rows of combatants; their characters and players add portraits, faces and links to sheets."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterable, Iterator, Mapping

from django.urls import reverse
from msgspec import UNSET
from msgspec.structs import replace

from characters.models import Character
from combat.audience.secrecy import view_obscured_health
from combat.audience.viewer import Viewer
from combat.display.combatants.tokens import (
    AllCombatants,
    assign_faces,
    find_all_combatants,
    find_look,
    has_face,
)
from combat.display.shapes.chips import Chip, CounterView, Pips
from combat.display.shapes.table_shapes import CombatantView, Rider
from combat.models import Encounter, GuestSheet, Seat
from combat.play.campaigns.roster import find_kept
from combat.rules.core.basics.words import possessive
from combat.rules.core.declaration.actions import WEAPON
from combat.rules.core.declaration.characters import FOR_GOOD
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.counters import REFILLS
from combat.rules.core.passengers import find_aboard, find_carrier
from combat.rules.core.space import find_zone
from combat.rules.core.state.events import GM_ONLY
from combat.rules.core.state.state import (
    SURRENDERED,
    Combatant,
    Condition,
    Counter,
    Item,
    State,
    Until,
    has_condition,
    is_acting,
    present,
)
from combat.sharing.viewer_context import ViewerContext

SIGN_LETTERS = 2  # of a condition whose sign another one has too


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
        full_name=f"{combatant.name} ({word})" if word else combatant.name,
        opens=viewer.is_gm or (viewer.plays(combatant.id) and state.phase == "fight"),
        look=find_look(
            system,
            combatant,
            tone,
            active=active,
            down=health.is_out,
            number=combatants.numbers.get(combatant.id, ""),
            usual=combatants.faces.get(combatant.id, ""),
        ),
        aboard=view_aboard(system, state, combatant),
        inside=carrier.name if (carrier := find_carrier(state, combatant.id)) else "",
        station=draw_station(system, combatant),
        given_up=has_condition(combatant, SURRENDERED),
        alias=combatant.alias.name if viewer.is_gm and combatant.alias is not UNSET else "",
        counters=tuple(map(_view_counter, combatant.all_counters)),
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


def view_aboard(system: System, state: State, carrier: Combatant) -> tuple[Rider, ...]:
    """Those inside a carrier with their places, as far as the state contains them."""
    riders = find_aboard(state, carrier.id)
    return tuple(Rider(rider.id, rider.name, draw_station(system, rider)) for rider in riders)


def draw_station(system: System, combatant: Combatant) -> str:
    """The name of someone's place inside a carrier; empty without one."""
    return system.draw(f"station.{combatant.station}") if combatant.inside and combatant.station else ""


def _view_pips(system: System, state: State, combatant: Combatant) -> tuple[Pips, ...]:
    """The pools of a turn under way, without those that the table does not count."""
    budget = combatant.budget
    counted = ((pool, budget[pool.key]) for pool in system.turn.pools if pool.key in budget)
    shown = (Pips(pool.label, left, max(pool.count_most(state), left), pool.main) for pool, left in counted)
    return tuple(pips for pips in shown if pips.most)


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
    return add_faces(context.encounter, context.system, context.known_state, rows=found, kept=kept)


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
