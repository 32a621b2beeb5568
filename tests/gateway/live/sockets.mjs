// Websockets for Node 20, which has none of its own without a flag: enough of RFC 6455 for a client
// that speaks texts.
import { createHash, randomBytes } from "node:crypto";
import { request } from "node:http";

export class PlainSocket extends EventTarget {
  readyState = 0;
  #stream = null;
  #held = Buffer.alloc(0);
  #parts = [];
  #code = 1006;

  constructor(url) {
    super();
    const key = randomBytes(16).toString("base64");
    const asked = request(url.replace(/^ws/, "http"), {
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": key,
      },
    });
    const wanted = createHash("sha1")
      .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64");
    asked.on("upgrade", (answer, stream, head) => {
      if (answer.headers["sec-websocket-accept"] !== wanted) throw new Error("no websocket");
      this.#stream = stream;
      this.readyState = 1;
      stream.on("data", (data) => this.#take(data));
      stream.on("error", () => {});
      stream.on("close", () => this.#closed());
      this.dispatchEvent(new Event("open"));
      if (head.length) this.#take(head);
    });
    asked.on("response", () => this.#closed());
    asked.on("error", () => this.#closed());
    asked.end();
  }

  send(text) {
    this.#frame(1, Buffer.from(text));
  }

  close(code = 1000) {
    if (this.readyState === 1) {
      this.readyState = 2;
      const payload = Buffer.alloc(2);
      payload.writeUInt16BE(code);
      this.#frame(8, payload);
    }
    this.#stream?.end();
  }

  /** Cut the connection, as a network does. */
  cut() {
    this.readyState = 2;
    this.#stream.destroy();
  }

  #closed() {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code: this.#code }));
  }

  #frame(opcode, payload) {
    const long = payload.length > 65535 ? 8 : payload.length > 125 ? 2 : 0;
    const head = Buffer.alloc(2 + long + 4);
    head[0] = 0x80 | opcode;
    head[1] = 0x80 | (long === 8 ? 127 : long === 2 ? 126 : payload.length);
    if (long === 8) head.writeBigUInt64BE(BigInt(payload.length), 2);
    if (long === 2) head.writeUInt16BE(payload.length, 2);
    const mask = randomBytes(4);
    mask.copy(head, 2 + long);
    const masked = Buffer.from(payload.map((byte, place) => byte ^ mask[place % 4]));
    this.#stream.write(Buffer.concat([head, masked]));
  }

  #take(data) {
    this.#held = Buffer.concat([this.#held, data]);
    for (;;) {
      const held = this.#held;
      if (held.length < 2) return;
      let length = held[1] & 127;
      let start = 2;
      if (length === 126) {
        if (held.length < 4) return;
        length = held.readUInt16BE(2);
        start = 4;
      } else if (length === 127) {
        if (held.length < 10) return;
        length = Number(held.readBigUInt64BE(2));
        start = 10;
      }
      if (held.length < start + length) return;
      const payload = held.subarray(start, start + length);
      this.#held = held.subarray(start + length);
      this.#came(held[0] & 15, Boolean(held[0] & 0x80), payload);
    }
  }

  #came(opcode, last, payload) {
    if (opcode === 8) {
      this.#code = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
      this.close();
    } else if (opcode === 9) {
      this.#frame(10, payload);
    } else if (opcode < 8) {
      this.#parts.push(payload);
      // As a browser's: what came before a cut or a close, and was not yet handed out, is not.
      if (!last || this.readyState !== 1) return;
      const text = Buffer.concat(this.#parts).toString();
      this.#parts = [];
      this.dispatchEvent(Object.assign(new Event("message"), { data: text }));
    }
  }
}
