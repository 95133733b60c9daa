/** Messages: said to a screen reader, shown for a while where it matters. */

import { byId, el } from "./dom.js";

const SHOWN = 6000;

/** Say it to those who listen; nothing is shown. */
export function say(text) {
  byId("live").textContent = text;
}

/**
 * Show a message in the corner; an error stays until it is closed.
 * @param {string} text
 * @param {"note"|"error"} [kind]
 */
export function toast(text, kind = "note") {
  const close = () => note.remove();
  const note = el(
    "div",
    { class: `toast ${kind}` },
    el("p", {}, text),
    el("button", { type: "button", class: "icon", "aria-label": "Close message", on: { click: close } }, "×"),
  );
  byId("toasts").append(note);
  if (kind === "note") setTimeout(close, SHOWN);
}

/** What a promise ended with, shown unless it was called off. */
export function failed(error) {
  if (error?.name === "AbortError") return;
  toast(error.whole ?? String(error), "error");
}

/** The same within a view that cannot be drawn. */
export function failure(error) {
  return el(
    "div",
    { class: "notice error", role: "alert" },
    el("p", {}, el("strong", {}, error.message)),
    error.body?.hint && el("p", {}, error.body.hint),
  );
}
