"""Numbers of combatants are never used twice since undo keeps count: seats forget who is not there.

Before, an undone join left its number in a seat, and the next one who joined got that number, and so the seat.
"""

from typing import Any

import msgspec
from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

BATCH = 200  # rows at a time


class _State(msgspec.Struct):
    """What of a stored state matters here."""

    combatants: dict[str, msgspec.Raw] = {}


def forget_the_absent(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Take out of every seat the ids that are no combatants of its encounter."""
    seats = apps.get_model("combat", "Seat").objects.using(editor.connection.alias)
    last = 0
    while rows := list(seats.filter(pk__gt=last).order_by("pk").select_related("encounter")[:BATCH]):
        last, changed = rows[-1].pk, []
        for seat in rows:
            there = _find_there(seat.encounter)
            kept = [who for who in seat.fighters if who in there]
            if kept != seat.fighters:
                seat.fighters = kept
                changed.append(seat)
        seats.bulk_update(changed, ["fighters"])


def _find_there(encounter: Any) -> set[str]:
    return set(msgspec.json.decode(bytes(encounter.state), type=_State).combatants)


class Migration(migrations.Migration):
    """Changes what is in the rows, not the tables."""

    dependencies = [("combat", "0009_seat_roles")]

    operations = [migrations.RunPython(forget_the_absent, migrations.RunPython.noop)]
