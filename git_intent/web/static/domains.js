/** The domain map: what each domain means, and how many tracked files its paths match. */

import { at, get } from "./api.js";
import { failed, failure, toast } from "./announce.js";
import { count, el, replace } from "./dom.js";
import { domainForm } from "./domain_form.js";
import { project } from "./project.js";
import { domainHref } from "./requirements.js";

let root;
let map = { domains: [], etag: "" };
let find = "";
/** The name that is being edited; "" is a new one. @type {string|null} */
let edited = null;

/** @type {import("./types.js").View} */
export const view = {
  title: "Domains",
  mount(into) {
    root = into;
    edited = null;
    find = "";
    replace(root, el("p", { class: "loading" }, "Loading …"));
    load();
  },
  move(step) {
    const buttons = [...root.querySelectorAll(".domain .edit")];
    const now = buttons.indexOf(document.activeElement);
    const wanted = step === "first" ? 0 : step === "last" ? buttons.length - 1 : now + step;
    buttons[Math.max(0, Math.min(buttons.length - 1, wanted))]?.focus();
  },
  keys: { n: () => project().read_only || begin("") },
};

async function load() {
  try {
    map = await get(at(["domains"]));
    draw();
  } catch (error) {
    replace(root, failure(error));
  }
}

function draw() {
  const list = el("div", { class: "domains" });
  const search = el("input", {
    type: "search", value: find, placeholder: "Filter", "aria-label": "Filter domains",
    on: {
      input: () => {
        find = search.value;
        fill(list);
      },
    },
  });
  replace(
    root,
    el(
      "div",
      { class: "page" },
      el(
        "div",
        { class: "headline" },
        el("h1", {}, "Domains"),
        el("span", { class: "number" }, count(map.domains.length, "domain")),
        map.domains.length > 12 && search,
        el("button", { type: "button", id: "add-domain", class: "writes", "aria-keyshortcuts": "n", on: { click: () => begin("") } }, "Add a domain"),
      ),
      el("p", { class: "lead" }, "A domain names a part of the project by its paths. Its requirements are told to whoever works on those files."),
      edited === "" && card(null),
      list,
      !map.domains.length && edited === null && el("p", { class: "empty" }, "No domains yet. A scan proposes some; “Add a domain” writes one by hand."),
    ),
  );
  fill(list);
}

function fill(list) {
  const words = find.toLowerCase();
  const shown = map.domains.filter((one) => `${one.name} ${one.description}`.toLowerCase().includes(words));
  replace(list, shown.map((domain) => (domain.name === edited ? card(domain) : summary(domain))));
}

/** @param {string} name "" for a new one */
function begin(name) {
  edited = name;
  draw();
  root.querySelector(".domain.editing input, .domain.editing textarea")?.focus();
}

function card(domain) {
  const end = (name) => {
    edited = null;
    draw();
    const rows = [...root.querySelectorAll(".domain")];
    rows.find((row) => row.dataset.name === name)?.querySelector(".edit")?.focus();
  };
  return domainForm({
    domain,
    etag: map.etag,
    cancel: () => end(domain?.name),
    reload: async () => {
      edited = null;
      await load();
    },
    saved: (answer, name) => {
      map = answer;
      toast(`Saved ${name} in domains.yaml. Nothing is staged: see git diff.`);
      end(name);
    },
    refresh: async () => {
      const fresh = await get(at(["domains"])).catch(failed);
      if (fresh) map = fresh;
      return map;
    },
  });
}

function summary(domain) {
  return el(
    "article",
    { class: "domain", "data-name": domain.name },
    el(
      "header",
      {},
      el("h2", {}, domain.name),
      domain.user_edited && el("span", { class: "tag", title: "a scan leaves it alone" }, "edited"),
      el("a", { href: domainHref(domain.name) }, count(domain.requirements, "requirement")),
      el(
        "button",
        { type: "button", class: "small edit writes", "aria-label": `Edit ${domain.name}`, on: { click: () => begin(domain.name) } },
        "Edit",
      ),
    ),
    el("p", {}, domain.description),
    el(
      "ul",
      { class: "globs read" },
      domain.paths.map(({ glob, files }) =>
        el(
          "li",
          {},
          el("code", {}, glob),
          el("span", { class: files ? "files" : "files none" }, files === 0 ? "no file" : count(files, "file")),
        ),
      ),
      !domain.paths.length && el("li", { class: "help" }, "no paths: named by hand only"),
    ),
  );
}
