/** Form fields: a label, the control, help, and an error beside it. */

import { el, replace } from "./dom.js";

let number = 0;
const fresh = (name) => `${name}-${++number}`;

/**
 * A labelled control with room for an error that a screen reader ties to it.
 * @param {string} label @param {HTMLElement} control @param {string} [help]
 */
export function field(label, control, help = "") {
  control.id ||= fresh("field");
  const hint = help && el("p", { class: "help", id: `${control.id}-help` }, help);
  const error = el("p", { class: "error", id: `${control.id}-error`, role: "alert" });
  if (help) control.setAttribute("aria-describedby", hint.id);
  const node = el("div", { class: "field" }, el("label", { for: control.id }, label), control, hint, error);
  return {
    node,
    control,
    /** @param {string} text "" takes the error away */
    fail(text) {
      error.textContent = text;
      markError(control, text, [help && hint.id, text && error.id]);
    },
  };
}

/** @param {HTMLElement} control */
export function markError(control, text, describedBy) {
  if (text) control.setAttribute("aria-invalid", "true");
  else control.removeAttribute("aria-invalid");
  const ids = describedBy.filter(Boolean).join(" ");
  if (ids) control.setAttribute("aria-describedby", ids);
  else control.removeAttribute("aria-describedby");
}

/** @param {[string, string][]} options value and label */
export function selectBox(options, value) {
  return el(
    "select",
    {},
    options.map(([name, label]) => el("option", { value: name, selected: name === value }, label)),
  );
}

/** @param {string[]} lines @returns {HTMLTextAreaElement} */
export function linesBox(lines, rows = 2) {
  return el("textarea", { rows, value: lines.join("\n"), spellcheck: "false" });
}

/** The lines of a box that hold something. */
export const linesOf = (box) => box.value.split("\n").map((line) => line.trim()).filter(Boolean);

/**
 * Words as chips; Enter or a comma adds one, Backspace in the empty field takes the last.
 * @param {object} options
 * @param {string} options.label
 * @param {string[]} options.values
 * @param {string[]} options.known offered while typing
 * @param {() => void} options.changed
 */
export function tokenField({ label, values, known, changed }) {
  let tokens = [...values];
  const list = el("datalist", { id: fresh("known") }, known.map((name) => el("option", { value: name })));
  const input = el("input", {
    type: "text", id: fresh("tokens"), list: list.id, autocomplete: "off",
    spellcheck: "false", placeholder: "add …",
  });
  const chips = el("span", { class: "chips" });
  const draw = () => replace(chips, tokens.map((name) => chip(name)));
  const put = (next) => {
    tokens = next;
    draw();
    changed();
  };
  const chip = (name) =>
    el(
      "button",
      {
        type: "button", class: "chip removable", "aria-label": `Remove ${name}`,
        on: {
          click: () => {
            put(tokens.filter((other) => other !== name));
            input.focus();
          },
        },
      },
      name,
      el("span", { "aria-hidden": "true" }, " ×"),
    );
  const take = () => {
    const added = input.value.split(",").map((name) => name.trim()).filter(Boolean);
    input.value = "";
    if (added.length) put([...new Set([...tokens, ...added])]);
  };
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if ((event.key === "Enter" && !event.ctrlKey && !event.metaKey) || event.key === ",") {
      event.preventDefault();
      take();
    } else if (event.key === "Backspace" && !input.value && tokens.length) {
      put(tokens.slice(0, -1));
    }
  });
  input.addEventListener("change", take);
  draw();
  return {
    node: el(
      "div",
      { class: "field" },
      el("label", { for: input.id }, label),
      el("div", { class: "tokens" }, chips, input, list),
    ),
    values: () => tokens,
  };
}
