"""Runners and their logs, and the tables of a crawl."""

from backend.apps.runners.models.frontier import CrawlHost, CrawlPattern, CrawlState, CrawlUrl, RunnerMinute, UrlState
from backend.apps.runners.models.runner import LogLevel, LogLine, Runner, RunnerStatus

__all__ = [
    "CrawlHost",
    "CrawlPattern",
    "CrawlState",
    "CrawlUrl",
    "LogLevel",
    "LogLine",
    "Runner",
    "RunnerMinute",
    "RunnerStatus",
    "UrlState",
]
