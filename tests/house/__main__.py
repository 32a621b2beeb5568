"""`make house`: how large the code is and how it hangs together, beside limits.

    python -m tests.house [--update] [--where]

Exits with 1 when a count is over its limit. ``--update`` makes the totals of lines and modules what
they are; the other limits are raised by nobody but an editor, for a reason.
"""

import argparse
import re

from tests.house.counts import circles, classes_twice, modules, names_in_ing, sizes
from tests.house.table import LIMITS, counts


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="make house", description=__doc__)
    parser.add_argument("--update", action="store_true", help="record the totals")
    parser.add_argument("--where", action="store_true", help="show what the counts are made of")
    asked = parser.parse_args()
    if asked.update:
        record()
    rows = list(counts())
    print(f"{'':44}{'count':>9}{'limit':>9}")
    for row in rows:
        print(row)
    if asked.where:
        code = modules()
        print("\nnames in -ing:", ", ".join(names_in_ing(code)))
        for name, places in classes_twice(code).items():
            print(f"{name}: {', '.join(places)}")
        for group in circles():
            print("circle:", ", ".join(group))
    return any(row.value > row.limit for row in rows)


def record() -> None:
    """Write the totals."""
    head = re.split(r"^\[sizes", LIMITS.read_text(encoding="utf-8"), flags=re.MULTILINE)[0]
    lines = [
        f"[sizes.{name}]\nlines = {lines}\nmodules = {files}\n"
        for name, (lines, files) in sizes(modules()).items()
    ]
    LIMITS.write_text(head + "\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
