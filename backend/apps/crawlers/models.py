"""A crawler: where and how to crawl with a template."""

from django.db import models

from backend.apps.model_parts import ProjectNoun, at_least, between, not_empty, one_of, unique_name
from backend.apps.templates.models import Template


class Strategy(models.TextChoices):
    BFS = "bfs", "Breadth first"
    DFS = "dfs", "Depth first"


class Lane(models.TextChoices):
    AUTO = "auto", "Decide by itself"
    HTTP = "http", "Plain HTTP"
    BROWSER = "browser", "Browser"


class SameSite(models.TextChoices):
    HOST = "host", "Stay on the host"
    DOMAIN = "domain", "Stay on the domain"
    OFF = "off", "Go anywhere"


class CanonicalLinks(models.TextChoices):
    NOTE = "note", "Note it as a name"
    FOLLOW = "follow", "Fetch that address too"
    IGNORE = "ignore", "Ignore it"


MAX_WORKERS = 256
MAX_THREADS = 256
MAX_KEEP_PAGES_MB = 1_000_000
MAX_PAGE_SECONDS = 600
MAX_PAGE_MB = 500


class Crawler(ProjectNoun):
    """NULL limits mean no limit. Lists are plain JSON lists of texts."""

    template = models.ForeignKey(Template, on_delete=models.RESTRICT, related_name="crawlers")
    seeds = models.JSONField(default=list)
    links_scope = models.JSONField(blank=True, default=list)
    allow = models.JSONField(blank=True, default=list)
    exclude = models.JSONField(blank=True, default=list)
    prefer = models.JSONField(
        blank=True, default=list, help_text="Patterns of addresses that come before others as many clicks away."
    )
    max_pages = models.BigIntegerField(null=True, blank=True)
    max_documents = models.BigIntegerField(null=True, blank=True)
    max_depth = models.IntegerField(null=True, blank=True)
    workers = models.IntegerField(default=1)
    threads = models.IntegerField(default=8)
    sleep_ms = models.IntegerField(default=500)
    retry = models.IntegerField(default=2)
    timeout_minutes = models.FloatField(null=True, blank=True)
    robots_url = models.TextField(blank=True, default="")
    respect_robots = models.BooleanField(default=True)
    strategy = models.CharField(max_length=3, choices=Strategy.choices, default=Strategy.BFS)
    lane = models.CharField(max_length=7, choices=Lane.choices, default=Lane.AUTO)
    show_browser = models.BooleanField(default=False)
    same_site = models.CharField(max_length=6, choices=SameSite.choices, default=SameSite.HOST)
    sitemap = models.BooleanField(default=False)
    proxies = models.JSONField(blank=True, default=list)
    user_agent = models.CharField(max_length=500, blank=True, default="")
    headers = models.JSONField(blank=True, default=dict)
    keep_pages = models.BooleanField(
        default=False, help_text="Keep pages as they were sent, so that a changed template can be run on them again."
    )
    keep_pages_mb = models.IntegerField(
        default=1000, help_text="How much the kept pages of one run may take, compressed."
    )
    login = models.JSONField(
        blank=True,
        default=dict,
        help_text="How a browser signs in: `url`, `actions`, and `logged_out`, an XPath that only strangers see.",
    )
    cookies = models.JSONField(
        blank=True, default=list, help_text="Cookies of a person's browser: name, value, domain, path, secure."
    )
    canonical_links = models.CharField(
        max_length=6,
        choices=CanonicalLinks.choices,
        default=CanonicalLinks.NOTE,
        help_text="What to do with the address that a page calls its own.",
    )
    page_text = models.BooleanField(
        default=True, help_text="Keep each page's text, title and headings for search, beside its documents."
    )
    addresses = models.JSONField(
        blank=True, default=dict, help_text="What counts as the same address, where it differs from the defaults."
    )
    limits = models.JSONField(
        blank=True,
        default=dict,
        help_text="When a run is not worth going on with, and what a host, a kind of address or a page may cost.",
    )

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            unique_name("crawler"),
            not_empty("crawler"),
            one_of("crawler", "strategy", Strategy),
            one_of("crawler", "lane", Lane),
            one_of("crawler", "same_site", SameSite),
            one_of("crawler", "canonical_links", CanonicalLinks),
            at_least("crawler", "max_pages", 1),
            at_least("crawler", "max_documents", 1),
            at_least("crawler", "max_depth", 0),
            between("crawler", "workers", 1, MAX_WORKERS),
            between("crawler", "threads", 1, MAX_THREADS),
            at_least("crawler", "sleep_ms", 0),
            between("crawler", "retry", 0, 20),
            between("crawler", "keep_pages_mb", 1, MAX_KEEP_PAGES_MB),
            models.CheckConstraint(
                condition=models.Q(timeout_minutes__gt=0), name="crawler_timeout_minutes_more_than_0"
            ),
        ]
