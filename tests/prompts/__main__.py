"""``python -m tests.prompts``: plays with each template and prints what the answers are like."""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.prompts.figures import Call, markdown, table
from tests.prompts.played import calls_in, plans, play


def main() -> None:
    """Print the table, in Markdown."""
    given = argparse.ArgumentParser(prog="make prompts", description=__doc__)
    given.add_argument("--model", default="local/smollm2", help="as in a plan (local/smollm2)")
    given.add_argument("--base-url", default="", help="of a server; the direct adapter asks it")
    given.add_argument("--key", default="", help="the variable that has its key")
    given.add_argument("--episodes", type=int, default=3, help="a template (3)")
    given.add_argument("--max-tokens", type=int, default=120, help="of an answer (120)")
    given.add_argument("--plain", action="store_true", help="without a JSON Schema")
    given.add_argument("--only", default="", help="templates whose names begin so")
    options = given.parse_args()
    mind = [
        f'model = "{options.model}"',
        f"max_tokens = {options.max_tokens}",
        "seed = 1",
        "reasks = 0",
        "timeout_s = 600",
        f"structured_output = {'false' if options.plain else 'true'}",
    ]
    if options.base_url:
        mind += ['adapter = "direct"', f'base_url = "{options.base_url}"']
    if options.key:
        mind.append(f'api_key_env = "{options.key}"')
    found: list[Call] = []
    with tempfile.TemporaryDirectory(prefix="troupe-prompts-") as folder:
        for name, text in plans("\n".join(mind), options.episodes):
            if not name.startswith(options.only):
                continue
            plan, data = Path(folder) / f"{name}.toml", Path(folder) / name
            plan.write_text(text, encoding="utf-8")
            play(plan, data)
            calls = list(calls_in(data))
            seconds = sum(call.seconds for call in calls)
            print(f"{name}: {len(calls)} answers, {seconds:.0f} s", file=sys.stderr)
            found += calls
    print(markdown(table(found)))


if __name__ == "__main__":
    main()
