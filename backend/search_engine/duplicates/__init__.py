"""Documents that say nearly the same: fingerprints at index time, groups in the results."""

from backend.search_engine.duplicates.fingerprint import NO_FINGERPRINT, fingerprint, hash_terms
from backend.search_engine.duplicates.groups import group_near_duplicates

__all__ = ["NO_FINGERPRINT", "fingerprint", "group_near_duplicates", "hash_terms"]
