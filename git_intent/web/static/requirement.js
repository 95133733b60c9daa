/** The drawer of one requirement: its fields, where it comes from, its history. */

import { at, get, send } from "./api.js";
import { failed, failure, toast } from "./announce.js";
import { requirementLink, sourceLink, statusBadge } from "./badges.js";
import { openDialog } from "./dialog.js";
import { el, replace, when } from "./dom.js";
import { editing, findings } from "./editing.js";
import { BLANK, requirementForm } from "./form.js";
import { history } from "./history.js";
import { project } from "./project.js";
import { current, go, href, stayIf } from "./router.js";
import { loadRows } from "./rows.js";

/** @type {{id: string, dialog: ReturnType<typeof openDialog>}|null} */
let open = null;

/** @param {string} id or "new" */
export async function showRequirement(id) {
  if (open?.id === id) return;
  closeRequirement();
  const guard = { dirty: () => false, warned: false };
  const dialog = openDialog({
    title: id === "new" ? "New requirement" : id,
    shape: "drawer",
    mayClose: () => mayClose(guard, dialog),
    closed: () => {
      if (open?.dialog !== dialog) return;
      open = null;
      stayIf();
      const { view, rest } = current();
      if (view === "requirements" && rest[0] === id) go("requirements");
    },
  });
  open = { id, dialog };
  stayIf(() => !mayClose(guard, dialog));
  if (id === "new") return blank(dialog, guard);
  return load(id, dialog, guard);
}

export function closeRequirement() {
  const { dialog } = open ?? {};
  open = null;
  stayIf();
  dialog?.shut();
}

/** Changes are thrown away only when asked twice. */
function mayClose(guard, dialog) {
  if (!guard.dirty() || guard.warned) return true;
  guard.warned = true;
  const stay = () => {
    guard.warned = false;
    bar.remove();
    dialog.heading.focus();
  };
  const discard = el("button", { type: "button", class: "danger", on: { click: () => dialog.shut() } }, "Discard");
  const bar = el(
    "div",
    { class: "discard", role: "alert" },
    el("p", {}, "Your changes are not saved."),
    discard,
    el("button", { type: "button", on: { click: stay } }, "Go on editing"),
  );
  dialog.foot.before(bar);
  discard.focus();
  return false;
}

async function load(id, dialog, guard) {
  replace(dialog.body, el("p", { class: "loading" }, "Loading …"));
  try {
    const detail = await get(at(["requirements", id]));
    if (open?.dialog === dialog) draw(detail, dialog, guard);
  } catch (error) {
    replace(dialog.body, failure(error));
  }
}

function draw(detail, dialog, guard) {
  const { requirement } = detail;
  const again = async () => {
    guard.warned = false;
    dialog.heading.focus();
    await load(requirement.id, dialog, guard);
  };
  const edit = editing({
    detail,
    saved: () => {
      loadRows().catch(failed);
      again();
    },
    reload: again,
    cancel: dialog.close,
  });
  guard.dirty = edit.dirty;
  dialog.node.onkeydown = saveKey(edit.commit);
  replace(dialog.heading, el("span", { class: "mono" }, requirement.id), " ", statusBadge(requirement.status));
  replace(dialog.body, facts(detail), edit.form.node, edit.review, history(requirement.id));
  if (!project().read_only) replace(dialog.foot, ...edit.foot);
}

const saveKey = (act) => (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    act();
  }
};

function facts({ requirement, path }) {
  const { provenance = {}, supersedes = [] } = requirement;
  const entries = [
    ["Source", sourceLink(requirement)],
    ["Found", provenance.extracted_at && [when(provenance.extracted_at), provenance.extracted_by && ` by ${provenance.extracted_by}`]],
    ["File", el("code", {}, path)],
    ["Created", when(requirement.created)],
    ["Updated", when(requirement.updated)],
    ["Superseded by", requirement.superseded_by && requirementLink(requirement.superseded_by)],
    ["Supersedes", supersedes.length > 0 && supersedes.map((id) => [requirementLink(id), " "])],
    ["Edited", requirement.user_edited && "by a person: a scan leaves statement and scope alone"],
    ["Told to", el("a", { href: href("runs", [], { find: requirement.id }) }, "tasks and chats")],
  ];
  return el(
    "dl",
    { class: "facts" },
    entries.map(([name, value]) => value && [el("dt", {}, name), el("dd", {}, value)]),
  );
}

function blank(dialog, guard) {
  const errors = el("section", { class: "review", "aria-label": "What is wrong" });
  const form = requirementForm(BLANK, { fresh: true, changed: () => form.statement.fail("") });
  const add = async () => {
    const { statement, why, scope } = form.values();
    if (!statement.trim()) {
      form.statement.fail("Say what holds.");
      form.statement.control.focus();
      return;
    }
    try {
      const made = await send("POST", at(["requirements"]), { statement, why, scope });
      const { id } = made.requirement;
      toast(`Wrote ${made.path ?? id}. Nothing is staged: see git diff.`);
      await loadRows();
      closeRequirement();
      go("requirements", [id]);
    } catch (error) {
      if (error.status !== 422 && error.status !== 400) return failed(error);
      replace(errors, findings({ violations: [{ ...error.body, message: error.message }] }));
    }
  };
  guard.dirty = () => Object.keys(form.changes()).length > 0;
  replace(dialog.body, form.node, errors);
  if (project().read_only) return;
  dialog.node.onkeydown = saveKey(add);
  replace(
    dialog.foot,
    el("button", { type: "button", on: { click: dialog.close } }, "Cancel"),
    el("button", { type: "button", class: "primary", on: { click: add } }, "Add"),
  );
  form.statement.control.focus();
}
