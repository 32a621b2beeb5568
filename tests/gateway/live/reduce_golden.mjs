// Holds the reducer for pages to the golden file.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Gap, NOTHING, reduce } from "../../../gateway/static/client/reduce.js";

const cases = JSON.parse(readFileSync(new URL("page_states.json", import.meta.url), "utf8"));
for (const { frames, states } of cases) {
  let state = NOTHING;
  frames.forEach((frame, place) => {
    const before = structuredClone(state);
    const next = reduce(state, frame);
    assert.deepEqual(state, before, "what was there is not changed");
    state = next;
    assert.deepEqual(state, { ...NOTHING, ...states[place] });
  });
  assert.equal(reduce(state, { ...frames[0], scene: undefined }).version, state.version);
}
assert.throws(() => reduce(NOTHING, { type: "Happened", version: 2, at: 0, turn: 0 }), Gap);
console.log("ok");
