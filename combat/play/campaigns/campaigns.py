"""Campaigns: a GM's folders. All changes of a campaign, its people and its encounters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Q, QuerySet

from characters.folders import Folder
from characters.models import Character
from combat.audience.changes import FOR_ALL, Audience, count_change
from combat.audience.rights import Grant, check_gm, find_viewer
from combat.audience.things import PARTY, may_name
from combat.models import (
    Campaign,
    CampaignMember,
    Encounter,
    HandoutShowing,
    LateJoin,
    Participation,
)
from combat.rules import find_system
from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import Done, LiveDriver, find_action, run
from combat.rules.core.state.state import Combatant, Scalar, State, find_waiting, present
from combat.stamps import COMMON, make_stamp

from ..writing.encounter_service import Submission, create_encounter, read_state, submit_all
from ..writing.locking import alone, hold_campaign, locked
from .members import MAX_MEMBERS, find_seat_again, join_campaign
from .own_conditions import find_kept_conditions, write_fields
from .roster import PREFIX, find_character_id, find_side, join_or_wait, submission_to_join

MAX_CAMPAIGNS = 100
MAX_NAME, MAX_NOTES = 100, 20_000
NOTES_CHANGED = "The notes changed meanwhile. Compare, then save: what you save replaces them."


def find_campaigns(owner: User, archived: bool = False) -> QuerySet[Campaign]:
    """Someone's campaigns, either active or archived."""
    return Campaign.objects.filter(owner=owner, archived=archived)


def clean_title(words: str) -> str:
    """A name of 1 to 100 characters, on one line."""
    clean = tidy(words)
    if not 1 <= len(clean) <= MAX_NAME:
        raise Refused("bad_value", f"A name has 1 to {MAX_NAME} characters.")
    return clean


def create_campaign(owner: User, name: str) -> Campaign:
    """A new, empty campaign; Refused if there are too many."""
    if Campaign.objects.filter(owner=owner).count() >= MAX_CAMPAIGNS:
        raise Refused("not_allowed", f"You have {MAX_CAMPAIGNS} campaigns, the limit: delete one first.")
    return Campaign.objects.create(owner=owner, name=clean_title(name))


def change_campaign(campaign: Campaign, **fields: Any) -> None:
    """Write some fields of a campaign."""
    for name, value in fields.items():
        setattr(campaign, name, value)
    campaign.save(update_fields=[*fields, "changed"])


def write_seen(*texts: str) -> str:
    """What a form that was opened with these texts sends back, to tell whether they are still the same."""
    return make_stamp("combat.seen", "\0".join(texts), COMMON)


def change_notes(campaign: Campaign, notes: str, seen: str) -> None:
    """Write the GM's notes. `seen` is `write_seen` of those that the writer has read; empty: not known.

    Refused("stale") if they are others now; `campaign` has them then.
    """
    with alone():
        campaign.refresh_from_db(fields=["notes"], from_queryset=Campaign.objects.select_for_update())
        if seen and seen != write_seen(campaign.notes) and notes != campaign.notes:
            raise Refused("stale", NOTES_CHANGED)
        change_campaign(campaign, notes=notes)


def delete_campaign(campaign: Campaign) -> None:
    """Delete the folder with its handouts and notes; encounters, characters and NPCs stay."""
    with transaction.atomic():
        for encounter in campaign.encounters.filter(handouts__gt=0):
            withdraw_all(encounter.pk)
        campaign.delete()


def withdraw_all(encounter_id: int) -> None:
    """Withdraw all handouts from an encounter."""
    with locked(encounter_id) as encounter:
        HandoutShowing.objects.filter(encounter=encounter).delete()
        tell_shown(encounter, everybody=True)


def tell_shown(encounter: Encounter, *, everybody: bool = False, seats: Iterable[int] = ()) -> None:
    """Count the handouts shown at an encounter, in its lock, and have the pages concerned look again."""
    encounter.handouts = HandoutShowing.objects.filter(encounter=encounter).count()
    count_change(encounter, FOR_ALL if everybody else Audience(), seats=seats)
    encounter.save(update_fields=["handouts", "version", "public", "seated", "changed"])


# ---------------------------------------------------------------- encounters


def create_in_campaign(campaign: Campaign, owner: User, system: str, name: str) -> Encounter:
    """A new encounter that starts with the house rules and the GM's own conditions of its campaign."""
    with transaction.atomic():
        made = create_encounter(owner, system, name)
        Encounter.objects.filter(pk=made.pk).update(campaign=campaign)
        rules = campaign.options.get(system, {})
        found = find_system(system)
        kept = [write_fields(found, one) for one in find_kept_conditions(campaign, system)]
        wanted = [Submission("set_option", {"key": k, "value": v}) for k, v in rules.items()]
        submit_all(made.pk, [*wanted, *(Submission("define_condition", fields) for fields in kept)])
        change_campaign(campaign)
    made.refresh_from_db()
    return made


def move_encounter(encounter_id: int, campaign: Campaign | None) -> None:
    """Put an encounter into a campaign with its characters, or take it out.

    Withdraws handouts of another campaign.
    """
    with locked(encounter_id) as encounter:
        if encounter.campaign_id == (campaign.pk if campaign else None):
            return
        Encounter.objects.filter(pk=encounter_id).update(campaign=campaign)
        encounter.campaign = campaign
        join_campaign(encounter)
        HandoutShowing.objects.filter(encounter=encounter).delete()
        tell_shown(encounter, everybody=True)


def plan_encounter(campaign: Campaign, number: int, day: date | None) -> None:
    """Keep the day on which an encounter of a campaign is to be played. Refused if it is not in it."""
    if not campaign.encounters.filter(pk=number).update(planned=day):
        raise Refused("stale", "That encounter is not in this campaign: reload the page.")


# ---------------------------------------------------------------- house rules


def set_rules(campaign: Campaign, slug: str, changes: Iterable[tuple[str, Any]]) -> None:
    """Change the house rules that new encounters of a game start with; checked as in an encounter."""
    defaults = {option.key: option.default for option in find_system(slug).book.all_options}
    with hold_campaign(campaign, "options"):
        options = set_options(State(slug, options=dict(campaign.options.get(slug, {}))), changes).options
        kept: dict[str, Scalar] = {k: v for k, v in options.items() if v != defaults.get(k)}
        change_campaign(campaign, options={**campaign.options, slug: kept})


def set_options(state: State, changes: Iterable[tuple[str, Any]]) -> State:
    """The state with these options; Refused for one that the game does not have."""
    system = find_system(state.system)
    action = find_action(system, "set_option")
    for key, value in changes:
        command = read_command(action, {"key": key, "value": value})
        result = run(system, state, action, command=command, driver=LiveDriver())
        assert isinstance(result, Done)
        state = result.state
    return state


# ---------------------------------------------------------------- people


def find_people(campaign: Campaign, npc: bool = False) -> QuerySet[Character]:
    """The characters, or the NPCs, of a campaign."""
    members = Character.objects.filter(campaigns__campaign=campaign, npc=npc, deleted_at=None)
    return members.select_related("owner").defer("sheet", "notes").order_by("name", "pk")


def find_candidates(campaign: Campaign, npc: bool = False) -> QuerySet[Character]:
    """The characters that could be added: the GM's own, and those brought to the GM's encounters."""
    theirs = Q(owner=campaign.owner_id)
    if not npc:
        theirs |= Q(participations__encounter__campaign=campaign)
    found = Character.objects.filter(theirs, npc=npc, deleted_at=None, archived=False)
    found = found.exclude(campaigns__campaign=campaign).distinct()
    return found.select_related("owner").defer("sheet", "notes").order_by("name", "pk")


def add_members(campaign: Campaign, numbers: Iterable[int], npc: bool = False) -> list[Character]:
    """Add characters or NPCs to a campaign; Refused for those that cannot be added.

    Returns the new ones: who fought in the campaign is in it already.
    """
    asked = set(numbers)
    with transaction.atomic():
        there = set(campaign.members.values_list("character_id", flat=True))
        wanted = asked - there
        found = [one for one in find_candidates(campaign, npc) if one.pk in wanted]
        if not asked or len(found) < len(wanted):
            raise Refused("unknown", "Choose from the list: some are no longer there.")
        if len(there) + len(found) > MAX_MEMBERS:
            raise Refused("not_allowed", f"A campaign has at most {MAX_MEMBERS} people and NPCs.")
        for one in found:
            CampaignMember.objects.get_or_create(campaign=campaign, character=one)
        change_campaign(campaign)
    return found


def find_folder(user: User | AnonymousUser, word: str) -> Folder | None:
    """Someone's campaign by its number, to create a character in it; None if it is not theirs."""
    mine = Campaign.objects.filter(owner=user) if isinstance(user, User) else Campaign.objects.none()
    campaign = mine.filter(pk=read_count(word) or 0).first()
    if campaign is None:
        return None

    def add(made: Sequence[Character]) -> None:
        add_members(campaign, [one.pk for one in made], npc=made[0].npc)

    return Folder(campaign.pk, campaign.name, find_last_game(campaign.encounters), add)


def find_last_game(encounters: Any) -> str:
    """The slug of the game of the encounter that changed last; empty without one."""
    return encounters.order_by("-changed").values_list("system", flat=True).first() or ""


def remove_member(campaign: Campaign, number: int) -> None:
    """Remove someone from a campaign; the sheet stays as it is."""
    if not campaign.members.filter(character_id=number).delete()[0]:
        raise Refused("stale", "That one is gone already: reload the page.")
    change_campaign(campaign)


def find_party(encounter: Encounter, state: State) -> list[Character]:
    """The campaign's characters that can join an encounter, and are not here yet."""
    if encounter.campaign_id is None:
        return []
    here = {str(one.marks.get("source", "")) for one in (*present(state), *find_waiting(state))}
    late = set(LateJoin.objects.filter(encounter=encounter).values_list("character", flat=True))
    ready = find_travellers(encounter.campaign_id, encounter.owner_id, encounter.system)
    return [one for one in ready if f"{PREFIX}{one.pk}" not in here and one.pk not in late]


def find_travellers(campaign_id: int, gm_id: int, slug: str) -> list[Character]:
    """The characters of a game that a campaign can bring: the GM's own, and those at a table of the campaign.

    The GM may read their sheets. A character that has left every table is not included.
    """
    members = Character.objects.filter(campaigns__campaign=campaign_id, npc=False, deleted_at=None)
    members = members.filter(system=slug, archived=False).select_related("owner")
    ready = list(members.order_by("name", "pk"))
    known = find_known(campaign_id, gm_id, ready)
    return [one for one in ready if one.pk in known]


def find_known(campaign_id: int, gm_id: int, people: Iterable[Character]) -> set[int]:
    """Whose sheets a campaign's GM may read, by number: their own, and those at a table of it."""
    owners = {one.pk: one.owner_id for one in people}
    others = [number for number, owner in owners.items() if owner != gm_id]
    sitting = _find_sitting(campaign_id, others) if others else set()
    return owners.keys() - set(others) | sitting


def _find_sitting(campaign_id: int, numbers: Iterable[int]) -> set[int]:
    """Which of these characters sit at a table of a campaign that is not archived."""
    brought = Participation.objects.filter(
        character__in=numbers, encounter__campaign=campaign_id, encounter__archived=False
    )
    rows = list(brought.values_list("encounter", "character", "combatant"))
    tables = Encounter.objects.filter(pk__in={pk for pk, _, _ in rows})
    states = {encounter.pk: read_state(encounter) for encounter in tables}
    return {
        character
        for pk, character, who in rows
        if (combatant := states[pk].combatants.get(who))
        and not combatant.gone
        and find_character_id(combatant) == character
    }


def bring_party(
    encounter_id: int, *, by: str, grant: Grant | None = None, only: Collection[int] | None = None
) -> tuple[list[Character], bool]:
    """Add the whole party, and say whether it is there: it waits for an open command.

    `only` are the numbers of those who come. Each gets a seat for their player, who needs no new link.
    """
    with locked(encounter_id) as encounter:
        viewer = find_viewer(encounter, grant)
        check_gm(viewer)
        state = read_state(encounter)
        party = find_party(encounter, state) if may_name(PARTY, encounter, viewer, grant) else []
        party = [one for one in party if only is None or one.pk in only]
        if not party:
            raise Refused("not_allowed", "Everybody is here already, or nobody of the campaign can join.")
        side, joined = find_side(state), list[Combatant]()
        for character in party:
            wanted = submission_to_join(character, side=side, by=by)
            joined += join_or_wait(encounter_id, [wanted], character, find_seat_again(encounter, character))
    return party, bool(joined)


def find_npcs_of(campaign_id: int | None) -> set[int]:
    """The numbers of the NPCs that belong to a campaign."""
    if campaign_id is None:
        return set()
    members = CampaignMember.objects.filter(campaign=campaign_id, character__npc=True)
    return set(members.values_list("character_id", flat=True))
