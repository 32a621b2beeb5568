"""The suites by name; every one is to be subclassed by a backend's tests."""

from store.conformance.appending import Appending
from store.conformance.archiving import Archiving
from store.conformance.following import Following
from store.conformance.grouping import Grouping
from store.conformance.importing import Importing
from store.conformance.keeping import Keeping
from store.conformance.racing import Racing
from store.conformance.reading import Reading
from store.conformance.repeating import Repeating

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
