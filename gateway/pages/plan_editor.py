"""Pages on which a plan is written as text, beside what it means: *New study*, *New annotation
study*."""

from collections.abc import Callable, Mapping
from typing import Final, Generic, NamedTuple, TypeVar

from actors.toml_file import BadFile
from evaluators.registry import UnfitJudge
from events.ids import new_id
from gateway.errors import BadArgument
from store.errors import KeysNotShared, KeysUnavailable

KEY: Final = "w"
"""How the word that stands for one page, however often it is sent, begins."""
LONGEST: Final = 2**18
"""Characters of a plan."""

P = TypeVar("P")


class Fault(NamedTuple):
    """What keeps a plan from being carried out."""

    field: str
    """A field's name, or a line; empty: the whole."""
    why: str


class WrittenPlan(NamedTuple, Generic[P]):
    """A plan at a moment of its being written."""

    text: str
    key: str
    """The same each time that one page is sent: what it plans is planned once."""
    prepared: P | None
    """None where there are faults."""
    faults: tuple[Fault, ...] = ()


def written(text: str, key: str, prepare: Callable[[str], P]) -> WrittenPlan[P]:
    """What a text means. ``prepare`` raises what is wrong with it."""
    if len(text) > LONGEST:
        why = f"a plan has at most {LONGEST:,} characters"
        return WrittenPlan(text, key, None, (Fault("", why),))
    try:
        return WrittenPlan(text, key, prepare(text))
    except BadFile as error:
        fault = Fault(error.where, error.why)
    except BadArgument as error:
        fault = Fault(error.what, f"{error.given}: {error.why}" if error.given else error.why)
    except (LookupError, UnfitJudge, KeysNotShared, KeysUnavailable) as error:
        fault = Fault("", str(error))
    return WrittenPlan(text, key, None, (fault,))


def new_key() -> str:
    """For a page that is opened."""
    return new_id(KEY)


def sent(form: Mapping[str, object]) -> tuple[str, str]:
    """The text and the key of a page that was sent. Raises ``BadArgument`` for a key that
    ``new_key`` would not make."""
    key = str(form.get("key", ""))
    if not (key.startswith(KEY) and key.isascii() and key.isalnum() and 8 <= len(key) <= 32):
        raise BadArgument("key", key, "is not this page's; open the page anew")
    # Browsers send lines with CR LF.
    return str(form.get("toml", "")).replace("\r\n", "\n"), key
