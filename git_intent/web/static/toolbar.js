/** What stands above the table: search, what is shown, the order. */

import { at, get } from "./api.js";
import { failed } from "./announce.js";
import { el, later, replace } from "./dom.js";

const PAUSE = 60;
const MEANING_PAUSE = 250;

/**
 * The controls, and the choice that they make.
 * @param {{domain: string, changed: (top: boolean) => void}} options
 */
export function toolbar({ domain, changed }) {
  /** @type {import("./filter.js").Choice} */
  const choice = {
    words: "", statuses: new Set(["active"]), domain, sort: "updated", down: true, scores: null,
  };
  const field = el("input", {
    type: "search", id: "filter", placeholder: "Filter", autocomplete: "off",
    spellcheck: "false", "aria-label": "Search requirements", "aria-keyshortcuts": "/",
  });
  const meaning = el("input", { type: "checkbox", id: "by-meaning" });
  const search = searching(choice, field, meaning, changed);
  field.addEventListener("input", search);
  meaning.addEventListener("change", search);
  const total = el("p", { class: "total", id: "total", role: "status" });
  const boxes = ["disabled", "superseded"].map((status) => statusBox(status, choice, changed));
  const domains = el("select", { "aria-label": "Domain", id: "domain-filter" });
  domains.addEventListener("change", () => {
    choice.domain = domains.value;
    changed(true);
  });
  const order = orderBox(choice, changed);
  const node = el(
    "div",
    { class: "toolbar", role: "search", "aria-label": "Requirements" },
    el("div", { class: "search" }, field, el("label", { class: "toggle" }, meaning, "by meaning")),
    domains,
    boxes.map((box) => box.node),
    order,
    total,
  );
  return {
    node,
    choice,
    field,
    /** @param {string[]} names @param {Record<string, number>} counts by status */
    known(names, counts) {
      const options = ["", ...names].map((name) =>
        el("option", { value: name, selected: name === choice.domain }, name || "All domains"),
      );
      replace(domains, options);
      for (const box of boxes) box.counted(counts[box.status] ?? 0);
    },
    show(statuses) {
      for (const status of statuses) choice.statuses.add(status);
      for (const box of boxes) box.update();
    },
    toggleHidden() {
      const shown = boxes.every((box) => choice.statuses.has(box.status));
      for (const box of boxes) choice.statuses[shown ? "delete" : "add"](box.status);
      for (const box of boxes) box.update();
      changed(true);
    },
    ordered() {
      order.value = `${choice.sort} ${choice.down ? "down" : "up"}`;
    },
    say(text) {
      if (total.textContent !== text) total.textContent = text;
    },
  };
}

/** By words at once; by meaning once the typing pauses, and the last question wins. */
function searching(choice, field, meaning, changed) {
  let running = new AbortController();
  const ask = later(async () => {
    running.abort();
    running = new AbortController();
    try {
      const found = await get(at(["search"], { q: field.value }), running.signal);
      if (!meaning.checked || !field.value.trim()) return;
      choice.scores = new Map(found.results.map((hit) => [hit.id, hit.score]));
      changed(true);
    } catch (error) {
      failed(error);
    }
  }, MEANING_PAUSE);
  const literal = later(() => changed(true), PAUSE);
  return () => {
    choice.words = field.value;
    if (meaning.checked && field.value.trim()) return ask();
    running.abort();
    choice.scores = null;
    return literal();
  };
}

function statusBox(status, choice, changed) {
  const box = el("input", { type: "checkbox", id: `show-${status}` });
  const number = el("span", { class: "number" });
  box.addEventListener("change", () => {
    choice.statuses[box.checked ? "add" : "delete"](status);
    changed(true);
  });
  return {
    status,
    node: el("label", { class: "toggle" }, box, status, number),
    update: () => {
      box.checked = choice.statuses.has(status);
    },
    counted: (value) => {
      number.textContent = value.toLocaleString("en");
    },
  };
}

const ORDERS = [
  ["updated down", "Newest first"], ["updated up", "Oldest first"],
  ["statement up", "Statement, A–Z"], ["statement down", "Statement, Z–A"],
  ["scope up", "Scope"], ["scope down", "Scope, Z–A"],
  ["confidence up", "Surest first"], ["confidence down", "Least sure first"],
  ["status up", "Status"], ["status down", "Status, last first"],
  ["source up", "Source"], ["source down", "Source, Z–A"],
  ["id up", "Id"], ["id down", "Id, Z–A"],
];

function orderBox(choice, changed) {
  const box = el(
    "select",
    { "aria-label": "Order", id: "order" },
    ORDERS.map(([value, label]) => el("option", { value }, label)),
  );
  box.addEventListener("change", () => {
    const [sort, way] = box.value.split(" ");
    choice.sort = sort;
    choice.down = way === "down";
    changed(true);
  });
  return box;
}
