/** A town's map, unpacked: what each tile belongs to, and what is written where. Pure. */

/** @import { Ground, Layer, TownMap as Given } from "./views.js" */

/** Tiles around what is worth seeing. */
const MARGIN = 3;

/**
 * @typedef {object} Label
 * @property {"sector"|"arena"|"object"} kind
 * @property {string} text
 * @property {number} x  its middle, in tiles
 * @property {number} y
 * @property {number} size  tiles that bear the name
 * @property {number} wide  columns from the first to the last of them
 *
 * @typedef {[number, number, number, number]} Rect  left, top, width, height, in tiles
 */

export class TownMap {
  /** @param {Given} given */
  constructor(given) {
    this.world = given.world;
    this.width = given.width;
    this.height = given.height;
    this.solid = unpacked(given.solid, given.width * given.height);
    this.sector = unpacked(given.sectors, given.width * given.height);
    this.arena = unpacked(given.arenas, given.width * given.height);
    this.object = unpacked(given.objects, given.width * given.height);
    this.sectors = [...(given.sectors.names ?? [])];
    /** With their sectors before them. */
    this.arenas = [...(given.arenas.names ?? [])];
    this.objects = [...(given.objects.names ?? [])];
    /** Sectors by name, to their places from 1. */
    this.sectorOf = new Map(this.sectors.map((name, at) => [name, at + 1]));
    this.arenaOf = new Map(this.arenas.map((name, at) => [name, at + 1]));
  }

  /**
   * A place that one has come to know.
   * @param {Ground} ground
   */
  learn({ address, inside, free = "" }) {
    const parts = address.split(":").slice(1);
    const level = parts.length - 1;
    const names = [this.sectors, this.arenas, this.objects][level];
    const layer = [this.sector, this.arena, this.object][level];
    if (!names || !layer) return;
    const name = level === 1 ? parts.join(":") : parts[level];
    const place = names.indexOf(name) + 1 || names.push(name);
    if (level === 0) this.sectorOf.set(name, place);
    if (level === 1) this.arenaOf.set(name, place);
    for (const [first, count] of runs(inside)) layer.fill(place, first, first + count);
    for (const [first, count] of runs(free)) this.solid.fill(0, first, first + count);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  at(x, y) {
    return x < 0 || y < 0 || x >= this.width || y >= this.height ? -1 : y * this.width + x;
  }

  /**
   * What a tile is drawn as.
   * @param {number} tile
   * @returns {"wall"|"thing"|"block"|"floor"|"open"}  a wall, an object, what is in the way out of
   *   doors, inside, out of doors
   */
  kind(tile) {
    if (this.object[tile] && this.sector[tile]) return "thing";
    if (!this.solid[tile]) return this.sector[tile] ? "floor" : "open";
    if (this.sector[tile]) return "wall";
    const [x, y] = [tile % this.width, Math.floor(tile / this.width)];
    for (let dy = -1; dy <= 1; dy += 1) {
      for (let dx = -1; dx <= 1; dx += 1) {
        const other = this.at(x + dx, y + dy);
        if (other >= 0 && this.arena[other]) return "wall";
      }
    }
    return "block";
  }

  /**
   * Tiles of one kind in few rectangles.
   * @param {(tile: number) => boolean} fits
   * @returns {Rect[]}
   */
  rects(fits) {
    /** @type {Rect[]} */
    const found = [];
    /** Those that reach down to the row before, by left and width. @type {Map<string, Rect>} */
    let above = new Map();
    for (let y = 0; y < this.height; y += 1) {
      const now = new Map();
      for (let x = 0; x < this.width; x += 1) {
        if (!fits(y * this.width + x)) continue;
        const left = x;
        while (x + 1 < this.width && fits(y * this.width + x + 1)) x += 1;
        const key = `${left}/${x - left + 1}`;
        const rect = above.get(key) ?? /** @type {Rect} */ ([left, y, x - left + 1, 0]);
        if (!rect[3]) found.push(rect);
        rect[3] += 1;
        now.set(key, rect);
      }
      above = now;
    }
    return found;
  }

  /**
   * The part in which there is something, with a margin: left, top, width, height.
   * @returns {Rect}
   */
  get part() {
    let [left, top, right, bottom] = [this.width, this.height, 0, 0];
    this.sector.forEach((at, tile) => {
      if (!at) return;
      const [x, y] = [tile % this.width, Math.floor(tile / this.width)];
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
    });
    if (right <= left) return [0, 0, this.width, this.height];
    left = Math.max(left - MARGIN, 0);
    top = Math.max(top - MARGIN, 0);
    return [left, top, Math.min(right + MARGIN, this.width) - left, Math.min(bottom + MARGIN, this.height) - top];
  }

  /** What is written on it, the largest places first. @returns {Label[]} */
  labels() {
    return [
      ...named(this, "sector", this.sector, (at) => this.sectors[at - 1]),
      ...named(this, "arena", this.arena, (at) => last(this.arenas[at - 1])),
      ...things(this),
    ].sort((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) || other.size - one.size);
  }

  /**
   * The middle of a place, in tiles; null: it is not on the map.
   * @param {string} address  `world:sector:arena:object`, or less
   * @returns {[number, number]|null}
   */
  middle(address) {
    const [, sector, arena, object] = address.split(":");
    const within = this.sectorOf.get(sector);
    const room = arena === undefined ? undefined : this.arenaOf.get(`${sector}:${arena}`);
    if (within === undefined) return null;
    let [count, x, y] = [0, 0, 0];
    for (let tile = 0; tile < this.sector.length; tile += 1) {
      if (this.sector[tile] !== within || (room && this.arena[tile] !== room)) continue;
      if (object && room && this.objects[this.object[tile] - 1] !== object) continue;
      count += 1;
      x += tile % this.width;
      y += Math.floor(tile / this.width);
    }
    return count ? [x / count + 0.5, y / count + 0.5] : null;
  }
}

const KINDS = ["sector", "arena", "object"];

/**
 * A layer's runs as a number a tile.
 * @param {Layer} layer
 * @param {number} tiles
 */
function unpacked({ runs = [] }, tiles) {
  const found = new Uint16Array(tiles);
  let tile = 0;
  for (let at = 0; at + 1 < runs.length; at += 2) {
    if (runs[at]) found.fill(runs[at], tile, tile + runs[at + 1]);
    tile += runs[at + 1];
  }
  return found;
}

/** @param {string} text  `first:count`, with blanks between */
function runs(text) {
  return text.split(" ").filter(Boolean).map((run) => run.split(":").map(Number));
}

const SOMEBODY = "<persona> ";

/**
 * An address in short: without its world; of a talk whom it is with.
 * @param {string} address
 */
export function shortAddress(address) {
  if (address.startsWith(SOMEBODY)) return `with ${address.slice(SOMEBODY.length)}`;
  return address.split(":").slice(1).join(" · ") || address;
}

/** @param {string} name */
function last(name) {
  return name.slice(name.lastIndexOf(":") + 1);
}

/**
 * @param {TownMap} map
 * @param {"sector"|"arena"} kind
 * @param {Uint16Array} layer
 * @param {(at: number) => string} name
 * @returns {Label[]}
 */
function named(map, kind, layer, name) {
  /** @type {Map<number, {size: number, x: number, y: number, from: number, to: number}>} */
  const sums = new Map();
  layer.forEach((at, tile) => {
    if (!at) return;
    const x = tile % map.width;
    const sum = sums.get(at) ?? { size: 0, x: 0, y: 0, from: x, to: x };
    sum.size += 1;
    sum.x += x;
    sum.y += Math.floor(tile / map.width);
    sum.from = Math.min(sum.from, x);
    sum.to = Math.max(sum.to, x);
    sums.set(at, sum);
  });
  return [...sums].map(([at, { size, x, y, from, to }]) => {
    const [column, row] = within(map, layer, at, x / size, y / size);
    return { kind, text: name(at) ?? "", x: column + 0.5, y: row + 0.5, size, wide: to - from + 1 };
  });
}

/**
 * The place itself where it holds its own middle, else its tile that is nearest to it.
 * @param {TownMap} map
 * @param {Uint16Array} layer
 * @param {number} at
 * @param {number} x
 * @param {number} y
 */
function within(map, layer, at, x, y) {
  if (layer[map.at(Math.round(x), Math.round(y))] === at) return [x, y];
  let [best, distance] = [[x, y], Infinity];
  layer.forEach((one, tile) => {
    if (one !== at) return;
    const [column, row] = [tile % map.width, Math.floor(tile / map.width)];
    const far = (column - x) ** 2 + (row - y) ** 2;
    if (far < distance) [best, distance] = [[column, row], far];
  });
  return best;
}

/**
 * A label for each patch of tiles of one object in one arena.
 * @param {TownMap} map
 * @returns {Label[]}
 */
function things(map) {
  /** @type {Label[]} */
  const found = [];
  const seen = new Uint8Array(map.object.length);
  map.object.forEach((at, first) => {
    if (!at || seen[first]) return;
    const stack = [first];
    seen[first] = 1;
    let [size, x, y] = [0, 0, 0];
    while (stack.length) {
      const tile = /** @type {number} */ (stack.pop());
      const [column, row] = [tile % map.width, Math.floor(tile / map.width)];
      size += 1;
      x += column;
      y += row;
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        const other = map.at(column + dx, row + dy);
        if (other < 0 || seen[other] || map.object[other] !== at || map.arena[other] !== map.arena[tile]) continue;
        seen[other] = 1;
        stack.push(other);
      }
    }
    found.push({ kind: "object", text: map.objects[at - 1] ?? "", x: x / size + 0.5, y: y / size + 0.5, size, wide: Math.ceil(Math.sqrt(size)) });
  });
  return found;
}
