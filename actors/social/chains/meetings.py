"""Who meets in the chains of a plan, and in which scenarios."""

from collections.abc import Sequence

from actors.episodes.chain_support import ChainSection, Meetings
from actors.social.catalog_items import Catalog
from actors.social.chains.casts import Cast, RelationshipGraph
from actors.social.chains.repertoire import ScenarioChoice
from actors.toml_file import BadFile, nearest


def meetings(chains: ChainSection, catalog: Catalog, path: str) -> list[Meetings]:
    """The casts of a plan's chains, and their scenarios in order. Raises ``BadFile``."""
    choice = ScenarioChoice(catalog, chains, path)
    if chains.characters:
        casts = _named_casts(chains, catalog, choice, path)
    else:
        casts = _drawn_casts(chains, catalog, choice, path)
    return [
        Meetings(cast.ids, cast.relationships, choice.order(cast, found), len(found.hard))
        for cast in casts
        for found in (choice.repertoire(cast),)
    ]


def _named_casts(
    chains: ChainSection, catalog: Catalog, choice: ScenarioChoice, path: str
) -> Sequence[Cast]:
    by_id = {character.id: character for character in catalog.characters}
    known = RelationshipGraph(catalog)
    found = []
    for ids in chains.characters:
        for id_ in ids:
            if id_ not in by_id:
                why = f"catalog {catalog.name!r} has no character {id_!r}{nearest(id_, by_id)}"
                raise BadFile(path, "chains.characters", why)
        # Of several ways in which they stand to each other the one that fits the most scenarios.
        ways = sorted(known.casts([by_id[id_] for id_ in ids]), key=lambda way: way.relationships)
        cast = max(ways, key=choice.rating)
        if misfit := choice.repertoire(cast).misfit:
            raise BadFile(path, "chains.characters", f"{' and '.join(ids)}: {misfit}")
        found.append(cast)
    return found


def _drawn_casts(
    chains: ChainSection, catalog: Catalog, choice: ScenarioChoice, path: str
) -> Sequence[Cast]:
    asked = chains.pairs or 1
    known = RelationshipGraph(catalog)
    casts = known.draw(chains.seats, asked, chains.seed, choice.rating)
    if len(casts) < asked:
        example = next(known.casts(catalog.characters[: chains.seats]))
        why = choice.repertoire(example).misfit
        raise BadFile(
            path,
            "chains.pairs",
            f"{asked} casts of {chains.seats} characters are asked for, and {len(casts)} of "
            f"catalog {catalog.name!r} fit"
            + (f"; {' and '.join(example.ids)}: {why}" if why else ""),
        )
    return casts
