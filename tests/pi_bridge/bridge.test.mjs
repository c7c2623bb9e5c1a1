// The bridge with the real helper, against an event bus that behaves as Pi's does.

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { afterEach, test } from "node:test";

const { default: bridge } = await import(`${process.env.BRIDGE}/src/index.ts`);

const CHANNEL = "@eko24ive/pi-ask:external-ui";
const SECONDS = 10;

/** Node's emitter; a listener that fails is reported and hurts nobody. */
function createEventBus() {
  const emitter = new EventEmitter();
  return {
    emit: (channel, data) => void emitter.emit(channel, data),
    on(channel, handler) {
      const safe = async (data) => {
        try {
          await handler(data);
        } catch (error) {
          console.error(`a listener of ${channel} failed:`, error);
        }
      };
      emitter.on(channel, safe);
      return () => void emitter.off(channel, safe);
    },
    count: (channel) => emitter.listenerCount(channel),
  };
}

const sessions = [];

/** Pi, as far as an extension sees it. */
class Pi {
  constructor(mode = "rpc") {
    this.events = createEventBus();
    this.mode = mode;
    this.handlers = {};
    bridge(this);
    sessions.push(this);
    this.fire("session_start");
  }

  on(event, handler) {
    this.handlers[event] = handler;
  }

  fire(event) {
    this.handlers[event]?.({}, { mode: this.mode });
  }

  /** Return the provider that is offered for one call, as Pi's ask_user negotiates for it. */
  offered(version = 1) {
    let provider;
    let open = true;
    const taken = (offer) => open && provider === undefined && ((provider = offer), true);
    this.events.emit(CHANNEL, { version, mode: this.mode, toolCallId: "call-1", connect: taken });
    open = false;
    return provider;
  }

  async provider() {
    return await eventually(() => this.offered());
  }
}

afterEach(() => {
  for (const pi of sessions.splice(0)) pi.fire("session_shutdown");
});

async function eventually(condition) {
  const end = Date.now() + SECONDS * 1000;
  for (;;) {
    const value = await condition();
    if (value) return value;
    assert.ok(Date.now() < end, `did not happen within ${SECONDS} s: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const OPTIONS = [
  { value: "a", label: "A" },
  { value: "b", label: "B" },
];

function request(title, controller = new AbortController(), type = "single") {
  const questions = [{ id: "q", label: "Q1", prompt: "Go?", type, required: false, options: OPTIONS }];
  return { version: 1, flowId: "tool:call-1", toolCallId: "call-1", title, questions, signal: controller.signal };
}

/** Say something to the resident, and return its reply. */
function resident(message) {
  return new Promise((resolve, reject) => {
    const socket = connect(process.env.PI_ASK_SOCKET);
    let text = "";
    socket.setEncoding("utf8");
    socket.on("error", reject);
    socket.on("data", (data) => {
      text += data;
      const lines = text.split("\n");
      if (lines.length > 2) {
        socket.destroy();
        resolve(JSON.parse(lines[1]));
      }
    });
    socket.write(`${JSON.stringify({ version: 1, id: "1", ...message })}\n`);
  });
}

async function waiting() {
  return (await resident({ type: "pending" })).flows;
}

/** Return the helpers that this process has started and that run. */
function helpers() {
  return readFileSync(process.env.PIDS, "utf8")
    .split("\n")
    .filter(Boolean)
    .map(Number)
    .filter((pid) => {
      try {
        process.kill(pid, 0);
        return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
      } catch {
        return false;
      }
    });
}

test("nothing is offered before the helper has greeted, and then a provider that Pi can use", async () => {
  const pi = new Pi();
  assert.equal(pi.offered(), undefined);
  const provider = await pi.provider();
  assert.equal(provider.version, 1);
  assert.ok(provider.id.trim());
  assert.equal(pi.offered(2), undefined);
});

test("in Pi's own terminal interface no helper is started", async () => {
  await eventually(() => helpers().length === 0);
  const pi = new Pi("tui");
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(pi.offered(), undefined);
  assert.equal(helpers().length, 0);
});

test("every end of the person's comes back as the response that stands for it", async () => {
  const provider = await new Pi().provider();
  const expected = {
    answer: { kind: "answer", mode: "submit", answers: { q: { values: ["a"] } } },
    last: { kind: "answer", mode: "submit", answers: { q: { values: ["b"], note: "why?" } } },
    own: { kind: "answer", mode: "submit", answers: { q: { values: [], customText: "yes" } } },
    nothing: { kind: "answer", mode: "submit", answers: {} },
    elaborate: { kind: "answer", mode: "elaborate", answers: { q: { values: ["b"], note: "why?" } } },
    cancel: { kind: "cancel" },
  };
  for (const [title, response] of Object.entries(expected)) {
    assert.deepEqual(JSON.parse(JSON.stringify(await provider.open(request(title)))), response, title);
  }
});

test("calls at once, with one tool call id, each get their own answer", async () => {
  const provider = await new Pi().provider();
  const titles = ["answer", "last", "cancel", "answer"];
  const responses = await Promise.all(titles.map((title) => provider.open(request(title))));
  assert.deepEqual(
    responses.map((response) => response.answers?.q?.values?.[0] ?? response.kind),
    ["a", "b", "cancel", "a"],
  );
});

test("the person is told who asks", async () => {
  const controller = new AbortController();
  const provider = await new Pi().provider();
  const open = provider.open(request("think", controller));
  const [flow] = await eventually(async () => ((await waiting()).length > 0 ? waiting() : undefined));
  assert.equal(flow.requester.name, "Pi");
  assert.equal(flow.requester.pid, process.pid);
  assert.equal(flow.toolCallId, "call-1");
  controller.abort();
  await assert.rejects(open);
});

test("a form that Pi withdraws closes, and the others stay", async () => {
  const controller = new AbortController();
  const provider = await new Pi().provider();
  const open = provider.open(request("think", controller));
  const other = new AbortController();
  const stays = provider.open(request("think on", other));
  await eventually(async () => (await waiting()).length === 2);
  controller.abort();
  await assert.rejects(open, /withdrawn/);
  await eventually(async () => (await waiting()).length === 1);
  assert.equal((await waiting())[0].title, "think on");
  other.abort();
  await assert.rejects(stays, /withdrawn/);
  assert.deepEqual(await provider.open(request("cancel")), { kind: "cancel" });
});

test("a form that was withdrawn before it is opened never shows", async () => {
  const controller = new AbortController();
  controller.abort();
  const provider = await new Pi().provider();
  await assert.rejects(provider.open(request("think", controller)), /withdrawn/);
  assert.deepEqual(await waiting(), []);
});

test("a helper that dies fails every open form, and another one is started", async () => {
  const pi = new Pi();
  const provider = await pi.provider();
  const opened = [provider.open(request("think")), provider.open(request("think too"))];
  const failed = opened.map((open) => assert.rejects(open, /helper has ended .*nothing was chosen/));
  await eventually(async () => (await waiting()).length === 2);
  for (const pid of helpers()) process.kill(pid, "SIGKILL");
  await Promise.all(failed);
  assert.equal(pi.offered(), undefined);
  await assert.rejects(provider.open(request("answer")), /not running/);
  await eventually(async () => (await waiting()).length === 0);
  const next = await pi.provider();
  assert.deepEqual(await next.open(request("cancel")), { kind: "cancel" });
});

test("a helper that stands still is given up", { timeout: 40_000 }, async () => {
  const provider = await new Pi().provider();
  const failed = assert.rejects(provider.open(request("think")), /does not answer any more/);
  await eventually(async () => (await waiting()).length === 1);
  for (const pid of helpers()) process.kill(pid, "SIGSTOP");
  await failed;
  await eventually(async () => (await waiting()).length === 0);
});

test("a form with issues fails with every one of them", async () => {
  const provider = await new Pi().provider();
  const broken = { ...request("answer"), questions: [{ id: "", prompt: "", type: "single", options: [] }] };
  await assert.rejects(provider.open(broken), /questions\[0\]\.id.*questions\[0\]\.options/s);
});

test("the end of the session ends the helper and fails what is open", async () => {
  const pi = new Pi();
  const provider = await pi.provider();
  const failed = assert.rejects(provider.open(request("think")), /session has ended/);
  await eventually(async () => (await waiting()).length === 1);
  pi.fire("session_shutdown");
  await failed;
  assert.equal(pi.offered(), undefined);
  assert.equal(pi.events.count(CHANNEL), 0);
  await eventually(async () => (await waiting()).length === 0);
  await eventually(() => helpers().length === 0);
});

test("a command that is not there is never offered and hurts nobody", async () => {
  const command = process.env.PI_ASK_COMMAND;
  process.env.PI_ASK_COMMAND = "/nowhere/pi-ask";
  const pi = new Pi();
  process.env.PI_ASK_COMMAND = command;
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(pi.offered(), undefined);
});

test("a note of a megabyte and letters of every kind go through", async () => {
  const provider = await new Pi().provider();
  const big = request("answer");
  big.questions[0].prompt = "ü👩‍👧\u2028".repeat(100_000);
  assert.equal((await provider.open(big)).answers.q.values[0], "a");
});
