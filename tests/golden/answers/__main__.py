"""``python -m tests.golden.answers [--update]``: which answers are read in another way than the
files say; with ``--update`` the files say so from then on."""

import argparse
import sys

from tests.golden.answers import answers, cases, changes, difference, write


def main() -> int:
    """The command; 1 where something is read in another way and the files were left alone."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden.answers", description=__doc__)
    parser.add_argument("--update", action="store_true", help="write today's readings")
    update = parser.parse_args().update
    found = list(changes())
    for number, before, now in found:
        sys.stdout.write(f"line {number}, {now.case}: {now.text[:100]!r}\n")
        sys.stdout.write(f"{difference(before, now)}\n\n")
    all_ = answers()
    if update and found:
        for number, _, now in found:
            all_[number - 1] = now
        write(cases().values(), all_)
    usable = sum(not one.fault for one in all_)
    sys.stdout.write(
        f"{len(found)} of {len(all_)} answers are read in another way"
        f"{', and the file says so now' if update and found else ''}; {usable} can be read.\n"
    )
    return int(bool(found) and not update)


if __name__ == "__main__":
    sys.exit(main())
