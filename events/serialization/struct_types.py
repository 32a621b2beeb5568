"""Types that msgspec may be given by several threads at once.

What msgspec knows of a struct is found when it first decodes one, and is kept with the class before
it is complete. A second thread that decodes the same struct in that moment reads what is not there
yet, and the process ends with a segmentation fault.
"""

from threading import RLock
from typing import Final, TypeVar

import msgspec

T = TypeVar("T")

_LOCK: Final = RLock()
"""Nothing is imported under it: a module that is being loaded may wait for it."""
_known: Final[set[object]] = set()
"""They are kept: a type that is made anew with each call does not belong here."""


def decodable(kind: T) -> T:
    """``kind``, a type to decode or convert to, once msgspec knows all of it. Every type with a
    struct in it goes through here on its way to msgspec. Raises ``TypeError`` where msgspec has no
    use for it."""
    if kind not in _known:
        with _LOCK:
            msgspec.msgpack.Decoder(kind)
            _known.add(kind)
    return kind
