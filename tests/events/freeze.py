"""Write the frozen sample of every event's present schema that has none yet.

    python -m tests.events.freeze

A sample is never changed: it stands for what stores already hold.
"""

import json
from pathlib import Path

import msgspec

from events.serialization.codec import encode
from tests.events.examples import EXAMPLES

SAMPLES = Path(__file__).parent / "samples"


def main() -> None:
    """Write what is missing."""
    for tag, event in EXAMPLES.items():
        path = SAMPLES / f"{tag}-{event.SCHEMA}.json"
        if not path.exists():
            sample = {
                "payload": encode(event).hex(),
                "event": msgspec.to_builtins(event, order="deterministic"),
            }
            path.write_text(json.dumps(sample, indent=1) + "\n")


if __name__ == "__main__":
    main()
