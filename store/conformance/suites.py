"""The suites by name; every one is to be subclassed by a backend's tests."""

from store.conformance.appends import Appending
from store.conformance.archives import Archiving
from store.conformance.concurrent_writers import Racing
from store.conformance.grouped_appends import Grouping
from store.conformance.imports import Importing
from store.conformance.reads import Reading
from store.conformance.repeated_appends import Repeating
from store.conformance.retention import Keeping
from store.conformance.subscriptions import Following

__all__ = [
    "Appending",
    "Archiving",
    "Following",
    "Grouping",
    "Importing",
    "Keeping",
    "Racing",
    "Reading",
    "Repeating",
]
