"""The contract of a stage piece, held to every environment: it draws whatever any viewer was told,
the same each time and whichever way it came there, and obeys nothing; what its forms give, or the
plain one, is an answer."""

import atexit
import json
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.episodes.port.environment import Environment
from actors.episodes.port.game import AnyGame
from actors.episodes.registry import environments
from actors.models.errors import Unreadable
from gateway.http.static_files import STATIC
from gateway.live.live_episodes import LiveEpisodes
from gateway.pages.stage import routes
from gateway.services.viewers.event_frames import FrameBuilder, scene_of
from gateway.services.viewers.posed_question import posed_question
from tests.properties.test_every_environment import ENVIRONMENTS, Line, plays, viewers

NODE = shutil.which("node")
HERE = Path(__file__).parent / "js"
needs_node = pytest.mark.skipif(NODE is None, reason="needs Node")
_encode = msgspec.json.Encoder(enc_hook=str).encode

SCRIPT = """
import { below, element } from "DOCUMENT";
const { questionForm } = await import("STATIC/stage/form.js");
const { Picture } = await import("STATIC/stage/picture.js");
console.warn = (...said) => { throw said.at(-1); };
const piece = process.argv[1] ? await import(process.argv[1]) : {};
let text = "";
process.stdin.setEncoding("utf8");
for await (const chunk of process.stdin) text += chunk;
const answers = [];
for (const one of JSON.parse(text)) {
  if (!one.posed) {
    if (!piece.render && !piece.mount) { answers.push(null); continue; }
    const [first, second] = [element(), element()];
    if (piece.mount) {
      const all = one.told.notices;
      const at = (count) => ({ ...one.told, all, count, notices: all.slice(0, count) });
      const [straight, wandering] = [new Picture(first, {}), new Picture(second, {})];
      straight.piece = wandering.piece = piece;
      const drawn = straight.show(at(all.length));
      for (const count of [0, all.length >> 1, all.length]) wandering.show(at(count));
      wandering.light({ evidence: [1, 2, 3], quotes: ["a"] });
      wandering.show(at(0));
      wandering.show(at(all.length));
      straight.light({ evidence: [1, 2, 3], quotes: ["a"] });
      straight.show(at(all.length));
      answers.push({ drawn, same: String(first) === String(second), markup: String(first) });
      straight.end();
      wandering.end();
      continue;
    }
    const drawn = piece.render(first, one.told) !== false;
    piece.render(second, one.told);
    piece.render(first, one.told);
    answers.push({ drawn, same: String(first) === String(second), markup: String(first) });
    continue;
  }
  const place = element();
  let given = null;
  const form = questionForm(piece, place, one.posed, (answer) => { given = answer; }, one.told);
  for (const name of ["focus", "draft", "restore", "refuse", "busy", "remove"]) {
    if (typeof form[name] !== "function") throw new Error(`the form has no ${name}`);
  }
  form.focus();
  form.restore(form.draft());
  const radios = below(place, (node) => node.getAttribute("type") === "radio");
  const first = new Map();
  for (const radio of radios) {
    radio.checked = !first.has(radio.getAttribute("name"));
    first.set(radio.getAttribute("name"), radio);
  }
  const numbers = below(place, (node) => node.getAttribute("type") === "number" && !node.value);
  for (const number of numbers) number.value = number.getAttribute("min") ?? "0";
  for (const area of below(place, (node) => node.name === "textarea")) area.value = "A few words.";
  const listeners = form.element.listeners.get("submit");
  for (const does of listeners) does({ preventDefault() {} });
  await new Promise((done) => setTimeout(done, 0));
  answers.push({ given });
}
process.stdout.write(JSON.stringify(answers));
"""


@cache
def static_folder() -> Path:
    """The static files as they are served, pieces among them."""
    routes()
    folder = Path(tempfile.mkdtemp(prefix="troupe-static-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "package.json").write_text('{"type": "module"}')
    for name, file in STATIC.files.items():
        if name.endswith(".js"):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
    return folder


def in_node(environment: Environment, given: list[Any]) -> list[Any]:
    """What the environment's piece makes of some values."""
    assert NODE is not None
    folder = static_folder()
    script = SCRIPT.replace("DOCUMENT", (HERE / "document.mjs").as_uri())
    script = script.replace("STATIC", folder.as_uri())
    piece = folder / "environments" / environment.name / "stage.js"
    argument = [piece.as_uri()] if environment.stage is not None else []
    done = subprocess.run(
        [NODE, "--no-warnings", "--input-type=module", "-e", script, *argument],
        input=_encode(given),
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr.decode()
    answers: list[Any] = json.loads(done.stdout)
    return answers


def told(line: Line, viewer: Any) -> dict[str, Any]:
    """What a piece is shown, with all that a viewer was told."""
    scene = scene_of(line.started, viewer)
    teller = FrameBuilder(line.started, viewer, scene.portraits)
    frames = [teller.tell(n, event, n) for n, event in enumerate(line.history)]
    happened = [frame for frame in frames if frame is not None]
    last = happened[-1] if happened else None
    return {
        "opening": scene.opening,
        "scene": scene,
        "notices": [notice for frame in happened for notice in frame.notices],
        "viewer": viewer,
        "turn": last.turn if last else 0,
        "waiting": last.waiting if last else (),
        "ended": last.ended if last else "",
    }


def test_every_environments_piece_is_served_under_its_name():
    routes()
    for environment in environments():
        name = f"environments/{environment.name}/stage.js"
        assert (name in STATIC.files) == (environment.stage is not None)
        assert LiveEpisodes.has_stage_piece(environment.name) == (environment.stage is not None)


@needs_node
@ENVIRONMENTS
@settings(max_examples=3)
@given(data=st.data())
def test_a_piece_draws_what_any_viewer_was_told_and_the_same_each_time(environment, data):
    line = data.draw(plays(environment))
    shown = [{"told": told(line, viewer)} for viewer in viewers(line)]
    for drawn in in_node(environment, shown):
        if drawn is not None:
            assert drawn["same"]
            assert not drawn["drawn"] or drawn["markup"] != "<div></div>"


@needs_node
@ENVIRONMENTS
@settings(max_examples=3)
@given(data=st.data())
def test_what_a_form_gives_is_an_answer_to_its_question(environment, data):
    line = data.draw(plays(environment))
    posed, asked, game = [], [], line.game
    for one in line.state.open:
        background = game.sight.background("e1", line.started, one.seat, "")
        question = posed_question(game, background, one)
        posed.append({"posed": question, "told": told(line, one.seat)})
        asked.append((one, background))
    for (one, background), answer in zip(asked, in_node(environment, posed), strict=True):
        # A few words are no list of names, of as many as there are: that is for a person to mend.
        schema = game.prompts.schema(one.question, background)
        fits = b'"array"' not in _encode(schema)
        assert answer["given"] is not None or not fits, "nothing was sent"
        if answer["given"] is None:
            continue
        try:
            action = action_of(game, one.question, background, answer["given"])
        except Unreadable:
            assert not fits
            continue
        seats = len(line.started.minds)
        fault = game.rules.action_fault(one.question, action, one.seat, seats)
        assert fault is None or not fits


def action_of(game: AnyGame, question: Any, background: Any, given: Any) -> Any:
    """What the gateway makes of an answer."""
    if "text" in given:
        return game.people.typed(question, background, given["text"])
    return game.prompts.read(question, background, json.dumps(given["answer"]), "person")
