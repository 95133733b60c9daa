/** One task's or scan's record, in the drawer. */

import { at, get } from "./api.js";
import { failure } from "./announce.js";
import { requirementLink } from "./badges.js";
import { openDialog } from "./dialog.js";
import { el, replace, when } from "./dom.js";
import { current, go } from "./router.js";
import { stepList, summary } from "./scan.js";
import { openSource } from "./source_link.js";

/** @type {{place: string, dialog: ReturnType<typeof openDialog>}|null} */
let open = null;

/** @param {string} kind "runs" or "scans" @param {string} name */
export async function showRun(kind, name) {
  const place = `${kind}/${name}`;
  if (open?.place === place) return;
  closeRun();
  const dialog = openDialog({
    title: name,
    shape: "drawer",
    closed: () => {
      if (open?.dialog !== dialog) return;
      open = null;
      const { view, rest } = current();
      if (view === kind && rest[0] === name) go("runs");
    },
  });
  open = { place, dialog };
  replace(dialog.body, el("p", { class: "loading" }, "Loading …"));
  try {
    const found = await get(at([kind, name]));
    if (open?.dialog === dialog) replace(dialog.body, kind === "scans" ? scanRecord(found) : runRecord(found));
  } catch (error) {
    replace(dialog.body, failure(error));
  }
}

export function closeRun() {
  const { dialog } = open ?? {};
  open = null;
  dialog?.shut();
}

function facts(entries) {
  return el(
    "dl",
    { class: "facts" },
    entries.map(([name, value]) => value && [el("dt", {}, name), el("dd", {}, value)]),
  );
}

/** A commit may be a branch's name in a record made by hand. */
function commitButton(oid) {
  if (!oid) return null;
  if (!/^[0-9a-f]{7,64}$/.test(oid)) return oid;
  return el("button", { type: "button", class: "link mono", on: { click: () => openSource({ kind: "commit", oid }) } }, oid.slice(0, 10));
}

function runRecord(run) {
  const blocks = run.blocks ?? [];
  return [
    facts([
      ["State", run.state],
      ["Begun", when(run.started_at, true)],
      ["Ended", when(run.ended_at, true)],
      ["From", commitButton(run.start)],
      ["To", commitButton(run.end)],
      ["Mined", run.opted_out ? "no: it opted out" : null],
    ]),
    el("h3", {}, "Prompt"),
    run.prompt ? el("pre", { class: "block", tabindex: 0, "aria-label": "Prompt" }, run.prompt) : el("p", { class: "help" }, "Not recorded."),
    el("h3", {}, "What each step was told"),
    !blocks.length && el("p", { class: "help" }, "No requirements."),
    blocks.map((block) =>
      el(
        "details",
        { class: "step" },
        el("summary", {}, `${block.workflow}:${block.step}`, " ", el("span", { class: "number" }, block.ids.length)),
        block.ids.length > 0 && el("p", { class: "links" }, block.ids.map(requirementLink)),
        el("pre", { class: "block", tabindex: 0, "aria-label": `Block of ${block.workflow}:${block.step}` }, block.text || "nothing"),
      ),
    ),
  ];
}

function scanRecord(found) {
  const scan = found.scan ?? found;
  return [
    facts([
      ["State", scan.state],
      ["Begun", when(scan.started_at, true)],
      ["Ended", when(scan.ended_at, true)],
      ["Commit", commitButton(scan.commit)],
    ]),
    scan.error && el("p", { class: "error" }, scan.error),
    el("h3", {}, "Steps"),
    stepList(scan),
    summary(scan.summary),
  ];
}
