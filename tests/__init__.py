"""Tests of all five packages."""

import os
from typing import Final

KEYS: Final = "usual, STUB_KEY@127.0.0.1, HOSTILE_KEY@127.0.0.1"
"""``TROUPE_KEYS`` of all tests: a stub may be sent these keys."""

os.environ["TROUPE_KEYS"] = KEYS
