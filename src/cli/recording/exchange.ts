import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { exactJson } from '../../core/values/exact-json.ts';
import { parseInstant } from '../../core/values/instant.ts';
import type { Disguise } from './disguise.ts';
import { wordsOfInterface } from './disguised-body.ts';
import { KIND_OF_PATH, type EndpointKind } from '../../core/contract/endpoints.ts';

/** JSON as a platform can read it. A recording of another program's making may have anything. */
const json = z.string().check(z.refine((text) => exactJson(text) !== undefined, 'is no readable JSON'));

function isOfAdmin(path: string): boolean {
  try {
    return /^\/+_local\b/i.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** A request, written before its first byte leaves. Texts of requests and answers are JSON, with every digit of their numbers. */
export const requestLine = z.strictObject({
  /** Unique in the file. */
  request: z.string(),
  /** When the request began; a disguise does not change it. */
  at: z
    .string()
    .check(
      z.refine(
        (text) => /\.\d{3}Z$/.test(text) && parseInstant(text) !== undefined,
        'is no time in UTC with milliseconds',
      ),
    ),
  method: z.enum(['GET', 'POST']),
  /** Path and query. */
  path: z
    .string()
    .check(z.regex(/^\/[!-~]*$/, 'is no path of a URL'))
    // A recording of another's making is played to a platform with an admin API.
    .check(z.refine((path) => !isOfAdmin(path), 'is a path of the admin API')),
  /** Null for a request without a body, and for one for a token. */
  body: z.nullable(json),
  /** Only of a request for a token. */
  token: z.optional(z.strictObject({ mutation: z.string(), input_field: z.string() })),
});

/** How a request ended. A process that is killed leaves none. */
export const answerLine = z.strictObject({
  /** The name of the request. */
  answers: z.string(),
  /** Null when no whole answer came. */
  status: z.nullable(z.int().check(z.minimum(100), z.maximum(999))),
  headers: z.record(z.string(), z.string()),
  /** Null when the answer is no JSON. */
  answer: z.nullable(json),
  took_ms: z.number(),
  /** Of a token, in seconds; null when it does not say. */
  lifetime_s: z.optional(z.nullable(z.int())),
});

/** A request with its answer. */
export type Exchange = Omit<z.infer<typeof requestLine>, 'request'> &
  Omit<z.infer<typeof answerLine>, 'answers'>;

/** The first line of each command in a recording. */
export const headerLine = z.strictObject({
  recording: z.literal(1),
  tool_version: z.string(),
  /** SHA-256 of the key of the disguise; null when the values are those of the files. */
  disguise: z.nullable(z.string()),
  /** Of earlier versions. */
  contract: z.optional(z.unknown()),
});

/** Names of endpoints as fault rules have them. */
export type EndpointName = EndpointKind | 'token' | 'other';

const PATTERNS = [...KIND_OF_PATH].map(([path, endpoint]) => ({ endpoint, pattern: path.split('/') }));

/** The endpoint of a path and query, and the parts of the path that are values. */
export function endpointOf(path: string): {
  readonly endpoint: EndpointName;
  readonly values: readonly number[];
} {
  const parts = path.split('?')[0]!.split('/');
  for (const { endpoint, pattern } of PATTERNS) {
    const isIt =
      pattern.length === parts.length &&
      pattern.every((part, index) => part === parts[index] || part.startsWith(':'));
    if (isIt)
      return { endpoint, values: pattern.flatMap((part, index) => (part.startsWith(':') ? [index] : [])) };
  }
  return { endpoint: 'other', values: [] };
}

export function endpointOfExchange({ path, token }: Exchange): EndpointName {
  return token ? 'token' : endpointOf(path).endpoint;
}

/** The file with the key of the disguise and the words that stay. Whoever has it and a list of possible values can undo the disguise. */
export const keyFileOf = (file: string): string => `${file}.key`;

/** The disguise that a text of such a file gives. Undefined for the text of any other file. */
export function disguiseIn(text: string): Disguise | undefined {
  const [salt = '', ...words] = text.trim().split(/\s+/);
  return /^[\da-f]{64}$/.test(salt) ? { salt, kept: new Set([...wordsOfInterface(), ...words]) } : undefined;
}

/** Why the disguise of a recording cannot be made again. */
export const lackedKey = (file: string): string =>
  `the disguise of ${file} needs the key that was written with it as ${keyFileOf(file)}`;

export const fingerprintOf = (key: string): string => createHash('sha256').update(key).digest('hex');
