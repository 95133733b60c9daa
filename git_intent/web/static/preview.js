/** Preview: the block that a task would get, and why each requirement is in or out. */

import { send } from "./api.js";
import { failure } from "./announce.js";
import { requirementLink } from "./badges.js";
import { count, el, replace, short } from "./dom.js";
import { field, linesBox, linesOf } from "./fields.js";

/** Kept while the page is open, so that one can look elsewhere and come back. */
const asked = { task: "", paths: [], workflow: "", step: "" };
let answer = null;

/** @type {import("./types.js").View} */
export const view = {
  title: "Preview",
  mount(root) {
    const task = field("Task", el("textarea", { rows: 4, name: "task", value: asked.task }), "What an agent is about to be asked to do.");
    const paths = field("Paths", linesBox(asked.paths), "One a line: files that the work is about. May be empty.");
    const workflow = field("Workflow", el("input", { type: "text", name: "workflow", value: asked.workflow, spellcheck: "false" }));
    const step = field("Step", el("input", { type: "text", name: "step", value: asked.step, spellcheck: "false" }));
    const result = el("div", { class: "result", "aria-live": "polite" });
    const run = el("button", { type: "submit", class: "primary", "aria-keyshortcuts": "Control+Enter" }, "Preview");
    const ask = async () => {
      Object.assign(asked, {
        task: task.control.value, paths: linesOf(paths.control),
        workflow: workflow.control.value.trim(), step: step.control.value.trim(),
      });
      run.disabled = true;
      try {
        const given = Object.entries(asked).filter(([name, value]) => name === "task" || value.length);
        answer = await send("POST", "/api/preview", Object.fromEntries(given));
        replace(result, drawn(answer));
      } catch (error) {
        replace(result, failure(error));
      }
      run.disabled = false;
    };
    const form = el(
      "form",
      {
        class: "form ask", novalidate: true,
        on: {
          submit: (event) => {
            event.preventDefault();
            ask();
          },
          keydown: (event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) ask();
          },
        },
      },
      task.node,
      paths.node,
      el("div", { class: "pair" }, workflow.node, step.node),
      el("div", { class: "buttons" }, run),
    );
    replace(
      root,
      el(
        "div",
        { class: "page" },
        el("div", { class: "headline" }, el("h1", {}, "Preview")),
        el("p", { class: "lead" }, "Exactly what an agent would be told for a task, and why."),
        el("div", { class: "asking" }, form, result),
      ),
    );
    if (answer) replace(result, drawn(answer));
    task.control.focus();
  },
};

function drawn(found) {
  const out = found.lines.filter((line) => !line.included);
  const inside = found.lines.filter((line) => line.included);
  return [
    found.off && el("p", { class: "notice warning" }, typeof found.off === "string" ? found.off : "Injection is switched off: an agent is told nothing."),
    el(
      "div",
      { class: "meter" },
      el("label", { for: "budget" }, `${found.cost.toLocaleString("en")} of ${found.budget.toLocaleString("en")} tokens`),
      el("meter", { id: "budget", min: 0, max: found.budget, value: Math.min(found.cost, found.budget) }),
    ),
    found.block
      ? el("pre", { class: "block", tabindex: 0, "aria-label": "The block" }, found.block)
      : el("p", { class: "empty" }, "Nothing would be told."),
    lines("In", inside),
    lines("Out", out),
  ];
}

function lines(title, found) {
  if (!found.length) return null;
  return el(
    "section",
    { class: "section" },
    el("h2", {}, title, el("span", { class: "number" }, count(found.length, "requirement"))),
    el("ul", { class: "items lines" }, found.slice(0, 300).map(line)),
    found.length > 300 && el("p", { class: "help" }, `and ${found.length - 300} more`),
  );
}

function line(one) {
  return el(
    "li",
    { class: one.included ? "in" : "out", "data-id": one.id },
    el(
      "p",
      { class: "line" },
      el("span", { class: "mark", "aria-hidden": "true" }, one.included ? "✓" : "–"),
      requirementLink(one.id),
      one.score !== null && one.score !== undefined && el("span", { class: "score" }, one.score.toFixed(2)),
      one.stage && el("span", { class: "tag" }, one.stage),
      el("span", { class: "reason" }, one.reason),
    ),
    el("p", {}, short(one.statement, 200)),
  );
}
