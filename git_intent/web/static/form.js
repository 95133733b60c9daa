/** The fields of a requirement, and what has been changed in them. */

import { el } from "./dom.js";
import { field, linesBox, linesOf, selectBox, tokenField } from "./fields.js";
import { globList } from "./globs.js";
import { project } from "./project.js";

const LEVELS = [["project", "whole project"], ["domain", "domains"]];
const STATUSES = [["active", "active"], ["disabled", "disabled"]];
const SUPERSEDED = [["superseded", "superseded"]];
const CONFIDENCES = [["high", "high"], ["medium", "medium"], ["low", "low"]];

export const BLANK = {
  statement: "", why: "", level: "project", domains: [], paths: [], languages: [],
  hints: [], status: "active", confidence: "high",
};

/**
 * @param {typeof BLANK} from
 * @param {{fresh?: boolean, changed: () => void}} options `fresh`: a new one has no hints
 */
export function requirementForm(from, { fresh = false, changed }) {
  const parts = controls(from, changed);
  const { statement, why, level, status, confidence, hints, domains, languages, paths } = parts;
  const node = el(
    "form",
    { class: "form", novalidate: true, on: { submit: (event) => event.preventDefault(), input: changed } },
    el(
      "fieldset",
      { class: "plain", disabled: project().read_only },
      statement.node,
      why.node,
      el(
        "fieldset",
        { class: "group" },
        el("legend", {}, "Scope"),
        level.node,
        domains.node,
        languages.node,
        paths.node,
      ),
      !fresh && hints.node,
      el("div", { class: "pair" }, !fresh && status.node, !fresh && confidence.node),
    ),
  );
  const values = () => ({
    statement: statement.control.value,
    why: why.control.value,
    scope: {
      level: level.control.value,
      domains: domains.values(),
      paths: paths.values(),
      languages: languages.values(),
    },
    hints: linesOf(hints.control),
    status: status.control.value,
    confidence: confidence.control.value,
  });
  const first = JSON.stringify(values());
  return {
    node,
    values,
    statement,
    /** Only what differs from the beginning. */
    changes() {
      const before = JSON.parse(first);
      return Object.fromEntries(
        Object.entries(values()).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
      );
    },
  };
}

function controls(from, changed) {
  const statuses = from.status === "superseded" ? [...SUPERSEDED, ...STATUSES] : STATUSES;
  return {
    statement: field("Statement", el("textarea", { rows: 3, name: "statement", value: from.statement, required: true }), "What holds. This is what an agent reads."),
    why: field("Why", el("textarea", { rows: 2, name: "why", value: from.why ?? "" })),
    level: field("Holds for", selectBox(LEVELS, from.level)),
    status: field("Status", selectBox(statuses, from.status)),
    confidence: field("Confidence", selectBox(CONFIDENCES, from.confidence)),
    hints: field("Hints", linesBox(from.hints ?? []), "One a line: how a task might put it. Used to find it, never shown to an agent."),
    domains: tokenField({ label: "Domains", values: from.domains, known: project().domains, changed }),
    languages: tokenField({ label: "Languages", values: from.languages, known: [], changed }),
    paths: globList({ label: "Paths", globs: from.paths, changed }),
  };
}
