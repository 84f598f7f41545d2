import { sentenceOf } from './error-codes/sentence.ts';
import { isErrorCode, type ErrorCode } from './error-codes/table.ts';
import {
  attrOfPath,
  NON_FIELD,
  pathOfAttr,
  platformPathOf,
  withoutNonField,
  type Path,
  type Problem,
} from './problem.ts';
import { isJsonObject, type JsonObject } from './values/plain-json.ts';

/** The 400 body of interface.md 7.1. */
export interface ValidationErrorBody {
  readonly detail: string;
  readonly code: string;
  readonly errors: readonly { readonly detail: string; readonly code: string; readonly attr: string }[];
}

/**
 * Encodes problems as the platform does. Warnings are left out, because they do not reject a request.
 * @param say makes the words of a problem
 */
export function encodeValidationError(
  problems: readonly Problem[],
  code: ErrorCode = 'validation_error',
  say = sentenceOf,
): ValidationErrorBody {
  return {
    detail: sentenceOf(code),
    code,
    errors: problems
      .filter((problem) => problem.severity === 'error')
      .map((problem) => ({
        detail: say(problem.code, problem.facts),
        code: problem.code,
        attr: attrOfPath(platformPathOf(problem)),
      })),
  };
}

/** One problem that the platform names in an error body of any shape. */
export interface PlatformProblem {
  /** The stable code; null where the shape has none. */
  readonly code: string | null;
  /** Path into the request, as in interface.md 7.1; empty when the problem names no input. */
  readonly path: Path;
  /** For people; nothing may depend on its words. */
  readonly detail: string;
  /** The failing transaction, where the shape names it (interface.md 4.3). */
  readonly transactionId?: string;
  /** Reference of the refused payment instruction, where the shape names it (deployments.md, "Responses"). */
  readonly reference?: string;
}

/** The shapes of deployments.md, "Responses"; every status but 400 has the shape `detail`. */
export type DecodedShape =
  | 'documented'
  | 'non_field'
  | 'nested'
  | 'transaction'
  | 'payment_instruction'
  | 'detail'
  | 'unknown';

export type DecodedError = { readonly shape: DecodedShape; readonly problems: readonly PlatformProblem[] };

/** Parses an error body of any shape. A body of no known shape has no problems. */
export function decodeError(body: unknown): DecodedError {
  if (!isJsonObject(body)) return { shape: 'unknown', problems: [] };
  if (Array.isArray(body['errors']) && body['errors'].length > 0)
    return { shape: 'documented', problems: body['errors'].flatMap(documentedProblem) };
  if (isJsonObject(body['transaction_data']))
    return { shape: 'transaction', problems: [transactionProblem(body, body['transaction_data'])] };
  if (typeof body['error_detail'] === 'string') {
    return { shape: 'payment_instruction', problems: [instructionProblem(body, body['error_detail'])] };
  }
  if (typeof body['detail'] === 'string') {
    return {
      shape: 'detail',
      problems: [{ code: textOrNull(body['code']), path: [], detail: body['detail'] }],
    };
  }
  const problems = nestedProblems(body, []);
  const shape =
    problems.length === 0 ? 'unknown' : Object.keys(body).join() === NON_FIELD ? 'non_field' : 'nested';
  return { shape, problems };
}

function documentedProblem(error: unknown): PlatformProblem[] {
  if (!isJsonObject(error)) return [];
  const path = typeof error['attr'] === 'string' ? withoutNonField(pathOfAttr(error['attr'])) : [];
  const isMissing = error['code'] === 'not_found' && path.join() === 'external_account_number';
  const code = isMissing ? ('account_not_found' satisfies ErrorCode) : textOrNull(error['code']);
  return [{ code, path, detail: textOrNull(error['detail']) ?? '' }];
}

function transactionProblem(body: JsonObject, data: JsonObject): PlatformProblem {
  const id = textOrNull(data['transaction_id']);
  return {
    code: 'transaction_import_error' satisfies ErrorCode,
    path: [],
    detail: textOrNull(body['error_detail']) ?? '',
    ...(id === null ? {} : { transactionId: id }),
  };
}

function instructionProblem(body: JsonObject, detail: string): PlatformProblem {
  const reference = textOrNull(body['reference']);
  // This shape has no field for a code, so a platform writes the code at the end, in parentheses.
  const named = /\((\w+)\)$/.exec(detail)?.[1];
  const code = named !== undefined && isErrorCode(named) ? named : null;
  return { code, path: [], detail, ...(reference === null ? {} : { reference }) };
}

/** No path into a request is deeper, so a deeper value is ignored. */
const DEEPEST = 32;

/** A dictionary that mirrors the request: lists are keyed by index, and the leaves are texts or problems with a code. */
function nestedProblems(value: unknown, path: Path): readonly PlatformProblem[] {
  if (path.length > DEEPEST) return [];
  if (typeof value === 'string') return [{ code: null, path: withoutNonField(path), detail: value }];
  // A list of problems belongs to its field. A list of other objects mirrors the list of the request.
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      nestedProblems(item, typeof item === 'string' || isOneProblem(item) ? path : [...path, index]),
    );
  }
  if (!isJsonObject(value)) return [];
  if (isOneProblem(value))
    return [{ code: textOrNull(value['code']), path: withoutNonField(path), detail: value['detail'] }];
  return Object.entries(value).flatMap(([name, part]) =>
    nestedProblems(part, [...path, ...pathOfAttr(name)]),
  );
}

/** `{detail}` or `{detail, code}` inside a dictionary. No field of a request is called `detail`. */
function isOneProblem(value: unknown): value is JsonObject & { detail: string } {
  return isJsonObject(value) && typeof value['detail'] === 'string';
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
