import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("documents", "0007_first_runner"),
    ]

    operations = [
        migrations.AlterField(
            model_name="document",
            name="page_key",
            field=models.BinaryField(default=b"", help_text="The page that stands for it.", max_length=16),
        ),
        migrations.CreateModel(
            name="DocumentPage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("page_key", models.BinaryField(max_length=16)),
                ("url", models.TextField()),
                (
                    "runner_id",
                    models.BigIntegerField(help_text="The last run that found it there; it may be deleted since."),
                ),
                (
                    "document",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pages",
                        to="documents.document",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["page_key"], name="document_page_by_key")],
                "constraints": [models.UniqueConstraint(fields=("document", "page_key"), name="document_once_on_page")],
            },
        ),
    ]
