/** How often each requirement was told to an agent: bars, drawn element by element. */

import { short, svg } from "./dom.js";
import { href } from "./router.js";

const MOST = 12;
const STEP = 40;
const WIDEST = 82;

/** @param {{id: string, statement: string, count: number, status: string}[]} requirements */
export function injectionChart(requirements) {
  const shown = [...requirements]
    .sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))
    .slice(0, MOST);
  const most = Math.max(1, ...shown.map((one) => one.count));
  return svg(
    "svg",
    { class: "chart", role: "group", "aria-label": `Injections of the ${shown.length} most told requirements`, width: "100%", height: shown.length * STEP },
    shown.map((one, index) => bar(one, index, most)),
  );
}

function bar(one, index, most) {
  const top = index * STEP;
  const wide = `${((one.count / most) * WIDEST).toFixed(2)}%`;
  return svg(
    "a",
    { href: href("requirements", [one.id]), "aria-label": `${one.id}: ${one.count} times. ${short(one.statement, 90)}` },
    svg("title", {}, `${one.id}: ${short(one.statement, 300)}`),
    svg("rect", { class: "hit", x: 0, y: top, width: "100%", height: STEP }),
    svg(
      "text",
      { x: 0, y: top + 14 },
      svg("tspan", { class: "mono" }, one.id),
      svg("tspan", { dx: 8, class: one.status }, short(one.statement, 110)),
    ),
    svg("rect", { class: `bar ${one.status}`, x: 0, y: top + 20, rx: 2, height: 10, width: wide }),
    svg("text", { class: "count", x: wide, dx: 6, y: top + 29.5 }, String(one.count)),
  );
}
