/** Status, confidence, scope and source, shown by word and shape, not by colour alone. */

import { el } from "./dom.js";
import { href } from "./router.js";
import { openSource } from "./source_link.js";

const KINDS = { doc: "document", commit: "commit", transcript: "run", prompt: "task", user: "by hand" };

/** The style sheet gives each word its shape. */
export function statusBadge(status) {
  return el("span", { class: "status", "data-status": status }, status);
}

export function confidenceBadge(confidence) {
  return el("span", { class: "confidence", "data-confidence": confidence }, confidence);
}

/**
 * @param {import("./types.js").Row} row
 * @param {number} [most] further ones are counted
 */
export function scopeChips(row, most = Infinity) {
  const chips = row.level === "project" ? [["project", "project"]] : [];
  for (const name of row.domains) chips.push(["domain", name]);
  for (const path of row.paths) chips.push(["path", path]);
  for (const language of row.languages) chips.push(["language", language]);
  const shown = chips.slice(0, chips.length === most + 1 ? most + 1 : most);
  const rest = chips.slice(shown.length);
  return el(
    "span",
    { class: "chips" },
    shown.map(([kind, text]) =>
      el("span", { class: `chip ${kind}`, title: `${kind}: ${text}` }, text),
    ),
    rest.length > 0 &&
      el("span", { class: "chip more", title: rest.map(([, text]) => text).join(", ") }, `+${rest.length}`),
  );
}

/** Where it was said: a link if the place can be opened. */
export function sourceLink(row, tabbable = true) {
  const text = row.ref || KINDS[row.kind] || row.kind;
  const kind = el("span", { class: "kind" }, KINDS[row.kind] ?? row.kind);
  const said = row.kind === "commit" ? text.replace(/\b([0-9a-f]{8})[0-9a-f]{32}\b/, "$1") : text;
  if (!row.link) return el("span", { class: "source", title: text }, kind, row.ref ? said : "");
  return el(
    "a",
    {
      class: "source",
      href: linkHref(row.link),
      title: text,
      tabindex: tabbable ? null : -1,
      on: {
        click: (event) => {
          event.stopPropagation();
          if (row.link.kind !== "run" && plain(event)) {
            event.preventDefault();
            openSource(row.link);
          }
        },
      },
    },
    kind,
    el("span", { class: "ref" }, said),
  );
}

/** @param {import("./types.js").Link} link */
function linkHref(link) {
  if (link.kind === "doc") return href("doc", [link.path], { line: String(link.line ?? 1) });
  return link.kind === "commit" ? href("commit", [link.oid]) : href("runs", [link.run]);
}

const plain = (event) => !(event.ctrlKey || event.metaKey || event.shiftKey);

/** @param {string} id */
export function requirementLink(id) {
  return el("a", { class: "mono", href: href("requirements", [id]) }, id);
}
