// Lets Node read TypeScript whose types can be erased: newer versions do so by themselves.

import { register } from "node:module";

const hook = `
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
const { transformSync } = await import(${JSON.stringify(import.meta.resolve("amaro"))});
export async function load(url, context, next) {
  if (!url.endsWith(".ts")) return next(url, context);
  const source = await readFile(fileURLToPath(url), "utf8");
  return { format: "module", shortCircuit: true, source: transformSync(source, { mode: "strip-only" }).code };
}
`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
