"""Where the published data lies; tests that need it are skipped, saying so, where it does not."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("TROUPE_PUBLISHED_DATA", ROOT.parent / "shared" / "data"))
SOTOPIA = DATA / "sotopia"

needs_sotopia = [
    pytest.mark.published,
    pytest.mark.skipif(
        not SOTOPIA.is_dir(),
        reason=f"the published SOTOPIA catalog is not in {SOTOPIA}; set TROUPE_PUBLISHED_DATA",
    ),
]

WORLD_TREES = DATA / "socialeval" / "worldtrees"

needs_world_trees = [
    pytest.mark.published,
    pytest.mark.skipif(
        not WORLD_TREES.is_dir(),
        reason=f"SocialEval's trees are not in {WORLD_TREES}; set TROUPE_PUBLISHED_DATA",
    ),
]

STSS = DATA / "stss"

needs_stss = [
    pytest.mark.published,
    pytest.mark.skipif(
        not STSS.is_dir(),
        reason=f"STSS's files are not in {STSS}; set TROUPE_PUBLISHED_DATA",
    ),
]

STSS = DATA / "stss"

needs_stss = [
    pytest.mark.published,
    pytest.mark.skipif(
        not STSS.is_dir(),
        reason=f"STSS's map and tasks are not in {STSS}; set TROUPE_PUBLISHED_DATA",
    ),
]
