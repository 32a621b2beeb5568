"""The settings of a model in hand-written files: in a plan's mind, or in a judge file."""

import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from actors.models.http.extra_parameters import may_be_extra
from actors.models.key_allow_list import refusal
from actors.models.server_addresses import address_problem, model_problem, prefix_of
from events.minds import LOCAL, ModelSpec

# Upper bounds, too: what is recorded is to fit a store's numbers, and no NaN or infinity passes.
NotNegative = Annotated[int, Meta(ge=0, le=10**9)]
AtLeastOne = Annotated[int, Meta(ge=1, le=10**9)]
Reasks = Annotated[int, Meta(ge=0, le=5)]
Retries = Annotated[int, Meta(ge=0, le=1000)]
Seed = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Dollars = Annotated[float, Meta(ge=0, le=10**9)]
Temperature = Annotated[float, Meta(ge=0, le=2)]
Share = Annotated[float, Meta(gt=0, le=1)]
Effort = Literal["", "none", "minimal", "low", "medium", "high", "xhigh", "max", "default"]
Seconds = Annotated[float, Meta(ge=0.1, le=86_400)]

_encode = msgspec.json.Encoder(order="deterministic").encode


class ModelSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The model's part of a plan's mind or a judge's file; the fields are ``ModelSpec``'s."""

    model: str = ""
    adapter: Literal["litellm", "direct"] = "litellm"
    base_url: str = ""
    api_key_env: str = ""
    temperature: Temperature = 0.7
    max_tokens: AtLeastOne = 500
    max_completion_tokens: NotNegative = 0
    reasoning_effort: Effort = ""
    top_p: Share | None = None
    seed: Seed | None = None
    stop: tuple[str, ...] = ()
    extra: dict[str, Any] = {}
    cache_marks: bool | None = None
    timeout_s: Seconds = 60.0
    retries: Retries = 4
    requests_per_minute: NotNegative = 0
    tokens_per_minute: NotNegative = 0
    max_concurrency: AtLeastOne = 32
    input_usd_per_million: Dollars | None = None
    cached_usd_per_million: Dollars | None = None
    output_usd_per_million: Dollars | None = None
    structured_output: bool | None = None
    reasks: Reasks | None = None
    completes_prefix: bool | None = None

    def spec(self) -> ModelSpec:
        """These settings as they are recorded."""
        fields = msgspec.structs.asdict(self)
        shared = {name: fields[name] for name in ModelSpec.__struct_fields__ if name in fields}
        extra = _encode(self.extra).decode() if self.extra else ""
        # A judge's file has a name of its own, which is not the model's.
        return ModelSpec(**{**shared, "name": self.model, "extra": extra})

    def problems(self) -> list[tuple[str, str]]:
        """What is wrong with the values together, as (field, reason)."""
        found: list[tuple[str, str]] = []
        if not self.model:
            found.append(("model", 'name the model, for example "openai/gpt-4o-mini"'))
        local = self.model.startswith(LOCAL)
        if self.adapter == "direct" and not self.base_url and not local:
            found.append(("base_url", 'the direct adapter needs one: "http://host:8000/v1"'))
        found += self._problems_of_address()
        if not all(self.stop):
            found.append(("stop", "an empty text ends every answer before it begins; take it out"))
        if unfit := [name for name in self.extra if not name or re.search(r"\s", name)]:
            why = f"{', '.join(map(repr, unfit))} is no parameter's name: it is empty or has spaces"
            found.append(("extra", why))
        if wrong := [name for name in self.extra if not may_be_extra(name)]:
            found.append(
                (
                    "extra",
                    f"{', '.join(map(repr, wrong))} may not be passed through: what has a "
                    "setting of its own is set there, and keys and addresses are no parameters",
                )
            )
        return found

    def _problems_of_address(self) -> list[tuple[str, str]]:
        """What keeps a request from being sent as these settings say, or its key."""
        if why := address_problem(self.base_url):
            return [("base_url", why)]
        spec = self.spec()
        if why := model_problem(spec):
            return [("model", why)]
        refused = refusal(spec, prefix_of(self.model))
        return [("api_key_env", f"{refused.why}: {refused.remedy}")] if refused else []
