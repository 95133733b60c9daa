/** Where a chat stands, drawn from the ledger's live state (`current.json`). */

import { count, el, short, when } from "./dom.js";

const FIRST = { BLOCKED: 0, ACTIVE: 1, OPEN: 2 };
const EMPTY = {
  contract: null, outcomes: {}, unknown_effects: [], pending_actions: [], gaps: [],
  pending_sources: [], next_work: null, status: "",
};

/** @param {{chat: string, current: any, objective_text: string, inbox: any[], unproven: any[]}} found */
export function state({ chat, current, objective_text: text, inbox = [], unproven = [] }) {
  const now = { ...EMPTY, ...current };
  const contract = now.contract ?? {};
  return el(
    "div",
    { class: "state-of-chat" },
    el("h2", {}, short(chat, 80), now.status && el("span", { class: "tag" }, now.status)),
    block("Not proved", unproven.map(doubt)),
    block("Objective", clauses(contract.objective), "No objective is stated."),
    outcomes(contract, now),
    block("Unsettled effects", effects(now), "None: what every action did is known."),
    block("Gaps", now.gaps.filter((gap) => gap.state === "OPEN").map(gap), "None: every prompt is kept."),
    block("Prompts that wait to be classified", [...now.pending_sources, ...inbox].map(prompt)),
    block("Next work", now.next_work?.items ?? []),
    block("Constraints", clauses(contract.constraints)),
    block("Prohibitions", clauses(contract.prohibitions)),
    block("Policies", clauses(contract.policies)),
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
    entries.length
      ? el("ul", { class: "clauses" }, entries.map((entry) => el("li", {}, entry)))
      : el("p", { class: "help" }, none),
  );
}

const list = (value) => (Array.isArray(value) ? value : value ? [value] : []);
const named = (id) => el("span", { class: "mono id" }, id);

function clauses(given) {
  return list(given).map((clause) => [named(clause.id), " ", clause.text]);
}

/** Outcomes with their text from the contract and their state from the journal. */
function outcomes(contract, { outcomes: states }) {
  const all = list(contract.outcomes).map((clause) => ({ ...clause, ...states[clause.id] }));
  const done = all.filter((one) => one.state === "DONE");
  const open = all.filter((one) => one.state !== "DONE").sort((a, b) => FIRST[a.state] - FIRST[b.state]);
  return [
    block("Open outcomes", open.map(outcome), done.length ? "All outcomes are done." : "None."),
    done.length > 0 && el(
      "details",
      {},
      el("summary", {}, `${count(done.length, "outcome")} done`),
      el("ul", { class: "clauses" }, done.map((one) => el("li", {}, outcome(one)))),
    ),
  ];
}

function outcome(one) {
  return [
    el("span", { class: "tag", "data-state": one.state }, one.state),
    " ",
    named(one.id),
    " ",
    one.text,
    list(one.blockers).map((blocker) => el("p", { class: "help" }, `blocked: ${text(blocker)}`)),
  ];
}

const text = (value) => (typeof value === "string" ? value : JSON.stringify(value));

function effects({ unknown_effects: unknown, pending_actions: pending }) {
  const one = (action, word) => [
    el("span", { class: "tag" }, word),
    " ",
    named(action.id),
    ` ${[action.tool, action.what, action.note].filter(Boolean).join(" · ")} `,
    el("span", { class: "help" }, when(action.at, true)),
  ];
  return [...unknown.map((a) => one(a, "effect unknown")), ...pending.map((a) => one(a, "under way"))];
}

function prompt(source) {
  return [named(short(source.id, 20)), ` ${count(source.bytes ?? 0, "byte")} `, el("span", { class: "help" }, when(source.at, true))];
}

function gap(one) {
  return [named(short(one.id, 20)), ` ${[count(one.bytes ?? 0, "byte"), one.reason].filter(Boolean).join(" · ")}`];
}

function doubt(one) {
  const rests = one.claims.length ? ` ${one.claims.join(", ")}` : "";
  return [el("span", { class: "tag", "data-state": "BLOCKED" }, one.reason), ` ${one.kind} ${one.name}`, rests && el("p", { class: "help" }, `rests on it:${rests}`)];
}
