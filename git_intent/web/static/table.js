/**
 * A table of any length: only the rows in sight are elements.
 *
 * Rows have one height (`--row` in the style sheet). The grid itself has the focus and
 * names its current row, so that a row may leave the page without taking focus along.
 */

import { el, replace } from "./dom.js";

const AHEAD = 6;

/**
 * @template R
 * @typedef {object} Options
 * @property {string} label
 * @property {{key: string, label: string, sortable?: boolean}[]} columns
 * @property {(row: R) => (Node|string)[][]} cells what stands in each column
 * @property {(row: R) => string} key
 * @property {(row: R) => void} open
 * @property {(column: string) => void} sort
 * @property {(row: R, node: HTMLElement) => void} [mark] sets further attributes
 */

/** @template R */
export class VirtualTable {
  #options;
  /** @type {R[]} */
  #rows = [];
  /** @type {Map<number, {node: HTMLElement, row: R}>} */
  #shown = new Map();
  /** @type {HTMLElement[]} */
  #spare = [];
  #current = -1;
  /** Of a row; 0 until the style sheet has told it. */
  #height = 0;
  #frame = 0;
  #watch = new ResizeObserver(() => this.#measure());

  /** @param {Options<R>} options */
  constructor(options) {
    this.#options = options;
    this.#head = el("div", { role: "row", class: "tr", "aria-rowindex": 1 }, options.columns.map(headCell(options.sort)));
    this.#body = el("div", { role: "rowgroup", class: "tbody" });
    this.node = el(
      "div",
      {
        class: "table", role: "grid", tabindex: 0, "aria-label": options.label,
        "aria-colcount": options.columns.length,
        on: { scroll: () => this.#soon(), focus: () => this.#current < 0 && this.move("first") },
      },
      el("div", { role: "rowgroup", class: "thead" }, this.#head),
      this.#body,
    );
    this.#watch.observe(this.node);
  }

  #head;
  #body;

  get current() {
    return this.#rows[this.#current];
  }

  get length() {
    return this.#rows.length;
  }

  /**
   * Show these; the current row stays current if it is still among them. What a row shows
   * is made `anew` if it depends on more than the row.
   */
  set(rows, { top = false, anew = false } = {}) {
    if (anew) this.#discard();
    if (!this.#height) this.#learn();
    const before = this.current;
    const key = before && this.#options.key(before);
    this.#rows = rows;
    this.#current = before ? rows.findIndex((row) => this.#options.key(row) === key) : -1;
    if (top) this.node.scrollTop = 0;
    this.node.setAttribute("aria-rowcount", String(rows.length + 1));
    this.#size();
    this.#draw();
  }

  /** @param {string} column @param {boolean} down */
  sorted(column, down) {
    for (const cell of this.#head.children) {
      const ours = cell.dataset.key === column;
      cell.setAttribute("aria-sort", ours ? (down ? "descending" : "ascending") : "none");
    }
  }

  /** Make another row the current one and bring it into sight. */
  move(step) {
    const last = this.#rows.length - 1;
    if (last < 0) return;
    const wanted = step === "first" ? 0 : step === "last" ? last : this.#current + step;
    this.#current = Math.max(0, Math.min(last, wanted));
    this.#reveal();
    this.#draw();
  }

  /** @param {string} key */
  select(key) {
    const index = this.#rows.findIndex((row) => this.#options.key(row) === key);
    if (index < 0) return;
    this.#current = index;
    this.#reveal();
    this.#draw();
  }

  open() {
    if (this.current) this.#options.open(this.current);
  }

  close() {
    this.#watch.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  #measure() {
    this.#learn();
    this.#size();
    this.#draw();
  }

  #learn() {
    const height = parseFloat(getComputedStyle(this.node).getPropertyValue("--row"));
    if (!height || height === this.#height) return;
    this.#height = height;
    this.#discard();
  }

  /** Make all rows again: what they show or where they stand is no longer so. */
  #discard() {
    for (const { node } of this.#shown.values()) this.#spare.push(node);
    this.#shown.clear();
  }

  #size() {
    this.#body.style.setProperty("height", `${this.#rows.length * this.#height}px`);
  }

  #reveal() {
    const head = this.#head.offsetHeight;
    const top = this.#current * this.#height;
    const { scrollTop, clientHeight } = this.node;
    if (top < scrollTop) this.node.scrollTop = top;
    const bottom = head + top + this.#height;
    if (bottom > scrollTop + clientHeight) this.node.scrollTop = bottom - clientHeight;
  }

  #soon() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  /** Rows out of sight give their elements to those that come into it. */
  #draw() {
    if (!this.#height) return;
    const first = Math.max(0, Math.floor(this.node.scrollTop / this.#height) - AHEAD);
    const seen = Math.ceil(this.node.clientHeight / this.#height) + 2 * AHEAD;
    const end = Math.min(this.#rows.length, first + seen);
    for (const [index, { node, row }] of this.#shown) {
      if (index < first || index >= end || row !== this.#rows[index]) {
        this.#shown.delete(index);
        this.#spare.push(node);
      }
    }
    let after = null;
    for (let index = end - 1; index >= first; index--) {
      const node = this.#rowAt(index);
      if (node.nextSibling !== after || !node.parentNode) this.#body.insertBefore(node, after);
      after = node;
    }
    while (this.#spare.length) this.#spare.pop().remove();
    this.#name();
  }

  #rowAt(index) {
    const shown = this.#shown.get(index);
    if (shown) return shown.node;
    const row = this.#rows[index];
    const node = this.#spare.pop() ?? this.#blank();
    node.id = `row-${index}`;
    node.dataset.index = String(index);
    node.setAttribute("aria-rowindex", String(index + 2));
    node.style.setProperty("transform", `translateY(${index * this.#height}px)`);
    this.#options.cells(row).forEach((cell, at) => replace(node.children[at], cell));
    this.#options.mark?.(row, node);
    this.#shown.set(index, { node, row });
    return node;
  }

  #blank() {
    const node = el(
      "div",
      { role: "row", class: "tr" },
      this.#options.columns.map((column) => el("div", { role: "gridcell", class: `td col-${column.key}` })),
    );
    node.addEventListener("click", () => {
      this.#current = Number(node.dataset.index);
      this.#draw();
      this.open();
    });
    return node;
  }

  #name() {
    for (const [index, { node }] of this.#shown) {
      node.setAttribute("aria-selected", String(index === this.#current));
    }
    const inSight = this.#shown.has(this.#current);
    if (inSight) this.node.setAttribute("aria-activedescendant", `row-${this.#current}`);
    else this.node.removeAttribute("aria-activedescendant");
  }
}

function headCell(sort) {
  return (column) =>
    el(
      "div",
      { role: "columnheader", class: `th col-${column.key}`, "data-key": column.key, "aria-sort": "none" },
      column.sortable === false
        ? column.label
        : el("button", { type: "button", on: { click: () => sort(column.key) } }, column.label),
    );
}
