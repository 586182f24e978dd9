from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("search", "0001_judged_queries")]

    operations = [
        migrations.RemoveConstraint(model_name="tuning", name="tuning_state_valid"),
        migrations.AlterField(
            model_name="tuning",
            name="state",
            field=models.CharField(
                choices=[
                    ("waiting", "Waiting"),
                    ("running", "Running"),
                    ("done", "Done"),
                    ("stopped", "Stopped"),
                    ("failed", "Failed"),
                ],
                default="waiting",
                max_length=7,
            ),
        ),
        migrations.AddConstraint(
            model_name="tuning",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["waiting", "running", "done", "stopped", "failed"])),
                name="tuning_state_valid",
            ),
        ),
    ]
