"""``troupe demo``."""

from gateway.social.demo import run_demo


def demo() -> None:
    """Play, score, replay and fork some episodes, offline.

    Plays a few dozen episodes of the starter catalog, scores them twice, replays one, forks one,
    has pairs meet again with a memory and without, and writes reports to look at. Needs no key, no
    network and no database server.
    """
    run_demo()
