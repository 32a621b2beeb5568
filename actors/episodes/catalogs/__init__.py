"""Catalogs of any environment as folders of TOML files: read, written and reviewed."""
