import { JsonSyntaxError, parseExactJson, type JsonLimits } from '../../core/values/exact-json.ts';
import { Refusal, unreadableBody } from './answer.ts';

// Fatal: a byte that is not UTF-8 would become U+FFFD and a customer's text would be changed. A byte order mark is kept
// and then refused, because RFC 8259 (8.1) forbids to send one.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The deepest payload of the interface has five levels, the widest object thirteen keys. A platform that reads numbers
 * as floats would store another amount than was sent, so such a number is refused instead.
 */
export const JSON_LIMITS: JsonLimits = { depth: 32, keys: 1_000, floats: true };

/**
 * The body as JSON, with every number as a `Decimal`.
 * @throws Refusal 400 `parse_error`
 */
export function readJson(bytes: Uint8Array | undefined): unknown {
  try {
    return parseExactJson(decode(bytes ?? new Uint8Array()), JSON_LIMITS);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new Refusal(unreadableBody(error.message));
    throw error;
  }
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw new Refusal(unreadableBody('it is not UTF-8'));
  }
  if (text.startsWith('\uFEFF')) throw new Refusal(unreadableBody('it begins with a byte order mark'));
  return text;
}
