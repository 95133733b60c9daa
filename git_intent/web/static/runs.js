/**
 * Runs: which requirement was told to which task, and which task was told what.
 *
 * Both ways are folded from the same records, so they agree by being one list.
 */

import { at, get } from "./api.js";
import { failure } from "./announce.js";
import { requirementLink, statusBadge } from "./badges.js";
import { injectionChart } from "./chart.js";
import { count, el, later, replace, short, when } from "./dom.js";
import { href } from "./router.js";

const FIRST = 60;

let root;
let seen = { runs: [], requirements: [], scans: [], issues: [] };
let find = "";

/** @type {import("./types.js").View} */
export const view = {
  title: "Runs",
  mount(into, route) {
    root = into;
    find = route.query.get("find") ?? "";
    replace(root, el("p", { class: "loading" }, "Loading …"));
    load(route);
  },
  show(route) {
    if (route.query.has("find")) {
      find = route.query.get("find");
      draw();
    }
    openRun(route);
  },
  leave: () => openRun({ view: "runs", rest: [] }),
  move(step) {
    const items = [...root.querySelectorAll("a.item")].filter((one) => one.offsetParent);
    const now = items.indexOf(document.activeElement);
    const wanted = step === "first" ? 0 : step === "last" ? items.length - 1 : now + step;
    items[Math.max(0, Math.min(items.length - 1, wanted))]?.focus();
  },
  keys: { "/": () => root.querySelector("input[type=search]")?.focus() },
};

async function load(route) {
  try {
    const [told, scans] = await Promise.all([get(at(["runs"])), get(at(["scans"]))]);
    seen = { runs: told.runs, requirements: told.requirements, scans: scans.scans, issues: told.issues ?? [] };
    draw();
  } catch (error) {
    replace(root, failure(error));
  }
  openRun(route);
}

async function openRun({ view: name, rest }) {
  const { showRun, closeRun } = await import("./run.js");
  if (rest[0]) showRun(name, rest[0]);
  else closeRun();
}

function draw() {
  const parts = el("div", { class: "sections" });
  const search = el("input", {
    type: "search", value: find, placeholder: "Filter by id, text or task", "aria-label": "Filter runs", "aria-keyshortcuts": "/",
  });
  search.addEventListener("input", later(() => {
    find = search.value;
    fill(parts);
  }, 80));
  replace(
    root,
    el(
      "div",
      { class: "page" },
      el("div", { class: "headline" }, el("h1", {}, "Runs"), search),
      el("p", { class: "lead" }, "What was told to each task and chat, as recorded with it."),
      seen.issues.length > 0 && el(
        "ul",
        { class: "notice warning broken" },
        seen.issues.map((one) => el("li", {}, el("code", {}, one.path), " ", one.message)),
      ),
      parts,
    ),
  );
  fill(parts);
}

function fill(parts) {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text) => words.every((word) => text.toLowerCase().includes(word));
  const requirements = seen.requirements.filter((one) => has(`${one.id} ${one.statement} ${one.runs.join(" ")}`));
  const runs = seen.runs.filter((one) => has(`${one.run} ${one.state} ${idsOf(one).join(" ")}`));
  const scans = seen.scans.filter((one) => has(`${one.run} ${one.state}`));
  const told = requirements.filter((one) => one.count > 0);
  replace(
    parts,
    section("Requirements", requirements, told.length > 0 && injectionChart(told), requirementItem, "No requirement has been told to a task yet."),
    section("Tasks", runs, null, runItem, "No task is recorded. `git intent inject --run NAME` and the hooks of the hosts record them."),
    section("Scans", scans, null, scanItem, "No scan has run here yet."),
  );
}

function section(title, items, above, draw, none) {
  const list = el("ul", { class: "items" }, items.slice(0, FIRST).map(draw));
  const rest = items.slice(FIRST);
  const more = rest.length > 0 && el(
    "button",
    {
      type: "button", class: "small",
      on: {
        click: () => {
          list.append(...rest.splice(0, 500).map(draw));
          if (!rest.length) more.remove();
          else more.textContent = `Show more of ${rest.length}`;
        },
      },
    },
    `Show more of ${rest.length}`,
  );
  const id = `section-${title.toLowerCase()}`;
  return el(
    "section",
    { class: "section", "aria-labelledby": id },
    el("h2", { id }, title, el("span", { class: "number" }, items.length.toLocaleString("en"))),
    above,
    items.length ? list : el("p", { class: "help" }, none),
    more,
  );
}

const idsOf = (run) => [...new Set(run.steps.flatMap((step) => step.ids))];

function requirementItem(one) {
  return el(
    "li",
    { class: "told", "data-id": one.id },
    el(
      "p",
      { class: "line" },
      el("a", { class: "item mono", href: href("requirements", [one.id]) }, one.id),
      one.status !== "active" && statusBadge(one.status),
      one.status === "superseded" && el("span", { class: "help" }, "since"),
      el("span", { class: "count" }, one.count === 0 ? "never told" : count(one.count, "time")),
    ),
    el("p", {}, one.statement ? short(one.statement, 240) : "It is not in the store."),
    one.runs.length > 0 && el(
      "p",
      { class: "links" },
      "told to ",
      one.runs.slice(0, 12).map((run) => el("a", { href: href("runs", [run]) }, run)),
      one.runs.length > 12 && `and ${one.runs.length - 12} more`,
    ),
  );
}

function runItem(run) {
  const ids = idsOf(run);
  return el(
    "li",
    { class: "run", "data-run": run.run },
    el(
      "p",
      { class: "line" },
      el("a", { class: "item", href: href("runs", [run.run]) }, run.run),
      el("span", { class: "tag" }, run.state),
      run.opted_out && el("span", { class: "tag" }, "opted out"),
      when(run.started_at, true),
      el("span", { class: "count" }, count(run.steps.length, "step")),
    ),
    ids.length
      ? el("p", { class: "links" }, "was told ", ids.slice(0, 20).map(requirementLink), ids.length > 20 && `and ${ids.length - 20} more`)
      : el("p", { class: "help" }, "no requirements"),
  );
}

function scanItem(scan) {
  return el(
    "li",
    { class: "run" },
    el(
      "p",
      { class: "line" },
      el("a", { class: "item mono", href: href("scans", [scan.run]) }, scan.run),
      el("span", { class: "tag" }, scan.state),
      scan.commit && el("span", { class: "mono" }, scan.commit.slice(0, 8)),
      el("span", { class: "count" }, count((scan.steps ?? []).length, "step")),
    ),
    scan.error && el("p", { class: "error" }, short(scan.error, 300)),
  );
}
