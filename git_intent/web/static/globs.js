/** Path globs, each with the number of tracked files that it matches, told while typing. */

import { at, get } from "./api.js";
import { failed } from "./announce.js";
import { count, el, later } from "./dom.js";
import { markError } from "./fields.js";

const PAUSE = 200;
let number = 0;

/**
 * @param {object} options
 * @param {string} options.label
 * @param {string[]} options.globs
 * @param {() => void} options.changed
 */
export function globList({ label, globs, changed }) {
  const list = el("ul", { class: "globs" });
  const rows = [];
  const remove = (row) => {
    const place = rows.indexOf(row);
    rows.splice(place, 1);
    row.node.remove();
    (rows[place] ?? rows.at(-1))?.input.focus();
    changed();
  };
  const add = (glob) => {
    const row = globRow(glob, `Path ${rows.length + 1}`, changed, () => remove(row));
    rows.push(row);
    list.append(row.node);
    return row;
  };
  globs.forEach(add);
  const more = el(
    "button",
    { type: "button", class: "small", on: { click: () => add("").input.focus() } },
    "Add a path",
  );
  return {
    node: el("fieldset", { class: "field" }, el("legend", {}, label), list, more),
    values: () => rows.map((row) => row.input.value.trim()).filter(Boolean),
    /** Show the error beside the first of these that the text names. */
    fail(text) {
      const named = rows.find((row) => row.input.value && text.includes(row.input.value));
      (named ?? rows[0])?.fail(text);
    },
    valid: () => rows.every((row) => !row.input.hasAttribute("aria-invalid")),
  };
}

function globRow(glob, label, changed, remove) {
  const id = `glob-${++number}`;
  const input = el("input", {
    type: "text", id, value: glob, "aria-label": label, spellcheck: "false",
    autocomplete: "off", placeholder: "src/**",
  });
  const files = el("output", { class: "files", for: id, id: `${id}-files` });
  const error = el("p", { class: "error", id: `${id}-error`, role: "alert" });
  const fail = (text) => {
    error.textContent = text;
    markError(input, text, [files.id, text && error.id]);
  };
  let asked = 0;
  const ask = async () => {
    const mine = ++asked;
    const wanted = input.value.trim();
    if (!wanted) {
      files.textContent = "";
      fail("");
      return;
    }
    try {
      const found = await get(at(["globs"], { glob: wanted }));
      if (mine !== asked) return;
      files.textContent = found.error ? "" : count(found.files, "file");
      fail(found.error ?? "");
      changed();
    } catch (problem) {
      failed(problem);
    }
  };
  const soon = later(ask, PAUSE);
  input.addEventListener("input", () => {
    soon();
    changed();
  });
  if (glob) ask();
  const node = el(
    "li",
    {},
    el("div", { class: "glob" }, input, files, el(
      "button",
      { type: "button", class: "icon", "aria-label": `Remove ${label}`, on: { click: remove } },
      "×",
    )),
    error,
  );
  return { node, input, fail };
}
