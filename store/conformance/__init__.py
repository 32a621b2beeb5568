"""What every backend of the store has to do, as tests.

A backend is held to it by a test module that names the suites and says how to open a store::

    from store.conformance import suites

    class TestAppending(suites.Appending): ...

    @pytest.fixture
    def open_again(tmp_path) -> Open:
        return functools.partial(open_my_store, "…a database of the test's own…")

``open_again`` opens the same, at first empty, database each time it is called, and must be
picklable, since some tests write from several processes. pytest is all it needs.
"""
