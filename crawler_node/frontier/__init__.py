"""The frontier: every URL of a runner and what became of it; rules shared by all stores, and a store in memory."""

from crawler_node.frontier.control import CrawlControl
from crawler_node.frontier.memory import MemoryCrawlStore
from crawler_node.frontier.options import FrontierOptions, Strategy

__all__ = ["CrawlControl", "FrontierOptions", "MemoryCrawlStore", "Strategy"]
