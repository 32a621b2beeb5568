"""Models that write items of catalogs."""

from pathlib import Path

import pytest

from actors.toml_file import BadFile
from gateway.models.writer_models import spec_of


def test_what_a_plan_says_of_a_mind_may_be_copied(tmp_path: Path) -> None:
    path = tmp_path / "writer.toml"
    path.write_text('name = "gpt"\nkind = "model"\nmodel = "openai/gpt-4o"\ntemperature = 0.5\n')
    spec = spec_of(str(path))
    assert (spec.name, spec.temperature) == ("openai/gpt-4o", 0.5)


def test_a_mind_that_is_no_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "writer.toml"
    path.write_text('kind = "rehearsal"\nmodel = "openai/gpt-4o"\n')
    with pytest.raises(BadFile, match="kind: must be model, not 'rehearsal'"):
        spec_of(str(path))
