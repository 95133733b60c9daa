/** The commits that made one requirement what it is; read when it is opened. */

import { at, get } from "./api.js";
import { failure } from "./announce.js";
import { el, replace, when } from "./dom.js";
import { openSource } from "./source_link.js";

/** @param {string} id */
export function history(id) {
  const list = el("div", {}, el("p", { class: "loading" }, "Loading …"));
  const node = el("details", { class: "history" }, el("summary", {}, "History"), list);
  node.addEventListener("toggle", async () => {
    if (!node.open || node.dataset.read) return;
    node.dataset.read = "yes";
    try {
      replace(list, drawn(await get(at(["requirements", id, "history"]))));
    } catch (error) {
      replace(list, failure(error));
    }
  });
  return node;
}

function drawn({ commits, note }) {
  return [
    note && el("p", { class: "help" }, note),
    !commits.length && !note && el("p", { class: "help" }, "Not committed yet."),
    el("ol", { class: "commits" }, commits.map(commitItem)),
  ];
}

function commitItem(commit) {
  const show = () => openSource({ kind: "commit", oid: commit.oid });
  return el(
    "li",
    {},
    el("p", { class: "line" }, when(commit.date), " ", el("strong", {}, commit.subject)),
    el(
      "p",
      { class: "help" },
      el("button", { type: "button", class: "link mono", on: { click: show } }, commit.oid.slice(0, 8)),
      ` ${commit.author}`,
    ),
    commit.changes.length > 0 && el("ul", {}, commit.changes.map((text) => el("li", {}, text))),
  );
}
