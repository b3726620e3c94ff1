"""What someone may know of a fight's state: no hidden combatant, nor any trace of one."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container
from typing import Any

import msgspec
from msgspec import UNSET

from combat.audience.map_fog import find_ground, find_unknown, hide_fogged_scene
from combat.audience.map_secrecy import hide_scene
from combat.audience.viewer import HealthView, Viewer
from combat.rules.core.basics.data import find_fields
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import remember
from combat.rules.core.basics.numbers import say_whole
from combat.rules.core.basics.words import UNSEEN, capitalized
from combat.rules.core.commands.commands import Action
from combat.rules.core.declaration.characters import TONES, Health, Track
from combat.rules.core.declaration.parts import round_to_quarter
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.aliases import real_name, show_real_names
from combat.rules.core.gm.standing_orders import STANDING
from combat.rules.core.passengers import find_aboard
from combat.rules.core.space import Point, Scene, map_of
from combat.rules.core.space.battle_map import is_hidden_at
from combat.rules.core.state import events as e
from combat.rules.core.state.rulings import Ruling
from combat.rules.core.state.secret_names import SecretNames, without_names
from combat.rules.core.state.state import (
    Clock,
    Combatant,
    Condition,
    Item,
    OwnCondition,
    Scalar,
    State,
    find_secret_conditions,
    present,
    replace,
    with_key,
)
from combat.rules.core.turn.turns import hide_act, hide_count

BARS = {0: 100, 1: 75, 2: 50, 3: 25, 4: 0}  # percent by level: the bar shows the word, not the number
PRIVATE = (STANDING, e.UNTOLD_MARK)  # prefixes of marks that others do not know of
MAX_OBSCURED = 1000  # combatants whose obscured health is cached
SOURCE = "source"  # the mark that names the sheet of a combatant, and so its portrait
NOBODY = "nobody"  # an id that no combatant has
# Fields of free text, which may contain what looks like an id
FREE_TEXT = frozenset({"because", "reason", "text", "trigger", "value", "what", "why"})

_obscured: dict[bytes, dict[str, int]] = {}


def find_secret_names(state: State, viewer: Viewer) -> SecretNames | None:
    """A matcher for the names that only unknown combatants of a viewer have; None if they know all."""
    return None if viewer.is_gm else _find_names(state, find_unknown(state, viewer))


def _find_names(state: State, unknown: frozenset[str]) -> SecretNames | None:
    known = [combatant.name for who, combatant in state.combatants.items() if who not in unknown]
    hidden = [state.combatants[who] for who in unknown]
    secret = (name for one in hidden for name in (one.name, real_name(one)))
    things = find_secret_conditions(state)
    return SecretNames(secret, known, unknown, things) if unknown or things else None


def redact(state: State, viewer: Viewer, effects: bool = False) -> State:
    """The state without the combatants a viewer does not know of, nor any trace of them; aliases hold.

    With `effects`, conditions that only the GM knows of are there, without anything but what they change: for
    odds and sums, never to be drawn. The GM gets all of it, with the real names.
    """
    if viewer.is_gm:
        return show_real_names(state)
    unknown = find_unknown(state, viewer)
    names = _find_names(state, unknown)
    ids = _id_pattern(unknown, state)
    known = {w: _without_gms(f, effects) for w, f in state.combatants.items() if w not in unknown}
    if any(f.rulings is not UNSET for f in known.values()):
        known = {w: _hide_rulings(f, ids, viewer.seats) for w, f in known.items()}
    if ids:
        known = {w: _clean_combatant(f, ids, names) for w, f in known.items()}
        known = {w: replace(f, berth=msgspec.UNSET) if f.inside in unknown else f for w, f in known.items()}
    acting = tuple(who for who in (state.active, *state.sharing) if who in known)
    return replace(
        state,
        combatants=known,
        order=tuple(who for who in state.order if who in known and not known[who].gone),
        sharing=acting[1:],
        active=acting[0] if acting else "",
        ground=tuple(
            i for i in find_ground(_find_seen(state, viewer), state, viewer) if not (ids and ids.search(i.id))
        ),
        marks=_clean_marks(state.marks, ids) if ids else state.marks,
        played=find_played(state, known),
        scene=hide_fogged_scene(_without_notes(state.scene), state, viewer),
        made=0,
        clocks=_find_clocks(state, viewer, names),
        reserves=msgspec.UNSET,
        own_conditions=msgspec.UNSET,
    )


def find_played(state: State, known: Container[str]) -> tuple[str, ...] | msgspec.UnsetType:
    """Those of the `known` whom people play, besides the heroes."""
    return tuple(who for who in state.played or () if who in known) or msgspec.UNSET


def _without_gms(combatant: Combatant, effects: bool) -> Combatant:
    """The combatant without what is the GM's alone; the same object if there is none of it."""
    if any(held.is_secret for held in combatant.conditions):
        held = (_blank(one) if one.is_secret else one for one in combatant.conditions)
        combatant = replace(combatant, conditions=tuple(one for one in held if effects or not one.is_secret))
    if any(one.to == e.GM_ONLY for one in combatant.all_counters):
        kept = tuple(one for one in combatant.all_counters if one.to != e.GM_ONLY)
        combatant = replace(combatant, counters=kept or UNSET)
    return _without_real(combatant)


def _hide_rulings(combatant: Combatant, ids: re.Pattern[str] | None, seats: Container[str]) -> Combatant:
    """The combatant with what its own player may know of rulings; others know of none."""
    if combatant.rulings is UNSET:
        return combatant
    mine = combatant.all_rulings if combatant.id in seats else ()
    return replace(combatant, rulings=tuple(_hide_ruling(one, ids) for one in mine) or UNSET)


def _hide_ruling(one: Ruling, ids: re.Pattern[str] | None) -> Ruling:
    """A ruling without its secret number, hidden endings, and combatants that its player does not know of."""
    if one.secret:
        one = replace(one, grade="")
    if one.hides:
        one = replace(one, works=(), fails=())
    if ids is None:
        return one

    def is_known(*texts: str) -> bool:
        return not any(ids.search(text) for text in texts)

    works, fails = (
        tuple(effect for effect in ending if is_known(*effect.who, effect.to, effect.key))
        for ending in (one.works, one.fails)
    )
    about, opposed = (who if is_known(who) else "" for who in (one.about, one.opposed))
    return replace(one, works=works, fails=fails, about=about, opposed=opposed)


def _blank(held: Condition) -> Condition:
    """A condition without anything but what it changes."""
    assert held.own is not UNSET
    own = OwnCondition(f"o{held.id}", UNSEEN, changes=held.own.changes, effects=held.own.effects, secret=True)
    return Condition(held.id, own.id, UNSEEN, level=held.level, own=own)


def _without_real(combatant: Combatant) -> Combatant:
    """The combatant without what is behind its alias; the same object if it has none."""
    if combatant.alias is UNSET:
        return combatant
    sheet = {**combatant.sheet, "name": combatant.name}
    return replace(combatant, alias=UNSET, sheet=sheet, marks=with_key(combatant.marks, SOURCE, None))


def _id_pattern(ids: frozenset[str], state: State) -> re.Pattern[str] | None:
    """A pattern for any of these ids as a whole word, also at the beginning of an item's id.

    But for the things that others have by now: their ids begin with that of their first owner.
    """
    if not ids:
        return None
    others = (one for who, one in state.combatants.items() if who not in ids)
    things = [item.id for one in others for item in one.items if item.id.partition("-")[0] in ids]
    words = "|".join(map(re.escape, sorted(ids)))
    free = "|".join(map(re.escape, sorted(things)))
    but = rf"(?!(?:{free})(?![\w-]))" if free else ""
    return re.compile(rf"(?<![\w-]){but}(?:{words})(?!\w)")


def _clean_combatant(combatant: Combatant, ids: re.Pattern[str], names: SecretNames | None) -> Combatant:
    """The combatant without a trace of these ids: the same object if it has none, so that it stays known."""
    conditions = tuple(_clean_condition(held, ids, names) for held in combatant.conditions)
    marks = _clean_marks(combatant.marks, ids)
    if conditions == combatant.conditions and len(marks) == len(combatant.marks):
        return combatant
    return replace(combatant, conditions=conditions, marks=marks)


def _clean_condition(held: Condition, ids: re.Pattern[str], names: SecretNames | None) -> Condition:
    until = None if held.until and ids.search(held.until.who) else held.until
    by = "" if ids.search(held.by) else held.by
    clean = replace(held, by=by, until=until, marks=_clean_marks(held.marks, ids))
    return without_names(clean, names) if names else clean


def _clean_marks(marks: dict[str, Scalar], ids: re.Pattern[str]) -> dict[str, Scalar]:
    """The marks that name none of these ids. Standing orders stay: their own player wrote them."""
    return {k: v for k, v in marks.items() if k.startswith(STANDING) or not ids.search(f"{k} {v}")}


def _find_clocks(
    state: State, viewer: Viewer, names: SecretNames | None
) -> tuple[Clock, ...] | msgspec.UnsetType:
    """The clocks that players with these eyes see; those veiled as if nothing was filled."""
    seen = (clock for clock in state.all_clocks if viewer.may_see(clock.to))
    unknown = find_unknown(state, viewer)
    clocks = tuple(hide_act(_hide_count(clock, viewer, names), unknown) for clock in seen)
    return clocks or msgspec.UNSET


def _hide_count(clock: Clock, viewer: Viewer, names: SecretNames | None) -> Clock:
    """A clock without what is secret, and with nothing of its audience."""
    plain = replace(clock, to=e.EVERYONE, name=mask_names(clock.name, names))
    return hide_count(plain) if clock.veiled else plain


@remember
def _without_notes(scene: Scene) -> Scene:
    """The scene without the GM's notes, the starts of the sides, and hidden areas."""
    zones = tuple(replace(zone, notes="") if zone.notes else zone for zone in scene.zones)
    return hide_scene(replace(scene, zones=zones, notes="", starts=msgspec.UNSET))


def _find_seen(state: State, viewer: Viewer) -> tuple[Item, ...]:
    """The items on the ground where players can see."""
    areas = map_of(state.scene).hidden
    shown = [i for i in state.ground if not (i.at and is_hidden_at(areas, i.at.x, i.at.y))]
    return find_ground(shown, state, viewer)


# ---- Words ----


def mask_names(text: str, names: SecretNames | None) -> str:
    """A text without the names that its reader does not know."""
    return names.mask_names(text) if names else text


def mask_choices(
    options: tuple[Choice, ...], unknown: frozenset[str], names: SecretNames | None, state: State
) -> tuple[Choice, ...]:
    """The options without those about combatants their reader does not know of."""
    ids = _id_pattern(unknown, state)
    kept = (option for option in options if not (ids and ids.search(option.value)))
    return tuple(without_names(option, names) if names else option for option in kept)


def mask_refusal(refused: Refused, state: State, viewer: Viewer) -> Refused:
    """A refusal without names that the viewer does not know."""
    return Refused(refused.code, mask_names(refused.message, find_secret_names(state, viewer)))


def find_free(action: Action) -> frozenset[str]:
    """The free text fields of a command."""
    return FREE_TEXT.intersection(field.name for field in find_fields(action.type))


def forget_unknown(
    data: dict[str, Any], free: frozenset[str], state: State, viewer: Viewer
) -> dict[str, Any]:
    """The fields of a command, with NOBODY in place of combatants its author cannot know of.

    So the rules answer as if that combatant did not exist. Fields in `free` stay as they are.
    """
    ids = _id_pattern(find_unknown(state, viewer), state)
    if ids is None:
        return data
    return {name: value if name in free else _forget(value, ids) for name, value in data.items()}


def _forget(value: Any, ids: re.Pattern[str]) -> Any:
    if isinstance(value, str):
        return ids.sub(NOBODY, value)
    return [_forget(each, ids) for each in value] if isinstance(value, list) else value


# ---- Health ----


def view_health(system: System, health: Health) -> HealthView:
    """Bar, word and number: of the part that the bar shows, if it is not of all."""
    tone, number = TONES[health.level], health.number
    if health.part:
        part, now, most = health.part
        number = f"{capitalized(system.draw(part))} {say_whole(now)} / {say_whole(most)}"
    return HealthView(
        system.draw(health.word), health.bar, tone, number=number, unit=health.label, rises=health.rises
    )


def knows_health(state: State, combatant: Combatant, viewer: Viewer) -> bool:
    """Whether a viewer knows the numbers of a combatant: a player's, their own, or what they ride in."""
    if combatant.pc or viewer.plays(combatant.id):
        return True
    return any(viewer.plays(rider.id) for rider in find_aboard(state, combatant.id))


def view_obscured_health(
    system: System, state: State, combatant: Combatant, viewer: Viewer, health: Health
) -> HealthView:
    """Health as the table's setting shows it: number, word, bar only, or nothing."""
    shown, tone = system.option(state, "foe_health"), TONES[health.level]
    if shown == "number" or knows_health(state, combatant, viewer):
        return view_health(system, health)
    unit, rises = health.label, health.rises
    if shown == "bar":
        left = -(-round(100 * health.share) // 25) * 25
        return HealthView("", left, TONES[4 - left // 25], number="", unit=unit, rises=rises)
    if shown == "nothing":
        return HealthView("", 0, "", shown=False)
    return HealthView(system.draw(health.word), BARS[health.level], tone, number="", unit=unit, rises=rises)


def find_obscured(system: System, state: State, viewer: Viewer) -> frozenset[str]:
    """The combatants whose health a viewer must not be able to work out from odds."""
    if viewer.is_gm or system.option(state, "foe_health") == "number":
        return frozenset()
    return frozenset(f.id for f in present(state) if not knows_health(state, f, viewer))


def obscure_health(system: System, state: State, viewer: Viewer) -> State:
    """The state in which obscured combatants are in the worst health that looks like theirs.

    So odds, advice and suggestions computed from it reveal nothing that the viewer cannot see.
    """
    obscured = find_obscured(system, state, viewer)
    known = {
        w: _obscure(system, state, f, viewer) if w in obscured else f for w, f in state.combatants.items()
    }
    return replace(state, combatants=known) if obscured else state


def forget_orders(state: State, viewer: Viewer) -> State:
    """The state without the standing orders of others and the GM's private marks.

    What is computed for a viewer must reveal neither.
    """
    if viewer.is_gm:
        return state
    others = (f for who, f in state.combatants.items() if who not in viewer.seats)
    changed = {
        f.id: replace(f, marks={key: v for key, v in f.marks.items() if not key.startswith(PRIVATE)})
        for f in others
        if any(key.startswith(PRIVATE) for key in f.marks)
    }
    return replace(state, combatants={**state.combatants, **changed}) if changed else state


def _obscure(system: System, state: State, combatant: Combatant, viewer: Viewer) -> Combatant:
    """The combatant in the worst health that looks like its own to others; cached.

    The cache key leaves out what does not matter: place, initiative, remaining actions.
    """
    told = replace(combatant, at=Point(), initiative=None, acted=False, hidden=False, budget={})
    key = msgspec.msgpack.encode((system.slug, told, state.options, state.marks))
    tracks = _obscured.get(key)
    if tracks is None:
        tracks = _find_worst(system, state, combatant, viewer).tracks
        if len(_obscured) >= MAX_OBSCURED:
            _obscured.clear()
        _obscured[key] = tracks
    return combatant if tracks == combatant.tracks else replace(combatant, tracks=tracks)


def _find_worst(system: System, state: State, combatant: Combatant, viewer: Viewer) -> Combatant:
    """The combatant with the worst numbers that look like its own; the first track is health.

    In games with parts of the body, each part gets the worst number for its own word or bar.
    """
    tracks = [system.characters.tracks[0]]
    if system.look.figure:
        parts = figure.parts if (figure := system.look.figure(state, combatant)) else ()
        told = {part.track for part in parts}
        tracks += [track for track in system.characters.tracks[1:] if track.key in told]
    most = max(1, system.find_health(state, combatant).most)
    for track in tracks:
        combatant = _worsen(system, state, combatant, viewer=viewer, track=track, most=most)
    return combatant


def _worsen(
    system: System, state: State, combatant: Combatant, viewer: Viewer, track: Track, most: int
) -> Combatant:
    """The combatant with one of its numbers as bad as it can be while it looks the same."""

    def worsen(points: int) -> Combatant:
        now = combatant.tracks[track.key]
        return replace(
            combatant, tracks={**combatant.tracks, track.key: now + points if track.rises else now - points}
        )

    def look_at(one: Combatant) -> tuple[Any, ...]:
        health = system.find_health(state, one)
        parts = _look_at_parts(system, state, one)
        return (
            view_obscured_health(system, state, one, viewer=viewer, health=health),
            health.is_out,
            health.dead,
            parts,
        )

    looks = look_at(combatant)
    return worsen(bisect_left(range(2 * most), True, key=lambda points: look_at(worsen(points)) != looks) - 1)


def _look_at_parts(system: System, state: State, combatant: Combatant) -> tuple[Any, ...]:
    """How the parts of a combatant look to those who see no numbers."""
    figure = system.look.figure(state, combatant) if system.look.figure else None
    shown = system.option(state, "foe_health")
    if figure is None or shown == "nothing":
        return ()
    if shown == "bar":
        return tuple(round_to_quarter(part.now, part.most) for part in figure.parts)
    return tuple((part.word, part.level) for part in figure.parts)
