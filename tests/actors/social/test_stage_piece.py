"""The picture of a social stage, where it is nobody's doing that something happens."""

from actors.social.environment import SOCIAL
from tests.gateway.stage.test_pieces import in_node, needs_node

PEOPLE = [{"seat": 0, "label": "Ada Moss"}, {"seat": 1, "label": "Ben Okafor"}]
SAID = {"seat": 0, "kind": "speak", "text": "Who is there?", "to": []}
NARRATED = {"seat": -1, "kind": "narrated", "text": "The lights go out.", "to": []}


def drawn(*notices: dict[str, object]) -> str:
    told = {"opening": {"profiles": PEOPLE, "bonds": []}, "notices": notices, "waiting": []}
    (answer,) = in_node(SOCIAL, [{"told": told}])
    assert answer["drawn"]
    return str(answer["markup"])


@needs_node
def test_what_a_narrator_tells_is_drawn_as_nobodys_words():
    assert "speech" in drawn(SAID)
    after = drawn(SAID, NARRATED)
    assert "speech" not in after
    assert "Ada Moss: 1 action; Ben Okafor: 0 actions" in after
