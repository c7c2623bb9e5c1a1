// An extension for the Pi coding agent: its questions open in a window of pi-ask for the desktop.

import { type Question, type RemoteResponse, toResponse } from "./answer.ts";
import { Host } from "./host.ts";

const EXTERNAL_UI = "@eko24ive/pi-ask:external-ui";

interface Request {
  flowId: string;
  toolCallId?: string;
  title?: string;
  questions: Question[];
  signal: AbortSignal;
}

interface Connection {
  version: number;
  connect(provider: { version: 1; id: string; open(request: Request): Promise<RemoteResponse> }): boolean;
}

interface Pi {
  on(event: string, handler: (event: unknown, context: { mode?: string }) => void): void;
  events: { on(channel: string, handler: (data: any) => void): () => void };
}

export default function bridge(pi: Pi): void {
  const host = new Host(process.env.PI_ASK_COMMAND || "pi-ask");
  const stop = pi.events.on(EXTERNAL_UI, (connection: Connection) => {
    if (connection.version !== 1 || !host.ready) return;
    connection.connect({ version: 1, id: "pi-ask-desktop", open: (request) => ask(host, request) });
  });
  pi.on("session_start", (_, context) => {
    // In Pi's own terminal interface forms are shown there.
    if (context?.mode !== "tui") host.start();
  });
  pi.on("session_shutdown", () => {
    stop();
    host.close();
  });
}

async function ask(host: Host, request: Request): Promise<RemoteResponse> {
  const fields = {
    form: { title: request.title, questions: request.questions },
    toolCallId: request.toolCallId,
    requester: { name: "Pi", cwd: process.cwd(), pid: process.pid },
    // Pi has decided about the types already.
    presentSingleAsMulti: false,
  };
  const message = await host.ask(fields, request.signal);
  if (message.type === "result" && (message.outcome === "answered" || message.outcome === "cancelled")) {
    return toResponse(request.questions, message.result);
  }
  throw new Error(message.text ?? message.message ?? "the form ended without an answer");
}
