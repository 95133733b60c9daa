/** The Intent view: every requirement in a table, one of them in the drawer. */

import { confidenceBadge, scopeChips, sourceLink, statusBadge } from "./badges.js";
import { count, el, replace, short, when } from "./dom.js";
import { choose } from "./filter.js";
import { project } from "./project.js";
import { current, go, href } from "./router.js";
import { all, byRequirement, problems, ready, watchRows } from "./rows.js";
import { VirtualTable } from "./table.js";
import { toolbar } from "./toolbar.js";

const COLUMNS = [
  { key: "statement", label: "Statement" },
  { key: "scope", label: "Scope" },
  { key: "status", label: "Status" },
  { key: "confidence", label: "Confidence" },
  { key: "source", label: "Source" },
  { key: "updated", label: "Id, updated" },
];

/** @type {VirtualTable<import("./types.js").Row>} */
let table;
/** @type {ReturnType<typeof toolbar>} */
let tools;
let notices;
let stop = () => {};

/** @type {import("./types.js").View} */
export const view = {
  title: "Requirements",
  mount(root, route) {
    tools = toolbar({ domain: route.query.get("domain") ?? "", changed: draw });
    table = new VirtualTable({
      label: "Requirements", columns: COLUMNS, cells, mark,
      key: (row) => row.id,
      open: (row) => go("requirements", [row.id]),
      sort: sortBy,
    });
    notices = el("div", { class: "notices" });
    const add = el(
      "button",
      { type: "button", id: "new", class: "writes", "aria-keyshortcuts": "n", on: { click: () => go("requirements", ["new"]) } },
      "New",
    );
    tools.node.append(add);
    const scrolled = root.querySelector(".table")?.scrollTop ?? 0;
    replace(root, el("h1", { class: "hidden-text" }, "Requirements"), tools.node, notices, table.node);
    stop = watchRows(refresh);
    refresh();
    table.node.scrollTop = scrolled;
    view.show(route);
  },
  show(route) {
    const [id] = route.rest;
    if (id) openDrawer(id);
    else closeDrawer();
  },
  leave() {
    closeDrawer();
    stop();
    table.close();
  },
  move: (step) => table.move(step),
  open: () => table.open(),
  refresh,
  focus: () => table.node.focus({ preventScroll: true }),
  keys: {
    "/": () => tools.field.focus(),
    n: () => project().read_only || go("requirements", ["new"]),
    x: () => tools.toggleHidden(),
  },
};

function refresh() {
  const names = new Set(project().domains);
  const counts = {};
  for (const row of all()) {
    for (const name of row.domains) names.add(name);
    counts[row.status] = (counts[row.status] ?? 0) + 1;
  }
  tools.known([...names].sort(), counts);
  replace(notices, brokenFiles());
  draw(false);
}

/** The scores that the rows show. */
let scored = null;

function draw(top) {
  const rows = choose(all(), tools.choice);
  table.sorted(tools.choice.scores ? "" : tools.choice.sort, tools.choice.down);
  tools.ordered();
  table.set(rows, { top, anew: tools.choice.scores !== scored });
  scored = tools.choice.scores;
  const shown = rows.length.toLocaleString("en");
  tools.say(ready() ? `${shown} of ${all().length.toLocaleString("en")}` : "Loading …");
  drawEmpty(rows.length);
}

function sortBy(column) {
  const { choice } = tools;
  choice.down = choice.sort === column ? !choice.down : column === "updated";
  choice.sort = column;
  draw(true);
}

/** Nothing to show is said, and what to do about it. */
function drawEmpty(length) {
  table.node.parentNode.querySelector(".empty")?.remove();
  if (length || !ready()) return;
  const text = all().length
    ? "No requirement is like this. Clear the filter, or show the disabled and superseded ones."
    : "There are no requirements yet. “Scan now” looks for them in documents, commits and chats; “New” writes one by hand.";
  table.node.after(el("p", { class: "empty" }, text));
}

function brokenFiles() {
  const issues = problems();
  if (!issues.length) return null;
  return el(
    "details",
    { class: "notice warning" },
    el("summary", {}, `${count(issues.length, "problem")} in the store: what cannot be read is not in this table`),
    el("ul", {}, issues.slice(0, 200).map((one) => el("li", {}, el("code", {}, place(one)), " ", one.message))),
  );
}

const place = (issue) => (issue.line ? `${issue.path}:${issue.line}` : issue.path);

function cells(row) {
  const score = tools.choice.scores?.get(row.id);
  return [
    [
      el(
        "div",
        { class: "clamp" },
        score !== undefined && el("span", { class: "score" }, score.toFixed(2)),
        short(row.statement),
        row.user_edited && el("span", { class: "tag", title: "a person has edited statement or scope" }, "edited"),
      ),
    ],
    [scopeChips(row, 3)],
    [statusBadge(row.status), row.superseded_by && el("span", { class: "by mono" }, row.superseded_by)],
    [confidenceBadge(row.confidence)],
    [sourceLink(row, false)],
    [el("span", { class: "mono" }, row.id), when(row.updated)],
  ];
}

function mark(row, node) {
  node.dataset.status = row.status;
  node.dataset.id = row.id;
}

async function openDrawer(id) {
  const { showRequirement } = await import("./requirement.js");
  const { view: name, rest, query } = current();
  if (name !== "requirements" || rest[0] !== id) return;
  const row = byRequirement(id);
  if (row && row.status !== "active" && !tools.choice.statuses.has(row.status)) {
    tools.show([row.status]);
    draw(false);
  }
  table.select(id);
  await showRequirement(id, query.get("from") ?? "");
}

async function closeDrawer() {
  if (!document.querySelector("dialog.drawer[open]")) return;
  const { closeRequirement } = await import("./requirement.js");
  closeRequirement();
}

/** @param {string} domain */
export const domainHref = (domain) => href("requirements", [], { domain });
