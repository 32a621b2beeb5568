"""What a narrator tells in a social episode: something happens that no character does."""

from typing import Annotated, Final

from msgspec import Meta

from events import environments
from events.untrusted.limits import MOST_NARRATED

NARRATOR: Final = -1
"""Stands where an action has its seat."""
LABEL: Final = "The narrator"
"""What everybody calls it."""
NARRATED: Final = "narrated"
"""Stands where an action has its kind."""


class Narrated(environments.Change, frozen=True, kw_only=True, tag="social.Narrated"):
    """A researcher has something happen. Whose turn it is stays as it is."""

    # Told in the schema, and held where a command is read: what is stored stays readable.
    text: Annotated[str, Meta(extra_json_schema={"maxLength": MOST_NARRATED})]
    """What happens, in words. At most 4,000 characters."""
    seats: tuple[int, ...] = ()
    """Who notices it; none: everybody."""
