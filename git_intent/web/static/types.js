/**
 * The shapes that the server answers with, as /openapi.json describes them.
 *
 * @typedef {{kind: "doc", path: string, line: number}
 *   | {kind: "commit", oid: string}
 *   | {kind: "run", run: string}} Link
 *
 * @typedef {object} Row
 * @property {string} id
 * @property {string} statement the first paragraph, on one line
 * @property {"active"|"disabled"|"superseded"} status
 * @property {string} superseded_by
 * @property {"high"|"medium"|"low"} confidence
 * @property {boolean} user_edited
 * @property {"project"|"domain"} level
 * @property {string[]} domains
 * @property {string[]} paths
 * @property {string[]} languages
 * @property {string} kind
 * @property {string} ref
 * @property {Link|null} link
 * @property {string} updated
 *
 * @typedef {{level: string, domains: string[], paths: string[], languages: string[]}} Scope
 *
 * @typedef {{path: string, line: number|null, message: string}} Issue
 *
 * @typedef {object} ScanState
 * @property {"idle"|"running"|"done"|"failed"} state
 * @property {string|null} run
 * @property {string|null} step
 * @property {[string, string][]} steps
 * @property {string|null} started_at
 * @property {string|object|null} [summary]
 * @property {string|null} [error]
 * @property {string|null} [last_scan_at]
 *
 * @typedef {object} Route
 * @property {string} view
 * @property {string[]} rest what follows the view's name, decoded
 * @property {URLSearchParams} query
 *
 * @typedef {object} View
 * @property {string} title
 * @property {(root: HTMLElement, route: Route) => void} mount draws the view
 * @property {(route: Route) => void} [show] the route changed within the view
 * @property {() => void} [leave]
 * @property {(step: number | "first" | "last") => void} [move] j, k, g, G
 * @property {() => void} [open] Enter
 * @property {() => void} [focus] where the keys of the view work
 * @property {Record<string, () => void>} [keys] more keys of this view
 */

export {};
