"""JSON that could be read in two ways, or not be kept, is refused with what is wrong."""

import pytest

from events.untrusted.json_values import NotJson, value_of


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "no JSON: line 1, column 2"),
        ('{"a": 1,\n "a": 2}', "has the key 'a' twice"),
        ('{"a": [{"b": 1, "b": 1}]}', "has the key 'b' twice"),
        ('{"a": NaN}', "holds NaN"),
        ('{"a": -Infinity}', "holds -Infinity"),
        ('{"a": 1e999}', "1e999 is too large"),
        (f'{{"a": {2**63}}}', "9223372036854775808 is too large"),
        (f'{{"a": 1{"0" * 5_000}}}', "is too large"),
        ('{"a": "\\ud800"}', "'a' holds half of a character"),
        ('{"a": ["b", "\\udfff"]}', "'a' holds half of a character"),
        ('{"a\\ud800": 1}', "holds half of a character"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_odd_is_refused(text: str, why: str) -> None:
    with pytest.raises(NotJson) as refused:
        value_of(text)
    assert why in str(refused.value)
    assert len(str(refused.value)) < 200


def test_everything_else_is_read_as_it_is() -> None:
    assert value_of('{"a": [1, -2.5, "é\\ud83d\\ude00", null, true]}') == {
        "a": [1, -2.5, "é😀", None, True]
    }
