"""A new encounter on one page: what the notes, the scene and the party make, before anything is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.utils.safestring import SafeString

from characters.games import find_problems, make_combatant
from characters.models import Character
from combat.audience.viewer import GM
from combat.display.combatants.tokens import Look, find_look, find_tones
from combat.models import Campaign, Encounter
from combat.play.campaigns.campaigns import create_in_campaign
from combat.play.campaigns.roster import bring
from combat.play.notes.examples import make_example
from combat.play.notes.glossary import ALLIES, ENEMIES, make_glossary
from combat.play.notes.notes import read_notes
from combat.play.scenes.ready import find_ready_scene
from combat.play.whatif import forecast_jobs
from combat.play.whatif.forecast_changes import try_out
from combat.play.writing.encounter_service import create_encounter
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.book import ReadyFight
from combat.rules.core.declaration.system import System
from combat.rules.core.sides import standing_sides
from combat.rules.core.state.state import State, present
from combat.sharing.access import find_gm_context

from ..home.pictures import draw_picture
from ..map.views import use_ready_scene
from ..table.rows import view_combatants
from . import people
from .odds_view import PrepOdds, make_odds
from .people_view import PeopleBox, PeopleReader, digest_of, view_riddle, view_stretches

MAX_PARTY = 12
EXAMPLE = "docking_ring"  # the scene of a game that declares no fights to begin with


@dataclass(frozen=True)
class Plan:
    """What a new encounter would be: its people as read, where, and the state that it would begin with."""

    system: System
    box: PeopleBox
    state: State
    scene: str

    @property
    def picture(self) -> SafeString:
        """The scene with everyone on it."""
        return draw_picture(self.system, self.state, view_combatants(self.system, self.state, GM))

    @property
    def count(self) -> int:
        """How many people are in it."""
        return len([*present(self.state)])

    @property
    def says(self) -> str:
        """What the button makes."""
        sides = Counter(one.side for one in present(self.state))
        allies = sides.pop(ALLIES, 0)
        others = " against ".join(str(count) for count in sides.values())
        if allies and others:
            who = f"{allies} {'allies' if allies != 1 else 'ally'} against {others}"
        else:
            who = f"{self.count} {'people' if self.count != 1 else 'person'}" if self.count else ""
        made = " on ".join(filter(None, (who, self.scene)))
        return f"Create: {made}" if made else "Create encounter"

    @property
    def stamp(self) -> str:
        """A mark of the fight as it is planned."""
        return digest_of(repr((self.system.slug, self.state)))


@dataclass(frozen=True)
class Hero:
    """A character who can be brought, with their face."""

    character: Character
    look: Look


def list_fights(system: System) -> tuple[ReadyFight, ...]:
    """The game's fights to begin with; one that is made of its book if it declares none."""
    made = ReadyFight("Example", find_ready_scene(EXAMPLE).name, EXAMPLE, make_example(system))
    return system.book.fights or (made,)


def find_party(person: User, slug: str, campaign: Campaign | None) -> list[Character]:
    """The characters of a game that someone can bring: those of the campaign, if it has any."""
    rows = Character.objects.filter(owner=person, system=slug, npc=False, archived=False, deleted_at=None)
    there = set(campaign.members.values_list("character_id", flat=True)) if campaign else set()
    found = list(rows.defer("notes").order_by("name", "pk")[:100])
    return ([one for one in found if one.pk in there] or found)[:MAX_PARTY]


def view_heroes(system: System, party: Sequence[Character]) -> list[Hero]:
    """The characters of a party with their faces."""
    return [Hero(one, _find_look(system, one)) for one in party]


def _find_look(system: System, one: Character) -> Look:
    if find_problems(system, one.sheet):
        return Look("is-ally", face="stranger")
    look = find_look(system, make_combatant(system, one.name, one.sheet), "is-ally", active=False, down=False)
    return msgspec.structs.replace(look, face=one.face or look.face)


def begin_chance(person: User, plan: Plan) -> None:
    """Begin to play the planned fight, unless that is known or under way; one of another plan ends."""
    job = forecast_jobs.read_job(_place(person))
    if job and job.stamp == plan.stamp and not (job.lost or job.failed):
        return
    forecast_jobs.cancel(_place(person))
    try:
        forecast_jobs.begin(_place(person), plan.stamp, plan.system.slug, plan.state)
    except Refused:
        return  # the page says what is missing


def view_chance(person: User, plan: Plan) -> PrepOdds | None:
    """What is known of the planned fight; None before it is asked for, and with fewer than two sides."""
    if len(standing_sides(plan.system, plan.state)) < 2:
        return None
    job = forecast_jobs.read_job(_place(person))
    known = job if job and job.stamp == plan.stamp else None
    return make_odds(known, find_tones(plan.state))


def _place(person: User) -> str:
    return f"new-{person.pk}"


def use_suggestion(system: System, notes: str, chosen: str) -> str:
    """The notes with one suggestion in its place, chosen by its riddle and number; Refused if it is gone."""
    numbers = [int(word) if word.isdecimal() and len(word) < 4 else -1 for word in chosen.split(":")]
    riddle, suggestion = numbers if len(numbers) == 2 else (-1, -1)
    reading = read_notes(notes.replace("\r\n", "\n"), make_glossary(system, system.begin(), ALLIES))
    return reading.use(riddle, suggestion)


def make_plan(system: System, notes: str, ready: str, party: Sequence[Character]) -> Plan:
    """What these notes, this scene of the library and these characters would make."""
    state = system.begin()
    name = ""
    if ready:
        scene = find_ready_scene(ready).lay_out(system)
        name, state = scene.name, msgspec.structs.replace(state, scene=scene)
    for one in party:
        state = _join(system, state, {"name": one.name, "side": ALLIES, "sheet": one.sheet, "pc": True})
    box = PeopleBox(text=notes.replace("\r\n", "\n"), side=ENEMIES)
    if notes.strip():
        box, state = _read(system, state, box)
    return Plan(system, box, state, name)


def _read(system: System, state: State, box: PeopleBox) -> tuple[PeopleBox, State]:
    """The box with what its notes are read as, and the state with them in it."""
    try:
        glossary = make_glossary(system, state, ALLIES)
        reading = read_notes(box.text, glossary)
    except Refused as refused:
        return replace(box, problem=refused.message), state
    reader = PeopleReader(system, state, glossary, own_side=ALLIES, usual=ENEMIES)
    joins = [group.make_join(glossary, ENEMIES, "", hidden=False) for group in reading.groups]
    shown = replace(
        box,
        groups=tuple(reader.view_group(group) for group in reading.groups),
        riddles=tuple(view_riddle(number, riddle) for number, riddle in enumerate(reading.riddles)),
        stretches=tuple(view_stretches(reading)),
        count=reading.count,
    )
    for fields in joins:
        state = _join(system, state, fields)
    return shown, state


def _join(system: System, state: State, fields: dict[str, Any]) -> State:
    """The state with some more in it; as it is if they cannot join."""
    try:
        return try_out(system, state, "join", fields)
    except Refused:
        return state


def begin(request: HttpRequest, person: User, said: dict[str, Any]) -> tuple[Encounter, str]:
    """Create the encounter with its scene and people, all or nothing; and the notes that nobody understood.

    Refused says what is wrong.
    """
    with transaction.atomic():
        slug, campaign = said["system"], said["campaign"]
        if campaign:
            made = create_in_campaign(campaign, person, slug, said["name"])
        else:
            made = create_encounter(person, slug, said["name"])
        if said["scene"]:
            use_ready_scene(find_gm_context(request, made.pk), said["scene"])
        for character in said["who"]:
            context = find_gm_context(request, made.pk)
            bring(made, person, character, side=ALLIES, zone="", by=context.name, grant=context.grant)
        rest = said["notes"]
        if rest.strip():
            context = find_gm_context(request, made.pk)
            box = PeopleBox(text=rest.replace("\r\n", "\n"), side=ENEMIES)
            try:
                _, rest = people.add_read(person, context, box)
            except Refused as refused:
                if refused.code != "bad_value":
                    raise
        return made, rest
