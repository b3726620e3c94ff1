"""What was ruled in the fights of a campaign: it comes along into the next ones, with who can do it.

While a fight runs, its rulings are in its state, where undo reaches them. As it ends the campaign keeps them
by sheet, and as the next one begins they come along, by a step of its log.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from django.dispatch import receiver

from combat.models import Campaign, Encounter
from combat.rules import find_system
from combat.rules.core.basics.data import convert
from combat.rules.core.commands.commands import command_data, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, ReplayDriver, find_action, run
from combat.rules.core.gm.rulings import BRING, is_of_any_fight
from combat.rules.core.state.rulings import Ruling
from combat.rules.core.state.state import State

from ..writing.encounter_service import fight_begins, fight_ended, read_state, store_result
from ..writing.locking import hold_campaign, locked
from .roster import characters_joined, find_sheet_id

MAX_KEPT = 200  # rulings of a campaign and a game; the oldest go
OF = "of"  # the key of a row: the number of the sheet that can do it


def find_rulings(campaign: Campaign, slug: str) -> list[tuple[int, Ruling]]:
    """The rulings of a campaign in a game, each with the number of the sheet that it is of."""
    rows: list[dict[str, Any]] = campaign.rulings.get(slug, [])
    return [(row[OF], convert({k: v for k, v in row.items() if k != OF}, Ruling)) for row in rows]


def find_precedents(campaign: Campaign, slug: str) -> list[Ruling]:
    """The rulings of a campaign, each name once, the newest: as others may use them."""
    found = {one.name.casefold(): one for _, one in find_rulings(campaign, slug)}
    return [msgspec.structs.replace(one, id="r1", about="") for one in found.values()]


def write_row(of: int, one: Ruling) -> dict[str, Any]:
    """A ruling as a campaign keeps it, with the number of its sheet; 0 for that of nobody."""
    row: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(one))
    return {OF: of, **row}


@receiver(fight_ended, dispatch_uid="combat.keep_rulings")
def keep_rulings(encounter_id: int, **_: Any) -> None:
    """Keep what those of a fight can do at its end, in place of what they could do before it."""
    with locked(encounter_id) as encounter:
        campaign, state = encounter.campaign, read_state(encounter)
        here = _find_sheets(state)
        if campaign is None or not here:
            return
        system = find_system(encounter.system)
        new = [(pk, one) for who, pk in here.items() for one in _find_lasting(system, state, who)]
        with hold_campaign(campaign, "rulings"):
            known = find_rulings(campaign, encounter.system)
            kept = [(of, one) for of, one in known if of not in here.values()]
            _store(campaign, encounter.system, [*kept, *new][-MAX_KEPT:])


def _store(campaign: Campaign, slug: str, rows: list[tuple[int, Ruling]]) -> None:
    written = [write_row(of, one) for of, one in rows]
    if campaign.rulings.get(slug, []) != written:
        campaign.rulings = {**campaign.rulings, slug: written}
        campaign.save(update_fields=["rulings", "changed"])


def _find_sheets(state: State) -> dict[str, int]:
    """The numbers of the sheets that combatants came from; the first of several from one."""
    found = dict[int, str]()
    for who, one in state.combatants.items():
        if pk := find_sheet_id(one):
            found.setdefault(pk, who)
    return {who: pk for pk, who in found.items()}


def _find_lasting(system: System, state: State, who: str) -> Iterator[Ruling]:
    """What someone can do in any fight, not only where this one's people and things are."""
    for one in state.combatants[who].all_rulings:
        if is_of_any_fight(system, one):
            yield msgspec.structs.replace(one, about="")


@receiver(fight_begins, dispatch_uid="combat.bring_rulings")
def bring_rulings(encounter: Encounter, **_: Any) -> None:
    """Bring what was ruled in earlier fights along; the encounter is locked."""
    _bring(encounter, _find_sheets(read_state(encounter)))


@receiver(characters_joined, dispatch_uid="combat.bring_rulings_late")
def bring_rulings_late(encounter_id: int, who: set[str], **_: Any) -> None:
    """Bring what was ruled in earlier fights for those who join one that has begun."""
    with locked(encounter_id) as encounter:
        state = read_state(encounter)
        if state.phase == "fight":
            _bring(encounter, {one: pk for one, pk in _find_sheets(state).items() if one in who})


def _bring(encounter: Encounter, sheets: dict[str, int]) -> None:
    """Let these combatants do what was ruled for their sheets, by a step of the log."""
    campaign, state, system = encounter.campaign, read_state(encounter), find_system(encounter.system)
    known = find_rulings(campaign, encounter.system) if campaign else []
    rows = {who: [msgspec.to_builtins(one) for of, one in known if of == pk] for who, pk in sheets.items()}
    mine = {who: rulings for who, rulings in rows.items() if rulings}
    if not mine:
        return
    action = find_action(system, BRING)
    command = read_command(action, {"rulings": mine}, state)
    done = run(system, state, action, command, driver=ReplayDriver())
    if isinstance(done, Done) and done.facts:
        store_result(encounter, state, BRING, command_data(command), result=done, by="")
