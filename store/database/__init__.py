"""Connections to SQLite and PostgreSQL, the log's tables, and transient database errors."""
