import { request } from 'undici';
import { AppError } from '../../core/app-error.ts';
import { ADMIN_CODES } from '../../core/error-codes/local-platform-codes.ts';
import { entryOf, isErrorCode } from '../../core/error-codes/table.ts';
import { attrOfPath } from '../../core/problem.ts';
import { decodeError } from '../../core/validation-error.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import { networkReason } from './network-reason.ts';

/** One call of the admin API (docs/operating.md). */
export interface AdminCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/_local/`, with its query. */
  readonly path: string;
  /** Sent as JSON; a text is sent as it is, one JSON document a line. */
  readonly body?: object | string;
}

interface AdminTarget {
  /** Without a final slash. */
  readonly baseUrl: string;
  /** For errors: `admin supplier`. */
  readonly command: string;
  /** The key whose world is meant, asked for only where each key has one; undefined when there is no key. */
  worldKey(): Promise<string | undefined>;
}

/** Calls the admin API of one local platform; resolves with the text of the answer. */
export type AdminApi = (call: AdminCall) => Promise<string>;

/**
 * Makes sure that a `dataimport serve` listens there.
 * @throws AppError `serve_not_running`, `serve_not_there`, `connection_failed`; each call also a code of the admin API, or
 * `admin_refused`
 */
export async function openLocalAdmin({ baseUrl, command, worldKey }: AdminTarget): Promise<AdminApi> {
  const health = await send(baseUrl, { method: 'GET', path: 'health' }, {});
  const server = plainJson(health.text) as { instance?: unknown; isolated?: unknown } | null | undefined;
  if (health.status !== 200 || typeof server?.instance !== 'string')
    throw new AppError('serve_not_there', { url: baseUrl });
  const key = server.isolated === true ? await worldKey() : undefined;
  // Some of what is asked is the same in all worlds; of the rest the server says that it wants a name.
  const world: Headers = key === undefined ? {} : { 'x-dataimport-world': key };
  return async (call) => {
    const { status, text } = await send(baseUrl, call, world);
    if (status >= 300) throw refusalOf(status, text, command);
    return text;
  };
}

type Headers = Readonly<Record<string, string>>;

async function send(baseUrl: string, { method, path, body }: AdminCall, headers: Headers) {
  const isLines = typeof body === 'string';
  const type = isLines ? 'application/x-ndjson' : 'application/json';
  try {
    const answer = await request(`${baseUrl}/_local/${path}`, {
      method,
      headers: { ...headers, ...(method !== 'GET' && { 'content-type': type }) },
      ...(body !== undefined && { body: isLines ? body : JSON.stringify(body) }),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  } catch (error) {
    if (isRefused(error)) throw new AppError('serve_not_running', { url: baseUrl }, error);
    throw new AppError('connection_failed', { url: baseUrl, reason: networkReason(error) }, error);
  }
}

function isRefused(error: unknown): boolean {
  return networkReason(error).includes('ECONNREFUSED');
}

function refusalOf(status: number, text: string, command: string): AppError {
  const { shape, problems } = decodeError(plainJson(text));
  const code = problems[0]?.code ?? '';
  // A sentence with gaps was filled by the server; one without is in our table, with the next step.
  if (shape === 'detail' && isErrorCode(code) && !entryOf(code).sentence.includes('{'))
    return new AppError(code);
  const reasons = problems.map(({ path, detail }) => [attrOfPath(path), detail].filter(Boolean).join(': '));
  const reason = reasons.join('; ') || `it answered with status ${status}`;
  const hint = Object.hasOwn(ADMIN_CODES, code)
    ? `${ADMIN_CODES[code as keyof typeof ADMIN_CODES].next} `
    : '';
  return new AppError('admin_refused', { reason, hint, command });
}
