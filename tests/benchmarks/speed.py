"""How fast this machine is, from a loop that takes a fixed number of operations.

    python -m tests.benchmarks.speed

Relative to the machine on which the goals in seconds were set (1.0). A goal that waits for nothing
but the processor is divided by it.
"""

import json
import time

REFERENCE_S = 0.082
"""Seconds of processor time that ``loop`` takes on the machine of the goals: 0.63 times the 0.130 s
of the machine (2 cores of an AMD EPYC, Python 3.11) that was found to have 0.63 of its speed."""
ROUNDS = 7
"""The best counts: it is the one that little else disturbed."""
OPERATIONS = 200_000


class _Counter:
    def __init__(self) -> None:
        self.seen: dict[str, int] = {}

    def count(self, name: str) -> int:
        self.seen[name] = found = self.seen.get(name, 0) + 1
        return found


def loop() -> int:
    """What Python code mostly does: calls, attributes, dictionaries, strings, and some C."""
    counter, total = _Counter(), 0
    for number in range(OPERATIONS):
        total += counter.count(f"name-{number % 97}")
        if not number % 10:
            line = json.dumps({"seat": number, "text": "one line of talk", "turns": [1, 2, 3]})
            total += len(json.loads(line)["turns"])
    return total + len(sorted(counter.seen.items(), key=lambda item: item[1]))


def relative(seconds: float, reference: float = REFERENCE_S) -> float:
    """The speed of a machine on which ``loop`` takes so many seconds."""
    return reference / seconds


def machine_speed() -> float:
    """This machine's, by processor time: what else runs disturbs it little."""
    taken = []
    for _ in range(ROUNDS):
        began = time.process_time()
        loop()
        taken.append(time.process_time() - began)
    return relative(min(taken))


if __name__ == "__main__":
    print(f"{machine_speed():.2f}")
