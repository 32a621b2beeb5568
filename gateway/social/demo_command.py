"""``troupe demo``."""

from gateway.social.demo import run_demo


def demo() -> None:
    """Play, score, replay and fork some episodes, offline.

    Plays a few dozen episodes of the starter catalog, scores them by two judges, replays one, forks
    one, plays chains with and without a memory, and writes reports. Needs no key, no network and no
    database server.
    """
    run_demo()
