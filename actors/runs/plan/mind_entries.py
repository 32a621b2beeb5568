"""The ``[minds.<name>]`` sections of hand-written files."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Literal

import msgspec

from actors.models.settings import AtLeastOne, ModelSettings
from actors.toml_file import nearest
from events.base import replace
from events.minds import AgentName, GenerativeSpec, MindKind, MindSpec, ModelSpec, agent_named

Problem = tuple[str, str]
"""A field, and what is wrong with it."""


class MindEntry(ModelSettings, frozen=True, forbid_unknown_fields=True):
    """One ``[minds.<name>]`` section. How a generative mind thinks: see ``GenerativeSpec``."""

    kind: MindKind
    temper: str = ""
    episode: str = ""
    agent: AgentName = "ga"
    profile: Literal["lean", "published"] = "lean"
    retrieval: Literal["ga", "published"] = "ga"
    reflect_at: Annotated[int, msgspec.Meta(ge=1, le=10**6)] = 250
    after_talk: bool = True
    plan_tokens: AtLeastOne = 2_500
    reflect_tokens: AtLeastOne = 2_500
    embedder: str = ""
    background: str = ""
    """The name of the mind whose model is asked for all but what its task needs; empty: its own."""

    @property
    def asks(self) -> bool:
        """Whether it asks a language model."""
        return self.kind in ("model", "generative")


THINKING: Final = (
    "agent",
    "profile",
    "retrieval",
    "reflect_at",
    "after_talk",
    "plan_tokens",
    "reflect_tokens",
    "embedder",
    "background",
)
"""Settings of generative minds alone."""


def mind_specs(minds: Mapping[str, MindEntry]) -> tuple[MindSpec, ...]:
    """The minds as they are recorded."""
    return tuple(_spec(name, minds) for name in minds)


def mind_problems(name: str, minds: Mapping[str, MindEntry]) -> Iterator[Problem]:
    """What is wrong with one of them, beyond what its types say."""
    mind = minds[name]
    for field, why in (*_problems(mind), *_thinking_problems(mind, minds)):
        yield f"minds.{name}.{field}", why


def _spec(name: str, minds: Mapping[str, MindEntry]) -> MindSpec:
    entry = minds[name]
    return MindSpec(
        name=name,
        kind=entry.kind,
        model=entry.spec() if entry.asks else None,
        generative=_thinking(entry, minds) if entry.kind == "generative" else None,
        temper=entry.temper,
        episode=entry.episode,
    )


def _thinking(entry: MindEntry, minds: Mapping[str, MindEntry]) -> GenerativeSpec:
    background: ModelSpec | None = None
    if entry.background:
        background = minds[entry.background].spec()
    return replace(
        agent_named(entry.agent),
        profile=entry.profile,
        retrieval=entry.retrieval,
        reflect_at=entry.reflect_at,
        after_talk=entry.after_talk,
        plan_tokens=entry.plan_tokens,
        reflect_tokens=entry.reflect_tokens,
        embedder=entry.embedder,
        background=background,
    )


def _problems(mind: MindEntry) -> list[Problem]:
    if mind.asks:
        return mind.problems()
    if mind.model:
        return [("model", f"a {mind.kind} mind has no model; did you mean kind = 'model'?")]
    if mind.kind == "recorded" and not mind.episode:
        return [("episode", "a recorded mind names the episode whose actions it repeats")]
    return []


def _thinking_problems(mind: MindEntry, minds: Mapping[str, MindEntry]) -> Iterator[Problem]:
    if mind.kind != "generative":
        defaults = {one.name: one.default for one in msgspec.structs.fields(MindEntry)}
        for field in THINKING:
            if getattr(mind, field) != defaults[field]:
                yield field, f"is for minds of kind 'generative'; this one is of kind {mind.kind!r}"
        return
    if mind.background:
        other = minds.get(mind.background)
        if other is None:
            yield (
                "background",
                f"there is no mind {mind.background!r}{nearest(mind.background, minds)}",
            )
        elif not other.asks:
            why = f"{mind.background!r} is of kind {other.kind!r}, which asks no model"
            yield "background", why
