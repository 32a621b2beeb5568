"""The page and its module make the same pieces of a transcript, whatever was played."""

import json
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.pages.stage.highlighted_words import marked, spans
from gateway.pages.stage.transcript_items import TranscriptItem, items_of
from gateway.services.viewers.event_frames import FrameBuilder, scene_of
from gateway.services.viewers.frames import Happened, Scene, Seated
from gateway.services.viewers.packed_frames import packed
from gateway.services.viewers.viewer_frames import ViewerFrames
from tests.properties.test_every_environment import ENVIRONMENTS, Line, plays, viewers

NODE = shutil.which("node")
STATIC = Path(__file__).parents[3] / "gateway" / "static" / "stage"
needs_node = pytest.mark.skipif(NODE is None, reason="needs Node")
_plain = msgspec.json.Encoder(enc_hook=str)

SCRIPT = f"""
import {{ Course }} from "{STATIC.as_uri()}/items.js";
import {{ unpacked }} from "{STATIC.as_uri()}/packing.js";
import {{ spans }} from "{STATIC.as_uri()}/lit.js";
let text = "";
process.stdin.setEncoding("utf8");
for await (const chunk of process.stdin) text += chunk;
const answers = JSON.parse(text).map((one) => {{
  if (one.packed) return unpacked(one.packed).happened;
  if (one.quotes) return spans(one.text, one.quotes);
  const course = new Course(one.portraits, one.viewer);
  one.happened.forEach((frame, at) => course.add(frame, one.marks[at]));
  return course.items;
}});
process.stdout.write(JSON.stringify(answers));
"""


def in_node(given: list[object]) -> list[object]:
    """What the modules make of some values."""
    assert NODE is not None
    done = subprocess.run(
        [NODE, "--no-warnings", "--input-type=module", "-e", SCRIPT],
        input=_plain.encode(given),
        capture_output=True,
        check=True,
        timeout=60,
    )
    answers: list[object] = json.loads(done.stdout)
    return answers


def plain(items: tuple[TranscriptItem, ...]) -> list[dict[str, object]]:
    """Pieces with every field, as the module has them."""
    return [
        {name: getattr(one, name) for name in TranscriptItem.__struct_fields__} for one in items
    ]


def told(line: Line, viewer: int | str) -> tuple[list[Happened], tuple[object, ...]]:
    """What a viewer was told of a play."""
    scene = scene_of(line.started, viewer)  # type: ignore[arg-type]
    teller = FrameBuilder(line.started, viewer, scene.portraits)  # type: ignore[arg-type]
    frames = (teller.tell(n, event, 1_000_000 * n) for n, event in enumerate(line.history))
    return [frame for frame in frames if frame is not None], scene.portraits


@needs_node
@ENVIRONMENTS
@settings(max_examples=3)
@given(data=st.data())
def test_the_module_makes_the_same_pieces_as_the_server(environment, data):
    line = data.draw(plays(environment))
    given: list[object] = []
    expected: list[object] = []
    for viewer in viewers(line):
        happened, portraits = told(line, viewer)
        marks = [one.version if one.number is None else one.number for one in happened]
        expected.append(plain(items_of(happened, marks, portraits, viewer)))  # type: ignore[arg-type]
        given.append(
            {"happened": happened, "marks": marks, "portraits": portraits, "viewer": viewer}
        )
        whole = ViewerFrames(
            viewer=viewer, scene=Scene(situation="", portraits=()), happened=happened
        )
        given.append({"packed": packed(whole)})
        expected.append([_without_lines(frame) for frame in happened])
    assert in_node(given) == expected


def _without_lines(frame: Happened) -> object:
    """A frame as the socket has it, but for lines whose parts are there."""
    plain = json.loads(_plain.encode(frame))
    for entry in plain.get("entries", ()):
        if entry.get("text") or (entry.get("who") and (entry.get("verb") or "failed" in entry)):
            del entry["line"]
    return plain


def test_who_sits_down_and_what_is_paused_are_notes():
    model = Seated(seat=0, mind="gpt", kind="model")
    person = Seated(seat=0, mind="person", kind="person", participant="p-abc")
    happened = [
        Happened(version=1, number=0, tag="EpisodeStarted", at=0, turn=0, seats=(model,)),
        Happened(version=2, number=1, tag="SeatTaken", at=0, turn=1, seats=(person,)),
        Happened(version=3, number=2, tag="EpisodePaused", at=0, turn=1, by="mara", paused=True),
        Happened(version=4, number=3, tag="SeatReleased", at=0, turn=1, seats=(model,)),
    ]
    items = items_of(happened, [0, 1, 2, 3], (), "narrator")
    assert [(one.kind, one.text, one.by) for one in items if one.kind == "note"] == [
        ("note", "p-abc takes seat 1's seat from gpt", ""),
        ("note", "The episode is paused", "mara"),
        ("note", "p-abc hands seat 1's seat to gpt", ""),
    ]


@needs_node
def test_quotes_are_found_alike_whatever_stands_between_their_words():
    cases = [
        ("I will  not sell\nit. I will not.", ["will not sell it"]),
        ("“I will not”, he said", ['"I will not."', "HE SAID"]),
        ("a+b (c)", ["a+b", "(c)"]),
        ("aaa", ["aa", ""]),
        ("overlap here", ["over", "lap here"]),
    ]
    here = [[list(one) for one in spans(text, quotes)] for text, quotes in cases]
    assert here[0] == [[2, 19]]
    assert here[1] == [[1, 11], [14, 21]]
    assert in_node([{"text": text, "quotes": quotes} for text, quotes in cases]) == here


def test_what_is_marked_is_escaped():
    assert marked("<b>no\u202e</b> & no", ["no"]) == (
        "&lt;b&gt;<mark>no</mark>[U+202E]&lt;/b&gt; &amp; <mark>no</mark>"
    )
