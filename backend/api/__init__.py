"""The REST API: parse, call a service or selector, respond."""
