"""Action chains: what a person would do on a page before everything is there, done in order, each step in its time."""

from crawler_node.browser.actions.chain import Action, Chain, RunOn, parse_actions
from crawler_node.browser.actions.running import Onlooker, StepReport, run_chain

__all__ = ["Action", "Chain", "Onlooker", "RunOn", "StepReport", "parse_actions", "run_chain"]
