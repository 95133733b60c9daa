/** The journal of a chat, the newest event first, older ones a page at a time. */

import { at, get } from "./api.js";
import { failure } from "./announce.js";
import { el, replace, short } from "./dom.js";

const PAGE = 30;

/** @param {string} chat */
export function timeline(chat) {
  const list = el("ol", { class: "timeline", reversed: true });
  const foot = el("div", { class: "buttons" });
  const more = el("button", { type: "button", class: "small older", on: { click: () => page() } }, "Older");
  let before;
  let day = "";

  async function page() {
    more.disabled = true;
    try {
      const { events, more: further } = await get(at(["ledger", chat, "events"], { before, limit: PAGE }));
      const newest = [...events].sort((a, b) => b.seq - a.seq);
      for (const event of newest) {
        const [date] = event.at.split("T");
        if (date !== day) list.append(el("li", { class: "day" }, date));
        day = date;
        list.append(item(event));
      }
      before = newest.at(-1)?.seq ?? before;
      replace(foot, further && more);
    } catch (error) {
      replace(foot, failure(error));
    }
    more.disabled = false;
  }

  page();
  return el("section", { class: "section" }, el("h3", {}, "Journal"), list, foot);
}

function item(event) {
  const who = [event.actor.kind, event.actor.host].filter(Boolean).join(" ");
  return el(
    "li",
    { class: "event", "data-type": event.type, "data-seq": event.seq },
    el("span", { class: "seq mono" }, event.seq),
    el("time", { class: "mono", datetime: event.at, title: event.at }, event.at.slice(11, 16)),
    el(
      "div",
      {},
      el("strong", {}, event.type),
      ` ${short(event.summary, 300)}`,
      el("span", { class: "who" }, ` ${who}`),
      event.details.map((line) => el("p", { class: "help" }, short(line, 400))),
    ),
  );
}
