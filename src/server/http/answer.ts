import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { entryOf, type ErrorCode } from '../../core/error-codes/table.ts';
import { failure, type Facts, type Problem } from '../../core/problem.ts';
import { encodeValidationError } from '../../core/validation-error.ts';

/** What a request is answered with. */
export interface Answer {
  readonly status: number;
  /** Anything that JSON can write, text that is JSON already, or a page. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** What a 400 says, as data, for the shapes in which it can be said. */
  readonly problems?: readonly Problem[];
}

/** Whether a request came to nothing, as its answer has it: most refusals are thrown, some have to keep what they wrote. */
export function isRefusal({ status }: Answer): boolean {
  return status >= 400;
}

/** JSON that was written before, when the record was stored; it goes out as it is. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A body that is no JSON, or none at all: only a fault answers so. */
export class Page {
  readonly contentType: string | null;
  readonly text: string;

  constructor(contentType: string | null, text: string) {
    this.contentType = contentType;
    this.text = text;
  }
}

/** The text of an answer's body. */
export function textOf({ body }: Answer): string {
  return body instanceof JsonText || body instanceof Page ? body.text : JSON.stringify(body);
}

/**
 * Ends the handling of a request with an answer and undoes what it wrote. An answer whose effects have to stay is
 * returned instead.
 */
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
  return { status: entryOf(code).status ?? 500, body: { detail: sentenceOf(code, facts), code }, headers };
}

/**
 * 400 in the format of interface.md 7.1.
 * @param say the words of a problem
 */
export function validationFailure(problems: readonly Problem[], say = sentenceOf): Answer {
  return { status: 400, body: encodeValidationError(problems, undefined, say), problems };
}

/** 400 for a body that cannot be read: no input can be named, so `attr` is null (deployments.md, "Framework behaviour"). */
export function unreadableBody(reason: string): Answer {
  const detail = sentenceOf('parse_error', { reason });
  return {
    status: 400,
    body: { detail, code: 'parse_error', errors: [{ detail, code: 'parse_error', attr: null }] },
    problems: [failure('parse_error', [], { reason })],
  };
}
