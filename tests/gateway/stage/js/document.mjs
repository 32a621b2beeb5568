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

  querySelectorAll() {
    return [];
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

globalThis.Node = Node;
globalThis.document = {
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
