/** Scan now, and what a scan is doing, as the server tells it while it happens. */

import { get, send } from "./api.js";
import { failed, say, toast } from "./announce.js";
import { byId, el, replace, when } from "./dom.js";
import { project } from "./project.js";
import { href } from "./router.js";
import { loadRows } from "./rows.js";

/** @type {import("./types.js").ScanState|null} */
let state = null;
/** @type {EventSource|null} */
let events = null;
let asked = false;
let dismissed = "";

const WORDS = { running: "running", done: "done", failed: "failed", idle: "not running" };

/** Listen while the page is in sight; a browser has few connections to give. */
export function watchScan() {
  const look = () => {
    if (document.hidden) {
      events?.close();
      events = null;
    } else if (!events) {
      events = new EventSource("/api/scan/events");
      events.addEventListener("state", (event) => told(JSON.parse(event.data)));
    }
  };
  document.addEventListener("visibilitychange", look);
  look();
}

/** @param {boolean} full */
export async function scanNow(full) {
  if (project().read_only) return;
  asked = true;
  dismissed = "";
  try {
    const begun = await send("POST", "/api/scan", full ? { full: true } : {});
    if (begun.already) toast(`A scan is running already: this is ${begun.run}.`);
    if (begun.run && state?.run !== begun.run) {
      told({ state: "running", run: begun.run, step: null, steps: [], started_at: null });
    }
    told(await get("/api/scan"));
  } catch (error) {
    failed(error);
  }
}

/** @param {import("./types.js").ScanState} next */
function told(next) {
  const before = state;
  // Between the last step and the end of the process no run is at work.
  if (before?.state === "running" && before.run && next.state === "running" && !next.run) return;
  const ended = before?.state === "running" && next.state !== "running";
  state = next;
  draw();
  if (ended) {
    say(`The scan is ${WORDS[next.state]}`);
    loadRows().catch(failed);
  }
}

function draw() {
  const running = state.state === "running";
  byId("scan").textContent = running ? "Scanning …" : "Scan now";
  byId("scan").classList.toggle("busy", running);
  byId("scan").title = state.last_scan_at ? `Last scan ${state.last_scan_at}` : "";
  const panel = byId("scan-panel");
  panel.hidden = !(running || asked) || state.state === "idle" || dismissed === named(state);
  if (panel.hidden) return;
  asked = true;
  panel.dataset.state = state.state;
  replace(
    panel,
    el(
      "p",
      { class: "line" },
      el("span", { class: "dot", "aria-hidden": "true" }),
      el("strong", {}, "Scan "),
      el("span", { class: "mono", id: "scan-run" }, state.run ?? ""),
      el("span", { class: "state", id: "scan-state", role: "status" }, WORDS[state.state] ?? state.state),
      running && state.step && el("span", { class: "help" }, state.step),
      state.run && el("a", { id: "scan-link", href: href("scans", [state.run]) }, "Open the run"),
      !running && el("button", { type: "button", class: "small", on: { click: () => scanNow(true) } }, "Scan all again"),
      el(
        "button",
        {
          type: "button", class: "icon", "aria-label": "Hide the scan",
          on: {
            click: () => {
              dismissed = named(state);
              panel.hidden = true;
            },
          },
        },
        "×",
      ),
    ),
    stepList(state),
    state.error && el("p", { class: "error" }, state.error),
    state.error && state.hint && el("p", { class: "help" }, state.hint),
    !running && summary(state.summary),
    state.started_at && el("p", { class: "help" }, "Begun ", when(state.started_at, true)),
  );
}

/** A scan that never came to a run has no other name. */
const named = (scan) => scan.run ?? "none";

/** @param {{step?: string|null, steps: [string, string][]}} scan */
export function stepList({ step, steps }) {
  const done = (steps ?? []).map(([name, result]) =>
    el("li", { "data-result": result }, el("span", {}, name), el("span", { class: "result" }, result)),
  );
  const current = step && !(steps ?? []).some(([name]) => name === step);
  return el(
    "ol",
    { class: "steps" },
    done,
    current && el("li", { "data-result": "running" }, el("span", {}, step), el("span", { class: "result" }, "running")),
  );
}

/** A sentence, or numbers by name. */
export function summary(told) {
  if (!told) return null;
  if (typeof told === "string") return el("p", { class: "summary" }, told);
  const entries = Object.entries(told).filter(([, value]) => value && !(Array.isArray(value) && !value.length));
  if (!entries.length) return el("p", { class: "summary" }, "Nothing new.");
  return el(
    "dl",
    { class: "summary facts" },
    entries.map(([name, value]) => [
      el("dt", {}, name.replaceAll("_", " ")),
      el("dd", {}, Array.isArray(value) ? value.map(shown).join(", ") : shown(value)),
    ]),
  );
}

const shown = (value) => (value !== null && typeof value === "object" ? JSON.stringify(value) : String(value));
