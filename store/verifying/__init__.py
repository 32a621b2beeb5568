"""Whether a store is sound: its log, and the tables that follow from it."""

from store.verifying.findings import Check, Finding, Verified
from store.verifying.walk import verify

__all__ = ["Check", "Finding", "Verified", "verify"]
