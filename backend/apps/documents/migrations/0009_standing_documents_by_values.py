from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("documents", "0008_pages_that_list_a_document")]

    operations = [
        migrations.RemoveIndex(model_name="document", name="document_by_values"),
        migrations.AddIndex(
            model_name="document",
            index=models.Index(
                fields=["crawler", "sha1"],
                condition=models.Q(duplicate_of=None, gone_at=None),
                name="document_standing_by_values",
            ),
        ),
    ]
