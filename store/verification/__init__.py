"""Verifies a store: its log, and the tables computed from it."""

from store.verification.defects import Check, Defect, Verified
from store.verification.verify_store import verify

__all__ = ["Check", "Defect", "Verified", "verify"]
