// As much of a browser's document as a stage piece needs, for Node: elements with attributes,
// children, texts and listeners; written out as markup, escaped as browsers do.

class Node {
  remove() {
    this.parent?.children.splice(this.parent.children.indexOf(this), 1);
  }
}

class Text extends Node {
  constructor(text) {
    super();
    this.text = String(text);
  }

  get textContent() {
    return this.text;
  }

  toString() {
    return this.text.replace(/[&<>]/g, (one) => `&#${one.charCodeAt(0)};`);
  }
}

class Element extends Node {
  children = [];
  attributes = new Map();
  listeners = new Map();

  constructor(name) {
    super();
    this.name = name;
    this.classList = { toggle() {}, add() {}, remove() {} };
    if (name === "canvas") [this.width, this.height] = [300, 150];
  }

  setAttribute(name, value) {
    if (/^on|^style$/i.test(name)) throw new Error(`a piece sets ${name}, which the policy refuses`);
    this.attributes.set(name, String(value));
    if (name === "value" || name === "checked") this[name] = name === "checked" ? true : String(value);
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  toggleAttribute() {}

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  append(...children) {
    for (const child of children.flat()) {
      const node = child instanceof Node ? child : new Text(child);
      for (const one of node.fragment ? [...node.children] : [node]) {
        one.parent = this;
        this.children.push(one);
      }
    }
  }

  replaceChildren(...children) {
    this.children = [];
    this.append(...children);
  }

  addEventListener(name, does) {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), does]);
  }

  removeEventListener() {}

  querySelectorAll() {
    return [];
  }

  querySelector() {
    return null;
  }

  contains() {
    return false;
  }

  replaceWith(other) {
    other.parent = this.parent;
    this.parent?.children.splice(this.parent.children.indexOf(this), 1, other);
  }

  get firstElementChild() {
    return this.children.find((one) => one.name) ?? null;
  }

  set hidden(on) {
    if (on) this.attributes.set("hidden", "");
    else this.attributes.delete("hidden");
  }

  get hidden() {
    return this.attributes.has("hidden");
  }

  get open() {
    return this.attributes.has("open");
  }

  get clientWidth() {
    return 600;
  }

  get clientHeight() {
    return 400;
  }

  /** A canvas that takes every stroke and shows none. */
  getContext() {
    return paint;
  }

  set innerHTML(_) {
    throw new Error("a piece writes markup");
  }

  get textContent() {
    return this.children.map((one) => one.textContent).join("");
  }

  set textContent(text) {
    this.replaceChildren(...(text ? [text] : []));
  }

  focus() {
    document.activeElement = this;
  }

  toString() {
    const attributes = [...this.attributes].map(([name, value]) => ` ${name}="${new Text(value)}"`).join("");
    return `<${this.name}${attributes}>${this.children.join("")}</${this.name}>`;
  }
}

const paint = {
  measureText: (text) => ({ width: 6 * text.length }),
  getImageData: (_, __, width, height) => ({ data: new Uint8ClampedArray(4 * width * height) }),
};
const STROKES = ["arc", "beginPath", "clearRect", "closePath", "drawImage", "ellipse", "fill", "fillRect", "fillText"];
STROKES.push("lineTo", "moveTo", "rect", "setLineDash", "setTransform", "stroke", "strokeRect", "strokeText");
for (const name of STROKES) {
  paint[name] = (...given) => {
    const wrong = given.find((one) => typeof one === "number" && Number.isNaN(one));
    if (wrong !== undefined) throw new Error(`${name} is drawn at no number`);
  };
}

globalThis.Path2D = class {
  rect() {}
};
globalThis.window = globalThis;
globalThis.getComputedStyle = () => ({ getPropertyValue: () => "#123456", fontFamily: "serif" });
globalThis.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} });
globalThis.requestAnimationFrame = () => 0;
globalThis.cancelAnimationFrame = () => {};
globalThis.Node = Node;
globalThis.ResizeObserver = class {
  observe() {}
  disconnect() {}
};
globalThis.document = {
  addEventListener() {},
  removeEventListener() {},
  createElement: (name) => new Element(name),
  createElementNS: (_, name) => new Element(name),
};

/** All elements below one, by a test. */
export function below(element, fits) {
  const found = [];
  for (const child of element.children ?? []) {
    if (child.name && fits(child)) found.push(child);
    found.push(...below(child, fits));
  }
  return found;
}

export const element = () => new Element("div");
