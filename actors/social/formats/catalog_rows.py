"""The rows of SOTOPIA's catalog: as it publishes them, four files of JSON lines; and as it keeps
them, four folders with a file an item, whose fields have other names here and there."""

from typing import Annotated, Any, Final

import msgspec

from actors.social.formats.fields import OLDEST, YOUNGEST
from actors.social.formats.file_names import CHARACTERS, RELATIONSHIPS, SCENARIOS, TASKS

_Id = Annotated[str, msgspec.Meta(min_length=1)]
_Age = Annotated[int, msgspec.Meta(ge=YOUNGEST, le=OLDEST)]

FOLDERS: Final = {
    CHARACTERS: "AgentProfile",
    SCENARIOS: "EnvironmentProfile",
    RELATIONSHIPS: "RelationshipProfile",
    TASKS: "EnvAgentComboStorage",
}
"""What a folder of SOTOPIA's own calls what the published file holds."""
KEPT_BY: Final = "pk"
"""A field that only rows of such folders have."""


class AgentRow(msgspec.Struct, kw_only=True):
    """A character."""

    agent_id: _Id
    first_name: _Id
    last_name: str = ""
    age: _Age
    occupation: str = ""
    gender: str = ""
    gender_pronoun: str = ""
    public_info: str = ""
    big_five: str = ""
    moral_values: list[str] = []
    schwartz_personal_values: list[str] = []
    personality_and_values: str = ""
    decision_making_style: str = ""
    secret: str = ""
    mbti: str = ""
    tag: str = ""


class EnvironmentRow(msgspec.Struct, kw_only=True):
    """A scenario."""

    env_id: _Id
    codename: str = ""
    source: str = ""
    scenario: _Id
    agent_goals: list[str]
    relationship: int | str | list[int | str] | None = None
    age_constraint: str | None = None
    occupation_constraint: str | None = None
    agent_constraint: str | list[Any] | None = None
    tag: str = ""


class RelationshipRow(msgspec.Struct, kw_only=True):
    """A relationship between two characters."""

    relationship_id: _Id
    agent1_id: str
    agent2_id: str
    relationship: int | str
    background_story: str | None = None
    tag: str = ""


class ComboRow(msgspec.Struct, kw_only=True):
    """A task."""

    combo_id: _Id
    env_id: str
    agent_ids: list[str]


class KeptAgent(AgentRow, kw_only=True):
    """A character as SOTOPIA keeps it."""

    agent_id: _Id = msgspec.field(name=KEPT_BY)


class KeptEnvironment(EnvironmentRow, kw_only=True):
    """A scenario as SOTOPIA keeps it."""

    env_id: _Id = msgspec.field(name=KEPT_BY)


class KeptRelationship(RelationshipRow, kw_only=True):
    """A relationship as SOTOPIA keeps it."""

    relationship_id: _Id = msgspec.field(name=KEPT_BY)
    agent1_id: str = msgspec.field(name="agent_1_id")
    agent2_id: str = msgspec.field(name="agent_2_id")


class KeptCombo(ComboRow, kw_only=True):
    """A task as SOTOPIA keeps it."""

    combo_id: _Id = msgspec.field(name=KEPT_BY)
