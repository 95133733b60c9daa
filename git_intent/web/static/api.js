/** Asking the server. Cookies carry the token; every answer is JSON or an ApiError. */

export class ApiError extends Error {
  /**
   * @param {number} status 0: no answer came
   * @param {{error?: string, hint?: string, code?: string, [key: string]: any}} body
   */
  constructor(status, body) {
    super(body.error || `the server answered ${status}`);
    this.status = status;
    this.body = body;
  }

  /** The message and what to do, on one line. */
  get whole() {
    return this.body.hint ? `${this.message} (${this.body.hint})` : this.message;
  }
}

const GONE = {
  error: "The server does not answer",
  hint: "is `git intent web` still running?",
};
const STRANGER = {
  error: "This page has no access any more",
  hint: "open the address that `git intent web` printed",
};

/** @param {string} path @param {AbortSignal} [signal] */
export function get(path, signal) {
  return ask(path, { signal });
}

/** @param {"POST"|"PATCH"} method @param {string} path @param {object} body */
export function send(method, path, body) {
  return ask(path, {
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, GONE);
  }
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  const stranger = response.status === 401 && !body.error;
  throw new ApiError(response.status, stranger ? STRANGER : body);
}

/** A path of the API with its parts escaped, and the parameters that are not empty. */
export function at(parts, query = {}) {
  const path = `/api/${parts.map(encodeURIComponent).join("/")}`;
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([k, v]) => [k, String(v)])).toString();
  return search ? `${path}?${search}` : path;
}
