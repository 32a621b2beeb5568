"""Use cases on files: export, import, archive, and copy the examples and documentation that come
with Troupe."""
