// Plays a seat to the end with the client that pages use; the network is cut once.
import { Stage } from "../../../gateway/static/client/troupe.js";
import { PlainSocket } from "./sockets.mjs";

const [url, token] = process.argv.slice(2);
const sockets = [];
class Socket extends PlainSocket {
  constructor(...given) {
    super(...given);
    sockets.push(this);
  }
}

const stage = new Stage("e1", { url, token, WebSocket: Socket, random: () => 0 });
stage.connect();
while (!stage.state.may_take) await new Promise((go) => stage.addEventListener("change", go, { once: true }));
await stage.takeSeat();
for (let asked; (asked = await stage.nextQuestion()); ) {
  const acting = stage.act({ answer: { kind: "speak", text: `This is turn ${asked.turn}.` } });
  // Whether it was taken is not known: it is sent again, and counts once.
  if (sockets.length === 1) sockets[0].cut();
  await acting;
}
const { state } = stage;
const versions = state.happened.map((one) => one.version);
console.log(JSON.stringify({ ended: state.ended, connections: sockets.length, versions }));
stage.close();
