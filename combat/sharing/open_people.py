"""People of a GM's open encounters, whom the page of an own item offers to give one to."""

from __future__ import annotations

from django.contrib.auth.models import User

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, read_state, submit
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.gm.aliases import real_name
from combat.rules.core.sheets.catalogue import OWN, Entry
from combat.rules.core.state.state import present

MOST = 3  # encounters, those changed last

People = list[tuple[str, str]]  # each with the key of a combatant, and their name


def list_open_people(owner: User, system: str) -> list[tuple[str, People]]:
    """The people of someone's encounters of a game that are not over, by the names of these."""
    found = Encounter.objects.filter(owner=owner, system=system, archived=False, downtime=False)
    listed = []
    for encounter in found.exclude(phase="over").order_by("-changed", "-pk")[:MOST]:
        people = [(f"{encounter.pk}.{one.id}", real_name(one)) for one in present(read_state(encounter))]
        if people:
            listed.append((encounter.name, people))
    return listed


def give_item(owner: User, key: str, entry: Entry) -> str:
    """Give one of an item to a combatant of someone's own encounter; their name. Raises Refused."""
    number, _, who = key.partition(".")
    encounter = Encounter.objects.filter(owner=owner, pk=read_count(number) or 0).first()
    one = read_state(encounter).combatants.get(who) if encounter else None
    if encounter is None or one is None or one.gone:
        raise Refused("unknown", "They are no longer there: choose someone else.")
    is_own = entry.source == OWN
    fields = {"target": who, "entry": f"{entry.kind}/{'' if is_own else entry.id}"}
    given = {"record": dict(entry.record)} if is_own else {}
    submit(encounter.pk, Submission("give_item", {**fields, **given}, by=owner.get_username()))
    return real_name(one)
