/** Where a chat stands, drawn from the ledger's live state. */

import { count, el, short } from "./dom.js";

const OPEN_FIRST = { BLOCKED: 0, ACTIVE: 1, OPEN: 2, DONE: 3 };

/** @param {{current: any, objective_text: string, chat?: string}} found */
export function state({ current, objective_text: text, chat }) {
  const contract = current.contract ?? {};
  return el(
    "div",
    { class: "state-of-chat" },
    el("h2", {}, short(current.chat ?? chat ?? "", 80), current.status && el("span", { class: "tag" }, current.status)),
    block("Objective", clauses(contract.objective ?? current.objective), "No objective yet: no prompt has been classified."),
    outcomes(contract, current),
    block("Unsettled effects", effects(current), "None: every action's effect is known."),
    block("Gaps", (current.gaps ?? []).map(fact), "None: every prompt is kept."),
    block("Waiting to be classified", (current.pending_sources ?? []).map(fact)),
    block("Next work", work(current.next_work)),
    block("Constraints", clauses(contract.constraints ?? current.constraints)),
    block("Prohibitions", clauses(contract.prohibitions ?? current.prohibitions)),
    block("Policies", clauses(contract.policies ?? current.policies)),
    text && el(
      "details",
      {},
      el("summary", {}, "objective.txt, as an agent reads it"),
      el("pre", { class: "block", tabindex: 0, "aria-label": "objective.txt" }, text),
    ),
  );
}

/** A list under a heading; without entries, what that means, or nothing at all. */
function block(title, entries, none = "") {
  if (!entries.length && !none) return null;
  return el(
    "section",
    { class: "section" },
    el("h3", {}, title, entries.length > 1 && el("span", { class: "number" }, entries.length)),
    entries.length ? el("ul", { class: "clauses" }, entries.map((entry) => el("li", {}, entry))) : el("p", { class: "help" }, none),
  );
}

const list = (value) => (value === null || value === undefined ? [] : Array.isArray(value) ? value : [value]);

function clauses(given) {
  return list(given).map((clause) =>
    typeof clause === "string"
      ? clause
      : [clause.id && el("span", { class: "mono id" }, clause.id), " ", clause.text ?? ""],
  );
}

/** Outcomes with their text from the contract and their state from the journal. */
function outcomes(contract, current) {
  const states = current.outcomes ?? {};
  const known = Array.isArray(states)
    ? states
    : list(contract.outcomes).map((clause) => ({ ...clause, ...states[clause.id] }));
  const ordered = [...known].sort((a, b) => (OPEN_FIRST[a.state] ?? 2) - (OPEN_FIRST[b.state] ?? 2));
  const done = ordered.filter((one) => one.state === "DONE");
  const open = ordered.filter((one) => one.state !== "DONE");
  return [
    block("Open outcomes", open.map(outcome), done.length ? "All outcomes are done." : "None yet."),
    done.length > 0 && el("details", {}, el("summary", {}, `${count(done.length, "outcome")} done`), el("ul", { class: "clauses" }, done.map((one) => el("li", {}, outcome(one))))),
  ];
}

function outcome(one) {
  return [
    el("span", { class: "tag", "data-state": one.state ?? "OPEN" }, one.state ?? "OPEN"),
    " ",
    el("span", { class: "mono id" }, one.id),
    " ",
    one.text ?? "",
    list(one.blockers).map((blocker) => el("p", { class: "help" }, "blocked: ", typeof blocker === "string" ? blocker : fact(blocker))),
  ];
}

function effects(current) {
  if (Array.isArray(current.effects)) return current.effects.map(fact);
  return [
    ...list(current.unknown_effects).map((one) => [el("span", { class: "tag" }, "unknown"), " ", fact(one)]),
    ...list(current.pending_actions).map((one) => [el("span", { class: "tag" }, "running"), " ", fact(one)]),
  ];
}

function work(planned) {
  const items = planned?.items ?? planned;
  return list(items).map((item) => (typeof item === "string" ? item : fact(item)));
}

/** A record of the journal: its id, then what is plain text or a number in it. */
function fact(record) {
  if (typeof record === "string") return record;
  const { id, source, ...rest } = record;
  const told = Object.entries(rest).filter(([, value]) => ["string", "number"].includes(typeof value) && value !== "");
  return [
    el("span", { class: "mono id" }, short(String(id ?? source ?? ""), 20)),
    el(
      "span",
      { class: "pairs" },
      told.map(([name, value]) => el("span", {}, el("span", { class: "name" }, name.replaceAll("_", " ")), ` ${short(String(value), 90)}`)),
    ),
  ];
}
