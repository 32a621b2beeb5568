"""Tests in which NATS, the database or the network fails."""
