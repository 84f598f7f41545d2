import { parse } from 'lossless-json';
import { Decimal } from './decimal.ts';

/** A JSON number that is no plain decimal (`1e5`): kept so that its field is reported, never read as a float. */
export class UnreadableNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** As it was written, for answers that show what was sent. */
  toJSON(): unknown {
    return JSON.rawJSON(this.text);
  }
}

/** Where a text stops being JSON; says nothing of the text itself, which may be a customer's. */
export class JsonSyntaxError extends Error {
  /** Zero-based offset in UTF-16 units; undefined when the text ended too early. */
  readonly position: number | undefined;

  constructor(position: number | undefined, cause: unknown) {
    super(position === undefined ? 'it ends too early' : `it stops being JSON at character ${position + 1}`, {
      cause,
    });
    this.name = 'JsonSyntaxError';
    this.position = position;
  }
}

/**
 * Parses JSON with every number as a `Decimal` that keeps its digits. Strict RFC 8259; a key that occurs twice with
 * different values is an error.
 * @throws JsonSyntaxError
 */
export function parseExactJson(text: string): unknown {
  try {
    return parse(text, undefined, (digits) => Decimal.parse(digits) ?? new UnreadableNumber(digits));
  } catch (error) {
    const position = /at position (\d+)/.exec(String(error))?.[1];
    throw new JsonSyntaxError(position === undefined ? undefined : Number(position), error);
  }
}
