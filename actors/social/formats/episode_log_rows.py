"""The fields of SOTOPIA's episode logs, in both spellings that it writes."""

from typing import Any, Final

import msgspec


class LogRow(msgspec.Struct, kw_only=True):
    """A log as SOTOPIA keeps it."""

    environment: str
    agents: list[str]
    messages: list[list[tuple[str, str, str]]]
    pk: str | None = None
    tag: str | None = None
    models: list[str | None] | None = None
    reasoning: str | None = None
    rewards: list[Any] = []
    rewards_prompt: str | None = None


class SerializedRow(LogRow, kw_only=True):
    """A line of SOTOPIA's ``episodes_to_jsonl``."""

    environment: str = msgspec.field(name="environment_id")
    agents: list[str] = msgspec.field(name="agent_ids")
    messages: list[list[tuple[str, str, str]]] = msgspec.field(name="raw_messages")
    pk: str | None = msgspec.field(default=None, name="episode_id")
    tag: str | None = msgspec.field(default=None, name="experiment_tag")
    models: list[str | None] | None = msgspec.field(
        default=None, name="experiment_model_name_pairs"
    )
    rewards: list[Any] = msgspec.field(default_factory=list, name="raw_rewards")
    rewards_prompt: str | None = msgspec.field(default=None, name="raw_rewards_prompt")


SPELLINGS: Final = {"environment_id": SerializedRow}
"""Other spellings, each by a name that no log in another has."""
