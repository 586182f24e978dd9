from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def fill(apps, _):
    """The run that wrote the first version; where that run was deleted since, nobody knows."""
    version = apps.get_model("documents", "DocumentVersion")
    first = version.objects.filter(document=OuterRef("pk"), number=1).values("runner_id")[:1]
    apps.get_model("documents", "Document").objects.update(first_runner_id=Subquery(first))


class Migration(migrations.Migration):
    dependencies = [
        ("documents", "0006_pages_by_state"),
    ]

    operations = [
        migrations.AddField(
            model_name="document",
            name="first_runner_id",
            field=models.BigIntegerField(help_text="The earliest run that found it.", null=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
