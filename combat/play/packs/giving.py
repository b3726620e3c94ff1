"""A prepared fight for another GM: made from an encounter, looked at, copied, taken back."""

from __future__ import annotations

import secrets
import zlib

import msgspec
from django.contrib.auth.models import User
from django.db.models import F

from characters.creation.ready import choose_name, find_ready, make_ready_sheet
from combat.models import Encounter, GivenFight
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.typed import read_json
from combat.rules.core.space import Picture, map_of, with_map
from combat.rules.core.state.state import State, decode, encode, present, replace
from cosmos_site.base.files import one_at_a_time
from cosmos_site.base.tokens import derive_token, find_digest

from ..notes.glossary import ALLIES
from ..whatif.forecast_changes import try_out
from ..writing.locking import alone, locked
from .checks import AT_WORK, BUSY, is_here
from .documents import FORMAT, VERSION, Document, PackEncounter, sign, write_document
from .making import write_encounter
from .using import set_up_ready, store_ready

SALT = "combat.given"
PARTY = 4  # ready heroes that the forecast of a given fight is played with
BEGUN = "The fight has begun: copy the encounter, then share the copy."
NOBODY = "Nobody to share yet: add a scene or combatants who are no player characters."


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


def _strip(one: PackEncounter, notes: bool) -> PackEncounter:
    """The encounter without traces of play, and without the GM's notes unless they are wanted."""
    plain = one.scene
    if plain.map:
        plain = with_map(plain, msgspec.structs.replace(map_of(plain), explored={}))
    one = msgspec.structs.replace(one, scene=plain)
    if notes:
        return one
    people = tuple(msgspec.structs.replace(who, note="") for who in one.combatants)
    plain = msgspec.structs.replace(plain, notes="")
    return msgspec.structs.replace(one, scene=plain, combatants=people, note="", scene_note="")


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
