"""Whether a store is sound: its log, and the tables that follow from it."""

from store.verifying.defects import Check, Defect, Verified
from store.verifying.walk import verify

__all__ = ["Check", "Defect", "Verified", "verify"]
