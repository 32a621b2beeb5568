import assert from "node:assert/strict";
import { test } from "node:test";

import { harmless } from "../../../../gateway/static/shared/harmless.js";
import { answerOf, fieldsOf } from "../../../../gateway/static/stage/fields.js";

const object = (properties) => ({ type: "object", properties, required: Object.keys(properties) });

test("a choice has a card for each option, with what it means", () => {
  const schema = object({ choice: { type: "string", enum: ["A", "B"] } });
  const [field] = fieldsOf(schema, [["A", "He waits."]]);
  assert.deepEqual(field.options, [["A", "He waits."], ["B", "B"]]);
  assert.deepEqual(answerOf([field], { choice: "B" }).answer, { choice: "B" });
  assert.deepEqual(answerOf([field], {}).faults, { choice: "choose one" });
});

test("an option that is a number stays one", () => {
  const [field] = fieldsOf(object({ price: { enum: [3, 5] } }));
  assert.deepEqual(answerOf([field], { price: 5 }).answer, { price: 5 });
});

test("a text may stay empty unless it may not", () => {
  const [may, must] = fieldsOf(object({ a: { type: "string" }, b: { type: "string", minLength: 1 } }));
  assert.deepEqual(answerOf([may, must], {}).faults, { b: "this is missing" });
  assert.deepEqual(answerOf([may, must], { b: "x" }).answer, { a: "", b: "x" });
});

test("a number is held to its bounds", () => {
  const fields = fieldsOf(object({ n: { type: "integer", minimum: 1, maximum: 5 } }));
  const fault = (value) => answerOf(fields, { n: value }).faults.n;
  assert.equal(fault("0"), "at least 1");
  assert.equal(fault("6"), "at most 5");
  assert.equal(fault("2.5"), "give a whole number");
  assert.equal(fault("two"), "give a number");
  assert.equal(fault(""), "this is missing");
  assert.deepEqual(answerOf(fields, { n: "4" }).answer, { n: 4 });
});

test("what may be null is null when it is left empty", () => {
  const fields = fieldsOf(object({ n: { anyOf: [{ type: "number" }, { type: "null" }] } }));
  assert.deepEqual(answerOf(fields, { n: "" }).answer, { n: null });
  assert.deepEqual(answerOf(fields, { n: "1.5" }).answer, { n: 1.5 });
});

test("a list is a line each, and numbers in it are numbers where they may be", () => {
  const either = { anyOf: [{ type: "integer" }, { type: "string" }] };
  const fields = fieldsOf(
    object({ names: { type: "array", items: { type: "string" } }, to: { type: "array", items: either } }),
  );
  const { answer } = answerOf(fields, { names: "Ada\n\n 7 ", to: "2\nAda" });
  assert.deepEqual(answer, { names: ["Ada", "7"], to: [2, "Ada"] });
});

test("an object within is a group, what it refers to is looked up, and its faults name the field", () => {
  const schema = {
    ...object({ move: { $ref: "#/$defs/move" } }),
    $defs: { move: object({ x: { type: "integer" } }) },
  };
  const fields = fieldsOf(schema);
  assert.equal(fields[0].kind, "group");
  assert.deepEqual(answerOf(fields, { move: { x: "3" } }).answer, { move: { x: 3 } });
  assert.equal(answerOf(fields, { move: { x: "?" } }).faults.move, "x: give a number");
});

test("a schema that refers to itself comes to an end", () => {
  const node = object({ next: { $ref: "#/$defs/node" } });
  const fields = fieldsOf({ $ref: "#/$defs/node", $defs: { node } });
  assert.ok(JSON.stringify(fields).length < 10_000);
});

test("what nothing fits is asked for as JSON", () => {
  const fields = fieldsOf(object({ any: {} }));
  assert.deepEqual(answerOf(fields, { any: '{"a": 1}' }).answer, { any: { a: 1 } });
  assert.equal(answerOf(fields, { any: "{" }).faults.any, "this is not JSON");
});

test("an answer that is no object is its own field", () => {
  assert.deepEqual(answerOf(fieldsOf({ type: "string", minLength: 1 }), { "": "yes" }).answer, "yes");
  assert.equal(fieldsOf(null), null);
});

test("characters that a browser obeys are made visible", () => {
  assert.equal(harmless("a\u202eb\x1b[0m\n\tc\ud800d"), "a[U+202E]b␛[0m\n\tc[U+D800]d");
  assert.equal(harmless("😀 \u200eא"), "😀 \u200eא");
  assert.equal(harmless("\x7f\u2028\u0085"), "␡[U+2028][U+0085]");
});
