"""Several parts as one environment."""

from actors.episodes.environment import Environment
from actors.worldtree.environment import WORLDTREE
from actors.worldtree.parts import Composed

OF_THE_WHOLE = {"ending", "older_sections", "begin_meeting", "chains"} | {
    *("entries", "facts", "filled_in", "fill_in", "check", "tempers")
}
"""What no part has of its own."""


def test_what_a_part_says_for_itself_the_whole_says():
    own = {
        name
        for part in WORLDTREE.parts
        for kind in type(part).__mro__
        if kind is not Environment and issubclass(kind, Environment)
        for name in vars(kind)
        if hasattr(Environment, name) and not name.startswith("_")
    }
    said = vars(Composed).keys() | vars(WORLDTREE).keys()
    assert own <= said
    members = {name for name in vars(Environment) if not name.startswith("_")}
    assert members - OF_THE_WHOLE <= said
