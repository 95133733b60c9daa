/** Begins the page: the frame, the views, the keys. */

import { failed, failure, say } from "./announce.js";
import { byId, replace } from "./dom.js";
import { listen, showKeys } from "./keys.js";
import { loadProject } from "./project.js";
import { current, go, onRoute, viewOf } from "./router.js";
import { loadRows } from "./rows.js";
import { view as requirements } from "./requirements.js";
import { openSource } from "./source_link.js";
import { nextTheme, theme } from "./theme.js";

/** @type {Record<string, () => Promise<import("./types.js").View>>} */
const VIEWS = {
  requirements: async () => requirements,
  domains: async () => (await import("./domains.js")).view,
  runs: async () => (await import("./runs.js")).view,
  preview: async () => (await import("./preview.js")).view,
  ledger: async () => (await import("./ledger.js")).view,
};
const GO = { i: "requirements", d: "domains", l: "runs", p: "preview", o: "ledger" };

let name = "";
/** @type {import("./types.js").View|null} */
let shown = null;

/** @param {import("./types.js").Route} route */
async function show(route) {
  const wanted = viewOf(route);
  const anew = wanted !== name || route.query.has("domain");
  name = wanted;
  if (anew) {
    shown?.leave?.();
    shown = null;
    markTab();
    const view = await VIEWS[wanted]().catch(failed);
    if (!view || name !== wanted) return;
    shown = view;
    document.title = `${view.title} · Intent`;
    byId("main").dataset.view = wanted;
    view.mount(byId("main"), route);
    byId("main").inert = false;
    say(view.title);
  } else {
    shown?.show?.(route);
  }
  if (route.view === "doc" && route.rest[0]) {
    await openSource({ kind: "doc", path: route.rest[0], line: Number(route.query.get("line") ?? 1) });
  } else if (route.view === "commit" && route.rest[0]) {
    await openSource({ kind: "commit", oid: route.rest[0] });
  }
}

function markTab() {
  for (const tab of document.querySelectorAll(".tabs a")) {
    if (tab.dataset.view === name) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
}

/** Go to a view, and put the focus where its keys work. */
function visit(view) {
  go(view);
  if (name === view) (shown?.focus ?? (() => byId("main").focus()))();
  else byId("main").focus();
}

async function scan(full = false) {
  const { scanNow } = await import("./scan.js");
  await scanNow(full);
}

function turnTheme() {
  say(`Theme: ${nextTheme()}`);
  nameTheme();
}

function nameTheme() {
  byId("theme").setAttribute("aria-label", `Theme: ${theme()}`);
  byId("theme").title = `Theme: ${theme()}`;
}

function act(key) {
  if (key in GO) return () => visit(GO[key]);
  const acts = {
    "?": showKeys,
    s: () => scan(),
    S: () => scan(true),
    t: turnTheme,
    ...(shown?.move && moving(shown.move)),
    ...(shown?.open && { Enter: shown.open }),
    ...shown?.keys,
  };
  return Object.hasOwn(acts, key) ? acts[key] : undefined;
}

function moving(move) {
  return {
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    g: () => move("first"),
    G: () => move("last"),
  };
}

byId("intent").addEventListener("click", () => visit("requirements"));
byId("scan").addEventListener("click", (event) => scan(event.shiftKey));
byId("keys").addEventListener("click", showKeys);
byId("theme").addEventListener("click", turnTheme);
nameTheme();
listen(act);
onRoute((route) => show(route).catch(failed));

const rows = loadRows();
const facts = loadProject().catch(failed);
if (byId("main").inert) {
  // Rows came with the page: they stay until all of them can be shown.
  Promise.all([rows, facts]).then(() => show(current()), lost).catch(failed);
} else {
  rows.catch(lost);
  show(current()).catch(failed);
  facts.then(() => shown === requirements && requirements.refresh());
}
Promise.allSettled([rows, facts]).then(async () => (await import("./scan.js")).watchScan());

function lost(error) {
  replace(byId("main"), failure(error));
  byId("main").inert = false;
}
