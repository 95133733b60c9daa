/** The ledger of a chat: what it is for, what is open, and how it came to that. */

import { at, get } from "./api.js";
import { failure } from "./announce.js";
import { count, el, replace, short, when } from "./dom.js";
import { state } from "./ledger_state.js";
import { go, href } from "./router.js";
import { timeline } from "./timeline.js";

/** The list and the chat stand below each other. */
const NARROW = "(width <= 760px)";

let root;
let chats = [];
let shown = "";

/** @type {import("./types.js").View} */
export const view = {
  title: "Ledger",
  mount(into, route) {
    root = into;
    shown = "";
    replace(root, el("p", { class: "loading" }, "Loading …"));
    load(route);
  },
  show: (route) => draw(route.rest[0]),
  move(step) {
    const items = [...root.querySelectorAll(".chats a")];
    const now = items.findIndex((one) => one === document.activeElement || one.getAttribute("aria-current"));
    const wanted = step === "first" ? 0 : step === "last" ? items.length - 1 : now + step;
    const next = items[Math.max(0, Math.min(items.length - 1, wanted))];
    if (!next) return;
    next.focus();
    go("ledger", [next.dataset.chat]);
  },
};

async function load(route) {
  try {
    ({ chats } = await get(at(["ledger"])));
    frame();
    draw(route.rest[0] ?? (matchMedia(NARROW).matches ? undefined : chats[0]?.key));
  } catch (error) {
    replace(root, failure(error));
  }
}

function frame() {
  const none = "No chat has a ledger yet. `git intent install` sets the hooks up that keep one.";
  replace(
    root,
    el(
      "div",
      { class: "page" },
      el("div", { class: "headline" }, el("h1", {}, "Ledger"), el("span", { class: "number" }, count(chats.length, "chat"))),
      chats.length
        ? el(
            "div",
            { class: "split" },
            el("nav", { class: "chats", "aria-label": "Chats" }, el("ul", {}, chats.map(chatItem))),
            el("div", { class: "chat" }),
          )
        : el("p", { class: "empty" }, none),
    ),
  );
}

function chatItem(chat) {
  return el(
    "li",
    {},
    el(
      "a",
      { href: href("ledger", [chat.key]), "data-chat": chat.key },
      el("strong", {}, short(chat.chat, 60)),
      el("span", { class: "what" }, short(chat.objective || "no objective yet", 120)),
      chat.error && el("span", { class: "error" }, short(chat.error, 160)),
      el(
        "span",
        { class: "numbers" },
        number(chat.open_outcomes, "open outcome"),
        number(chat.effects, "unsettled effect"),
        number(chat.gaps, "gap"),
        when(chat.updated, true),
      ),
    ),
  );
}

/** A list or its length. */
function number(value, noun) {
  const amount = Array.isArray(value) ? value.length : Number(value ?? 0);
  return amount ? el("span", { class: "tag" }, count(amount, noun)) : null;
}

async function draw(key) {
  if (!chats.length || key === shown) return;
  shown = key ?? "";
  for (const link of root.querySelectorAll(".chats a")) {
    if (link.dataset.chat === key) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  const place = root.querySelector(".chat");
  if (!key) return replace(place);
  replace(place, el("p", { class: "loading" }, "Loading …"));
  try {
    const found = await get(at(["ledger", key]));
    if (shown !== key) return;
    replace(place, state(found), timeline(key));
    if (matchMedia(NARROW).matches) place.scrollIntoView();
  } catch (error) {
    replace(place, failure(error));
  }
}
