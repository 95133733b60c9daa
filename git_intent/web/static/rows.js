/** All requirements as table rows, read once and again after every change. */

import { get } from "./api.js";
import { searchable } from "./filter.js";

/** @type {import("./types.js").Row[]} */
let rows = [];
/** @type {import("./types.js").Issue[]} */
let issues = [];
let loaded = false;
/** @type {Set<() => void>} */
const watchers = new Set();

export const all = () => rows;
export const problems = () => issues;
export const ready = () => loaded;

/** @param {string} id */
export const byRequirement = (id) => rows.find((row) => row.id === id);

export async function loadRows() {
  const body = await get("/api/requirements");
  rows = body.requirements.map(searchable);
  issues = body.issues ?? [];
  loaded = true;
  for (const act of watchers) act();
}

/** @param {() => void} act @returns {() => void} to stop watching */
export function watchRows(act) {
  watchers.add(act);
  return () => watchers.delete(act);
}
