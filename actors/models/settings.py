"""How a model is named and asked in a file that a person writes: a plan's mind, a judge's file."""

from typing import Literal

import msgspec

from events.minds import ModelSpec


class ModelSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The model's part of a plan's mind or a judge's file; the fields are ``ModelSpec``'s."""

    model: str = ""
    adapter: Literal["litellm", "direct"] = "litellm"
    base_url: str = ""
    api_key_env: str = ""
    temperature: float = 0.7
    max_tokens: int = 500
    timeout_s: float = 60.0
    retries: int = 4
    requests_per_minute: int = 0
    tokens_per_minute: int = 0
    max_concurrency: int = 32
    input_usd_per_million: float | None = None
    output_usd_per_million: float | None = None
    structured_output: bool | None = None

    def spec(self) -> ModelSpec:
        """These settings as they are recorded."""
        fields = msgspec.structs.asdict(self)
        shared = {name: fields[name] for name in ModelSpec.__struct_fields__ if name in fields}
        # A judge's file has a name of its own, which is not the model's.
        return ModelSpec(**{**shared, "name": self.model})

    def problems(self) -> list[tuple[str, str]]:
        """What is wrong with the values, as (field, reason)."""
        found: list[tuple[str, str]] = []
        if not self.model:
            found.append(("model", 'name the model, for example "openai/gpt-4o-mini"'))
        if self.adapter == "direct" and not self.base_url:
            found.append(("base_url", 'the direct adapter needs one: "http://host:8000/v1"'))
        if not 0 <= self.temperature <= 2:
            found.append(("temperature", f"must be 0 to 2, is {self.temperature}"))
        for field in ("max_tokens", "max_concurrency"):
            if getattr(self, field) < 1:
                found.append((field, f"must be 1 or more, is {getattr(self, field)}"))
        for field in ("retries", "requests_per_minute", "tokens_per_minute"):
            if getattr(self, field) < 0:
                found.append((field, f"must be 0 or more, is {getattr(self, field)}"))
        if not self.timeout_s > 0:
            found.append(("timeout_s", f"must be more than 0, is {self.timeout_s}"))
        return found
