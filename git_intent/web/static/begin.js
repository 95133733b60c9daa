/**
 * Run before the first paint, and small therefore: the theme; and the rows that came with
 * the page go if the address is that of another view, which the server cannot know. The
 * rest of the page is loaded once what is there has been painted.
 */

import { current, viewOf } from "./router.js";
import "./theme.js";

const main = document.getElementById("main");
const route = current();
const tab = document.querySelector(`.tabs a[data-view="${viewOf(route)}"]`);
tab.setAttribute("aria-current", "page");
if (viewOf(route) !== "requirements" || route.query.has("domain")) {
  main.replaceChildren();
  main.inert = false;
}

const load = () => import("./app.js");
// A page that nobody sees is not painted.
if (main.inert && !document.hidden) requestAnimationFrame(() => setTimeout(load));
else load();
