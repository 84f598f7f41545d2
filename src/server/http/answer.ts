import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { entryOf, type ErrorCode } from '../../core/error-codes/table.ts';
import { failure, type Facts, type Problem } from '../../core/problem.ts';
import { encodeValidationError } from '../../core/validation-error.ts';
import type { LoggedProblem, Repetitions, ToleratedCounts } from './logged-request.ts';

export interface Answer {
  readonly status: number;
  /** A value that is written as JSON, a `Text`, or the stream of `ndJson`. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The problems that a 400 reports, for the error shapes to encode. */
  readonly problems?: readonly Problem[];
  /** Facts of the next step, for the request log. */
  readonly facts?: Facts;
  /** The problem of an answer whose status does not show it, for the request log. */
  readonly hidden?: Omit<LoggedProblem, 'attr'>;
  /** How many records were added, for the request log. */
  readonly created?: number;
  /** Records that were there already, for the request log. */
  readonly repetitions?: Repetitions;
  /** Values in forms that the interface does not show, for the request log. */
  readonly tolerated?: ToleratedCounts;
}

/** A refusal is thrown, unless what the request wrote has to stay. Then it is returned. */
export const isRefusal = ({ status }: Answer): boolean => status >= 400;

const JSON_TYPE = 'application/json; charset=utf-8';

/** A body that is a text already, such as a file of the page, or no body, as faults answer. */
export class Text {
  readonly text: string;
  readonly contentType: string | null;

  constructor(text: string, contentType: string | null = JSON_TYPE) {
    this.text = text;
    this.contentType = contentType;
  }
}

/** Larger chunks, in UTF-16 units, do not make sending faster. */
const CHUNK_LENGTH = 64 * 1024;

/** A body of one JSON document a line. Lines are made while the body is sent, so the body may have any length. */
export function ndJson(lines: Iterable<string>): Readable {
  function* chunks(): Generator<string> {
    let chunk = '';
    for (const line of lines) {
      chunk += `${line}\n`;
      if (chunk.length < CHUNK_LENGTH) continue;
      yield chunk;
      chunk = '';
    }
    if (chunk !== '') yield chunk;
  }
  return Readable.from(chunks());
}

export function textOf({ body }: Answer): string {
  return body instanceof Text ? body.text : JSON.stringify(body);
}

/** Null for an answer without a body. */
export function contentTypeOf({ body }: Answer): string | null {
  return body instanceof Text ? body.contentType : JSON_TYPE;
}

/** The head of an answer that is written past the HTTP library. */
export function headText(status: number, headers: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`;
}

/** Ends the request with an answer and undoes what the request wrote. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(`refused with status ${answer.status}`);
    this.name = 'Refusal';
    this.answer = answer;
  }
}

/** A request that fails as a whole: the status of the code's row and `{detail, code}`. */
export function refusal(
  code: ErrorCode,
  facts: Facts = {},
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const body = { detail: sentenceOf(code, facts), code };
  return { status: entryOf(code).status ?? 500, body, headers, facts };
}

/**
 * 400 in the format of interface.md 7.1.
 * @param sentence writes the sentence of a problem
 */
export function validationFailure(problems: readonly Problem[], sentence = sentenceOf): Answer {
  return { status: 400, body: encodeValidationError(problems, undefined, sentence), problems };
}

/**
 * 400 for an unreadable body. `attr` is null because no field can be named (deployments.md, "Framework behaviour").
 * @param advice for the author of another client; undefined when the code says all
 */
export function unreadableBody(reason: string, advice?: string): Answer {
  const detail = sentenceOf('parse_error', { reason });
  return {
    status: 400,
    body: { detail, code: 'parse_error', errors: [{ detail, code: 'parse_error', attr: null }] },
    problems: [failure('parse_error', [], { reason, ...(advice !== undefined && { advice }) })],
  };
}
