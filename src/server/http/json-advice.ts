import type { JsonSyntaxError } from '../../core/values/exact-json.ts';

const PYTHON = 'send it with `json=` or `json.dumps(…)`, because `str(…)` is the text of Python.';

/** What clients send in place of JSON, by how the text goes on where it stops being JSON. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/^'/, `There is a single quote, and JSON has double ones; ${PYTHON}`],
  [/^(True|False|None)\b/, `There is a word of Python; ${PYTHON}`],
  [/^-?(NaN|Infinity)\b/, 'There is NaN or Infinity, and JSON has no such number; send the number itself.'],
  [/^undefined\b/, 'There is `undefined`; leave the field out.'],
  [/^object /, 'The body is the text of a JavaScript object; send `JSON.stringify(…)` of it.'],
  [/^[}\]]/, 'A value is missing here, perhaps behind a comma too many.'],
  [/^$/, 'The body ends too early; compare its length with what the client means to send.'],
];

/** What the author of a client does about a body that is no JSON. It names the place and no value. Undefined: nothing special. */
export function adviceForJson(text: string, { position, message }: JsonSyntaxError): string | undefined {
  const at = `Look at character ${position + 1}. `;
  if (message.startsWith('a key comes')) return `${at}The key there is in the object already; send it once.`;
  const rest = text.slice(position, position + 10);
  const advice = MISTAKES.find(([form]) => form.test(rest))?.[1];
  return advice && at + advice;
}
