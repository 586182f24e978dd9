from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("indexers", "0006_idf")]

    operations = [
        migrations.AddField(
            model_name="indexer",
            name="hits",
            field=models.BooleanField(
                default=False,
                help_text="Also count hubs and authorities among the pages, to be weighed and used in formulas.",
            ),
        ),
    ]
