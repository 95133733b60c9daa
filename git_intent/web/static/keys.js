/**
 * The keyboard: one letter, one act. A letter typed in a field stays a letter, and
 * while a dialog is open only the dialog's own keys count.
 */

import { el } from "./dom.js";
import { openDialog } from "./dialog.js";

const TYPED = new Set(["text", "search", "number", "email", "url", ""]);

/** @type {[string, string, string][]} keys, what they do, where */
const LIST = [
  ["i", "Requirements", "Go to"],
  ["d", "Domains", "Go to"],
  ["l", "Runs: which task was told what", "Go to"],
  ["p", "Preview: what an agent would be told", "Go to"],
  ["o", "Ledger: objective and journal of a chat", "Go to"],
  ["j k", "Next and previous row", "Lists"],
  ["g G", "First and last row", "Lists"],
  ["Enter", "Open the row", "Lists"],
  ["/", "Search", "Requirements"],
  ["n", "New requirement", "Requirements"],
  ["x", "Show or hide disabled and superseded ones", "Requirements"],
  ["Ctrl Enter", "Save, or run the preview", "Forms"],
  ["Esc", "Close; leave a field", "Everywhere"],
  ["s", "Scan now", "Everywhere"],
  ["S", "Scan all again", "Everywhere"],
  ["t", "Theme: system, light, dark", "Everywhere"],
  ["?", "These keys", "Everywhere"],
];

/** @param {Element|null} node */
export function isField(node) {
  if (!(node instanceof HTMLElement)) return false;
  if (node instanceof HTMLInputElement) return TYPED.has(node.type);
  return node.matches("textarea, select") || node.isContentEditable;
}

/**
 * @param {(key: string) => (() => unknown)|undefined} find the act of a key
 */
export function listen(find) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    const focused = document.activeElement;
    if (isField(focused)) {
      if (event.key === "Escape") focused.blur();
      return;
    }
    const pressable = focused?.matches("a, button, summary, input");
    if (pressable && (event.key === "Enter" || event.key === " ")) return;
    const act = find(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

export function showKeys() {
  const { body } = openDialog({ title: "Keys" });
  body.tabIndex = 0;
  body.classList.add("all-keys");
  for (const group of new Set(LIST.map(([, , where]) => where))) {
    const entries = LIST.filter(([, , where]) => where === group);
    body.append(
      el(
        "section",
        {},
        el("h3", {}, group),
        el(
          "dl",
          { class: "keys" },
          entries.map(([keys, what]) => [
            el("dt", {}, keys.split(" ").map((key) => el("kbd", {}, key))),
            el("dd", {}, what),
          ]),
        ),
      ),
    );
  }
}
