// Play every seat of one mind of a plan, as JSON over NATS: plain Node, no package.
//
//     node docs/how-to/remote_seat.mjs MIND                  all seats of this mind, until Ctrl-C
//     node docs/how-to/remote_seat.mjs MIND EPISODE [SEAT]   this one (SEAT counts from 0), until it is over
//
// NATS is where TROUPE_NATS_URL says (with TROUPE_NATS_TOKEN, TROUPE_SPACE), else where `troupe nats`
// finds a living `troupe run` or `serve` on this machine. Kill it and start it again: nothing is lost.

import { execFileSync } from "node:child_process";
import net from "node:net";

const [mind, only, seat = "0"] = process.argv.slice(2);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const env = process.env;

/** What your character does: put your program here. */
function decide(seen) {
  if (seen.turn > 6) return { kind: "leave", text: "I have to go. Good night." };
  const last = seen.news.at(-1);
  return { kind: "speak", text: last ? `You have a point, ${last.label}. Go on.` : "Shall I begin?" };
}

function address() {
  if (env.TROUPE_NATS_URL) {
    return { url: env.TROUPE_NATS_URL, token: env.TROUPE_NATS_TOKEN, space: env.TROUPE_SPACE || "main" };
  }
  return JSON.parse(execFileSync("troupe", ["nats", "--json"], { stdio: ["ignore", "pipe", "ignore"] }));
}

/** NATS's text protocol, as much as a seat needs: publish, subscribe, request. */
async function connect({ url, token }, heard) {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port || 4222), hostname);
  const inbox = `_INBOX.${Math.random().toString(36).slice(2)}`;
  const waiting = new Map();
  let buffer = Buffer.alloc(0), asked = 0;
  const publish = (subject, reply, value) => {
    const data = JSON.stringify(value);
    socket.write(`PUB ${subject} ${reply} ${Buffer.byteLength(data)}\r\n${data}\r\n`);
  };
  const take = (subject, head, data) => {
    if (!subject.startsWith(inbox)) return heard(JSON.parse(data));
    const away = head.startsWith("NATS/1.0 503"); // no responders: no server of Troupe is there
    waiting.get(subject)?.(away ? null : JSON.parse(data));
  };
  socket.on("data", (bytes) => {
    buffer = Buffer.concat([buffer, bytes]);
    for (let end; (end = buffer.indexOf("\r\n")) >= 0; ) {
      const [verb, ...words] = buffer.subarray(0, end).toString().split(" ");
      if (verb === "PING") socket.write("PONG\r\n");
      if (verb === "-ERR") console.error("NATS:", words.join(" "));
      let used = end + 2;
      if (verb === "MSG" || verb === "HMSG") {
        const size = Number(words.at(-1)), head = verb === "HMSG" ? Number(words.at(-2)) : 0;
        if (buffer.length < used + size + 2) return; // the rest is on its way
        const body = buffer.subarray(used, used + size);
        take(words[0], body.subarray(0, head).toString(), body.subarray(head).toString());
        used += size + 2;
      }
      buffer = buffer.subarray(used);
    }
  });
  const gone = new Promise((done) => { socket.on("close", done); socket.on("error", () => {}); });
  await new Promise((done, fail) => { socket.once("data", done); gone.then(fail); });
  const options = { verbose: false, pedantic: false, headers: true, no_responders: true, auth_token: token };
  socket.write(`CONNECT ${JSON.stringify(options)}\r\nSUB ${inbox}.* 1\r\n`);
  return {
    gone,
    subscribe: (subject) => socket.write(`SUB ${subject} 2\r\n`),
    close: () => socket.end(),
    /** The reply; null where nobody answers. */
    async request(subject, value) {
      const reply = `${inbox}.${++asked}`;
      const answered = new Promise((done) => waiting.set(reply, done));
      publish(subject, reply, value);
      const answer = await Promise.race([answered, pause(5000).then(() => null), gone.then(() => null)]);
      waiting.delete(reply);
      return answer;
    },
  };
}

async function play() {
  const at = address();
  const doing = new Set();
  const commands = (episode, number) => `troupe.${at.space}.seat.${episode}.${number}.command`;
  const over = (message) => {
    console.log(`${message.episode} is over: ${message.reason}`);
    if (only) process.exit(0);
  };
  const nats = await connect(at, async (seen) => {
    if (only ? seen.episode !== only || seen.seat !== Number(seat) : seen.mind !== mind) return;
    if (seen.type === "EpisodeOver") return over(seen);
    const turn = `${seen.episode} seat ${seen.seat} turn ${seen.turn}`;
    if (doing.has(turn)) return; // it is sent again until it is answered
    doing.add(turn);
    if (seen.background) console.log(seen.background.context, "\nYour goal:", seen.background.goal);
    for (const entry of seen.news) console.log(`  ${entry.label} (${entry.kind}): ${entry.text}`);
    for (const { id = 0 } of seen.questions) {
      const command = { type: "TakeAction", seat: seen.seat, turn: seen.turn, question: id };
      let reply = await nats.request(commands(seen.episode, seen.seat), { ...command, action: decide(seen) });
      if (reply?.code === "bad_action") {
        console.log(turn, reply.reason);
        reply = await nats.request(commands(seen.episode, seen.seat), { ...command, action: { kind: "none" } });
      }
      console.log(turn, !reply ? "no reply" : reply.reason ?? (reply.before ? "taken before" : "taken"));
    }
    doing.delete(turn); // whatever was not taken is asked again
  });
  nats.subscribe(`troupe.${at.space}.seat.${only ?? "*"}.${only ? seat : "*"}.json`);
  console.log(`connected to ${at.url}; who is asked is asked again every 15 seconds`);
  while (only) {
    const reply = await nats.request(commands(only, seat), { type: "Look", seat: Number(seat) });
    if (reply?.type === "EpisodeOver") over(reply);
    if (reply?.type === "Accepted") break;
    if (reply) console.log(reply.reason);
    if (["unknown_episode", "no_such_seat"].includes(reply?.code)) process.exit(1);
    await pause(2000); // no server yet, or nobody plays it at present
  }
  await nats.gone;
}

for (let told = false; ; await pause(1000)) {
  try {
    await play();
    told = false;
  } catch {
    if (!told) console.log("waiting for NATS; is `troupe run` or `troupe serve` there?");
    told = true;
  }
}
