"""Minimal requests that test whether a model is available and which formats its server accepts."""

import json
import re
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

import msgspec

from actors.models.errors import ModelError
from actors.models.port import ModelReply, ModelRequest, Msg, request_of
from actors.models.replies.thoughts import parted
from actors.models.response_formats.formats import LOWER, in_form
from actors.models.response_formats.schemas import Schema, object_schema, or_null
from events.minds import ModelSpec
from store.model_abilities import Ability, AnswerForm

PROBE_TOKENS: Final = 16
"""The longest answer to a probe."""

_KINDS: Final = ("yes", "no")
PROBE_SCHEMA: Final[Schema] = object_schema(
    {
        "kind": {"type": "string", "enum": list(_KINDS)},
        "n": {"type": "integer", "enum": [0, 1]},
        "t": {"type": "string", "maxLength": 1, "pattern": "^[a-z]?$"},
        "to": {"type": "array", "items": {"type": "integer", "enum": [0]}, "maxItems": 1},
        "o": or_null({"type": "integer", "minimum": 0, "maximum": 1}),
    }
)
"""Everything that schemas here are written with, as small as it can be: servers take some of it and
refuse the rest."""
_PROBES: Final[dict[AnswerForm, str]] = {
    # A server that pays no heed to the schema lets the model say the word.
    "schema": "Answer with the word: yes",
    "simple": "Answer with the word: yes",
    # OpenAI's refuses JSON mode where no message says JSON.
    "json": 'Answer with this JSON: {"kind": "yes"}',
    "none": "Answer with the word: yes",
}
_THINKING: Final = frozenset({"thinking", "reasoning", "reasoning_effort", "thinking_budget"})
"""Further parameters that ask for thoughts, some of them for more than a probe's tokens."""
_NO_ROOM: Final = re.compile(r"(?:max_\w*tokens|output limit)\W.*\breached", re.IGNORECASE)
"""How OpenAI says, with a 400, that a model thought until its tokens were used up."""


class ProbeResult(NamedTuple):
    """What tiny requests have found out."""

    form: AnswerForm | None
    """What the server takes; None: that was not the question."""
    why: str
    """Why it is no better form."""
    dropped: tuple[str, ...]
    """Parameters that the provider does not take."""
    sure: bool
    """Whether it is worth remembering: no failure that may pass was taken for a refusal."""


async def found_out(
    spec: ModelSpec,
    put: Callable[[ModelRequest], Awaitable[ModelReply]],
    form: AnswerForm,
    known: Ability,
    *,
    again: bool,
) -> ProbeResult:
    """Put a tiny request in the form that is used, and in lower ones while they are refused or do
    not hold. ``form``: which is used, as far as is known; ``again``: as if nothing were. Raises the
    last ``ModelError`` where even a plain one is refused."""
    why, reply, heard, sure = "", ModelReply(text=""), False, True
    if spec.structured_output is None:
        form = "schema" if again or not known.found_at else known.form or "schema"
    while form != "none" or not heard:
        try:
            reply = await put(probe_request(spec, form))
        except ModelError as error:
            if thought_too_long(error):
                break
            if form == "none" or not refuses_form(error):
                raise
            form, why = LOWER[form], f"the server refused more: {error.detail}"
            sure = sure and not error.may_pass
            continue
        heard = True
        if held(form, reply):
            break
        # What does not hold a schema does not hold one without bounds either.
        form, why = "none" if form == "json" else "json", "the answer did not hold to more"
    if not why and not again and form == known.form:
        why = known.why
    # What a specification says by itself tells nothing of what its server takes.
    told = spec.structured_output is None or (
        spec.structured_output and form in ("schema", "simple")
    )
    return ProbeResult(form if told else None, why, reply.dropped, sure)


def probe_request(spec: ModelSpec, form: AnswerForm) -> ModelRequest:
    """The tiny request by which it is seen whether a server takes a form."""
    whole = request_of(spec, (Msg("user", _PROBES[form]),))
    extras = {name: value for name, value in whole.extras().items() if name not in _THINKING}
    tiny = msgspec.structs.replace(
        whole,
        max_tokens=PROBE_TOKENS,
        max_completion_tokens=PROBE_TOKENS if spec.max_completion_tokens else 0,
        reasoning_effort="",
        extra=json.dumps(extras) if extras else "",
    )
    return in_form(tiny, form, PROBE_SCHEMA)


def held(form: AnswerForm, reply: ModelReply) -> bool:
    """Whether the answer to a probe has the form. It may be cut off, so its beginning decides;
    where the model has only thought so far, that the server took the request."""
    said = "".join(parted(reply.text).answer.split())
    if form == "none" or not said:
        return True
    if form == "json":
        return said.startswith("{")
    begun = [f'{{"kind":"{kind}"' for kind in _KINDS]
    # Not all servers keep the order of fields; then the answer is whole, or it is a JSON object
    # that begins with a field which the prompt does not name.
    begun += [f'{{"{name}":' for name in PROBE_SCHEMA["properties"] if name != "kind"]
    return any(said.startswith(one) or one.startswith(said) for one in begun)


def refuses_form(error: ModelError) -> bool:
    """Whether a server may not know, or not like, the form that it was asked for: what it says of
    it differs too much to be read."""
    return error.reason == "refused" or error.status in (500, 501)


def thought_too_long(error: ModelError) -> bool:
    """Whether a model that thinks was there and had no room for an answer."""
    return error.reason == "refused" and _NO_ROOM.search(error.detail) is not None
