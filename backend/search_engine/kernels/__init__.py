"""Compiled walks over posting lists: unions, intersections, phrases. They release the GIL and allocate per call."""
