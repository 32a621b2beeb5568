"""Filters are data; what cannot be right is refused with file, line and reason."""

from pathlib import Path

import pytest

from actors.toml_file import BadFile
from evaluators.social.training_files.filters import Cloning, Filters, read_filters


def filters(folder: Path, text: str, *options: str) -> Filters:
    path = folder / "filters.toml"
    path.write_text(text)
    return read_filters(path, options)


def test_a_file_and_options_are_one(tmp_path: Path) -> None:
    text = 'judge = "gpt-4o"\ngoal = 6\nbalance = true\n[cloning]\nexpert = "gpt-4"\n'
    assert filters(tmp_path, text, "goal=8", "cloning.enough=6.5", "form=chat") == Filters(
        judge="gpt-4o",
        goal=8,
        balance=True,
        cloning=Cloning(expert="gpt-4", enough=6.5),
        form="chat",
    )
    assert read_filters(None) == Filters()
    assert read_filters(None, ['minds=["a", "b"]']).minds == ("a", "b")


def test_a_goal_of_seven_is_the_default_of_sft_alone() -> None:
    assert Filters().least_goal("sft") == 7
    assert Filters(cloning=Cloning(expert="x")).least_goal("sft") is None
    assert Filters(cloning=Cloning(expert="x"), goal=5).least_goal("sft") == 5
    assert Filters().least_goal("rewards") is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("goal = 7\ntop_sahre = 0.7\n", r"line 2: there is no field 'top_sahre'"),
        ('[cloning]\nexpert = "a"\nbest = 1\n', r"line 3, cloning: there is no field 'best'"),
        ("goal = 7\n\ntop_share = 0\n", r"line 3, top_share: must be a number more than 0"),
        ("top = 0\n", r"line 1, top: must be a whole number at least 1"),
        ('[cloning]\nexpert = "a"\nenough = 12\n', r"line 3, cloning\.enough: .* 0 to 10, not 12"),
        ("\n[cloning]\nenough = 7\n", r"line 2, cloning: the field 'expert' is missing"),
        ('form = "xml"\n', r"line 1, form: must be plain or chat"),
        ("goal = nan\n", r"line 1, goal: "),
        ("goal = \n", r"line 1, column 8: is not valid TOML"),
        ("margin = 0\n", r"line 1, margin: "),
    ],
)
def test_what_cannot_be_right_is_refused_with_its_line(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(BadFile, match=r"filters\.toml, " + why):
        filters(tmp_path, text)


@pytest.mark.parametrize("option", ["top=0", "nothing=1", "top", "=3", "a b=3", "cloning.enough=8"])
def test_so_are_options(option: str) -> None:
    with pytest.raises(BadFile, match=r"^--filter"):
        read_filters(None, [option])


@pytest.mark.parametrize("option", ["goal=7\ntop=2", "judge=strict\ntop=2", "judge=a\rb"])
def test_an_option_is_one_filter(option: str) -> None:
    with pytest.raises(BadFile, match=r"has more than one line; repeat the option"):
        read_filters(None, [option])
