/** The project that is shown: its name, branch, domains, and whether it may be changed. */

import { get } from "./api.js";
import { byId } from "./dom.js";

const read_only = document.body.dataset.readOnly === "true";
let known = { name: "", branch: "", head: "", read_only, domains: [], issues: [] };

export function project() {
  return known;
}

/** Read it and fill the top bar. */
export async function loadProject() {
  known = await get("/api/project");
  byId("project").textContent = known.name;
  byId("project").title = known.root ?? "";
  byId("branch").textContent = known.branch ?? known.head?.slice(0, 8) ?? "";
  byId("read-only").hidden = !known.read_only;
  byId("scan").hidden = known.read_only;
  document.body.dataset.readOnly = String(known.read_only);
  return known;
}
