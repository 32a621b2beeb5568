"""The pages *Catalogs*, *Catalog* and of one thing in a catalog, of any environment."""

from gateway.pages.catalogs.handlers import routes, running

__all__ = ["routes", "running"]
