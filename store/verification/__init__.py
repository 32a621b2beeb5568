"""Whether a store is sound: its log, and the tables that follow from it."""

from store.verification.defects import Check, Defect, Verified
from store.verification.verify_store import verify

__all__ = ["Check", "Defect", "Verified", "verify"]
