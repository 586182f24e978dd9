from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0007_placements_outlive_their_node"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="resume_at",
            field=models.DateTimeField(help_text="When a pause ends by itself; empty where people end it.", null=True),
        ),
    ]
