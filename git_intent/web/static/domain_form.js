/** One domain in the editor; what is wrong stands beside its field, and nothing is saved. */

import { at, send } from "./api.js";
import { failed } from "./announce.js";
import { sideBySide } from "./diff.js";
import { el, replace } from "./dom.js";
import { field } from "./fields.js";
import { globList } from "./globs.js";

/**
 * @param {object} options
 * @param {any} options.domain null: a new one
 * @param {string} options.etag
 * @param {(answer: any, name: string) => void} options.saved
 * @param {() => void} options.cancel
 * @param {() => void} options.reload
 * @param {() => Promise<{etag: string}>} options.refresh
 */
export function domainForm({ domain, etag, saved, cancel, reload, refresh }) {
  const name = field("Name", el("input", { type: "text", name: "name", spellcheck: "false", autocomplete: "off" }), "Small letters and digits, joined by hyphens, as in “container-runtime”.");
  const description = field("Description", el("textarea", { rows: 2, name: "description", value: domain?.description ?? "" }));
  const before = domain ? domain.paths.map((path) => path.glob) : [""];
  const paths = globList({ label: "Paths", globs: before, changed: () => {} });
  const trouble = el("div", { class: "trouble" });
  const save = el("button", { type: "submit", class: "primary" }, "Save");
  let base = etag;

  async function commit() {
    for (const one of [name, description]) one.fail("");
    replace(trouble);
    save.disabled = true;
    try {
      const wanted = { etag: base, description: description.control.value, paths: paths.values() };
      const named = domain?.name ?? name.control.value.trim();
      const answer = domain
        ? await send("PATCH", at(["domains", named]), wanted)
        : await send("POST", at(["domains"]), { ...wanted, name: named });
      saved(answer, named);
    } catch (error) {
      refused(error);
    } finally {
      save.disabled = false;
    }
  }

  function refused(error) {
    const body = error.body ?? {};
    if (error.status === 409) return conflict(body);
    const place = String(body.field ?? "");
    if (place.startsWith("name") && !domain) {
      name.fail(error.whole);
      return name.control.focus();
    }
    if (place.startsWith("description")) {
      description.fail(error.whole);
      return description.control.focus();
    }
    if (place.startsWith("paths")) return paths.fail(error.whole);
    if (error.status !== 422 && error.status !== 400) return failed(error);
    return replace(trouble, el("p", { class: "error", role: "alert" }, error.whole));
  }

  function conflict(body) {
    const keep = async () => {
      base = body.etag ?? (await refresh()).etag;
      replace(trouble);
      save.focus();
    };
    replace(
      trouble,
      el(
        "div",
        { class: "notice warning", role: "alert" },
        el("h3", {}, "domains.yaml has changed on disk meanwhile"),
        el("p", {}, "Nothing was saved."),
        el(
          "div",
          { class: "buttons" },
          el("button", { type: "button", on: { click: reload } }, "Take the version on disk"),
          el("button", { type: "button", on: { click: keep } }, "Put my change on top of it"),
        ),
      ),
      body.theirs !== undefined && sideBySide(["Yours", body.yours ?? ""], ["On disk", body.theirs]),
    );
  }

  return el(
    "article",
    { class: "domain editing", "data-name": domain?.name ?? "" },
    el(
      "form",
      {
        class: "form", novalidate: true, "aria-label": domain ? `Edit ${domain.name}` : "New domain",
        on: {
          submit: (event) => {
            event.preventDefault();
            commit();
          },
          keydown: (event) => {
            if (event.key === "Escape") cancel();
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) commit();
          },
        },
      },
      domain ? el("h2", {}, domain.name) : name.node,
      description.node,
      paths.node,
      trouble,
      el("div", { class: "buttons" }, save, el("button", { type: "button", on: { click: cancel } }, "Cancel")),
    ),
  );
}
