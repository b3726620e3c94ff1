"""A prepared fight for another GM: made from an encounter, looked at, copied, taken back."""

from __future__ import annotations

import secrets
import zlib
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.db.models import F

from characters.creation.creation_view import choose_name, find_ready, make_ready_sheet
from combat.models import Encounter, GivenFight
from combat.rules import find_system
from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.space import Picture, Piece, Scene, Zone, map_of, with_map
from combat.rules.core.space.battle_map import Area, BattleMap, Light, Obstacle, Wall
from combat.rules.core.space.decks import Deck, Passage
from combat.rules.core.space.plane import ZoneProperty
from combat.rules.core.state.state import State, decode, encode, present, replace
from cosmos_site.base.files import one_at_a_time
from cosmos_site.base.tags import derive_token, find_digest

from ..after.imports import copy_encounter
from ..notes.glossary import ALLIES
from ..scenes.imported import copy_pictures
from ..whatif.forecast_jobs import try_out
from ..writing import encounter_service
from ..writing.locking import alone, locked
from .documents import (
    AT_WORK,
    BUSY,
    FORMAT,
    VERSION,
    Document,
    PackClock,
    PackCombatant,
    PackCondition,
    PackEncounter,
    PackReserve,
    is_here,
    sign,
    write_document,
)
from .making import write_encounter
from .using import set_up_ready, store_ready

SALT = "combat.given"
PARTY = 4  # ready heroes that the forecast of a given fight is played with
BEGUN = "The fight has just begun: press again to share a copy."
NOBODY = "Nobody to share yet: add a scene or combatants who are no player characters."
# What a given fight keeps without the GM's notes; tests ask for each new field whether it belongs here
_PLACE = ("x", "y", "width", "depth")
KEPT: dict[type[msgspec.Struct], tuple[str, ...]] = {
    PackEncounter: (
        *("system", "name", "scene", "options", "combatants", "reserves", "conditions", "clocks", "picture"),
    ),
    PackCombatant: ("name", "side", "sheet", "x", "y", "hidden", "group", "alias"),
    PackReserve: ("combatants", "when", "at_round", "of", "zone", "edge", "x", "y", "clock"),
    PackCondition: ("name", "sign", "changes", "effects", "turns", "secret"),
    PackClock: (
        *("name", "size", "filled", "each_round", "secret", "veiled", "acts", "score", "after", "first"),
        *("every", "zone", "track", "harm", "condition"),
    ),
    Scene: ("name", "zones", "settings", "map", "starts"),
    Zone: (
        *("id", "name", *_PLACE, "height", "cover", "light", "terrain", "links", "properties", "upright"),
        *("parts", "floor", "kind", "patch"),
    ),
    ZoneProperty: ("name", "into", "out", "inside", "text"),  # players read its text
    Piece: _PLACE,
    BattleMap: (
        *("walls", "obstacles", "lights", "picture", "grid", "cell", "hidden", "fog", "remembers"),
        *("weather", "sky", "decks", "ways"),
    ),
    Wall: (
        *("id", "x1", "y1", "x2", "y2", "kind", "cover", "blocks_sight", "blocks_way", "open", "locked"),
        *("secret", "name"),
    ),
    Obstacle: ("id", "name", *_PLACE, "height", "cover", "blocks_sight", "blocks_way", "kind"),
    Light: ("id", "x", "y", "radius", "kind", "tint"),
    Picture: ("digest", *_PLACE),
    Area: ("id", *_PLACE),  # only the GM reads its name
    Deck: ("id", "name", *_PLACE, "height", "shift"),
    Passage: ("id", "kind", "x1", "y1", "x2", "y2", "name", "hole", "open", "locked"),
}
SHEET_NOTES = "notes"  # the field of a sheet with lines of text, in games that have it


def give(encounter: Encounter, notes: bool) -> GivenFight:
    """Give the fight as it is prepared now; one that is given already keeps its address and its counts.

    Refused once it has begun, or while there is nothing in it.
    """
    with locked(encounter.pk) as fresh:
        if fresh.phase != "prep" or fresh.downtime:
            raise Refused("not_allowed", BEGUN)
        one = _strip(write_encounter(fresh), notes)
        if not (one.combatants or one.scene.zones or one.scene.map):
            raise Refused("not_allowed", NOBODY)
        raw = write_document(sign(Document(FORMAT, VERSION, one.name, encounters=(one,))))
        state = zlib.compress(encode(_prepare(one)))
        fields = {"document": zlib.compress(raw), "state": state, "notes": notes}
        nonce = secrets.token_urlsafe(16)
        new = {**fields, "nonce": nonce, "digest": find_digest(derive_token(SALT, fresh.pk, nonce))}
        return GivenFight.objects.update_or_create(fields, new, encounter=fresh)[0]


def give_copy(encounter: Encounter, notes: bool) -> GivenFight:
    """Give a copy of a fight that has begun, as it was prepared; Refused if there was nothing in it."""
    with alone():
        copy = copy_encounter(encounter, encounter.owner)
        copy_pictures(encounter, copy, encounter_service.read_state(copy).scene)
        return give(copy, notes)


def _strip(one: PackEncounter, notes: bool) -> PackEncounter:
    """The encounter without traces of play and of its campaign, and unless `notes` are wanted only what KEPT
    names of it."""
    plain = one.scene
    if plain.map:
        plain = with_map(plain, msgspec.structs.replace(map_of(plain), explored={}))
    clocks = tuple(msgspec.structs.replace(clock, handout="") for clock in one.clocks or ())
    one = msgspec.structs.replace(one, scene=plain, clocks=clocks or msgspec.UNSET)
    return one if notes else _number_secrets(_keep(one))


def _keep(thing: Any) -> Any:
    """A part of an encounter with the fields that KEPT names, and their parts alike."""
    if isinstance(thing, tuple):
        return tuple(map(_keep, thing))
    if not isinstance(thing, msgspec.Struct):
        return thing
    return type(thing)(**{name: _keep(getattr(thing, name)) for name in KEPT[type(thing)]})


def _number_secrets(one: PackEncounter) -> PackEncounter:
    """The encounter with numbers in place of the names that only its GM reads, and bare sheets."""
    system = find_system(one.system)
    clocks = [
        msgspec.structs.replace(clock, name=f"Clock {number}") if clock.secret else clock
        for number, clock in enumerate(one.clocks or (), 1)
    ]
    new = {old.name: f"Condition {number}" for number, old in enumerate(one.conditions, 1) if old.secret}
    clocks = [
        msgspec.structs.replace(clock, condition=new.get(clock.condition, clock.condition))
        for clock in clocks
    ]
    scene = one.scene
    if scene.map:
        walls = tuple(
            msgspec.structs.replace(wall, name="") if wall.secret else wall for wall in map_of(scene).walls
        )
        scene = with_map(scene, msgspec.structs.replace(map_of(scene), walls=walls))
    return msgspec.structs.replace(
        one,
        scene=scene,
        clocks=tuple(clocks) or msgspec.UNSET,
        conditions=tuple(
            msgspec.structs.replace(old, name=new.get(old.name, old.name)) for old in one.conditions
        ),
        combatants=tuple(
            msgspec.structs.replace(who, sheet=_bare(system, who.sheet)) for who in one.combatants
        ),
    )


def _bare(system: System, sheet: dict[str, Any]) -> dict[str, Any]:
    """A sheet without counters and notes that only its GM reads; lines of the game's own blocks stay."""
    kept = dict(sheet)
    if SHEET_NOTES in sheet:
        lines = {
            line for block in system.book.find_blocks().values() for line in block.sheet.get(SHEET_NOTES, ())
        }
        kept[SHEET_NOTES] = [line for line in sheet[SHEET_NOTES] if line in lines]
    if "counters" in sheet:
        kept["counters"] = [counter for counter in sheet["counters"] if not counter.get("gm")]
    if "conditions" in sheet:
        bare = ({key: one for key, one in held.items() if key != "note"} for held in sheet["conditions"])
        kept["conditions"] = [*bare]
    return kept


def find_given(token: str) -> GivenFight | None:
    """The fight that a token opens; None if there is none, or if its game is not here."""
    found = GivenFight.objects.select_related("encounter__owner").filter(digest=find_digest(token)).first()
    return found if found and is_here(found.encounter.system) else None


def find_token(given: GivenFight) -> str:
    """The token of a given fight, to show it again; empty if it was made with another secret key."""
    token = derive_token(SALT, given.encounter_id, given.nonce)
    return token if find_digest(token) == given.digest else ""


def take_back(encounter: Encounter) -> None:
    """End the link at once; copies that others made are theirs. Refused if there is none."""
    if not GivenFight.objects.filter(encounter=encounter).delete()[0]:
        raise Refused("stale", "This fight is not shared with other GMs any longer.")


def count(given: GivenFight, field: str) -> None:
    """Count one more look at it, or one more use."""
    GivenFight.objects.filter(pk=given.pk).update(**{field: F(field) + 1})


def read_file(given: GivenFight) -> bytes:
    """The file of the pack."""
    return zlib.decompress(bytes(given.document))


def read_fight(given: GivenFight) -> PackEncounter:
    """The encounter in it."""
    return read_json(read_file(given), Document).encounters[0]


def read_state(given: GivenFight) -> State:
    """The fight as its page draws it."""
    return decode(zlib.decompress(bytes(given.state)))


def _prepare(one: PackEncounter) -> State:
    """The fight as it is prepared, in memory; the picture under its map lies in the document alone."""
    picture = map_of(one.scene).picture
    log = set_up_ready(_lay(one, picture=None), {}).log
    state = log.course.states[len(log.steps)]
    return replace(state, scene=_lay(one, picture=picture).scene) if picture else state


def _lay(one: PackEncounter, picture: Picture | None) -> PackEncounter:
    """The encounter with this picture under its map, without its bytes."""
    if not one.picture:
        return one
    scene = with_map(one.scene, msgspec.structs.replace(map_of(one.scene), picture=picture))
    return msgspec.structs.replace(one, scene=scene, picture=b"")


def add_party(state: State) -> State:
    """The fight with four ready heroes of its game added; Refused if they cannot join."""
    system, taken = find_system(state.system), {one.name for one in present(state)}
    for ready in find_ready(system)[:PARTY]:
        name = choose_name(ready.archetype, taken)
        fields = {
            "name": name,
            "side": ALLIES,
            "pc": True,
            "sheet": make_ready_sheet(system, ready.archetype),
        }
        state = try_out(system, state, "join", fields)
    return state


def use(given: GivenFight, owner: User) -> Encounter:
    """A copy of one's own, with dice of its own."""
    one = read_fight(given)
    with one_at_a_time(AT_WORK, BUSY):
        ready = set_up_ready(one, {})
    with alone():
        made = store_ready(owner, ready)
        count(given, "used")
    return made
