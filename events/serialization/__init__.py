"""Bytes and back: the codec, the registry of events, upcasters, fingerprints and JSON Schema."""
