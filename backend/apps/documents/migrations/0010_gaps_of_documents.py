import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("documents", "0009_standing_documents_by_values"),
    ]

    operations = [
        migrations.CreateModel(
            name="DocumentGap",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "gone_runner_id",
                    models.BigIntegerField(help_text="The run that found it gone; it may be deleted since."),
                ),
                (
                    "back_runner_id",
                    models.BigIntegerField(help_text="The run that found it again; it may be deleted since."),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="gaps", to="documents.document"
                    ),
                ),
            ],
        ),
    ]
