/**
 * The place within the page, kept in the address after `#/`.
 *
 * `#/requirements/req-a3f8`, `#/runs/task-12`, `#/requirements?domain=cli`.
 */

const VIEWS = new Set(["requirements", "domains", "runs", "preview", "ledger"]);

/** The view that shows a place: sources are shown over the requirements.
 * @param {import("./types.js").Route} route */
export function viewOf({ view }) {
  if (view === "scans") return "runs";
  return VIEWS.has(view) ? view : "requirements";
}

/** @returns {import("./types.js").Route} */
export function current() {
  const [path, search = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const [view, ...rest] = path.split("/").map(decoded);
  return { view: view || "requirements", rest, query: new URLSearchParams(search) };
}

/** A broken escape in an address typed by hand is taken as it stands. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @param {string} view @param {string[]} [rest] @param {Record<string, string>} [query] */
export function href(view, rest = [], query = {}) {
  const search = new URLSearchParams(query).toString();
  const path = ["#", view, ...rest.map(encodeURIComponent)].join("/");
  return search ? `${path}?${search}` : path;
}

/** Go there; a second time is no new entry of the browser's history. */
export function go(view, rest = [], query = {}) {
  const target = href(view, rest, query);
  if (location.hash !== target) location.hash = target;
}

/** Says whether to stay where one is. */
let stays = () => false;
let settled = location.hash;

/** @param {() => boolean} [ask] asked before another place is shown; true stays */
export function stayIf(ask = () => false) {
  stays = ask;
}

/** @param {(route: import("./types.js").Route) => void} act */
export function onRoute(act) {
  addEventListener("hashchange", () => {
    const { hash } = location;
    if (hash !== "" && !hash.startsWith("#/")) return;
    if (hash !== settled && stays()) {
      history.pushState(null, "", settled);
      return;
    }
    settled = hash;
    act(current());
  });
}

addEventListener("beforeunload", (event) => {
  if (stays()) event.preventDefault();
});
