/** A unified diff, and two texts side by side, as rows of text. */

import { el } from "./dom.js";

const MOST = 2000;

/** @param {string} text */
export function unified(text) {
  const lines = text.replace(/\n$/, "").split("\n");
  const rows = lines.slice(0, MOST).map((line) => el("span", { class: lineKind(line) }, `${line}\n`));
  if (lines.length > MOST) rows.push(el("span", { class: "hunk" }, `… ${lines.length - MOST} more lines`));
  return el("pre", { class: "diff", tabindex: 0, "aria-label": "Difference" }, rows);
}

function lineKind(line) {
  if (/^(---|\+\+\+|diff |index |new file)/.test(line)) return "meta";
  if (line.startsWith("@@")) return "hunk";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}

/**
 * Two versions of a file; lines that only one has are marked.
 * @param {[string, string]} ours title and text
 * @param {[string, string]} theirs
 */
export function sideBySide(ours, theirs) {
  return el("div", { class: "versions" }, version(ours, theirs[1], "added"), version(theirs, ours[1], "removed"));
}

function version([title, text], other, kind) {
  const others = new Set(other.split("\n"));
  const lines = text.replace(/\n$/, "").split("\n").slice(0, MOST);
  return el(
    "section",
    { class: "version", "aria-label": title },
    el("h4", {}, title),
    el(
      "pre",
      { class: "diff", tabindex: 0, "aria-label": title },
      lines.map((line) => {
        const only = !others.has(line);
        return el("span", { class: only ? kind : "same" }, `${only ? "▸ " : "  "}${line}\n`);
      }),
    ),
  );
}
