"""The PBS-like scheduler; knows no Django."""
