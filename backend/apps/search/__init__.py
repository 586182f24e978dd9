"""Search: indexes kept open, questions answered, answers judged, and the trace of what happened to a page."""
