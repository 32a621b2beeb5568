"""What walks and inquiries can be judged by."""

from typing import Final

from actors.worldtree.setup import NAME
from evaluators.judging import Judging

WORLDTREE: Final = Judging(environment=NAME)
"""What the entry point names."""
