/** Which rows are shown, and in which order. Values in, values out. */

const CONFIDENCE = { high: 0, medium: 1, low: 2 };
const STATUS = { active: 0, disabled: 1, superseded: 2 };

/**
 * A row with what is looked for and sorted by, worked out once.
 * @param {import("./types.js").Row} row
 */
export function searchable(row) {
  const words = [
    row.statement, row.id, row.kind, row.ref, row.level,
    ...row.domains, ...row.paths, ...row.languages,
  ];
  return { ...row, words: words.join("\n").toLowerCase() };
}

const KEYS = {
  statement: (row) => row.words,
  scope: (row) => (row.level === "project" ? "" : row.domains.join(" ") || "\uffff"),
  status: (row) => STATUS[row.status] ?? 9,
  confidence: (row) => CONFIDENCE[row.confidence] ?? 9,
  source: (row) => `${row.kind} ${row.ref}`,
  id: (row) => row.id,
  updated: (row) => row.updated,
};

/**
 * @typedef {object} Choice
 * @property {string} words each must be found in the row
 * @property {Set<string>} statuses
 * @property {string} domain "" for all
 * @property {string} sort a column
 * @property {boolean} down
 * @property {Map<string, number>|null} scores those found by meaning, and how near
 */

/**
 * @param {ReturnType<typeof searchable>[]} rows
 * @param {Choice} choice
 */
export function choose(rows, choice) {
  const words = choice.scores ? [] : choice.words.toLowerCase().split(/\s+/).filter(Boolean);
  const { scores } = choice;
  const order = scores ? rows : ordered(rows, choice.sort, choice.down);
  const found = order.filter(
    (row) =>
      choice.statuses.has(row.status) &&
      (!choice.domain || row.domains.includes(choice.domain)) &&
      (!scores || scores.has(row.id)) &&
      words.every((word) => row.words.includes(word)),
  );
  return scores ? found.sort((a, b) => scores.get(b.id) - scores.get(a.id)) : found;
}

/** The last order, kept: every letter that is typed filters, few change the order. */
let kept = { rows: null, by: "", order: [] };

function ordered(rows, sort, down) {
  const by = `${sort} ${down}`;
  if (kept.rows !== rows || kept.by !== by) {
    kept = { rows, by, order: sorted(rows, KEYS[sort] ?? KEYS.updated, down) };
  }
  return kept.order;
}

/** Equal ones stand by id, whichever way the column goes. */
function sorted(rows, key, down) {
  const keyed = rows.map((row) => ({ row, by: key(row) }));
  const way = down ? -1 : 1;
  keyed.sort((a, b) => {
    if (a.by < b.by) return -way;
    if (a.by > b.by) return way;
    return a.row.id < b.row.id ? -1 : 1;
  });
  return keyed.map((entry) => entry.row);
}
