/**
 * What a JSON Schema asks for, as fields of a form. Pure: no document; Node reads it too.
 */

import { messageOf } from "../shared/words.js";

/**
 * JSON Schema, as far as forms are made of it.
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {string|string[]} [type]
 * @property {string} [title]
 * @property {string} [description]
 * @property {unknown} [const]
 * @property {unknown[]} [enum]
 * @property {Schema[]} [anyOf]
 * @property {Schema[]} [oneOf]
 * @property {Schema} [items]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 * @property {number} [minimum]
 * @property {number} [exclusiveMinimum]
 * @property {number} [maximum]
 * @property {number} [exclusiveMaximum]
 * @property {number} [minLength]
 * @property {number} [maxLength]
 * @property {number} [minItems]
 *
 * @typedef {object} Field
 * @property {string} name  the property's name; empty: the answer itself
 * @property {"choice"|"choices"|"text"|"lines"|"number"|"yesno"|"group"|"json"} kind
 *   `choice`: one of `options`; `choices`: some of them; `lines`: a list, a line each; `yesno`: true
 *   or false; `group`: `fields` of their own; `json`: anything else, as JSON
 * @property {string} label
 * @property {string} [description]
 * @property {boolean} required  it has to be filled in
 * @property {boolean} [nullable]  what is left empty is `null`
 * @property {[unknown, string][]} [options]  each as the answer has it, and what it means
 * @property {boolean} [whole]  a whole number
 * @property {boolean} [numbers]  a list of numbers, or of texts and numbers
 * @property {number} [least]
 * @property {number} [most]
 * @property {number} [longest]  characters
 * @property {Field[]} [fields]
 */

const DEEPEST = 4;

/**
 * The fields of an answer.
 * @param {Schema|null|undefined} schema  of the answer
 * @param {[string, string][]} [meanings]  what the choices mean
 * @returns {Field[]|null}  null: there is nothing to make a form of
 */
export function fieldsOf(schema, meanings = []) {
  if (!schema || typeof schema !== "object") return null;
  const one = field("", schema, schema, true, new Map(meanings), 0);
  return one.kind === "group" ? one.fields ?? null : [one];
}

/**
 * The answer that some values make. A value is what a control gives: a string, a boolean, an array
 * of the options chosen, an object of a group's.
 * @param {Field[]} fields
 * @param {Record<string, unknown>} values  by the field's name
 * @returns {{answer?: unknown, faults: Record<string, string>}}  faults by the field's name, none: it
 *   can be sent
 */
export function answerOf(fields, values) {
  /** @type {Record<string, string>} */
  const faults = {};
  /** @type {Record<string, unknown>} */
  const answer = {};
  for (const one of fields) {
    try {
      answer[one.name] = valueOf(one, values[one.name]);
    } catch (error) {
      faults[one.name] = messageOf(error);
    }
  }
  if (Object.keys(faults).length) return { faults };
  return { answer: fields.length === 1 && !fields[0].name ? answer[""] : answer, faults };
}

/**
 * @param {string} name
 * @param {Schema} given
 * @param {Schema} root
 * @param {boolean} required
 * @param {Map<string, string>} meanings
 * @param {number} depth
 * @returns {Field}
 */
function field(name, given, root, required, meanings, depth) {
  let of = resolved(given, root);
  let nullable = false;
  const either = of.anyOf ?? of.oneOf;
  if (either) {
    const others = either.map((one) => resolved(one, root)).filter((one) => one.type !== "null");
    nullable = others.length < either.length;
    if (others.length === 1) of = others[0];
    else if (others.every((one) => one.const !== undefined)) {
      of = { enum: others.map((one) => one.const) };
    } else return { name, kind: "json", label: words(name), required: required && !nullable, nullable };
  }
  const type = Array.isArray(of.type) ? of.type.find((one) => one !== "null") : of.type;
  if (Array.isArray(of.type) && of.type.includes("null")) nullable = true;
  /** @type {Field} */
  const found = {
    name,
    kind: "json",
    label: of.title ?? words(name),
    required: required && !nullable,
    nullable,
  };
  if (of.description ?? given.description) found.description = of.description ?? given.description;
  if (of.const !== undefined) return { ...found, kind: "choice", options: options([of.const], meanings) };
  if (of.enum) return { ...found, kind: "choice", options: options(of.enum, meanings) };
  switch (type) {
    case "boolean":
      return { ...found, kind: "yesno" };
    case "integer":
    case "number":
      return {
        ...found,
        kind: "number",
        whole: type === "integer",
        least: of.minimum ?? of.exclusiveMinimum,
        most: of.maximum ?? of.exclusiveMaximum,
      };
    case "string":
      // A text may be empty, unless it is said that it may not.
      return { ...found, kind: "text", longest: of.maxLength, required: (of.minLength ?? 0) > 0 };
    case "array":
      return list(found, resolved(of.items ?? {}, root), of, root, meanings);
    case "object": {
      if (!of.properties || depth >= DEEPEST) return found;
      const must = new Set(of.required ?? []);
      const fields = Object.entries(of.properties).map(([key, inner]) =>
        field(key, inner, root, must.has(key), meanings, depth + 1),
      );
      return { ...found, kind: "group", fields };
    }
    default:
      return found;
  }
}

/**
 * @param {Field} found
 * @param {Schema} items
 * @param {Schema} of
 * @param {Schema} root
 * @param {Map<string, string>} meanings
 * @returns {Field}
 */
function list(found, items, of, root, meanings) {
  const required = (of.minItems ?? 0) > 0;
  if (items.enum) return { ...found, kind: "choices", options: options(items.enum, meanings), required };
  const kinds = (items.anyOf ?? [items]).map((one) => resolved(one, root).type);
  if (kinds.every((kind) => kind === "string")) return { ...found, kind: "lines", required };
  if (kinds.every((kind) => kind === "string" || kind === "integer" || kind === "number")) {
    return { ...found, kind: "lines", numbers: true, required };
  }
  return found;
}

/**
 * What a schema refers to.
 * @param {Schema} of
 * @param {Schema} root
 * @returns {Schema}
 */
function resolved(of, root) {
  /** @type {unknown} */
  let at = of;
  for (let step = 0; step < 20 && isObject(at) && typeof at.$ref === "string"; step += 1) {
    const keys = at.$ref.replace(/^#\//, "").split("/");
    at = keys.reduce((/** @type {unknown} */ one, key) => (isObject(one) ? one[key] : undefined), root);
  }
  return isObject(at) ? at : {};
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isObject(value) {
  return typeof value === "object" && value !== null;
}

/**
 * @param {unknown[]} values
 * @param {Map<string, string>} meanings
 * @returns {[unknown, string][]}
 */
function options(values, meanings) {
  return values.map((value) => [value, meanings.get(String(value)) ?? words(String(value))]);
}

/**
 * @param {Field} one
 * @param {unknown} value
 * @returns {unknown}
 */
function valueOf(one, value) {
  const empty = value === undefined || value === null || value === "" || (Array.isArray(value) && !value.length);
  if (empty && one.required) throw new Error(one.options ? "choose one" : "this is missing");
  if (empty && one.nullable) return null;
  switch (one.kind) {
    case "choice":
      if (empty) throw new Error("choose one");
      return value;
    case "choices":
      return value ?? [];
    case "yesno":
      return value === true;
    case "text": {
      const text = String(value ?? "");
      if (one.longest && text.length > one.longest) throw new Error(`${text.length - one.longest} characters too long`);
      return text;
    }
    case "lines":
      return linesOf(String(value ?? ""), one);
    case "number":
      return numberOf(String(value ?? ""), one);
    case "group": {
      const { answer, faults } = answerOf(one.fields ?? [], isObject(value) ? value : {});
      const [first] = Object.entries(faults);
      if (first) throw new Error(`${words(first[0])}: ${first[1]}`);
      return answer;
    }
    default:
      try {
        return JSON.parse(String(value ?? ""));
      } catch {
        throw new Error("this is not JSON");
      }
  }
}

/**
 * @param {string} text
 * @param {Field} one
 */
function linesOf(text, one) {
  const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
  if (one.required && !lines.length) throw new Error("this is missing");
  return one.numbers ? lines.map((line) => (/^-?\d+$/.test(line) ? Number(line) : line)) : lines;
}

/**
 * @param {string} text
 * @param {Field} one
 */
function numberOf(text, one) {
  const number = Number(text);
  if (!text.trim() || !Number.isFinite(number)) throw new Error("give a number");
  if (one.whole && !Number.isInteger(number)) throw new Error("give a whole number");
  if (one.least !== undefined && number < one.least) throw new Error(`at least ${one.least}`);
  if (one.most !== undefined && number > one.most) throw new Error(`at most ${one.most}`);
  return number;
}

/**
 * A name of a program's in words.
 * @param {string} name
 */
export function words(name) {
  return name.replaceAll("_", " ");
}
