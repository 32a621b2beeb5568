"""How the files of the published catalog are called."""

from typing import Final

CHARACTERS: Final = "agent_profiles.jsonl"
SCENARIOS: Final = "environment_profiles.jsonl"
RELATIONSHIPS: Final = "relationship_profiles.jsonl"
TASKS: Final = "env_agent_combo_storages.jsonl"
FILES: Final = (CHARACTERS, SCENARIOS, RELATIONSHIPS, TASKS)
