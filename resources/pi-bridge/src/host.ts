// The helper: a process of `pi-ask host`, one JSON document a line on its standard input and output.

import { type ChildProcess, spawn } from "node:child_process";

const VERSION = 1;
const PING_MS = 5_000;
const PATIENCE_MS = 10_000;
const FIRST_RESTART_MS = 500;
const MOST_STARTS = 4; // without one greeting

export interface Message {
  type: string;
  id?: string;
  [field: string]: any;
}

interface Waiting {
  resolve(message: Message): void;
  reject(error: Error): void;
}

/** Keeps one helper running, and the forms that are open in it. */
export class Host {
  private readonly command: string;
  private child: ChildProcess | undefined;
  private greeted = false;
  private closed = false;
  private starts = 0;
  private timer: NodeJS.Timeout | undefined;
  private heard = 0;
  private count = 0;
  private readonly waiting = new Map<string, Waiting>();

  constructor(command: string) {
    this.command = command;
  }

  /** Whether a form can be shown now. */
  get ready(): boolean {
    return this.greeted;
  }

  /** Start the helper, unless it runs. One that cannot be started is tried again a few times. */
  start(): void {
    this.starts = 0;
    this.launch();
  }

  /** Show a form, and return the message that ends it; rejects where the helper fails, or `signal` fires. */
  ask(fields: Record<string, unknown>, signal: AbortSignal): Promise<Message> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new Error("the form was withdrawn"));
      if (!this.greeted) return reject(new Error("the helper is not running"));
      const id = `pi-${++this.count}`;
      const withdraw = () => {
        this.send({ type: "abort", id });
        end(() => reject(new Error("the form was withdrawn")));
      };
      const end = (settle: () => void) => {
        signal.removeEventListener("abort", withdraw);
        this.waiting.delete(id);
        this.hold();
        settle();
      };
      signal.addEventListener("abort", withdraw, { once: true });
      this.waiting.set(id, {
        resolve: (message) => end(() => resolve(message)),
        reject: (error) => end(() => reject(error)),
      });
      this.hold();
      this.send({ type: "ask", id, ...fields });
      this.heard = Date.now();
      this.watch();
    });
  }

  /** End the helper; forms that are open fail. */
  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    const child = this.child;
    if (child === undefined) return;
    this.lose(child, "the session has ended");
    child.stdin?.end();
  }

  private launch(): void {
    if (this.child !== undefined || this.closed) return;
    this.starts += 1;
    const child = spawn(this.command, ["host"], { stdio: ["pipe", "pipe", "inherit"] });
    this.child = child;
    child.once("error", (error) => this.lose(child, `the helper ${this.command} cannot be started: ${error.message}`));
    child.once("exit", (code, signal) => this.lose(child, `the helper has ended (${signal ?? `code ${code}`})`));
    child.stdin?.on("error", () => undefined); // its end says more
    let rest = "";
    child.stdout?.setEncoding("utf8");
    child.stdout?.on("data", (text: string) => {
      this.heard = Date.now();
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.take(child, line);
    });
    this.hold();
  }

  private take(child: ChildProcess, line: string): void {
    if (child !== this.child || line.trim() === "") return;
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      child.kill();
      return this.lose(child, "the helper says what cannot be understood");
    }
    if (message.type === "hello") {
      this.greeted = true;
      this.starts = 0;
    } else if (message.id === undefined && message.type === "error") {
      child.kill();
      this.lose(child, `the helper gives up: ${message.message}`);
    } else if (message.id !== undefined && ["result", "failed", "error"].includes(message.type)) {
      this.waiting.get(message.id)?.resolve(message);
    }
  }

  private send(message: Message): void {
    this.child?.stdin?.write(`${JSON.stringify({ version: VERSION, ...message })}\n`);
  }

  /** The helper has gone: all its forms have failed, and another one is started after a while. */
  private lose(child: ChildProcess, why: string): void {
    if (child !== this.child) return;
    this.child = undefined;
    this.greeted = false;
    for (const waiting of [...this.waiting.values()]) {
      waiting.reject(new Error(`${why}; nothing was chosen`));
    }
    clearTimeout(this.timer);
    if (this.closed || this.starts >= MOST_STARTS) return;
    this.timer = setTimeout(() => this.launch(), FIRST_RESTART_MS * 2 ** this.starts);
    this.timer.unref();
  }

  /** While a form is open, ask for a sign of life after a silence, and give up after a longer one. */
  private watch(): void {
    clearTimeout(this.timer);
    const child = this.child;
    if (child === undefined || this.waiting.size === 0) return;
    const silence = Date.now() - this.heard;
    if (silence >= PING_MS + PATIENCE_MS) {
      child.kill("SIGKILL");
      return this.lose(child, "the helper does not answer any more");
    }
    if (silence >= PING_MS) this.send({ type: "ping", id: "ping" });
    this.timer = setTimeout(() => this.watch(), PING_MS);
    this.timer.unref();
  }

  /** Keep Pi's process alive for an open form, and for nothing else. */
  private hold(): void {
    const child = this.child as any;
    const how = this.waiting.size > 0 ? "ref" : "unref";
    child?.[how]();
    child?.stdin?.[how]?.();
    child?.stdout?.[how]?.();
  }
}
