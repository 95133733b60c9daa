// Written by `git intent install opencode`; edits are lost.
//
// Hands what happens in a session to `git-intent hook` and gives its answer to OpenCode.
// Everything is decided there. Where the program is missing, or fails, nothing happens.
import { spawn, spawnSync } from "node:child_process";

const EVENTS = __EVENTS__;
const PATIENCE = 30_000; // milliseconds
const REST = 600_000; // how long a session is idle until it has ended
const ENDED = "session.ended"; // OpenCode itself says no such thing
const words = (event) => ["hook", "--host", "opencode", "--event", event];

function ask(event, payload, cwd) {
  return new Promise((resolve) => {
    const nothing = () => resolve({});
    let said = "";
    try {
      const stdio = ["pipe", "pipe", "ignore"];
      const child = spawn("git-intent", words(event), { cwd, stdio });
      const timer = setTimeout(() => child.kill(), PATIENCE);
      timer.unref();
      child.on("error", nothing);
      child.stdin.on("error", () => {});
      child.stdout.setEncoding("utf8");
      child.stdout.on("data", (piece) => (said += piece));
      child.on("close", () => {
        clearTimeout(timer);
        try {
          resolve(said ? JSON.parse(said) : {});
        } catch {
          nothing();
        }
      });
      child.stdin.end(JSON.stringify(payload));
    } catch {
      nothing();
    }
  });
}

function tell(event, payload, cwd) {
  // for the very end, when nothing can be waited for
  const input = JSON.stringify(payload);
  const stdio = ["pipe", "ignore", "ignore"];
  spawnSync("git-intent", words(event), { cwd, input, stdio, timeout: 3_000 });
}

export const GitIntent = async ({ client, directory }) => {
  const parents = new Map(); // session -> its parent, or null
  const standing = new Map(); // session -> what its system prompt gets
  const resting = new Map(); // idle session -> the timer that ends it

  async function parent(session) {
    if (!parents.has(session)) {
      try {
        const found = await client.session.get({ path: { id: session } });
        if (found.data) parents.set(session, found.data.parentID ?? null);
      } catch {
        // not known: the answer says so
      }
    }
    return parents.has(session) ? { parentID: parents.get(session) } : {};
  }

  function goesOn(session) {
    clearTimeout(resting.get(session));
    return resting.delete(session);
  }

  function rests(session) {
    goesOn(session);
    if (!EVENTS.includes(ENDED)) return;
    const timer = setTimeout(async () => {
      const known = await parent(session);
      if (goesOn(session)) {
        await ask(ENDED, { input: { sessionID: session }, ...known }, directory);
      }
    }, REST);
    timer.unref?.();
    resting.set(session, timer);
  }

  function leave() {
    for (const session of [...resting.keys()]) {
      goesOn(session);
      const known = parents.has(session) ? { parentID: parents.get(session) } : {};
      tell(ENDED, { input: { sessionID: session }, ...known }, directory);
    }
  }
  process.once("exit", leave);

  async function about(event, input, output) {
    if (!EVENTS.includes(event)) return {};
    const known = await parent(input.sessionID);
    return ask(event, { input, output, ...known }, directory);
  }

  return {
    "chat.message": async (input, output) => {
      goesOn(input.sessionID);
      standing.delete(input.sessionID);
      const texts = output.parts.filter((part) => part.type === "text");
      const told = { message: { id: output.message.id }, parts: texts };
      const { context } = await about("chat.message", input, told);
      const last = output.parts.at(-1);
      if (context && last) {
        output.parts.push({
          id: `${last.id}0`, // behind it: parts are sorted by their ids
          messageID: output.message.id,
          sessionID: input.sessionID,
          type: "text",
          text: context,
          synthetic: true,
        });
      }
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      if (!sessionID) return;
      if (!standing.has(sessionID)) {
        const event = "experimental.chat.system.transform";
        standing.set(sessionID, await about(event, { sessionID }));
      }
      const { context } = standing.get(sessionID);
      if (context) output.system.push(context);
    },
    "experimental.session.compacting": async ({ sessionID }, output) => {
      const event = "experimental.session.compacting";
      const { context } = await about(event, { sessionID });
      if (context) output.context.push(context);
    },
    "tool.execute.before": async (input, output) => {
      const told = { args: output.args };
      const { deny } = await about("tool.execute.before", input, told);
      if (deny) throw new Error(deny);
    },
    event: async ({ event }) => {
      const info = event.properties?.info;
      const session = event.properties?.sessionID ?? info?.id;
      if (event.type === "session.created" && info?.id) {
        parents.set(info.id, info.parentID ?? null);
      }
      if (event.type === "session.compacted") standing.delete(session);
      if (session && EVENTS.includes(event.type)) {
        await ask(event.type, { input: event, ...(await parent(session)) }, directory);
      }
      if (event.type === "session.idle" && session) rests(session);
      if (event.type === "server.instance.disposed") leave();
      if (event.type === "session.deleted") {
        goesOn(session);
        parents.delete(session);
        standing.delete(session);
      }
    },
  };
};
