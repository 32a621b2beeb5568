"""The lines of files for trainers, in the published form and in the one that TRL takes."""

from typing import Literal, NamedTuple

import msgspec

Form = Literal["plain", "chat"]


class Origin(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Where an action of a line is from."""

    episode: str
    seat: int
    """From 1."""
    turn: int
    request_hash: str
    """The stored fingerprint of what the model was asked (``ModelAsked``)."""
    cut: int
    """How many of the oldest things that were said and done are left out of the prompt, which was
    sent with them; 0: it is the prompt that was sent."""


class ChatMessage(msgspec.Struct, frozen=True, gc=False):
    role: Literal["system", "user", "assistant"]
    content: str


Chat = tuple[ChatMessage, ...]


class PlainExample(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """SOTOPIA-π's line for supervised fine-tuning."""

    instruction: str = ""
    input: str
    output: str
    origin: Origin


class ChatExample(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """TRL's, for its ``SFTTrainer``, which learns the completion alone."""

    prompt: Chat
    completion: Chat
    origin: Origin


class PlainReward(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Sotopia-RL's line for a reward model."""

    input: str
    output: str
    value: float
    """The action's share of the goal score; -1: it was redundant."""
    origin: Origin


class ChatReward(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The same as messages."""

    prompt: Chat
    completion: Chat
    value: float
    origin: Origin


class PlainPair(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Two actions for one state."""

    prompt: str
    chosen: str
    rejected: str
    margin: float
    """By how much the goal scores differ."""
    origin: Origin
    rejected_origin: Origin


class ChatPair(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The same as messages, for TRL's ``DPOTrainer``."""

    prompt: Chat
    chosen: Chat
    rejected: Chat
    margin: float
    origin: Origin
    rejected_origin: Origin


class TrainerPrompt(NamedTuple):
    """What a model was asked."""

    system: str
    user: str

    @property
    def text(self) -> str:
        """Both, with a blank line between them."""
        return f"{self.system}\n\n{self.user}"

    @property
    def chat(self) -> Chat:
        """Both as messages."""
        return (ChatMessage("system", self.system), ChatMessage("user", self.user))


class TrainerAction(NamedTuple):
    """What a model was asked, and what it did."""

    origin: Origin
    number: int
    """The event number of the action."""
    prompt: TrainerPrompt
    output: str
    """The action, as the JSON object that was asked for."""
    of_all: bool = False
    """It is a script: what the other seats do, too."""

    @property
    def said(self) -> Chat:
        """The output as a message."""
        return (ChatMessage("assistant", self.output),)


def example(one: TrainerAction, form: Form) -> PlainExample | ChatExample:
    """The line of an action for supervised fine-tuning."""
    if form == "plain":
        return PlainExample(input=one.prompt.text, output=one.output, origin=one.origin)
    return ChatExample(prompt=one.prompt.chat, completion=one.said, origin=one.origin)


def rewarded(one: TrainerAction, value: float, form: Form) -> PlainReward | ChatReward:
    if form == "plain":
        return PlainReward(input=one.prompt.text, output=one.output, value=value, origin=one.origin)
    return ChatReward(prompt=one.prompt.chat, completion=one.said, value=value, origin=one.origin)


def pair(
    chosen: TrainerAction, rejected: TrainerAction, margin: float, form: Form
) -> PlainPair | ChatPair:
    """The line of two actions for one state."""
    if form == "plain":
        return PlainPair(
            prompt=chosen.prompt.text,
            chosen=chosen.output,
            rejected=rejected.output,
            margin=margin,
            origin=chosen.origin,
            rejected_origin=rejected.origin,
        )
    return ChatPair(
        prompt=chosen.prompt.chat,
        chosen=chosen.said,
        rejected=rejected.said,
        margin=margin,
        origin=chosen.origin,
        rejected_origin=rejected.origin,
    )
