from django.db import migrations, models


def note_removals(apps, schema_editor):
    """Note who was removed: until now, a seat that had ended and still had its link told it."""
    seats = apps.get_model("combat", "Seat").objects
    seats.exclude(ended=None).exclude(link=None).update(removed=True)


class Migration(migrations.Migration):
    dependencies = [
        ("combat", "0002_wishes"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="removed",
            field=models.BooleanField(default=False, help_text="whether the GM ended it"),
        ),
        migrations.AddField(
            model_name="encounter",
            name="follows",
            field=models.ForeignKey(
                blank=True,
                help_text="the fight before it",
                null=True,
                on_delete=models.SET_NULL,
                related_name="next",
                to="combat.encounter",
            ),
        ),
        migrations.RunPython(note_removals, migrations.RunPython.noop),
    ]
