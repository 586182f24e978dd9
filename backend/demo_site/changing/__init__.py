"""The changing part: pages that are different in each version of the site."""
