/** A document with one line marked, or a commit's message and files. */

import { at, get } from "./api.js";
import { failure } from "./announce.js";
import { openDialog } from "./dialog.js";
import { count, el, replace, when } from "./dom.js";
import { current, go } from "./router.js";

const AROUND = 1500;

/** @param {import("./types.js").Link} link */
export async function showSource(link) {
  const title = link.kind === "doc" ? link.path : `Commit ${link.oid.slice(0, 8)}`;
  const { body } = openDialog({
    title,
    closed: () => ["doc", "commit"].includes(current().view) && go("requirements"),
  });
  replace(body, el("p", { class: "loading" }, "Loading …"));
  try {
    if (link.kind === "doc") {
      const found = await get(at(["doc"], { path: link.path, line: link.line ?? undefined }));
      drawDocument(body, found, found.line ?? link.line);
    } else {
      drawCommit(body, await get(at(["commit", link.oid])));
    }
  } catch (error) {
    replace(body, failure(error));
  }
}

/** Of a long document, the part around the line. */
function drawDocument(body, found, line) {
  const lines = found.text.split("\n");
  const first = Math.max(0, (line ?? 1) - AROUND);
  const part = lines.slice(first, first + 2 * AROUND);
  const rows = part.map((text, at) => {
    const ours = first + at + 1;
    return el(
      "li",
      { value: ours, class: ours === line ? "marked" : null, "aria-current": ours === line ? "location" : null },
      el("code", {}, text),
    );
  });
  replace(
    body,
    part.length < lines.length && el("p", { class: "help" }, `Lines ${first + 1} to ${first + part.length} of ${lines.length}`),
    el("ol", { class: "document", tabindex: 0, "aria-label": found.path }, rows),
  );
  body.querySelector(".marked")?.scrollIntoView({ block: "center" });
}

function drawCommit(body, commit) {
  replace(
    body,
    el("dl", { class: "facts" }, [
      [el("dt", {}, "Commit"), el("dd", { class: "mono" }, commit.oid)],
      [el("dt", {}, "Author"), el("dd", {}, commit.author)],
      [el("dt", {}, "Date"), el("dd", {}, when(commit.date, true))],
    ]),
    el("pre", { class: "message", tabindex: 0, "aria-label": "Message" }, commit.message),
    el("h3", {}, count(commit.paths.length, "file")),
    el("ul", { class: "paths mono" }, commit.paths.slice(0, 500).map((path) => el("li", {}, path))),
  );
}
