"""What a person can do about a model that gives no answer."""

import pytest

from actors.models.errors import ModelError
from actors.models.remedies import remedy
from events.minds import ModelSpec


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (
            ModelSpec(name="openai/gpt-4o-mini"),
            "set OPENAI_API_KEY and try again (export OPENAI_API_KEY=…)",
        ),
        (ModelSpec(name="elsewhere/model"), "name the variable that holds its key as api_key_env"),
    ],
)
def test_the_providers_usual_variable_is_named(spec: ModelSpec, said: str) -> None:
    assert remedy(spec, ModelError("no_key", "", may_pass=False)).startswith(said)
