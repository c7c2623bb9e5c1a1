// Reads [[questions, result], …] from standard input and writes the responses that the bridge makes of them.

import { text } from "node:stream/consumers";

const { toResponse } = await import(`${process.env.BRIDGE}/src/answer.ts`);

const cases = JSON.parse(await text(process.stdin));
console.log(JSON.stringify(cases.map(([questions, result]) => toResponse(questions, result))));
