"""What a plan means, in the terminal: ``troupe run PLAN.toml --dry-run``."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.cli.output import escape, print_pairs, say

if TYPE_CHECKING:
    from actors.runs.forecast import Forecast


def print_forecast(name: str, expected: "Forecast") -> None:
    """What a plan means before anything is spent."""
    say(f"[bold]Plan {escape(name)}[/] means")
    print_pairs(
        (
            *_expected_episodes(expected),
            ("evaluations", f"{expected.evaluations:,}"),
            ("model calls to play", _at_most(expected.play_calls)),
            *_expected_notes(expected),
            ("model calls to judge", f"at least {expected.judge_calls:,}"),
        ),
        indent=2,
    )
    say("Nothing was played or stored.")


def _at_most(calls: int | None) -> str:
    return "as many as it takes" if calls is None else f"at most {calls:,}"


def _expected_episodes(expected: "Forecast") -> Iterator[tuple[str, str]]:
    if not expected.chains:
        yield "episodes", f"{expected.episodes:,} of {expected.tasks:,} tasks"
        return
    yield "chains", f"{expected.chains:,} of {expected.chain_length:,} episodes"
    yield "episodes", f"{expected.episodes:,} in {expected.tasks:,} scenarios"


def _expected_notes(expected: "Forecast") -> Iterator[tuple[str, str]]:
    if expected.chains:
        yield "model calls to remember", f"at least {expected.note_calls:,}"
