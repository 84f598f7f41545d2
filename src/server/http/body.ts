import type { IncomingMessage, ServerResponse } from 'node:http';
import { JsonSyntaxError, parseExactJson, type JsonLimits } from '../../core/values/exact-json.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import { Refusal, refusal, unreadableBody } from './answer.ts';

/** Tells a client that sent `Expect: 100-continue` to send the body. */
export function askForBody({ headers, complete }: IncomingMessage, response: ServerResponse): void {
  if (headers.expect !== undefined && !complete) response.writeContinue();
}

/**
 * Reads the bytes of a body.
 * @throws Refusal 413 as soon as there are more bytes than `limit`; 400 when the client goes away
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) return void chunks.push(chunk);
      // The rest of the body is thrown away.
      request.off('data', take);
      chunks.length = 0;
      reject(new Refusal(refusal('payload_too_large', { limit })));
    };
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', () => reject(new Refusal(unreadableBody('it ends too early'))));
  });
}

// Fatal, because replacing a byte that is not UTF-8 by U+FFFD would change a customer's text. A byte order mark is kept
// so that it can be refused: RFC 8259, 8.1, forbids to send one.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The deepest payload of the interface has five levels, the widest object thirteen keys. With `floats` a number that a
 * float cannot keep is refused, because a platform that reads floats would store another amount than was sent.
 */
export const JSON_LIMITS: JsonLimits = { depth: 32, keys: 1_000, floats: true };

/** Reads a body as JSON, with every number as a `Decimal`. */
export function readJson(bytes: Uint8Array | undefined): unknown {
  const text = decode(bytes ?? new Uint8Array());
  try {
    return parseExactJson(text, JSON_LIMITS);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new Refusal(unreadableBody(error.message));
    throw error;
  }
}

/** The same, with numbers as floats. @throws Refusal 400 `parse_error` */
export function readPlainJson(bytes: Uint8Array | undefined): unknown {
  readJson(bytes);
  return plainJson(decode(bytes ?? new Uint8Array()));
}

/** The same as `readJson`, but undefined instead of a refusal. */
export function jsonIn(bytes: Uint8Array | undefined): unknown {
  try {
    return readJson(bytes);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
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
  if (text.trim() === '')
    throw new Refusal(unreadableBody('it is empty', 'You sent no body: send the JSON document.'));
  if (text.startsWith('\uFEFF')) throw new Refusal(unreadableBody('it begins with a byte order mark'));
  return text;
}
