"""Browsers: a lane that shows pages in Chromium, behind the same guard as everything else, and hands over snapshots."""

from crawler_node.browser.auto import AutoLane
from crawler_node.browser.lane import BrowserLane
from crawler_node.browser.machine import MachineSlots
from crawler_node.browser.options import BrowserOptions
from crawler_node.browser.programs import NO_DISPLAY, BrowserPrograms, find_programs, has_browser, has_display

__all__ = [
    "NO_DISPLAY",
    "AutoLane",
    "BrowserLane",
    "BrowserOptions",
    "BrowserPrograms",
    "MachineSlots",
    "find_programs",
    "has_browser",
    "has_display",
]
