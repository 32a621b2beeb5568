"""Servers that tests start: NATS, PostgreSQL, stub model servers, a breakable network."""
