"""A fight that is given without notes: what stays of it, and that someone decided on every field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter
from combat.play.campaigns.campaigns import create_campaign, move_encounter
from combat.play.campaigns.handouts import create_handout
from combat.play.campaigns.table_notes import ON_ENCOUNTER, ON_SCENE, keep_notes
from combat.play.packs import giving
from combat.play.packs.documents import PackEncounter
from combat.play.packs.giving import KEPT
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.basics.data import find_fields
from combat.rules.core.space import Area, BattleMap, Scene, Wall, Zone, ZoneProperty, with_map
from combat.rules.core.space.battle_map import DOOR
from combat.rules.core.state.state import State
from tests.combat.rules.games import GAMES
from tests.combat.visit import SLUG, load, state_of

# What a given fight drops, and why; all else that its parts have is in KEPT
DROPPED = {
    "PackEncounter.note": "the GM's note on it",
    "PackEncounter.scene_note": "the GM's note on its scene",
    "PackCombatant.note": "the GM's note on someone",
    "PackCondition.note": "the GM's words on a condition",
    "PackClock.note": "what will be told when it acts",
    "PackClock.handout": "a title of the campaign",
    "Scene.notes": "the GM's",
    "Zone.notes": "the GM's",
    "Area.name": "of what is hidden",
    "BattleMap.explored": "what a side has seen",
    "Passage.blind": "of a map as players know it; no stored map has any",
}
# Fields of sheets with free text. Of those that are dropped, giving._bare says how
SHEETS = {
    **dict.fromkeys(
        ("name", "alias", "model", "background", "record", "abilities"), "kept: who it is, and what it has"
    ),
    **dict.fromkeys(("kind", "entry", "id", "uses", "tags"), "kept: words and ids of the game"),
    "notes": "dropped: only lines of the game's own stat blocks stay",
    "note": "dropped: of a lasting condition",
    "counters.name": "dropped with the counters that only the GM sees",
}


def find_parts(kind: Any, seen: dict[type, None] | None = None) -> dict[type, None]:
    """The structs that a type can hold, itself included."""
    found = {} if seen is None else seen
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        if kind not in found:
            found[kind] = None
            for field in find_fields(kind):
                find_parts(field.type, found)
    else:
        for part in get_args(kind):
            find_parts(part, found)
    return found


def test_every_field_of_a_given_fight_is_kept_or_dropped() -> None:
    parts = find_parts(PackEncounter)
    fields = {f"{part.__name__}.{field.name}" for part in parts for field in find_fields(part)}
    kept = {f"{part.__name__}.{name}" for part, names in KEPT.items() for name in names}
    assert not kept & DROPPED.keys()
    undecided = fields - kept - DROPPED.keys()
    assert not undecided, f"kept or dropped in a given fight? {', '.join(sorted(undecided))}"
    assert kept | DROPPED.keys() == fields


def find_free_texts(sheet: Any) -> Iterator[str]:
    """The fields of a sheet, and of its parts, that take words which no list limits to a word or an id."""
    for part in find_parts(sheet):
        for field in find_fields(part):
            words = str(field.type)
            if ("str" in words or "Any" in words) and "Literal" not in words and "pattern" not in words:
                yield field.name


# Ids of things and words of the game on the sheets: skills, species, weapons, places of items
OF_THE_GAME = frozenset(
    (
        *("armor", "attributes", "career", "computed", "drives_by", "feature", "features", "gear", "immune"),
        *(
            "items",
            "mortality",
            "natural_armor",
            "own",
            "ranks",
            "shield",
            "shields",
            "size",
            "skills",
            "species",
        ),
        *("tier", "tracks", "traits", "weapon", "wear", "wears", "weapons", "flees", "refills"),
    )
)


def test_every_text_of_a_sheet_is_decided_on() -> None:
    found = {name for game in GAMES.values() for name in find_free_texts(game.characters.sheet)}
    undecided = found - SHEETS.keys() - OF_THE_GAME
    assert not undecided, f"kept or dropped on the sheets of a given fight? {', '.join(sorted(undecided))}"


SECRETS = (
    *("zone-note", "scene-text", "area-name", "door-name", "clock-note", "clock-name", "handout-title"),
    *("note-on-one", "note-on-scene", "note-on-all", "own-note", "own-name", "counter-name", "lasting-note"),
)
OPEN = ("zone-name", "property-text", "open-clock", "open-own", "person-name", "open-counter", "open-door")


@pytest.fixture
def fight(prepared: Encounter, gm: User) -> Encounter:
    """A prepared fight with a word in everything that its GM can write."""
    campaign = create_campaign(gm, "Docks")
    create_handout(campaign, "handout-title", "text", None)
    move_encounter(prepared.pk, campaign)
    walls = (
        Wall("w1", 0, 0, 3, 0, kind=DOOR, secret=True, name="door-name"),
        Wall("w2", 0, 1, 3, 1, kind=DOOR, name="open-door"),
    )
    zone = Zone("z1", "zone-name", notes="zone-note", properties=(ZoneProperty("Fog", text="property-text"),))
    drawn = BattleMap(walls=walls, hidden=(Area("a1", 20, 20, 2, 2, name="area-name"),))
    scene = with_map(Scene("Here", (zone,), notes="scene-text"), drawn)
    do(prepared, "set_scene", scene=msgspec.to_builtins(scene))
    block = next(iter(GAMES[SLUG].book.find_blocks().values()))
    counters = [{"name": "counter-name", "gm": True}, {"name": "open-counter"}]
    lasting = [{"kind": "injury", "note": "lasting-note"}]
    sheet = {**block.sheet, "counters": counters, "conditions": lasting}
    do(prepared, "join", sheet=sheet, name="person-name", side="enemies")
    for name, secret in (("own-name", True), ("open-own", False)):
        do(prepared, "define_condition", name=name, note="own-note", secret=secret)
    own = next(one.id for one in state_of(prepared.pk).all_own_conditions if one.secret)
    acts = {"acts": "start", "note": "clock-note", "handout": "handout-title", "condition": own}
    do(prepared, "start_clock", name="clock-name", shown="gm", **acts)
    do(prepared, "start_clock", name="open-clock")
    who = next(one.id for one in state_of(prepared.pk).combatants.values() if one.name == "person-name")
    keep_notes(
        load(prepared.pk), {ON_ENCOUNTER: "note-on-all", ON_SCENE: "note-on-scene", who: "note-on-one"}
    )
    return load(prepared.pk)


def do(encounter: Encounter, name: str, /, **fields: Any) -> State:
    return submit(encounter.pk, Submission(name, fields)).state


def find_told(encounter: Encounter, notes: bool) -> str:
    """All that others get of a given fight: its page and its file."""
    given = giving.give(encounter, notes=notes)
    page = Client().get(f"/fights/{giving.find_token(given)}/").content.decode()
    return page + giving.read_file(given).decode()


def test_nothing_that_only_the_gm_reads_leaves_without_notes(fight: Encounter) -> None:
    told = find_told(fight, notes=False)
    assert [word for word in SECRETS if word in told] == []
    assert [word for word in OPEN if word not in told] == []


def test_with_notes_all_goes_along_but_the_campaigns_handout(fight: Encounter) -> None:
    told = find_told(fight, notes=True)
    assert [word for word in SECRETS if word not in told] == ["handout-title"]


def test_a_bare_copy_plays_as_the_fight_does(fight: Encounter) -> None:
    """The clock without its name still gives the condition without its name."""
    giving.give(fight, notes=False)
    made = giving.use(fight.given, User.objects.create_user("bo"))
    state = state_of(made.pk)
    (acting,) = [clock for clock in state.all_clocks if clock.acts]
    own = {one.id: one for one in state.all_own_conditions}
    assert acting.name == "Clock 1"
    assert acting.acts
    assert own[acting.acts.condition].secret
    assert own[acting.acts.condition].name == "Condition 1"
