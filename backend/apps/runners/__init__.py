"""Runners: one run of a crawler, as people see it."""
