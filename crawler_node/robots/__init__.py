"""robots.txt by RFC 9309: what a host asks of crawlers, fetched once and remembered."""

from crawler_node.robots.book import RobotsBook
from crawler_node.robots.fetching import RobotsAnswer, fetch_robots, robots_address
from crawler_node.robots.rules import RobotsRules

__all__ = ["RobotsAnswer", "RobotsBook", "RobotsRules", "fetch_robots", "robots_address"]
