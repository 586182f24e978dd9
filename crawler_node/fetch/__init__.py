"""Fetching: the guarded door to the network and the HTTP lane that goes through it."""

from crawler_node.fetch.guard import ForbiddenAddressError, guarded_connector
from crawler_node.fetch.http import HttpLane
from crawler_node.fetch.identity import default_user_agent
from crawler_node.fetch.networks import NetworkPolicy, parse_allow_networks
from crawler_node.fetch.options import LaneOptions

__all__ = [
    "ForbiddenAddressError",
    "HttpLane",
    "LaneOptions",
    "NetworkPolicy",
    "default_user_agent",
    "guarded_connector",
    "parse_allow_networks",
]
