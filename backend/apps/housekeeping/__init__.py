"""Keeping the place clean: deleting in batches, pruning old runs, telling what takes how much, minding the disk."""
