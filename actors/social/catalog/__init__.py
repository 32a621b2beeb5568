"""The starter catalog: a small port town, its people and what they want from each other."""

from actors.social.catalog.starter import starter_catalog

__all__ = ["starter_catalog"]
