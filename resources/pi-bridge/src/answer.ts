// From the result of pi-ask for the desktop to the response that Pi's ask_user takes.

export interface Answer {
  values: string[];
  labels: string[];
  indices: number[];
  customText?: string;
  note?: string;
  optionNotes?: Record<string, string>;
}

export interface AskResult {
  cancelled: boolean;
  mode: "submit" | "elaborate";
  answers: Record<string, Answer>;
  elaboration?: {
    items: {
      target: { kind: "question" } | { kind: "option"; optionValue: string };
      question: { id: string };
      note: string;
    }[];
  };
}

export interface Question {
  id: string;
  type: "single" | "multi" | "preview";
  [field: string]: unknown;
}

export interface RemoteAnswer {
  values?: string[];
  customText?: string;
  note?: string;
  optionNotes?: Record<string, string>;
}

export type RemoteResponse =
  | { kind: "cancel" }
  | { kind: "answer"; mode: "submit" | "elaborate"; answers: Record<string, RemoteAnswer> };

/** Return the response that stands for an answer or an explicit cancel of the person. */
export function toResponse(questions: Question[], result: AskResult): RemoteResponse {
  if (result.cancelled) return { kind: "cancel" };
  const answers: Record<string, RemoteAnswer> = Object.create(null);
  for (const question of questions) {
    // A question's id may be the name of something that every object has.
    if (Object.hasOwn(result.answers, question.id)) {
      answers[question.id] = remoteAnswer(question, result.answers[question.id] as Answer, result.mode === "submit");
    }
  }
  // An elaboration has every note, of chosen options or not, in the order in which they were given.
  for (const { target, question, note } of result.elaboration?.items ?? []) {
    const answer = (answers[question.id] ??= {});
    if (target.kind === "question") answer.note = note;
    else answer.optionNotes = { ...answer.optionNotes, [target.optionValue]: note };
  }
  return { kind: "answer", mode: result.mode, answers };
}

function remoteAnswer(question: Question, answer: Answer, withNotes: boolean): RemoteAnswer {
  // Own text comes last and has no index.
  const chosen = answer.values.slice(0, answer.indices.length);
  const remote: RemoteAnswer = { values: chosen };
  if (answer.customText !== undefined) remote.customText = answer.customText;
  if (withNotes && answer.note !== undefined) remote.note = answer.note;
  if (withNotes && answer.optionNotes !== undefined) remote.optionNotes = { ...answer.optionNotes };
  const parts = chosen.length + (answer.customText === undefined ? 0 : 1);
  if (question.type === "multi" || parts < 2) return remote;
  // The person made many of one. Pi would refuse that, but it reads their words.
  const labels = answer.labels.slice(0, answer.indices.length);
  remote.values = [];
  remote.customText = [...labels, ...(answer.customText === undefined ? [] : [answer.customText])].join("; ");
  return remote;
}
