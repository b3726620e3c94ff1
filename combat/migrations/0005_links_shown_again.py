from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("combat", "0004_sittings")]

    operations = [
        migrations.AddField(
            model_name="sharelink",
            name="nonce",
            field=models.CharField(blank=True, default="", max_length=32),
        ),
    ]
