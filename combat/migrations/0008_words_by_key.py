"""Facts hold keys of words since version 2: the records of older ones are brought to the new shape."""

from collections.abc import Callable
from typing import Any

import msgspec
from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from combat.rules.core.state.upgrades import upgrade_pending, upgrade_step

BATCH = 200  # rows at a time


def upgrade_records(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Bring every stored step and every waiting command up to date."""
    _upgrade(apps.get_model("combat", "StoredStep"), upgrade_step, editor.connection.alias)
    _upgrade(apps.get_model("combat", "OpenCommand"), upgrade_pending, editor.connection.alias)


def _upgrade(model: Any, upgrade: Callable[[dict[str, Any]], dict[str, Any]], alias: str) -> None:
    """Upgrade the records of a table in the order of its keys; one that is as it should be stays."""
    last = 0
    while rows := list(model.objects.using(alias).filter(pk__gt=last).order_by("pk").only("record")[:BATCH]):
        last, changed = rows[-1].pk, []
        for row in rows:
            old = bytes(row.record)
            row.record = msgspec.json.encode(upgrade(msgspec.json.decode(old)))
            changed += [row] if row.record != old else []
        model.objects.using(alias).bulk_update(changed, ["record"])


class Migration(migrations.Migration):
    """Changes what is in the rows, not the tables. A text that is no key is drawn as it stands."""

    dependencies = [("combat", "0007_participations")]

    operations = [migrations.RunPython(upgrade_records, migrations.RunPython.noop)]
