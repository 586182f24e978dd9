"""A search index over chosen inspectors, and the dictionaries that feed its suggestions."""

from django.db import models

from backend.apps.model_parts import ProjectNoun, at_least, between, not_empty, one_of, unique_name
from backend.apps.templates.models import Inspector


class Dictionary(ProjectNoun):
    """Known names, one `name, score, synonym, …` line each."""

    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="dictionaries")
    entries = models.TextField(blank=True, default="")
    entry_count = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["name", "id"]
        constraints = [unique_name("dictionary"), not_empty("dictionary")]


class IndexerStatus(models.TextChoices):
    NEW = "new"
    DICTIONARY = "dictionary"
    INDEXING = "indexing"
    COMPLETED = "completed"
    EXIT = "exit"


class Indexer(ProjectNoun):
    k = models.FloatField(default=1.75)
    b = models.FloatField(default=0.75)
    small_words = models.IntegerField(default=0, help_text="Words of at most this many letters are left out.")
    stop_words = models.JSONField(blank=True, default=list)
    word_weights = models.JSONField(blank=True, default=dict)
    formula = models.TextField(blank=True, default="", max_length=2_000)
    weights = models.JSONField(blank=True, default=dict)
    dictionary = models.ForeignKey(
        Dictionary, on_delete=models.RESTRICT, null=True, blank=True, related_name="indexers"
    )
    synonyms = models.JSONField(blank=True, default=list)
    q = models.IntegerField(default=3)
    status = models.CharField(max_length=10, choices=IndexerStatus.choices, default=IndexerStatus.NEW)

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            unique_name("indexer"),
            not_empty("indexer"),
            one_of("indexer", "status", IndexerStatus),
            at_least("indexer", "k", 0),
            between("indexer", "b", 0, 1),
            between("indexer", "small_words", 0, 20),
            between("indexer", "q", 2, 5),
        ]


class IndexColumn(models.Model):
    """One column of an index; documents of several templates can fill it through its sources."""

    indexer = models.ForeignKey(Indexer, on_delete=models.CASCADE, related_name="columns")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=100)
    variable = models.CharField(max_length=50, blank=True, default="")
    boost = models.FloatField(default=1.0)
    language = models.CharField(max_length=10, blank=True, default="")
    searchable = models.BooleanField(default=True)

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            not_empty("column"),
            at_least("column", "boost", 0),
            models.UniqueConstraint(fields=["indexer", "name"], name="column_name_unique_in_indexer"),
            models.UniqueConstraint(
                fields=["indexer", "variable"],
                condition=~models.Q(variable=""),
                name="column_variable_unique_in_indexer",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ColumnSource(models.Model):
    """An inspector that fills a column; the inspector cannot be deleted while it does."""

    column = models.ForeignKey(IndexColumn, on_delete=models.CASCADE, related_name="sources")
    inspector = models.ForeignKey(Inspector, on_delete=models.RESTRICT, related_name="column_sources")
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["position", "id"]
        constraints = [models.UniqueConstraint(fields=["column", "inspector"], name="source_once_in_column")]

    def __str__(self) -> str:
        return f"{self.inspector.template.name}.{self.inspector.name}"
