/** Opens a document or a commit above the view; what draws it is loaded when needed. */

/** @param {import("./types.js").Link} link */
export async function openSource(link) {
  const { showSource } = await import("./source.js");
  await showSource(link);
}
