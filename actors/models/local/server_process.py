"""The process of a local model's server: it runs until no client uses it."""

import errno
import fcntl
import os
import sys
import time
from typing import Final

import msgspec

from actors.models.local.runtime import (
    USERS,
    AlreadyServed,
    NotServed,
    Serving,
    opened,
    served,
    taken,
)
from events.serialization.struct_types import decodable

FAILED, TAKEN, FULL = 3, 4, 5
"""Exit codes: llama.cpp did not start; another process serves already; there is no room to write,
not even why."""
POLL_S: Final = 0.5


def main(given: str) -> int:
    """Serve until nobody uses it. ``given``: a ``Serving`` as JSON."""
    serving = msgspec.json.decode(
        given, type=decodable(Serving), dec_hook=lambda kind, value: kind(value)
    )
    users = opened(serving.folder / USERS)
    try:
        with served(serving):
            while not taken(users, fcntl.LOCK_EX):
                time.sleep(POLL_S)
    except AlreadyServed:
        return TAKEN
    except NotServed:
        return FAILED
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        return FULL
    return 0


if __name__ == "__main__":
    code = main(sys.argv[1])
    sys.stdout.flush()
    # llama.cpp's threads are not waited for: nobody is served any more.
    os._exit(code)
