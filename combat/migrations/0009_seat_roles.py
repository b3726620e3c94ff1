"""Roles have names: Spectator, Player, Co-GM. Only the choices' words change."""

from __future__ import annotations

from django.db import migrations, models

ROLES = [("watch", "Spectator"), ("play", "Player"), ("co-gm", "Co-GM")]


class Migration(migrations.Migration):
    dependencies = [("combat", "0008_words_by_key")]
    operations = [
        migrations.AlterField(model, "kind", models.CharField(choices=ROLES, max_length=10))
        for model in ("seat", "sharelink")
    ]
