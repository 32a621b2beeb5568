"""Fixtures every test may use."""

pytest_plugins = ["tests.nats", "tests.postgres"]
