"""What was fetched (pages) and what was extracted (documents, each with its versions)."""

from django.db import models

from backend.apps.crawlers.models import Crawler
from backend.apps.model_parts import at_least, left_to_sweeper, not_empty
from backend.apps.runners.models import Runner


class Page(models.Model):
    """One URL as one run fetched it, or why it could not."""

    runner = left_to_sweeper(Runner, related_name="pages", db_index=False)
    key = models.BinaryField(max_length=16, help_text="128 bits of the canonical URL.")
    url = models.TextField()
    depth = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=10, default="done")
    http_status = models.PositiveIntegerField(null=True)
    content_type = models.CharField(max_length=200, blank=True, default="")
    size_bytes = models.BigIntegerField(default=0)
    load_ms = models.FloatField(default=0)
    processing_ms = models.FloatField(default=0)
    content_sha1 = models.BinaryField(max_length=20, null=True)
    etag = models.TextField(blank=True, default="")
    last_modified = models.TextField(blank=True, default="")
    # Of a fetched page: the other address of its site that it calls its own (rel=canonical).
    target = models.TextField(blank=True, default="", help_text="Where a redirect led.")
    refusal = models.CharField(max_length=20, blank=True, default="")
    failure = models.TextField(blank=True, default="", help_text="Why it could not be fetched, as a sentence.")
    document_count = models.PositiveIntegerField(default=0)
    lane = models.CharField(max_length=10, blank=True, default="", help_text="How it was fetched: http or browser.")
    fetched_at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["runner", "-id"], name="page_newest_of_runner"),
            models.Index(fields=["runner", "state", "-id"], name="page_by_state"),
            models.Index(
                fields=["runner", "content_sha1"],
                condition=models.Q(content_sha1__isnull=False),
                name="page_by_content",
            ),
        ]
        constraints = [
            not_empty("page", "url"),
            at_least("page", "size_bytes", 0),
            models.UniqueConstraint(fields=["runner", "key"], name="page_once_in_runner"),
        ]

    def __str__(self) -> str:
        return self.url


class PageContent(models.Model):
    """The heavy parts of a page, each where it is wanted: for search, for link analysis, for extracting again."""

    page = models.OneToOneField(Page, on_delete=models.CASCADE, primary_key=True, related_name="content")
    features = models.BinaryField(null=True, help_text="Title, headings, text and quality: JSON, zstd.")
    links = models.BinaryField(null=True, help_text="Outgoing links: 16-byte keys and anchors, zstd.")
    raw = models.BinaryField(null=True, help_text="The page as it was sent, zstd.")

    def __str__(self) -> str:
        return f"content of page {self.page_id}"


class DocumentSequence(models.Model):
    """The last sequence number given in a project; its row is locked by the commit that gives the next ones."""

    project = models.OneToOneField(
        "projects.Project", on_delete=models.CASCADE, primary_key=True, related_name="document_sequence"
    )
    last = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.last)


class Document(models.Model):
    """One record of a crawler, the same over all its runs; its values are in its versions.

    Runs are told by their ids, which grow from run to run. The first may be deleted since; None when nobody knows it.
    Every change of it that a reader could notice gives it the project's next `sequence` (`documents.following`).
    """

    project = left_to_sweeper("projects.Project", related_name="+", db_index=False)
    crawler = left_to_sweeper(Crawler, related_name="documents", db_index=False)
    identity = models.BinaryField(max_length=16, help_text="128 bits over the key fields, or over the page URL.")
    page_key = models.BinaryField(max_length=16, default=b"", help_text="The page that stands for it.")
    url = models.TextField()
    sha1 = models.BinaryField(max_length=20, default=b"", help_text="Over the current values.")
    version_number = models.PositiveIntegerField(default=1)
    sequence = models.BigIntegerField(default=0, help_text="Given inside the commit: its order is commit order.")
    duplicate_of = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="duplicates")
    gone_at = models.DateTimeField(null=True)
    first_seen_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()
    first_runner_id = models.BigIntegerField(null=True, help_text="The earliest run that found it.")
    last_runner = left_to_sweeper(Runner, null=True, related_name="+", db_index=False)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["project", "sequence"], name="document_by_sequence"),
            models.Index(fields=["crawler", "-id"], name="document_newest_of_crawler"),
            models.Index(
                fields=["crawler", "sha1"],
                condition=models.Q(duplicate_of=None, gone_at=None),
                name="document_standing_by_values",
            ),
            models.Index(fields=["crawler", "page_key"], name="document_by_page"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["crawler", "identity"], name="document_identity_unique_in_crawler"),
        ]

    def __str__(self) -> str:
        return self.url


class DocumentPage(models.Model):
    """A page that lists a document which is on several pages, its own page among them (`crawl_store.listings`)."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="pages", db_index=False)
    page_key = models.BinaryField(max_length=16)
    url = models.TextField()
    runner_id = models.BigIntegerField(help_text="The last run that found it there; it may be deleted since.")

    class Meta:
        indexes = [models.Index(fields=["page_key"], name="document_page_by_key")]
        constraints = [models.UniqueConstraint(fields=["document", "page_key"], name="document_once_on_page")]

    def __str__(self) -> str:
        return self.url


class DocumentGap(models.Model):
    """Runs to which a document was gone that came back later: from the one that missed it to before that it came back.

    Without it, runs between two that found a document would be taken to have found it as well.
    """

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="gaps")
    gone_runner_id = models.BigIntegerField(help_text="The run that found it gone; it may be deleted since.")
    back_runner_id = models.BigIntegerField(help_text="The run that found it again; it may be deleted since.")

    def __str__(self) -> str:
        return f"{self.document_id} from {self.gone_runner_id} to {self.back_runner_id}"


class Tombstone(models.Model):
    """A document that was deleted: what is left of it in the project's sequence, for whoever follows."""

    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="+", db_index=False)
    crawler_id = models.BigIntegerField()
    document_id = models.BigIntegerField()
    sequence = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "sequence"], name="tombstone_by_sequence")]

    def __str__(self) -> str:
        return f"document {self.document_id} was deleted"


class DocumentVersion(models.Model):
    """The values of a document from one moment on, until a re-crawl finds others."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="versions")
    runner = left_to_sweeper(Runner, null=True, related_name="document_versions")
    number = models.PositiveIntegerField()
    is_current = models.BooleanField(default=True)
    fields = models.JSONField()
    sha1 = models.BinaryField(max_length=20)
    extracted_at = models.DateTimeField()

    class Meta:
        ordering = ["-number"]
        indexes = [models.Index(fields=["runner", "-id"], name="version_newest_of_runner")]
        constraints = [
            at_least("version", "number", 1),
            models.UniqueConstraint(fields=["document", "number"], name="version_number_unique_in_document"),
            models.UniqueConstraint(
                fields=["document"], condition=models.Q(is_current=True), name="version_one_current_per_document"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.document} v{self.number}"
