// A client of the REST API (docs/reference/api.md), for Node and browsers. No dependency.
//
//   const troupe = new Troupe("http://127.0.0.1:8700", token);
//   const run = await troupe.startRun(planText);
//   for await (const episode of troupe.pages("/episodes", { run })) console.log(episode.id);

const PREFIX = "/api/v1";
const TRIES = 6;
const LONGEST_MS = 10_000;
const AGAIN = new Set(["try_again", "in_progress", "too_many", "unavailable", "database_away"]);

/** The server did not do what it was asked. */
export class ApiProblem extends Error {
  /**
   * @param {number} status the HTTP status
   * @param {string} code for programs
   * @param {string} detail a sentence
   * @param {string} [field] the parameter, or the field of the body, that is wrong
   * @param {number} [afterMs] when to try again; 0: nobody said
   */
  constructor(status, code, detail, field = "", afterMs = 0) {
    super(`${detail} (${status} ${code})`);
    this.name = "ApiProblem";
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.field = field;
    this.afterMs = afterMs;
  }
}

/** @typedef {Record<string, string | number | boolean | null | undefined | Array<string | number>>} Query */

/** Asks a gateway. What may pass is tried again; what changes something is done once all the same. */
export class Troupe {
  /**
   * @param {string} [url] where the gateway is; empty: where the page is from
   * @param {string} [token] of `troupe token issue`; empty: the session's cookie is sent
   * @param {{ fetch?: typeof fetch, waitMs?: number }} [options] `waitMs`: the first wait between tries
   */
  constructor(url = "", token = "", options = {}) {
    this.url = url.replace(/\/$/, "");
    this.token = token;
    this.fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.waitMs = options.waitMs ?? 200;
  }

  /**
   * The answer to a request, tried again where that may help.
   * @param {string} method
   * @param {string} path behind /api/v1
   * @param {{ query?: Query, body?: unknown, content?: BodyInit, key?: string }} [asked]
   * @returns {Promise<Response>}
   */
  async ask(method, path, { query, body, content, key } = {}) {
    /** @type {Record<string, string>} */
    const headers = {};
    if (this.token) headers.authorization = `Bearer ${this.token}`;
    if (method !== "GET") headers["idempotency-key"] = key || globalThis.crypto.randomUUID();
    if (content !== undefined) headers["content-type"] = "application/octet-stream";
    else if (body !== undefined) headers["content-type"] = "application/json";
    const request = {
      method,
      headers,
      credentials: /** @type {RequestCredentials} */ ("same-origin"),
      body: content ?? (body === undefined ? undefined : JSON.stringify(body)),
    };
    const address = `${this.url}${PREFIX}${path}${written(query)}`;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await checked(await this.fetch(address, request));
      } catch (error) {
        if (attempt === TRIES || !mayPass(error)) throw error;
        await this.wait(error, attempt);
      }
    }
  }

  /** @param {unknown} error @param {number} attempt */
  wait(error, attempt) {
    const grown = this.waitMs * 2 ** attempt * Math.random();
    const ms = Math.min((error instanceof ApiProblem && error.afterMs) || grown, LONGEST_MS);
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  /** What is at a path behind /api/v1. @param {string} path @param {Query} [query] */
  async get(path, query) {
    return (await this.ask("GET", path, { query })).json();
  }

  /**
   * Have something done. The same key again is answered as the first time.
   * @param {string} path @param {unknown} [body] @param {{ query?: Query, key?: string }} [options]
   */
  async post(path, body, options = {}) {
    return (await this.ask("POST", path, { body, ...options })).json();
  }

  /** Have something taken away. @param {string} path @param {{ key?: string }} [options] */
  async delete(path, options = {}) {
    return (await this.ask("DELETE", path, options)).json();
  }

  /**
   * All rows of a list, page by page.
   * @param {string} path @param {Query} [query]
   * @returns {AsyncGenerator<any>}
   */
  async *pages(path, query = {}) {
    let cursor = "";
    while (cursor !== null) {
      const page = await this.get(path, cursor ? { ...query, cursor } : query);
      yield* page.items;
      cursor = page.next;
    }
  }

  /** Send a file. @param {string} path @param {BodyInit} content @param {Query} [query] */
  async upload(path, content, query) {
    return (await this.ask("POST", path, { content, query })).json();
  }

  /** A file's bytes. @param {string} path @param {Query} [query] */
  async download(path, query) {
    return new Uint8Array(await (await this.ask("GET", path, { query })).arrayBuffer());
  }

  /**
   * Have a plan (a plan file's text) carried out by a server; the run's id.
   * @param {string} plan @param {Record<string, string>} [judges] @param {{ key?: string }} [options]
   * @returns {Promise<string>}
   */
  async startRun(plan, judges = {}, options = {}) {
    return (await this.post("/runs", { plan, judges }, options)).run;
  }
}

/** @param {Query} [query] */
function written(query = {}) {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined) found.append(name, String(one));
    }
  }
  const text = found.toString();
  return text && `?${text}`;
}

/** @param {Response} response */
async function checked(response) {
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  const after = Number.parseInt(response.headers.get("retry-after") ?? "", 10) || 0;
  const detail = told.detail || response.statusText;
  throw new ApiProblem(response.status, told.code ?? "", detail, told.field ?? "", after * 1000);
}

/** @param {unknown} error */
function mayPass(error) {
  if (error instanceof ApiProblem) return AGAIN.has(error.code) || [502, 504].includes(error.status);
  return error instanceof TypeError; // fetch: no connection
}
