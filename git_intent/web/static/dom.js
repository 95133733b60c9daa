/**
 * Elements, made without markup: text can only ever become a text node.
 *
 * No other module builds elements in another way, and links may only lead to a place
 * within this page; so nothing that stands in a store can become code.
 */

const PROPERTIES = new Set(["value", "checked", "disabled", "hidden", "open", "selected"]);
const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {Record<string, any>} [props] attributes; `class`; `on`: listeners by event
 * @param {...(Node|string|number|null|undefined|false|Array<any>)} children
 * @returns {any}
 */
export function el(tag, props, ...children) {
  return build(document.createElement(tag), props, children);
}

/** The same for a drawing. */
export function svg(tag, props, ...children) {
  return build(document.createElementNS(SVG, tag), props, children);
}

function build(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) set(node, name, value);
  fill(node, children);
  return node;
}

function set(node, name, value) {
  if (value === undefined || value === null) return;
  if (name === "on") {
    for (const [event, listener] of Object.entries(value)) {
      node.addEventListener(event, listener);
    }
  } else if (PROPERTIES.has(name)) {
    node[name] = value;
  } else if (value !== false) {
    if (name === "href" && !String(value).startsWith("#/")) {
      throw new Error(`not a place of this page: ${value}`);
    }
    node.setAttribute(name, value === true ? "" : String(value));
  }
}

function fill(node, children) {
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
}

/** Put these in the place of what a node holds. */
export function replace(node, ...children) {
  node.replaceChildren();
  fill(node, children);
}

/** The element of the page's frame with this id. */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`the page has no #${id}`);
  return node;
}

/** "1 file", "2 files". */
export function count(number, noun) {
  const shown = number.toLocaleString("en");
  if (number === 1) return `${shown} ${noun}`;
  return `${shown} ${/(s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`}`;
}

/** A time stamp without its second half: the day; with `full`, the minute too. */
export function when(stamp, full = false) {
  if (!stamp) return "";
  return el(
    "time",
    { datetime: stamp, title: stamp },
    full ? stamp.slice(0, 16).replace("T", " ") : stamp.slice(0, 10),
  );
}

/** The beginning of a text that may be a megabyte. */
export function short(text, length = 400) {
  return text.length > length ? `${text.slice(0, length)} …` : text;
}

/** Call `act` once nothing has happened for `wait` milliseconds. */
export function later(act, wait) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...args), wait);
  };
}
