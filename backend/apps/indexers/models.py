"""A search index over chosen inspectors, and the dictionaries that feed its suggestions."""

from django.db import models

from backend.apps.crawlers.models import Crawler
from backend.apps.model_parts import ProjectNoun, Timed, at_least, between, not_empty, one_of, unique_name
from backend.apps.runners.models import LogLevel
from backend.apps.templates.models import Inspector


class Dictionary(ProjectNoun):
    """Known names, one `name, score, synonym, …` line each."""

    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="dictionaries")
    entries = models.TextField(blank=True, default="")
    entry_count = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["name", "id"]
        constraints = [unique_name("dictionary"), not_empty("dictionary")]


class Joining(models.TextChoices):
    """What a query of several words asks for."""

    AND = "and", "All words"
    OR = "or", "Any word"


class Idf(models.TextChoices):
    """How much more a rare word counts than a frequent one."""

    THESIS = "thesis", "log2(N / df): a word that every document has counts nothing"
    LUCENE = "lucene", "As in Lucene: every word counts something"


class Reduction(models.TextChoices):
    """How forms of a word are brought together."""

    STEM = "stem", "Stems"
    LEMMA = "lemma", "Lemmas"
    NONE = "none", "Words as they are"


class IndexerStatus(models.TextChoices):
    NEW = "new"
    DICTIONARY = "dictionary"
    INDEXING = "indexing"
    COMPLETED = "completed"
    EXIT = "exit"


class Indexer(ProjectNoun):
    """A search index and its ranking. `serving` turns it into what the search engine understands.

    Ranking (k, b, idf, boosts, weights, formula, word weights, synonyms, joining) counts from the next search on;
    analysis (languages, stop words, small words, columns, crawlers, page text, hits) from the next build on.
    """

    k = models.FloatField(default=1.75)
    b = models.FloatField(default=0.75)
    idf = models.CharField(max_length=6, choices=Idf.choices, default=Idf.THESIS)
    small_words = models.IntegerField(default=0, help_text="Words of at most this many letters are left out.")
    stop_words = models.JSONField(blank=True, default=list)
    word_weights = models.JSONField(blank=True, default=dict)
    formula = models.TextField(blank=True, default="", max_length=2_000)
    weights = models.JSONField(blank=True, default=dict)
    dictionary = models.ForeignKey(
        Dictionary, on_delete=models.RESTRICT, null=True, blank=True, related_name="indexers"
    )
    crawlers = models.ManyToManyField(
        Crawler,
        through="IndexedCrawler",
        blank=True,
        related_name="indexers",
        help_text="Whose documents it takes; none: those of all crawlers whose templates fill its columns.",
    )
    synonyms = models.JSONField(blank=True, default=list)
    q = models.IntegerField(default=3)
    language = models.CharField(max_length=10, default="en", help_text="Of columns that name no language.")
    language_stop_words = models.BooleanField(
        default=False, help_text="Leave out the function words of the language (the, and, of)."
    )
    joining = models.CharField(max_length=3, choices=Joining.choices, default=Joining.AND)
    page_text = models.BooleanField(
        default=False, help_text="Also search title, headings, text and incoming links of the page of a document."
    )
    hits = models.BooleanField(
        default=False, help_text="Also count hubs and authorities among the pages, to be weighed and used in formulas."
    )
    safe_search = models.BooleanField(default=False, help_text="Hide unsafe documents unless a search asks for them.")
    hide_duplicates = models.BooleanField(default=False, help_text="Show of nearly equal results only the best.")
    live = models.BooleanField(default=True, help_text="Follow the crawls: new, changed and gone documents.")
    max_loss_percent = models.FloatField(
        default=20, help_text="A build that lost more of its documents is held back until a person agrees."
    )
    public = models.BooleanField(default=False, help_text="Anybody may search, without signing in.")
    public_per_minute = models.PositiveIntegerField(
        default=60,
        help_text="Searches a minute that one address may make without signing in, and five times as many suggestions.",
    )
    public_origins = models.JSONField(
        blank=True, default=list, help_text="Websites whose pages may search (CORS), such as https://example.org."
    )
    served_build = models.CharField(
        max_length=40, blank=True, default="", help_text="The build that answers searches; empty before the first."
    )
    status = models.CharField(max_length=10, choices=IndexerStatus.choices, default=IndexerStatus.NEW)
    reason = models.TextField(blank=True, default="", help_text="Why it is in this status, as a sentence.")

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
            one_of("indexer", "joining", Joining),
            one_of("indexer", "idf", Idf),
            between("indexer", "max_loss_percent", 0, 100),
            at_least("indexer", "public_per_minute", 1),
        ]


class IndexedCrawler(models.Model):
    """A crawler that an indexer chose. It cannot be deleted while it is: an indexer without a choice takes all."""

    indexer = models.ForeignKey(Indexer, on_delete=models.CASCADE, related_name="indexed_crawlers")
    crawler = models.ForeignKey(Crawler, on_delete=models.RESTRICT, related_name="indexed_crawlers")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["indexer", "crawler"], name="crawler_once_in_indexer")]

    def __str__(self) -> str:
        return f"{self.crawler} in {self.indexer}"


class IndexColumn(models.Model):
    """One column of an index; documents of several templates can fill it through its sources."""

    indexer = models.ForeignKey(Indexer, on_delete=models.CASCADE, related_name="columns")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=100)
    variable = models.CharField(max_length=50, blank=True, default="")
    boost = models.FloatField(default=1.0)
    language = models.CharField(max_length=10, blank=True, default="")
    searchable = models.BooleanField(default=True)
    reduction = models.CharField(max_length=5, choices=Reduction.choices, default=Reduction.STEM)
    facet = models.BooleanField(default=False, help_text="Offer its values to narrow results down.")

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            not_empty("column"),
            at_least("column", "boost", 0),
            one_of("column", "reduction", Reduction),
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


class BuildState(models.TextChoices):
    """One build of an indexer is served at a time; one at most is being built or held back."""

    BUILDING = "building"
    HELD = "held"
    SERVED = "served"
    REPLACED = "replaced"
    DISCARDED = "discarded"
    FAILED = "failed"


class IndexBuild(Timed):
    """One folder of index files: what it was built with, how far it is, what is known about it.

    `sequence` follows what the index itself has noted: never ahead of it. `plan` is what the build was begun with, so
    that it can be continued and followed whatever is changed meanwhile.
    """

    indexer = models.ForeignKey(Indexer, on_delete=models.CASCADE, related_name="builds")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=BuildState.choices, default=BuildState.BUILDING)
    reason = models.TextField(blank=True, default="", help_text="Why it is in this state, as a sentence.")
    plan = models.JSONField(default=dict)
    sequence = models.BigIntegerField(default=0, help_text="Changes of documents up to here are in the index.")
    total = models.BigIntegerField(default=0, help_text="Documents to be read, as far as is known.")
    done = models.BigIntegerField(default=0, help_text="Documents read.")
    documents = models.BigIntegerField(default=0, help_text="Documents in the index.")
    peak = models.BigIntegerField(default=0, help_text="The most documents it has had.")
    documents_per_second = models.FloatField(default=0)
    fill = models.JSONField(default=dict, help_text="How many documents have a value, by column.")
    problems = models.JSONField(default=dict, help_text="Values that could not be read, by column, with examples.")
    comparison = models.JSONField(null=True, help_text="What is different from the build that was served before.")
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True, help_text="When it had caught up for the first time.")

    class Meta:
        ordering = ["-number"]
        constraints = [
            one_of("build", "state", BuildState),
            at_least("build", "number", 1),
            models.UniqueConstraint(fields=["indexer", "number"], name="build_number_unique_in_indexer"),
            models.UniqueConstraint(
                fields=["indexer"], condition=models.Q(state=BuildState.SERVED), name="build_one_served"
            ),
            models.UniqueConstraint(
                fields=["indexer"],
                condition=models.Q(state__in=[BuildState.BUILDING, BuildState.HELD]),
                name="build_one_unfinished",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The name of its folder."""
        return f"build-{self.number}"


class IndexLogLine(models.Model):
    """A sentence for people about something that happened in an index job."""

    indexer = models.ForeignKey(Indexer, on_delete=models.CASCADE, related_name="log")
    at = models.DateTimeField()
    level = models.CharField(max_length=7, choices=LogLevel.choices, default=LogLevel.INFO)
    message = models.TextField()

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["indexer", "-id"], name="log_newest_of_indexer")]
        constraints = [one_of("index_log_line", "level", LogLevel)]

    def __str__(self) -> str:
        return self.message
