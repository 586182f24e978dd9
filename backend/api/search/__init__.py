"""Search over REST: results, suggestions, documents like one, whole results as files; the lab; the trace."""
