"""The table of some rounds."""

import math
import statistics

import msgspec

from tests.faults.chaos.rounds import Round


class Table(msgspec.Struct):
    """Rounds by what struck them."""

    rounds: list[Round] = []

    @property
    def violations(self) -> list[str]:
        """What was wrong, each with how to see it again."""
        return [
            f"seed {played.seed}, run {played.run}: {wrong}\n"
            f"    again: make chaos ROUNDS=1 SEED={played.seed}"
            for played in self.rounds
            for wrong in played.violations
        ]

    def __str__(self) -> str:
        heading = (
            f"{'fault':<18}{'rounds':>8}{'events':>10}{'requests':>10}{'crossed':>9}"
            f"{'violations':>12}{'affected':>10}{'recovery: median':>18}{'p95':>9}"
        )
        lines = [heading]
        for kind in sorted({played.kind for played in self.rounds}):
            lines.append(_line(kind, [played for played in self.rounds if played.kind == kind]))
        lines.append(_line("all", self.rounds))
        return "\n".join([*lines, *self.violations])


def _line(name: str, rounds: list[Round]) -> str:
    times = sorted(time for played in rounds for time in played.recoveries)
    median = f"{statistics.median(times):.2f} s" if times else "-"
    p95 = f"{times[math.ceil(0.95 * len(times)) - 1]:.2f} s" if times else "-"
    return (
        f"{name:<18}{len(rounds):>8}{sum(r.events for r in rounds):>10,}"
        f"{sum(r.asked for r in rounds):>10,}{sum(r.crossed for r in rounds):>9}"
        f"{sum(len(r.violations) for r in rounds):>12}{len(times):>10}{median:>18}{p95:>9}"
    )
