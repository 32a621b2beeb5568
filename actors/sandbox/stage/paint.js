/** The map on its canvas: the town once for each look at it, and above it everybody, at each moment. */

/** @import { Camera } from "./camera.js" */
/** @import { TownMap } from "./map.js" */
/** @import { Walk } from "./timeline.js" */

const TINTS = 8;
/** From so many pixels a tile on names are written. */
const LEGIBLE = { sector: 3.5, arena: 9, object: 20 };

/**
 * @typedef {object} Person
 * @property {number} seat
 * @property {string} name
 * @property {string} initials
 * @property {number} x
 * @property {number} y
 * @property {string} emoji
 * @property {boolean} asleep
 * @property {boolean} talks
 * @property {boolean} guessed  they were seen somewhere about there
 *
 * @typedef {object} Moment
 * @property {number} dark  0 to 1
 * @property {Person[]} people
 * @property {[number, number][]} talks  seats of those who talk
 * @property {number} chosen  a seat; -1: nobody
 * @property {number[]} marked  seats to which something points
 * @property {(Walk & {gone: number})|null} way  of whoever is chosen; `gone`: steps of it
 * @property {{x: number, y: number, radius: number}|null} sight  of whoever is chosen
 */

export class Painter {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {TownMap} map
   * @param {Camera} camera
   */
  constructor(canvas, map, camera) {
    this.canvas = canvas;
    this.camera = camera;
    this.map = map;
    this.paths = shapes(map);
    this.labels = map.labels();
    this.ground = document.createElement("canvas");
    /** Names of places, above the night. */
    this.written = document.createElement("canvas");
    /** Where names of places are written. @type {Box[]} */
    this.placed = [];
    /** The look for which the town was drawn last; empty: it has changed. */
    this.drawn = "";
    this.ratio = 1;
    this.colour = colours(canvas);
    this.font = "";
    this.emoji = false;
    this.theme();
  }

  /**
   * Draw this map from now on.
   * @param {TownMap} map
   */
  remap(map) {
    this.map = map;
    this.paths = shapes(map);
    this.labels = map.labels();
    this.drawn = "";
  }

  /** Take colours and letters from the style sheet. */
  theme() {
    this.colour = colours(this.canvas);
    this.font = getComputedStyle(this.canvas).fontFamily || "sans-serif";
    this.drawn = "";
    this.emoji = drawsEmoji(this.font);
  }

  /** Draw the town, if it is looked at another way than before. */
  town() {
    const { camera, ground, colour, map, paths } = this;
    const key = [camera.scale, camera.left, camera.top, camera.width, camera.height].join();
    if (key === this.drawn) return;
    this.drawn = key;
    [ground.width, ground.height] = [camera.width, camera.height];
    const paint = context(ground);
    this.inTiles(paint);
    paint.fillStyle = colour.open;
    paint.fillRect(0, 0, map.width, map.height);
    paint.fillStyle = colour.block;
    paint.fill(paths.block);
    paths.sectors.forEach((path, at) => {
      paint.fillStyle = colour.tints[at % TINTS];
      paint.fill(path);
    });
    paint.fillStyle = colour.wall;
    paint.fill(paths.wall);
    paint.fillStyle = colour.thing;
    paint.fill(paths.thing);
    if (camera.scale >= 8) {
      paint.strokeStyle = colour.edge;
      paint.lineWidth = 1 / camera.scale;
      paint.stroke(paths.thing);
    }
    [this.written.width, this.written.height] = [camera.width, camera.height];
    this.write(context(this.written));
  }

  /** @param {CanvasRenderingContext2D} paint */
  inTiles(paint) {
    const { scale, left, top } = this.camera;
    paint.setTransform(scale, 0, 0, scale, Math.round(-left * scale), Math.round(-top * scale));
  }

  /**
   * Write names where there is room, the largest places first.
   * @param {CanvasRenderingContext2D} paint
   */
  write(paint) {
    const { camera, colour, ratio } = this;
    paint.setTransform(1, 0, 0, 1, 0, 0);
    paint.textAlign = "center";
    paint.textBaseline = "middle";
    paint.lineJoin = "round";
    /** @type {Box[]} */
    const taken = (this.placed = []);
    for (const label of this.labels) {
      const css = camera.scale / ratio;
      if (css < LEGIBLE[label.kind]) continue;
      const size = { sector: css < 8 ? 10.5 : 13, arena: 11, object: 10 }[label.kind] * ratio;
      paint.font = `${label.kind === "sector" ? 650 : 500} ${size}px ${this.font}`;
      const most = Math.max(label.wide * camera.scale, 72 * ratio);
      const rows = broken(label.text, (text) => paint.measureText(text).width <= most);
      const wide = Math.max(...rows.map((row) => paint.measureText(row).width));
      const [x, y] = camera.pixel(label.x, label.y);
      const high = (rows.length * size * 1.15) / 2;
      const box = /** @type {Box} */ ([x - wide / 2, y - high, x + wide / 2, y + high]);
      if (box[2] < 0 || box[0] > camera.width || box[3] < 0 || box[1] > camera.height) continue;
      if (taken.some((one) => overlap(one, box))) continue;
      taken.push(box);
      rows.forEach((row, at) => {
        const line = y - high + (at + 0.5) * size * 1.15;
        paint.lineWidth = 3 * ratio;
        paint.strokeStyle = colour.paper;
        paint.globalAlpha = 0.7;
        paint.strokeText(row, x, line);
        paint.globalAlpha = 1;
        paint.fillStyle = label.kind === "sector" ? colour.ink : colour.muted;
        paint.fillText(row, x, line);
      });
    }
  }

  /** @param {Moment} moment */
  draw(moment) {
    const paint = context(this.canvas);
    const { camera, colour } = this;
    this.town();
    paint.setTransform(1, 0, 0, 1, 0, 0);
    paint.clearRect(0, 0, camera.width, camera.height);
    paint.drawImage(this.ground, 0, 0);
    if (moment.dark > 0.01) this.night(paint, moment);
    paint.setTransform(1, 0, 0, 1, 0, 0);
    paint.drawImage(this.written, 0, 0);
    if (moment.sight) this.sight(paint, moment.sight);
    if (moment.way) this.way(paint, moment.way, colour.seats[moment.chosen % 8]);
    paint.setTransform(1, 0, 0, 1, 0, 0);
    this.talks(paint, moment);
    // Whoever is chosen stands in front.
    const order = [...moment.people].sort(
      (one, other) => Number(one.seat === moment.chosen) - Number(other.seat === moment.chosen) || one.y - other.y,
    );
    for (const one of order) this.person(paint, one, moment);
    this.names(paint, order.reverse(), moment);
  }

  /**
   * Night falls, and where somebody is awake there is light.
   * @param {CanvasRenderingContext2D} paint
   * @param {Moment} moment
   */
  night(paint, moment) {
    const { map, colour, camera } = this;
    paint.globalAlpha = moment.dark;
    paint.fillStyle = colour.night;
    paint.fillRect(0, 0, camera.width, camera.height);
    this.inTiles(paint);
    const lit = new Set(
      moment.people.filter((one) => !one.asleep && !one.guessed).map((one) => map.arena[map.at(Math.round(one.x), Math.round(one.y))]),
    );
    paint.fillStyle = colour.lamp;
    for (const at of lit) if (at) paint.fill(this.paths.arenas[at - 1]);
    paint.globalAlpha = 1;
  }

  /**
   * The square that somebody sees, of which only their own room counts.
   * @param {CanvasRenderingContext2D} paint
   * @param {{x: number, y: number, radius: number}} sight
   */
  sight(paint, { x, y, radius }) {
    const { map, camera, colour } = this;
    this.inTiles(paint);
    const [column, row] = [Math.round(x), Math.round(y)];
    const [left, top, side] = [column - radius, row - radius, 2 * radius + 1];
    const arena = map.arena[map.at(column, row)];
    paint.fillStyle = colour.sight;
    for (let at = top; at < top + side; at += 1) {
      for (let to = left; to < left + side; to += 1) {
        const tile = map.at(to, at);
        if (tile >= 0 && map.arena[tile] === arena) paint.fillRect(to, at, 1, 1);
      }
    }
    paint.setLineDash([0.6, 0.4]);
    paint.lineWidth = (1.5 * this.ratio) / camera.scale;
    paint.strokeStyle = colour.muted;
    paint.strokeRect(left, top, side, side);
    paint.setLineDash([]);
  }

  /**
   * @param {CanvasRenderingContext2D} paint
   * @param {Walk & {gone: number}} way
   * @param {string} colour
   */
  way(paint, way, colour) {
    if (way.xs.length < 2) return;
    this.inTiles(paint);
    const line = (/** @type {number} */ from, /** @type {number} */ to) => {
      paint.beginPath();
      for (let at = from; at <= to; at += 1) paint.lineTo(way.xs[at] + 0.5, way.ys[at] + 0.5);
      paint.stroke();
    };
    const here = Math.min(Math.floor(way.gone), way.xs.length - 1);
    paint.strokeStyle = colour;
    paint.lineCap = paint.lineJoin = "round";
    paint.lineWidth = Math.max(0.28, (2.5 * this.ratio) / this.camera.scale);
    paint.globalAlpha = 0.3;
    line(0, here);
    paint.globalAlpha = 0.9;
    paint.setLineDash([0.02, paint.lineWidth * 2.2]);
    line(here, way.xs.length - 1);
    paint.setLineDash([]);
    paint.globalAlpha = 1;
  }

  /**
   * A line between those who talk.
   * @param {CanvasRenderingContext2D} paint
   * @param {Moment} moment
   */
  talks(paint, moment) {
    const at = new Map(moment.people.map((one) => [one.seat, one]));
    paint.strokeStyle = this.colour.ink;
    paint.lineWidth = 2 * this.ratio;
    for (const [first, second] of moment.talks) {
      const [one, other] = [at.get(first), at.get(second)];
      if (!one || !other) continue;
      paint.beginPath();
      paint.moveTo(...this.spot(one));
      paint.lineTo(...this.spot(other));
      paint.stroke();
    }
  }

  /** The radius of a person, in pixels. */
  get size() {
    return Math.min(Math.max(this.camera.scale * 0.55, 6 * this.ratio), 15 * this.ratio);
  }

  /**
   * @param {Person} one
   * @returns {[number, number]}
   */
  spot(one) {
    return this.camera.pixel(one.x + 0.5, one.y + 0.5);
  }

  /**
   * @param {CanvasRenderingContext2D} paint
   * @param {Person} one
   * @param {Moment} moment
   */
  person(paint, one, moment) {
    const { colour, ratio, size } = this;
    const [x, y] = this.spot(one);
    const own = colour.seats[one.seat % 8];
    const chosen = one.seat === moment.chosen;
    if (chosen || moment.marked.includes(one.seat)) {
      paint.beginPath();
      paint.arc(x, y, size + 4 * ratio, 0, 7);
      paint.fillStyle = chosen ? own : colour.accent;
      paint.globalAlpha = 0.35;
      paint.fill();
      paint.globalAlpha = 1;
    }
    paint.beginPath();
    paint.arc(x, y, size, 0, 7);
    paint.fillStyle = one.guessed ? colour.paper : own;
    paint.globalAlpha = one.asleep ? 0.55 : 1;
    paint.fill();
    paint.lineWidth = 1.5 * ratio;
    paint.strokeStyle = one.guessed ? own : colour.paper;
    paint.stroke();
    paint.globalAlpha = 1;
    if (size >= 8 * ratio) {
      paint.font = `650 ${size * 0.9}px ${this.font}`;
      paint.textAlign = "center";
      paint.textBaseline = "middle";
      paint.fillStyle = one.guessed ? own : colour.paper;
      paint.fillText(one.initials, x, y + size * 0.06);
    }
    if (one.talks) this.bubble(paint, x + size * 0.8, y - size * 1.05);
    else if (this.emoji && one.emoji && size >= 6 * ratio) {
      paint.font = `${size * 1.15}px ${this.font}`;
      paint.textAlign = "center";
      paint.fillStyle = colour.ink;
      paint.fillText(one.emoji, x + size, y - size);
    }
  }

  /**
   * Somebody talks.
   * @param {CanvasRenderingContext2D} paint
   * @param {number} x
   * @param {number} y
   */
  bubble(paint, x, y) {
    const { colour, ratio } = this;
    const r = Math.max(this.size * 0.62, 4.5 * ratio);
    paint.beginPath();
    paint.ellipse(x, y, r * 1.25, r, 0, 0.95 * Math.PI, 2.75 * Math.PI);
    paint.lineTo(x - r * 1.1, y + r * 1.25);
    paint.closePath();
    paint.fillStyle = colour.paper;
    paint.strokeStyle = colour.ink;
    paint.lineWidth = ratio;
    paint.fill();
    paint.stroke();
    paint.fillStyle = colour.ink;
    for (const at of [-0.55, 0, 0.55]) {
      paint.beginPath();
      paint.arc(x + at * r, y, r * 0.14, 0, 7);
      paint.fill();
    }
  }

  /**
   * First names beside people, where they are legible and cover nothing: below, or where that would cover
   * a name of somebody or of a place, or somebody, above or to a side, or not at all.
   * @param {CanvasRenderingContext2D} paint
   * @param {Person[]} people  those in front first
   * @param {Moment} moment
   */
  names(paint, people, moment) {
    const { colour, ratio, camera, size } = this;
    const all = camera.scale / ratio >= 5;
    /** @type {Box[]} */
    const taken = [];
    const discs = new Map(
      people.map((one) => {
        const [x, y] = this.spot(one);
        return [one.seat, /** @type {Box} */ ([x - size, y - size, x + size, y + size])];
      }),
    );
    paint.font = `600 ${11 * ratio}px ${this.font}`;
    paint.textAlign = "center";
    paint.textBaseline = "middle";
    paint.lineJoin = "round";
    for (const one of people) {
      const chosen = one.seat === moment.chosen;
      if (!all && !chosen && !moment.marked.includes(one.seat)) continue;
      const [left, top] = this.spot(one);
      const text = chosen ? one.name : one.name.split(" ")[0];
      const half = paint.measureText(text).width / 2 + 2 * ratio;
      const around = (/** @type {number} */ x, /** @type {number} */ y) =>
        /** @type {Box} */ ([x - half, y - 7 * ratio, x + half, y + 7 * ratio]);
      const beside = size + 2 * ratio + half;
      const free = [
        around(left, top + size + 8 * ratio),
        around(left, top - size - 8 * ratio),
        around(left + beside, top),
        around(left - beside, top),
      ].filter((one) => !taken.some((other) => overlap(other, one)));
      const apart = free.filter(
        (box) =>
          box[0] >= 0 &&
          box[2] <= camera.width &&
          ![...discs].some(([seat, disc]) => seat !== one.seat && overlap(disc, box)),
      );
      const shown = apart.find((box) => !this.placed.some((other) => overlap(other, box)));
      // In a crowd only whom one looks at is named; the others say who they are when they are pointed at.
      const box = shown ?? (chosen ? (apart[0] ?? free[0]) : undefined);
      if (!box) continue;
      taken.push(box);
      const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
      paint.lineWidth = 3.5 * ratio;
      paint.strokeStyle = colour.paper;
      paint.strokeText(text, x, y);
      paint.fillStyle = one.asleep ? colour.muted : colour.seats[one.seat % 8];
      paint.fillText(text, x, y);
    }
  }
}

/** @typedef {[number, number, number, number]} Box  left, top, right, bottom, in pixels */

/**
 * @param {Box} one
 * @param {Box} other
 */
function overlap(one, other) {
  return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
}

/** @param {HTMLCanvasElement} canvas */
function context(canvas) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}

/**
 * What the style sheet has a map drawn in.
 * @param {HTMLCanvasElement} canvas
 */
function colours(canvas) {
  const style = getComputedStyle(canvas);
  const own = (/** @type {string} */ name) => style.getPropertyValue(name).trim() || "#888";
  return {
    open: own("--town-open"),
    block: own("--town-block"),
    wall: own("--town-wall"),
    thing: own("--town-thing"),
    edge: own("--town-edge"),
    ink: own("--text"),
    paper: own("--surface"),
    muted: own("--muted"),
    accent: own("--accent"),
    night: own("--town-night"),
    lamp: own("--town-lamp"),
    sight: own("--town-sight"),
    tints: Array.from({ length: TINTS }, (_, at) => own(`--town-${at + 1}`)),
    seats: Array.from({ length: 8 }, (_, at) => own(`--seat-${at + 1}`)),
  };
}

/** @param {TownMap} map */
function shapes(map) {
  const path = (/** @type {(tile: number) => boolean} */ fits) => {
    const made = new Path2D();
    for (const rect of map.rects(fits)) made.rect(...rect);
    return made;
  };
  const kinds = Array.from(map.solid, (_, tile) => map.kind(tile));
  const thing = new Path2D();
  for (let at = 1; at <= map.objects.length; at += 1) {
    for (const [x, y, width, height] of map.rects((tile) => map.object[tile] === at && kinds[tile] === "thing")) {
      thing.rect(x + 0.08, y + 0.08, width - 0.16, height - 0.16);
    }
  }
  return {
    block: path((tile) => kinds[tile] === "block"),
    wall: path((tile) => kinds[tile] === "wall"),
    thing,
    sectors: map.sectors.map((_, at) => path((tile) => map.sector[tile] === at + 1)),
    arenas: map.arenas.map((_, at) => path((tile) => map.arena[tile] === at + 1)),
  };
}

/**
 * A text in lines that fit, words kept whole.
 * @param {string} text
 * @param {(text: string) => boolean} fits
 */
function broken(text, fits) {
  /** @type {string[]} */
  const rows = [];
  for (const word of text.split(" ")) {
    const longer = rows.length ? `${rows.at(-1)} ${word}` : word;
    if (rows.length && fits(longer)) rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  return rows;
}

/**
 * Whether this browser has coloured pictures for emoji: without them each is an empty box.
 * @param {string} font
 */
function drawsEmoji(font) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [24, 24];
  const paint = canvas.getContext("2d", { willReadFrequently: true });
  if (!paint) return false;
  paint.font = `16px ${font}`;
  paint.textBaseline = "top";
  paint.fillText("\u{1f353}", 2, 2);
  const { data } = paint.getImageData(0, 0, 24, 24);
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] > 100 && Math.abs(data[at] - data[at + 1]) > 40) return true;
  }
  return false;
}
