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
from combat.play.notes.glossary import ALLIES, ENEMIES
from combat.play.notes.notes import read_notes
from combat.play.notes.parts import Reading
from combat.play.scenes.ready import OwnScene, find_last_scene, find_ready_scene
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
from combat.rules.core.state.state import State, find_waiting, present
from combat.sharing.access import find_gm_context, find_owner_context
from combat.sharing.viewer_context import ViewerContext

from ..home.pictures import draw_picture
from ..map.views import lay_own, use_last_scene, use_ready_scene
from ..table.rows import view_combatants
from . import people_view
from .forms import DRAW, LAST
from .odds_view import PrepOdds, make_odds
from .people_view import PeopleBox, digest_of

MAX_PARTY = 12
OWN_METERS = 30  # the width of a picture of one's own, unless its GM says another
ONE_OF = {ALLIES: "ally", ENEMIES: "enemy"}  # the word for one of a side
EXAMPLE = "docking_ring"  # the scene of a game that declares no fights to begin with


@dataclass(frozen=True)
class EncounterDraft:
    """What a new encounter would be: its people as read, where, and the state that it would begin with."""

    system: System
    box: PeopleBox
    state: State
    scene: str
    reading: Reading | None = None

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
        """What the button makes, and what of the notes is not understood."""
        sides, later = Counter(one.side for one in present(self.state)), len(find_waiting(self.state))
        allies = sides.pop(ALLIES, 0)
        others = " against ".join(str(count) for count in sides.values())
        if allies and others:
            who = f"{allies} {'allies' if allies != 1 else 'ally'} against {others}"
        else:
            now = allies + sum(sides.values())
            who = f"{now} {'people' if now != 1 else 'person'}" if now else ""
        who = ", ".join(filter(None, (who, f"{later} later" if later else "")))
        made = " on ".join(filter(None, (who, self.scene)))
        left = f"; {self.box.open}" if self.box.open else ""
        return f"Create: {made}{left}" if made else f"Create encounter{left}"

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
    made = ReadyFight("Example", find_ready_scene(EXAMPLE).name, EXAMPLE, system.book.imports.example)
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


def use_suggestion(plan: EncounterDraft, chosen: str) -> str:
    """The notes with one suggestion in its place, chosen by its issue and number; Refused if it is gone."""
    numbers = [int(word) if word.isdecimal() and len(word) < 4 else -1 for word in chosen.split(":")]
    issue, suggestion = numbers if len(numbers) == 2 else (-1, -1)
    if plan.reading is None:
        raise Refused("bad_value", plan.box.problem or "The notes are empty: type who fights.")
    return plan.reading.use(issue, suggestion)


def make_plan(
    person: User | None,
    system: System,
    notes: str,
    ready: str,
    party: Sequence[Character],
    last: OwnScene | None = None,
) -> EncounterDraft:
    """What these notes of someone, this scene of the library or the `last` one, and these characters make."""
    state = system.begin()
    name = ""
    if last:
        name, state = last.scene.name or last.of, msgspec.structs.replace(state, scene=last.scene)
    elif ready:
        scene = find_ready_scene(ready).lay_out(system)
        name, state = scene.name, msgspec.structs.replace(state, scene=scene)
    for one in party:
        state = _join(system, state, {"name": one.name, "side": ALLIES, "sheet": one.sheet, "pc": True})
    box = PeopleBox(text=notes.replace("\r\n", "\n"), side=ENEMIES)
    if not notes.strip():
        return EncounterDraft(system, box, state, name)
    try:
        glossary = people_view.find_names(person, system, state)
        reading = read_notes(box.text, glossary)
    except Refused as refused:
        return EncounterDraft(system, replace(box, problem=refused.message), state, name)
    shown = people_view.view_reading(system, state, box, glossary, reading)
    for group in reading.groups:
        state = _join(system, state, group.make_join(glossary, ENEMIES, "", hidden=False))
    return EncounterDraft(system, shown, state, name, reading)


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
        _lay_scene(find_gm_context(request, made.pk), person, said)
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


def _lay_scene(context: ViewerContext, person: User, said: dict[str, Any]) -> None:
    """Lay the chosen scene: a file of one's own, one of the library, or that of the last encounter."""
    if said["own"]:
        meters = said["metres"] or OWN_METERS
        lay_own(context, said["own"], said["name"], float(meters))
    elif said["scene"] == LAST:
        last = find_last_scene(person, context.encounter)
        if last is None:
            raise Refused("unknown", "Your last scene is gone: choose another one.")
        use_last_scene(context, person, last.encounter)
    elif said["scene"] and said["scene"] != DRAW:
        use_ready_scene(context, said["scene"])


def begin_next(request: HttpRequest, person: User, number: int) -> Encounter:
    """The next fight of a campaign after one of its encounters: the same characters, from their sheets.

    Pressed twice, it is the one that was made. Http404 for all but the owner; Refused outside a campaign.
    """
    with locked(find_owner_context(request, number).encounter.pk) as encounter:
        if encounter.campaign is None:
            raise Refused(
                "not_allowed", "This fight is in no campaign: choose one at the end of its page first."
            )
        begun = encounter.campaign.encounters.filter(follows=encounter, phase="prep", archived=False)
        if made := begun.first():
            return made
        taken = frozenset(encounter.campaign.encounters.values_list("name", flat=True))
        name = name_copy(encounter.name, taken, MAX_NAME)
        members = find_travellers(encounter.campaign.pk, encounter.owner_id, encounter.system)
        here = {find_character_id(one) for one in present(read_state(encounter))}
        made = create_in_campaign(encounter.campaign, person, encounter.system, name)
        Encounter.objects.filter(pk=made.pk).update(follows=encounter)
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
