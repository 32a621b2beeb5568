"""A slice of `make fuzz`: nothing that comes in is met with a traceback, and nothing changes that
was refused."""

from pathlib import Path

import pytest

from tests.fuzz.kinds import KINDS
from tests.fuzz.playing import Case, Played, play

SHORT = {
    "answers": 60,
    "judges": 60,
    "plans": 15,
    "catalogs": 4,
    "published": 8,
    "games": 250,
    "worldtrees": 20,
    "people": 40,
    "keywords": 30,
    "imports": 6,
    "logs": 3,
    "settings": 8,
    "arguments": 4,
    "replies": 20,
}
"""Cases of each kind. The others need a server of their own, and resemble what
``tests/faults/test_garbage.py`` sends."""
LONG = {
    **dict.fromkeys(KINDS, 300),
    "games": 5_000,
    "answers": 2_000,
    "judges": 1_500,
    "people": 1_500,
    "keywords": 1_500,
    "commands": 1_500,
    "replies": 500,
    "reports": 40,
}


def found(folder: Path, name: str, seed: int, cases: int) -> list[str]:
    """What is found in the first cases of a seed."""
    played = Played()
    with KINDS[name](folder) as kind:
        for number in range(cases):
            play(kind, seed, number, played)
        kind.check_end()
    assert played.cases == cases
    return [f"{one}\n{one.trace}" for one in played.findings.values()]


@pytest.mark.parametrize("name", SHORT)
def test_what_comes_in_is_taken_or_refused_with_a_sentence(tmp_path: Path, name: str):
    assert found(tmp_path, name, seed=0, cases=SHORT[name]) == []


@pytest.mark.long
@pytest.mark.parametrize("name", KINDS)
def test_whatever_comes_in_is_taken_or_refused_with_a_sentence(tmp_path: Path, name: str):
    assert found(tmp_path, name, seed=1, cases=LONG[name]) == []


def test_what_must_not_be_is_found_and_made_small(tmp_path: Path):
    with KINDS["judges"](tmp_path) as kind:

        def broken(sample: int, steps: list[int]) -> None:
            if wanted in steps:
                raise ZeroDivisionError

        case = next(case for n in range(99) if len((case := Case.of(kind, 5, n)).steps) > 2)
        wanted = case.steps[1]
        kind.play = broken  # type: ignore[method-assign]
        played = Played()
        play(kind, 5, case.number, played)
        (finding,) = played.findings.values()
        assert "ZeroDivisionError" in finding.what
        assert f"--kinds judges --seed 5 --case {case.number}" in str(finding)
        del kind.play
        assert finding.shown == kind.shown(case.sample, [wanted])
