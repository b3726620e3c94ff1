"""A character at a table is a participation: it was called a sitting, beside seats."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Renames the model; the rows stay."""

    dependencies = [("characters", "0003_guests"), ("combat", "0006_guest_sheets")]

    operations = [
        migrations.RenameModel("Sitting", "Participation"),
        migrations.AlterField(
            "participation",
            "encounter",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="participations", to="combat.encounter"
            ),
        ),
        migrations.AlterField(
            "participation",
            "character",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="participations",
                to="characters.character",
            ),
        ),
    ]
