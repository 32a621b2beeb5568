// Knows of Troupe what the AsyncAPI document says: where the socket is, which frames there are, and
// which fields each must have. Joins, sits down, plays to the end; cuts its connection once.
import { readFileSync } from "node:fs";
import { PlainSocket } from "./sockets.mjs";

const [file, token, episode] = process.argv.slice(2);
const api = JSON.parse(readFileSync(file, "utf8"));
const resolve = (ref) => ref.slice(2).split("/").reduce((at, key) => at[key], api);
const { host, protocol } = api.servers.gateway;
const channel = api.channels.episode;

/** A frame as its schema wants it; throws where a required field is missing or one is unknown. */
function frame(name, fields) {
  const message = resolve(channel.messages[name].$ref);
  const schema = resolve(message.payload.$ref);
  const made = { type: schema.properties.type.enum[0], ...fields };
  for (const key of schema.required) if (!(key in made)) throw new Error(`${name} needs ${key}`);
  for (const key of Object.keys(made)) {
    if (!(key in schema.properties)) throw new Error(`${name} has no ${key}`);
  }
  return JSON.stringify(made);
}

/** An answer that a question's JSON Schema allows, with words of our own. */
function answerBy(schema, words) {
  const at = (part) => (part.$ref ? part.$ref.slice(2).split("/").reduce((o, k) => o[k], schema) : part);
  const fill = (part, name) => {
    part = at(part);
    if (part.const !== undefined) return part.const;
    if (part.enum) return part.enum.includes("speak") ? "speak" : part.enum[0];
    if (part.anyOf || part.oneOf) return fill((part.anyOf ?? part.oneOf)[0], name);
    switch (part.type) {
      case "object": {
        const wanted = new Set([...(part.required ?? []), "text"]);
        const fields = Object.entries(part.properties ?? {}).filter(([key]) => wanted.has(key));
        return Object.fromEntries(fields.map(([key, value]) => [key, fill(value, key)]));
      }
      case "array":
        return [];
      case "integer":
      case "number":
        return part.minimum ?? 0;
      case "boolean":
        return false;
      default:
        return words;
    }
  };
  return fill(schema, "");
}

const versions = [];
let ref = 0;
let cuts = 0;
let ended = "";
let mine = false;
let seated = false;
let asked = null;
// The turns that were answered, by the ref of the answer: its Done, not that of the seat, says that
// the answer was taken.
const acts = new Map();

function connect() {
  const socket = new PlainSocket(`${protocol}://${host}${channel.address}`);
  const say = (name, fields) => socket.send(frame(name, fields));
  const happen = (found) => {
    for (const one of found) {
      versions.push(one.version);
      ended = one.ended ?? "";
    }
  };
  socket.addEventListener("open", () =>
    say("Hello", { token, episode, version: versions.at(-1) ?? 0 }),
  );
  socket.addEventListener("message", ({ data }) => {
    const told = JSON.parse(data);
    if (told.happened) happen(told.happened);
    else if (told.type === "Happened") happen([told]);
    if (told.type === "Ping") say("Pong", {});
    if (told.type === "NotDone") throw new Error(told.reason);
    if (told.type === "SeatState") {
      mine = told.mine;
      if (!mine && told.may_take && !seated) {
        seated = true;
        say("TakeMySeat", { ref: ++ref });
      }
    }
    if (told.type === "AskedNow") asked = told;
    if (mine && asked?.questions?.length && ![...acts.values()].includes(asked.turn)) {
      const { id = 0, answer_schema: schema } = asked.questions[0];
      const answer = answerBy(schema, `These are the words of turn ${asked.turn}.`);
      acts.set(++ref, asked.turn);
      say("Act", { ref, turn: asked.turn, question: id, answer });
    }
    if (told.type === "Done" && acts.has(told.ref) && !cuts) {
      cuts += 1;
      socket.cut();
    }
    if (ended) socket.close();
  });
  socket.addEventListener("close", () => {
    if (ended) console.log(JSON.stringify({ ended, cuts, versions }));
    else connect();
  });
}
connect();
