"""What helps those who write a catalog of the social environment."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from actors.episodes.catalogs.entries import CatalogEntry
from actors.episodes.port.authoring import Authoring, Reviewing
from actors.episodes.port.environment import Environment
from actors.social.catalog import casts, pages, starter
from actors.social.catalog import check as catalog_check
from actors.social.catalog import standards as catalog_standards
from actors.social.catalog_items import Catalog
from actors.social.generation.review_criteria import CRITERIA
from actors.social.generation.sampled_casts import with_tasks


class SocialReviewing(Reviewing[Catalog]):
    """Five casts for each accepted scenario."""

    criteria = CRITERIA
    with_tasks = staticmethod(with_tasks)


class SocialAuthoring(Authoring[Catalog]):
    """Characters, relationships, scenarios and tasks."""

    # A task's id and relationships follow from its scenario and its cast.
    filled_in = MappingProxyType({"task": ("id", "relationships")})
    reviewing = SocialReviewing()
    entries = staticmethod(pages.entries)
    fill_in = staticmethod(casts.fill_in)
    check = staticmethod(catalog_check.check)
    standards = staticmethod(catalog_standards.standards)

    def facts(self, catalog: Catalog, entry: CatalogEntry) -> Sequence[tuple[str, str]]:
        """Goals, hints and secrets too."""
        return list(pages.facts(catalog, entry.item))

    def template(self, environment: Environment) -> Mapping[str, str]:
        """Two keepers of a lighthouse, and what stands between them."""
        return starter.template()


AUTHORING: Final = SocialAuthoring()
