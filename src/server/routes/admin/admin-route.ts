import type { Call, Method, Route } from '../route.ts';
import type * as z from 'zod/mini';
import { sentenceOf } from '../../../core/error-codes/sentence.ts';
import type { ErrorCode } from '../../../core/error-codes/table.ts';
import type { Facts } from '../../../core/problem.ts';
import { problemsOfIssues } from '../../../core/rules/schema-problems.ts';
import { Refusal, validationFailure } from '../../http/answer.ts';
import { readPlainJson } from '../../http/body.ts';

/** A route for programs on this machine, such as `GET /_local/health`. It answers 200. `bodyFor` may throw a Refusal. */
export function adminRoute(endpoint: `${Method} /_local/${string}`, bodyFor: (call: Call) => unknown): Route {
  const [method, path] = endpoint.split(' ') as [Method, string];
  return {
    method,
    path,
    access: 'loopback',
    answer: (call) => ({ status: 200, body: bodyFor(call) }),
  };
}

/** Reads the body of an admin call. A missing body is an empty object. */
export function bodyAs<T>(schema: z.ZodMiniType<T>, { body }: Call): T {
  const isEmpty =
    Buffer.from(body ?? [])
      .toString()
      .trim() === '';
  return checked(schema, isEmpty ? {} : readPlainJson(body));
}

/** Reads the query of an admin call. */
export function queryAs<T>(schema: z.ZodMiniType<T>, { query }: Call): T {
  return checked(schema, query);
}

/** 400 names the allowed values, too. Unlike the enums of the interface, the choices of the admin API are known and few. */
function checked<T>(schema: z.ZodMiniType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new Refusal(validationFailure(problemsOfIssues(parsed.error.issues, input), withChoices));
}

function withChoices(code: ErrorCode, facts: Facts = {}): string {
  const { known } = facts;
  return known === undefined ? sentenceOf(code, facts) : `${sentenceOf(code, facts)} (${known})`;
}
