"""Both backends are held to the suites that the store ships."""

import pytest

from store.conformance import suites


class TestAppending(suites.Appending): ...


class TestRepeating(suites.Repeating): ...


class TestGrouping(suites.Grouping): ...


class TestReading(suites.Reading): ...


class TestFollowing(suites.Following): ...


class TestKeeping(suites.Keeping): ...


class TestImporting(suites.Importing): ...


class TestArchiving(suites.Archiving): ...


class TestRacing(suites.Racing):
    events = 4_000
    processes = 2


@pytest.mark.long
class TestRacingLong(suites.Racing): ...
