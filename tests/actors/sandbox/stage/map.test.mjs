import assert from "node:assert/strict";
import { test } from "node:test";

import { Camera } from "./stage/camera.js";
import { Hours } from "./stage/hours.js";
import { TownMap } from "./stage/map.js";
import { Timeline } from "./stage/timeline.js";

// ##########    A house of two rooms, 5 wide, with a bed in the first; a hedge beside it.
const GIVEN = {
  world: "Weir",
  width: 7,
  height: 4,
  solid: { names: ["wall"], runs: [1, 5, 0, 3, 1, 1, 0, 3, 1, 1, 0, 1, 1, 5, 0, 9] },
  sectors: { names: ["House"], runs: [1, 5, 0, 2, 1, 5, 0, 2, 1, 5, 0, 9] },
  arenas: { names: ["House:bedroom", "House:bath"], runs: [0, 8, 1, 1, 2, 2, 0, 17] },
  objects: { names: ["bed"], runs: [0, 8, 1, 1, 0, 19] },
};

test("a map knows walls, things, floors, hedges and open ground", () => {
  const map = new TownMap(GIVEN);
  assert.equal(map.kind(map.at(0, 0)), "wall");
  assert.equal(map.kind(map.at(1, 1)), "thing");
  assert.equal(map.kind(map.at(2, 1)), "floor");
  assert.equal(map.kind(map.at(6, 3)), "open");
  assert.equal(map.at(7, 0), -1);
});

test("tiles come in rectangles that cover each of them once", () => {
  const map = new TownMap(GIVEN);
  const rects = map.rects((tile) => map.sector[tile] === 1);
  assert.deepEqual(rects, [[0, 0, 5, 3]]);
});

test("places are labelled at their middle, the largest first, and found by address", () => {
  const map = new TownMap(GIVEN);
  const labels = map.labels();
  assert.deepEqual(labels.map((one) => one.text), ["House", "bath", "bedroom", "bed"]);
  assert.deepEqual([labels[0].x, labels[0].y, labels[0].wide], [2.5, 1.5, 5]);
  assert.deepEqual(map.middle("Weir:House:bath"), [3, 1.5]);
  assert.deepEqual(map.middle("Weir:House:bedroom:bed"), [1.5, 1.5]);
  assert.equal(map.middle("Weir:Nowhere:room"), null);
});

test("a place that one comes to know is on the map from then on", () => {
  const map = new TownMap({ ...GIVEN, sectors: {}, arenas: {}, objects: {}, solid: { names: ["shut"], runs: [1, 28] } });
  assert.equal(map.middle("Weir:House:bath"), null);
  map.learn({ address: "Weir:House", inside: "0:5 7:5 14:5" });
  map.learn({ address: "Weir:House:bath", inside: "9:2", free: "9:2" });
  map.learn({ address: "Weir:House:bath:tub", inside: "10:1", free: "10:1" });
  assert.deepEqual(map.middle("Weir:House:bath"), [3, 1.5]);
  assert.equal(map.kind(map.at(2, 1)), "floor");
  assert.equal(map.kind(map.at(3, 1)), "thing");
  assert.equal(map.kind(map.at(1, 1)), "wall");
  assert.deepEqual(map.labels().map((one) => one.text), ["House", "bath", "tub"]);
});

test("a camera shows all, keeps a place under the finger, and the map at its edges", () => {
  const camera = new Camera(100, 50);
  camera.resize(400, 400);
  assert.equal(camera.scale, 4);
  assert.deepEqual(camera.pixel(50, 25), [200, 200]);
  const before = camera.tile(100, 200);
  camera.zoom(4, 100, 200);
  assert.deepEqual(camera.tile(100, 200), before);
  camera.move(-20, 0);
  assert.equal(camera.left, 0);
  camera.zoom(0.001);
  assert.ok(camera.fits);
  assert.equal(camera.scale, 4);
});

test("a town's hours are its own, whatever zone the reader is in", () => {
  const hours = new Hours("2023-02-13 00:00:00", 60);
  assert.equal(hours.clock(552), "09:12");
  assert.equal(hours.full(1440 + 61), "Tue 14 Feb, 01:01");
  assert.equal(hours.dark(0), 1);
  assert.equal(hours.dark(12 * 60), 0);
  assert.deepEqual(hours.marks(1440, 6 * 3600), [0, 360, 720, 1080, 1440]);
  assert.equal(new Hours("2023-02-13 00:00:00", 10).clock(1), "00:00:10");
});

const did = (at, seat, more = {}) => ({ type: "did", number: at + 1, turn: 1, at, seat, text: `a${at}`, address: "", until: at + 9, ...more });

test("positions follow from ways, at any moment and between two", () => {
  const line = new Timeline(2, [[3, 3], [0, 0]]);
  line.take([did(0, 0), did(5, 0, { tile: [3, 3], way: "EENN" })]);
  assert.deepEqual(line.place(0, 4), { x: 3, y: 3, walking: false });
  assert.deepEqual(line.place(0, 6.5), { x: 4.5, y: 3, walking: true });
  assert.deepEqual(line.place(0, 99), { x: 5, y: 1, walking: false });
  assert.deepEqual(line.place(1, 99), { x: 0, y: 0, walking: false });
  assert.equal(new Timeline(1).place(0, 3), null);
});

test("who sets out again stands from then on where they set out", () => {
  const line = new Timeline(1, [[0, 0]]);
  line.take([did(1, 0, { tile: [0, 0], way: "EEEE" }), did(3, 0, { tile: [2, 0], way: "" })]);
  assert.deepEqual(line.place(0, 2), { x: 1, y: 0, walking: true });
  assert.deepEqual(line.place(0, 4), { x: 2, y: 0, walking: false });
});

test("the last that began counts, and what comes later does not", () => {
  const line = new Timeline(1, [[0, 0]]);
  line.take([did(0, 0), did(7, 0), did(9, 0)]);
  assert.equal(line.doing(0, 6).text, "a0");
  assert.equal(line.doing(0, 7).text, "a7");
  assert.equal(line.doing(0, -1), null);
  assert.deepEqual(line.beside(7, -1), { at: 0, number: 1 });
  assert.deepEqual(line.beside(8, -1), { at: 7, number: 8 });
  assert.deepEqual(line.beside(7, 1), { at: 9, number: 10 });
  assert.equal(line.beside(9, 1), null);
});

test("a talk lasts until its time has passed, and has its lines", () => {
  const line = new Timeline(3, [[0, 0], [1, 0], [2, 0]]);
  const at = { number: 4, turn: 1, at: 4 };
  line.take([
    { ...at, type: "talk_begun", talk: 0, seats: [0, 1], names: ["A", "B"] },
    { ...at, type: "said", seat: 0, to: 1, text: "Hello." },
    { ...at, type: "said", seat: 1, to: 0, text: "Good day." },
    { ...at, type: "talk_done", talk: 0, seats: [0, 1], about: "the weather", until: 6 },
  ]);
  assert.equal(line.talk(2, 5), null);
  assert.equal(line.talk(1, 3), null);
  const talk = line.talk(1, 5);
  assert.deepEqual(talk.lines.map((one) => one.text), ["Hello.", "Good day."]);
  assert.equal(talk.about, "the weather");
  assert.equal(line.talk(0, 6), null);
});

test("a list that grows is taken in once", () => {
  const line = new Timeline(1, [[0, 0]]);
  const all = [did(0, 0)];
  line.take(all);
  all.push(did(2, 0));
  line.take(all);
  assert.equal(line.doings[0].length, 2);
  assert.equal(line.end, 2);
  assert.deepEqual(line.byNumber.get(3).map((one) => one.seat), [0]);
});

test("who watches is told by what both do next that a talk is over", () => {
  const line = new Timeline(2, [[0, 0], [1, 0]]);
  const at = { number: 4, turn: 1, at: 4 };
  line.take([
    { ...at, type: "talk_begun", talk: 0, seats: [0, 1], names: ["A", "B"] },
    did(4, 0, { text: "conversing about the tide", until: 7 }),
    did(4, 1, { text: "conversing about the tide", until: 7 }),
  ]);
  assert.equal(line.talk(0, 6).about, "the tide");
  assert.equal(line.talk(1, 7), null);
});
