"""Catalogs of towns: the starter catalog Ternby, checks, pages for authors, ``town.toml`` files and
generated towns."""
