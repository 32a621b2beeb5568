"""A language model and how it is asked, for a seat or as a judge."""

from typing import Any, Literal, TypedDict, Unpack

from actors.models.settings import Effort
from actors.runs.plan.mind_entries import MindEntry
from actors.toml_file import Table
from troupe.errors import in_sentences


class ModelOptions(TypedDict, total=False):
    """How a model is asked; ``docs/reference/plan.md`` says what each is. What is left out is as in
    a plan for a mind, and as in a judge file for a judge."""

    adapter: Literal["litellm", "direct"]
    base_url: str
    api_key_env: str
    temperature: float
    max_tokens: int
    max_completion_tokens: int
    reasoning_effort: Effort
    top_p: float
    seed: int
    stop: list[str]
    extra: dict[str, Any]
    cache_marks: bool
    timeout_s: float
    retries: int
    requests_per_minute: int
    tokens_per_minute: int
    max_concurrency: int
    input_usd_per_million: float
    cached_usd_per_million: float
    output_usd_per_million: float
    structured_output: bool
    reasks: int
    completes_prefix: bool


class Model:
    """A language model by its name (``"openai/gpt-4o-mini"``), to play or to judge.

    ``troupe.Model("openai/gpt-4o-mini", temperature=0.2)`` goes wherever a mind or a judge does.
    Keys are never given: ``api_key_env`` names the variable that holds one. Raises ``troupe.Error``
    where there is no such setting, or its value cannot be.
    """

    def __init__(self, name: str, **options: Unpack[ModelOptions]) -> None:
        self.name = name
        self.options = options
        with in_sentences():
            Table("Model", "", self.mind).shaped(MindEntry)

    @property
    def mind(self) -> dict[str, Any]:
        """Its section in a plan."""
        return {"kind": "model", "model": self.name, **self.options}

    @property
    def judge(self) -> dict[str, Any]:
        """The file of the judge that asks it."""
        return {"name": self.name.rpartition("/")[2], **self.mind}

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"troupe.Model({self.name!r}{options})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.mind == other.mind

    __hash__ = None  # type: ignore[assignment]
