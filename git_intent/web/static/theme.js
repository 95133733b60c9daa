/** Light, dark, or as the system says. Loaded before the first paint. */

const NAMES = ["system", "light", "dark"];

export function theme() {
  const kept = localStorage.getItem("theme");
  return NAMES.includes(kept) ? kept : "system";
}

/** Go to the next of the three and keep it. */
export function nextTheme() {
  const next = NAMES[(NAMES.indexOf(theme()) + 1) % NAMES.length];
  localStorage.setItem("theme", next);
  apply();
  return next;
}

function apply() {
  document.documentElement.dataset.theme = theme();
}

apply();
