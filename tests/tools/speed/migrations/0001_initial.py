"""The two tables, with one row of 20 KB."""

import json

from django.db import migrations, models
from django.db.migrations.state import StateApps

ITEMS = [{"name": "Pistol", "traits": ["light", "loud"], "rounds": 10}] * 4
COMBATANTS = [{"name": f"Someone {n}", "hp": 40, "at": [1.0, 2.0, 0.0], "items": ITEMS} for n in range(69)]


def add_row(apps: StateApps, schema_editor: object) -> None:
    """A state about as big as that of a fight with dozens of combatants."""
    state = json.dumps({"round": 0, "combatants": COMBATANTS}).encode()
    apps.get_model("speed", "Row").objects.create(pk=1, state=state)


class Migration(migrations.Migration):
    initial = True
    dependencies: list[tuple[str, str]] = []
    operations = [
        migrations.CreateModel(
            "Row",
            [
                ("id", models.BigAutoField(primary_key=True)),
                ("state", models.BinaryField()),
                ("version", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            "Event",
            [
                ("id", models.BigAutoField(primary_key=True)),
                ("row", models.ForeignKey("speed.row", models.CASCADE)),
                ("number", models.PositiveIntegerField()),
                ("record", models.BinaryField()),
            ],
        ),
        migrations.RunPython(add_row, migrations.RunPython.noop),
    ]
