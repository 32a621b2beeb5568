"""Use cases on catalogs: read, search, check, import and export them."""
