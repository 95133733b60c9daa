/**
 * A dialog at the side or in the middle: the page behind it is inert, Tab stays inside,
 * Esc closes it, and focus goes back to where it was.
 */

import { el } from "./dom.js";

const FOCUSABLE =
  "a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), " +
  "textarea:not([disabled]), summary, [tabindex='0']";

/**
 * @param {object} options
 * @param {string} options.title
 * @param {"drawer"|"centre"} [options.shape]
 * @param {() => boolean} [options.mayClose] false keeps it open
 * @param {() => void} [options.closed]
 */
export function openDialog({ title, shape = "centre", mayClose = () => true, closed = () => {} }) {
  const before = document.activeElement;
  const heading = el("h2", { id: `${shape}-title`, tabindex: -1 }, title);
  const close = () => {
    if (mayClose()) node.close();
  };
  const head = el(
    "header",
    {},
    heading,
    el("button", { type: "button", class: "icon close", "aria-label": "Close", on: { click: close } }, "×"),
  );
  const body = el("div", { class: "body" });
  const foot = el("footer", {});
  const node = el("dialog", { class: shape, "aria-labelledby": heading.id }, head, body, foot);
  node.addEventListener("cancel", (event) => {
    event.preventDefault();
    close();
  });
  node.addEventListener("keydown", (event) => keepInside(event, node));
  node.addEventListener("close", () => {
    node.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
    closed();
  });
  document.body.append(node);
  node.showModal();
  heading.focus();
  return { node, head, body, foot, heading, close, shut: () => node.close() };
}

function keepInside(event, node) {
  if (event.key === "Escape") {
    // Chromium closes a dialog on a second Esc whatever "cancel" says.
    event.preventDefault();
    event.stopPropagation();
    node.dispatchEvent(new Event("cancel", { cancelable: true }));
    return;
  }
  if (event.key !== "Tab") return;
  const inside = [...node.querySelectorAll(FOCUSABLE)].filter((one) => one.offsetParent !== null);
  const [first, last] = [inside[0], inside.at(-1)];
  if (event.shiftKey && (document.activeElement === first || !inside.includes(document.activeElement))) {
    event.preventDefault();
    last?.focus();
  } else if (!event.shiftKey && document.activeElement === last) {
    event.preventDefault();
    first?.focus();
  }
}
