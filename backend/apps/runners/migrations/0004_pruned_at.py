from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runners", "0003_references_left_to_the_sweeper")]

    operations = [
        migrations.AddField(
            model_name="runner",
            name="pruned_at",
            field=models.DateTimeField(help_text="When its pages, frontier and log were deleted.", null=True),
        ),
    ]
