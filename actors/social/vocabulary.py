"""The social environment's words, and how what was stored before there were others is read."""

from typing import Final

import msgspec

from actors.social.actions import Act, Action, WholeScript, WriteScript, WriteTurn
from actors.social.catalog_items import Catalog
from actors.social.narration import Narrated
from actors.social.setup import NAME, EpisodeRules, SocialSetup
from events.environments import Fields, Vocabulary


def _tag(struct: type[msgspec.Struct]) -> Fields:
    return {"type": struct.__struct_config__.tag}


def _started(fields: Fields) -> Fields:
    """Schema 1 held the setup's fields as its own."""
    own = {"scenario": "scenario", "cast": "cast", "ties": "relationships", "rules": "rules"}
    setup = {now: fields[then] for then, now in own.items() if then in fields}
    scenario = fields["scenario"]
    return {
        **{name: value for name, value in fields.items() if name not in own},
        "environment": NAME,
        "setup": {**_tag(SocialSetup), **setup},
        "scenario": scenario["id"],
        "title": scenario.get("codename") or scenario["id"],
        "characters": [
            f"{who['first_name']} {who.get('last_name', '')}".strip() for who in fields["cast"]
        ],
    }


def _opened(fields: Fields) -> Fields:
    """Schema 1 named the seats; all were asked the same."""
    asked = [{"seat": seat, "question": _tag(Act)} for seat in fields["seats"]]
    return {"turn": fields["turn"], "asked": asked}


def _taken(fields: Fields) -> Fields:
    """Schema 1 knew one kind of action, so that it had no tag."""
    return {**fields, "action": {**_tag(Action), **fields["action"]}}


def _planned(fields: Fields) -> Fields:
    """Schema 1 called the settings ``rules``."""
    plan = dict(fields["plan"])
    rules = plan.pop("rules", {})
    return {
        **fields,
        "plan": {**plan, "environment": NAME, "settings": {**_tag(EpisodeRules), **rules}},
    }


def _imported(fields: Fields) -> Fields:
    """Schema 1 knew one kind of catalog, so that it had no tag."""
    return {**fields, "environment": NAME, "catalog": {**_tag(Catalog), **fields["catalog"]}}


VOCABULARY: Final = Vocabulary(
    setups=(SocialSetup,),
    settings=(EpisodeRules,),
    questions=(Act, WriteTurn, WriteScript),
    actions=(Action, WholeScript),
    changes=(Narrated,),
    catalogs=(Catalog,),
    upcasters={
        ("EpisodeStarted", 1): _started,
        ("TurnOpened", 1): _opened,
        ("ActionTaken", 1): _taken,
        ("RunPlanned", 1): _planned,
        ("CatalogImported", 1): _imported,
    },
)
