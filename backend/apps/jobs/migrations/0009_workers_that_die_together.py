from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0008_pauses_that_end_by_themselves"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="crash_fence",
            field=models.BigIntegerField(default=0, help_text="The newest placement when the last crash was counted."),
        ),
        migrations.AddField(
            model_name="job",
            name="crashing_since",
            field=models.DateTimeField(help_text="When the first of these crashes was counted.", null=True),
        ),
    ]
