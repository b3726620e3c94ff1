from django.db import migrations, models


def close_unshared(apps, schema_editor):
    """Close the fights in preparation that nobody was let into: without a link for players, and without seats."""
    encounters = apps.get_model("combat", "Encounter").objects
    prepared = encounters.filter(phase="prep", demo=False, downtime=False)
    links = apps.get_model("combat", "ShareLink").objects.exclude(kind="co-gm").values("encounter")
    seats = apps.get_model("combat", "Seat").objects.exclude(kind="co-gm").values("encounter")
    prepared.exclude(pk__in=links).exclude(pk__in=seats).update(closed=True)


class Migration(migrations.Migration):
    dependencies = [
        ("combat", "0003_removed_and_next"),
    ]

    operations = [
        migrations.AddField(
            model_name="encounter",
            name="closed",
            field=models.BooleanField(
                default=False, help_text="players know its name, day and party until their GM lets them in"
            ),
        ),
        migrations.AddField(
            model_name="encounter",
            name="opened",
            field=models.DateTimeField(blank=True, help_text="when its GM let players in", null=True),
        ),
        migrations.RunPython(close_unshared, migrations.RunPython.noop),
    ]
