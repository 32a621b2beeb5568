/** Hands on the map: pointers, wheels and keys move the camera and choose somebody. */

/** @import { Camera } from "./camera.js" */

const PAN_TILES = 6;
const ZOOM = 1.35;
/** Less is a click. */
const DRAG_PX = 5;

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Camera} camera
 * @param {object} does
 * @param {() => void} does.moved  the camera was moved
 * @param {(x: number, y: number) => void} does.pressed  at a pixel
 * @param {(x: number, y: number) => void} does.over  the pointer is there
 */
export function listen(canvas, camera, { moved, pressed, over }) {
  /** Fingers on the map, by their ids. @type {Map<number, {x: number, y: number}>} */
  const down = new Map();
  let travelled = 0;
  const at = (/** @type {PointerEvent|WheelEvent|MouseEvent} */ event) => {
    const box = canvas.getBoundingClientRect();
    const ratio = canvas.width / (box.width || 1);
    return { x: (event.clientX - box.left) * ratio, y: (event.clientY - box.top) * ratio };
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    down.set(event.pointerId, at(event));
    if (down.size === 1) travelled = 0;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const here = at(event);
    const before = down.get(event.pointerId);
    if (!before) {
      over(here.x, here.y);
      return;
    }
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    travelled += Math.hypot(here.x - before.x, here.y - before.y);
    if (other) {
      const factor = Math.hypot(here.x - other.x, here.y - other.y) / (Math.hypot(before.x - other.x, before.y - other.y) || 1);
      camera.zoom(factor, (here.x + other.x) / 2, (here.y + other.y) / 2);
    } else if (travelled > DRAG_PX) {
      camera.move(camera.left - (here.x - before.x) / camera.scale, camera.top - (here.y - before.y) / camera.scale);
    }
    down.set(event.pointerId, here);
    moved();
  });
  const up = (/** @type {PointerEvent} */ event) => {
    const here = at(event);
    if (down.delete(event.pointerId) && !down.size && travelled <= DRAG_PX && event.type === "pointerup") {
      pressed(here.x, here.y);
    }
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener(
    "wheel",
    (event) => {
      // Who scrolls past it scrolls the page.
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;
      event.preventDefault();
      const { x, y } = at(event);
      camera.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), x, y);
      moved();
    },
    { passive: false },
  );
  canvas.addEventListener("dblclick", (event) => {
    const { x, y } = at(event);
    camera.zoom(2, x, y);
    moved();
  });
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const ways = /** @type {Record<string, [number, number]>} */ ({
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    });
    const way = ways[event.key];
    if (!way) return;
    camera.move(camera.left + way[0] * PAN_TILES, camera.top + way[1] * PAN_TILES);
    event.preventDefault();
    event.stopPropagation();
    moved();
  });
}

/**
 * Nearer or further by a step.
 * @param {Camera} camera
 * @param {1|-1} way
 */
export function nearer(camera, way) {
  const before = camera.scale;
  camera.wanted = before;
  camera.zoom(way > 0 ? Math.max(ZOOM, (before + 1) / before) : 1 / ZOOM);
}
