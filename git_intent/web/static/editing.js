/**
 * Changing one requirement: each change is shown as a diff of its file, with the hard
 * rule that forbids it, before it can be saved; a save on an older version is refused
 * and both versions are shown.
 */

import { ApiError, at, send } from "./api.js";
import { failed, say, toast } from "./announce.js";
import { sideBySide, unified } from "./diff.js";
import { el, later, replace } from "./dom.js";
import { requirementForm } from "./form.js";

const PAUSE = 250;

/**
 * @param {object} options
 * @param {{requirement: any, etag: string, path: string}} options.detail
 * @param {(detail: any) => void} options.saved
 * @param {() => void} options.reload throws the changes away
 * @param {() => void} options.cancel
 */
export function editing({ detail, saved, reload, cancel }) {
  const { id } = detail.requirement;
  let { etag } = detail;
  let asked = 0;
  const form = requirementForm(detail.requirement, { changed: () => touched() });
  const review = el("section", { class: "review", "aria-label": "What will change" });
  const save = el("button", { type: "button", class: "primary", disabled: true, on: { click: () => commit() } }, "Save");
  const close = el("button", { type: "button", on: { click: cancel } }, "Cancel");
  const state = el("p", { class: "state", role: "status" }, "No changes");

  const soon = later(ask, PAUSE);
  function touched() {
    asked++;
    save.disabled = true;
    soon();
  }

  /** Show the diff of what the form says now. */
  async function ask() {
    const mine = ++asked;
    const changes = form.changes();
    if (!Object.keys(changes).length) {
      replace(review);
      state.textContent = "No changes";
      return;
    }
    try {
      const answer = await send("POST", at(["requirements", id, "preview"]), { etag, changes });
      if (mine !== asked) return;
      replace(review, el("h3", {}, "What will change"), findings(answer), answer.diff && unified(answer.diff));
      save.disabled = !answer.allowed;
      state.textContent = answer.allowed ? `Changes ${detail.path}` : "A rule forbids this change";
    } catch (error) {
      if (mine === asked) refused(error);
    }
  }

  async function commit() {
    if (save.disabled) return;
    save.disabled = true;
    try {
      const answer = await send("PATCH", at(["requirements", id]), { etag, changes: form.changes() });
      toast(`Saved ${answer.path}. Nothing is staged: see git diff.`);
      saved(answer);
    } catch (error) {
      refused(error);
    }
  }

  function refused(error) {
    if (!(error instanceof ApiError)) return failed(error);
    if (error.status === 409) return conflict(error.body);
    if (error.status !== 422 && error.status !== 400) return failed(error);
    const { error: message, code, hint } = error.body;
    replace(review, findings({ violations: [{ message, code, hint }], warnings: [] }));
    state.textContent = "Not saved";
    return undefined;
  }

  function conflict(body) {
    const keep = () => {
      etag = body.etag;
      form.statement.control.focus();
      touched();
    };
    const heading = el("h3", { tabindex: -1 }, "Changed on disk meanwhile");
    replace(
      review,
      el(
        "div",
        { class: "notice warning", role: "alert" },
        heading,
        el("p", {}, "Nothing was saved. Choose what to go on with; lines that only one version has are marked."),
        el(
          "div",
          { class: "buttons" },
          el("button", { type: "button", on: { click: reload } }, "Take the version on disk"),
          el("button", { type: "button", on: { click: keep } }, "Put my change on top of it"),
        ),
      ),
      sideBySide(["Yours", body.yours ?? ""], ["On disk", body.theirs ?? ""]),
    );
    state.textContent = "Not saved: the file has changed";
    say("Not saved: the file has changed on disk");
    heading.focus();
  }

  return { form, review, foot: [state, close, save], commit, dirty: () => Object.keys(form.changes()).length > 0 };
}

/** What forbids a change, and what one should know about it. */
export function findings({ violations = [], warnings = [] }) {
  const one = (finding, kind) =>
    el(
      "div",
      { class: `notice ${kind}`, role: kind === "error" ? "alert" : null },
      el("p", {}, finding.code && el("strong", {}, `${finding.code} `), finding.message ?? String(finding)),
      finding.hint && el("p", { class: "help" }, finding.hint),
    );
  return [...violations.map((v) => one(v, "error")), ...warnings.map((w) => one(w, "warning"))];
}
