"""Messages over NATS: the client, publishing and subscribing, announcements of appended events, and
following a stream."""
