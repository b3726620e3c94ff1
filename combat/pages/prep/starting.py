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

from characters.models import Character
from combat.audience.viewer import GM
from combat.display.combatants.tokens import Look, draw_character, find_tones
from combat.models import Campaign, Encounter
from combat.play.campaigns.campaigns import MAX_NAME, bring_party, create_in_campaign, find_travellers
from combat.play.campaigns.campaigns import find_party as find_members
from combat.play.campaigns.roster import bring, find_character_id
from combat.play.notes.examples import make_example
from combat.play.notes.glossary import ALLIES, ENEMIES, make_glossary
from combat.play.notes.notes import read_notes
from combat.play.scenes.ready import find_ready_scene
from combat.play.whatif import forecast_jobs
from combat.play.whatif.forecast_jobs import try_out
from combat.play.writing.encounter_service import create_encounter, read_state
from combat.play.writing.locking import locked
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.names import name_copy
from combat.rules.core.declaration.book import ReadyFight
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.bosses import find_boss
from combat.rules.core.sides import standing_sides
from combat.rules.core.state.state import State, present
from combat.sharing.access import find_gm_context, find_owner_context
from combat.sharing.viewer_context import ViewerContext

from ..home.pictures import draw_picture
from ..map.views import use_ready_scene
from ..table.rows import view_combatants
from . import people_view
from .odds_view import PrepOdds, make_odds
from .people_view import PeopleBox, PeopleReader, digest_of, view_issues, view_stretches

MAX_PARTY = 12
ONE_OF = {ALLIES: "ally", ENEMIES: "enemy"}  # the word for one of a side
EXAMPLE = "docking_ring"  # the scene of a game that declares no fights to begin with


@dataclass(frozen=True)
class EncounterDraft:
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
    def who(self) -> str:
        """How many of each side: “2 enemies, 1 ally”."""
        sides = Counter(one.side for one in present(self.state))
        said = {side: ONE_OF.get(side, side) if count == 1 else side for side, count in sides.items()}
        return ", ".join(f"{count} {said[side]}" for side, count in sides.items())

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
    """The characters of a game that can be brought: those of the campaign, if it has any, else one's own.

    Those of players and guests are among them: they sit at a table of the campaign.
    """
    there = find_travellers(campaign.pk, person.pk, slug) if campaign else []
    rows = Character.objects.filter(owner=person, system=slug, npc=False, archived=False, deleted_at=None)
    return (there or list(rows.defer("notes").order_by("name", "pk")[:MAX_PARTY]))[:MAX_PARTY]


def view_heroes(system: System, party: Sequence[Character]) -> list[Hero]:
    """The characters of a party with their faces."""
    return [Hero(one, draw_character(one, "is-ally")) for one in party]


def begin_chance(person: User, plan: EncounterDraft) -> None:
    """Begin to play the planned fight, unless that is known or under way; one of another plan ends."""
    job = forecast_jobs.read_job(_place(person))
    if job and job.stamp == plan.stamp and not (job.lost or job.failed):
        return
    forecast_jobs.cancel(_place(person))
    try:
        forecast_jobs.begin(_place(person), plan.stamp, plan.system.slug, plan.state)
    except Refused:
        return  # the page says what is missing


def view_chance(person: User, plan: EncounterDraft) -> PrepOdds | None:
    """What is known of the planned fight; None before it is asked for, and with fewer than two sides."""
    if len(standing_sides(plan.system, plan.state)) < 2:
        return None
    job = forecast_jobs.read_job(_place(person))
    known = job if job and job.stamp == plan.stamp else None
    return make_odds(known, find_tones(plan.state), find_boss(plan.state))


def _place(person: User) -> str:
    return f"new-{person.pk}"


def use_suggestion(system: System, notes: str, chosen: str) -> str:
    """The notes with one suggestion in its place, chosen by its issue and number; Refused if it is gone."""
    numbers = [int(word) if word.isdecimal() and len(word) < 4 else -1 for word in chosen.split(":")]
    issue, suggestion = numbers if len(numbers) == 2 else (-1, -1)
    reading = read_notes(notes.replace("\r\n", "\n"), make_glossary(system, system.begin(), ALLIES))
    return reading.use(issue, suggestion)


def make_plan(system: System, notes: str, ready: str, party: Sequence[Character]) -> EncounterDraft:
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
    return EncounterDraft(system, box, state, name)


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
        issues=tuple(view_issues(reading)[: len(reading.issues)]),
        hints=tuple(view_issues(reading)[len(reading.issues) :]),
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
        bring_chosen(find_gm_context(request, made.pk), person, said["who"])
        rest = said["notes"]
        if rest.strip():
            context = find_gm_context(request, made.pk)
            box = PeopleBox(text=rest.replace("\r\n", "\n"), side=ENEMIES)
            try:
                _, rest = people_view.add_read(person, context, box)
            except Refused as refused:
                if refused.code != "bad_value":
                    raise
        return made, rest


def begin_next(request: HttpRequest, person: User, number: int) -> Encounter:
    """The next fight of a campaign after one of its encounters: the same characters, from their sheets.

    Pressed twice, it is the one that was made. Http404 for all but the owner; Refused outside a campaign.
    """
    with locked(find_owner_context(request, number).encounter.pk) as encounter:
        if encounter.campaign is None:
            raise Refused(
                "not_allowed", "This fight is in no campaign: choose one at the end of its page first."
            )
        name = name_copy(encounter.name, frozenset(), MAX_NAME)
        made = encounter.campaign.encounters.filter(name=name, phase="prep", pk__gt=encounter.pk).first()
        if made is not None:
            return made
        members = find_travellers(encounter.campaign.pk, encounter.owner_id, encounter.system)
        here = {find_character_id(one) for one in present(read_state(encounter))}
        made = create_in_campaign(encounter.campaign, person, encounter.system, name)
        there = [str(one.pk) for one in members if one.pk in here]
        bring_chosen(find_gm_context(request, made.pk), person, there)
        made.refresh_from_db()
        return made


def bring_chosen(context: ViewerContext, person: User, chosen: Sequence[str]) -> None:
    """Bring the chosen characters: those of the campaign with their players, others of the person's own."""
    numbers = {int(one) for one in chosen}
    there = [one.pk for one in find_members(context.encounter, context.full_state) if one.pk in numbers]
    if there:
        bring_party(context.encounter.pk, by=context.name, grant=context.grant, only=there)
    for character in chosen:
        if int(character) not in there:
            bring(
                context.encounter,
                person,
                character,
                side=ALLIES,
                zone="",
                by=context.name,
                grant=context.grant,
            )
