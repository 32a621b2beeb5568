/** Which part of a map is looked at, and how near. Pure. In tiles and in pixels of the device. */

const MOST_PX = 64;

export class Camera {
  /**
   * @param {number} columns  of the map
   * @param {number} rows
   * @param {[number, number, number, number]} [part]  what is worth seeing of it: left, top, width,
   *   height
   */
  constructor(columns, rows, part = [0, 0, columns, rows]) {
    this.columns = columns;
    this.rows = rows;
    this.part = part;
    /** Pixels a tile; whole, so that tiles meet without seams. */
    this.scale = 4;
    /** The tile in the upper left corner. */
    this.left = 0;
    this.top = 0;
    this.width = 0;
    this.height = 0;
    /** Nobody has moved it: it shows all. */
    this.fits = true;
    /** What wheels and fingers have asked for, between whole scales. */
    this.wanted = 4;
  }

  /** The scale at which all is seen. */
  get least() {
    return Math.max(1, Math.floor(Math.min(this.width / this.part[2], this.height / this.part[3])));
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    const middle = [this.left + this.width / this.scale / 2, this.top + this.height / this.scale / 2];
    [this.width, this.height] = [width, height];
    if (this.fits) this.fit();
    else this.look(middle[0], middle[1]);
  }

  /** Look at all that is worth it. */
  fit() {
    this.fits = true;
    this.scale = this.wanted = this.least;
    const [left, top, width, height] = this.part;
    this.left = left + (width - this.width / this.scale) / 2;
    this.top = top + (height - this.height / this.scale) / 2;
  }

  /**
   * Have a place in the middle, as far as the map reaches.
   * @param {number} x
   * @param {number} y
   */
  look(x, y) {
    this.move(x - this.width / this.scale / 2, y - this.height / this.scale / 2);
  }

  /**
   * @param {number} left
   * @param {number} top
   */
  move(left, top) {
    this.left = held(left, this.columns, this.width / this.scale);
    this.top = held(top, this.rows, this.height / this.scale);
  }

  /**
   * Nearer or further, with one place staying where it is.
   * @param {number} factor
   * @param {number} [px]  in pixels from the left; the middle
   * @param {number} [py]
   */
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const [x, y] = this.tile(px, py);
    this.wanted = Math.min(Math.max(this.wanted * factor, this.least), MOST_PX);
    this.scale = Math.round(this.wanted);
    this.fits = this.scale <= this.least;
    if (this.fits) this.fit();
    else this.move(x - px / this.scale, y - py / this.scale);
  }

  /**
   * The place at a pixel, in tiles.
   * @param {number} px
   * @param {number} py
   * @returns {[number, number]}
   */
  tile(px, py) {
    return [this.left + px / this.scale, this.top + py / this.scale];
  }

  /**
   * The pixel of a place.
   * @param {number} x
   * @param {number} y
   * @returns {[number, number]}
   */
  pixel(x, y) {
    return [(x - this.left) * this.scale, (y - this.top) * this.scale];
  }
}

/**
 * Keep a map's edge at the window's edge; in the middle what is smaller than it.
 * @param {number} at
 * @param {number} whole
 * @param {number} seen
 */
function held(at, whole, seen) {
  if (seen >= whole) return (whole - seen) / 2;
  return Math.min(Math.max(at, 0), whole - seen);
}
