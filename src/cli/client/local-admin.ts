import { createInterface } from 'node:readline/promises';
import { request } from 'undici';
import { AppError } from '../../core/app-error.ts';
import { databaseNamedIn } from '../../core/contract/database-identity.ts';
import { entryOf, isErrorCode } from '../../core/error-codes/table.ts';
import { attrOfPath } from '../../core/problem.ts';
import { decodeError } from '../../core/validation-error.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import { networkReason } from './network-failure.ts';

/** One call of the admin API (docs/operating.md). */
export interface AdminCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/_local/`, with its query. */
  readonly path: string;
  readonly body?: object;
}

export interface AdminApi {
  /** The database of the platform. */
  readonly database: string | null;
  call(call: AdminCall): Promise<Buffer>;
  /** The lines of an answer to a GET, each as it arrives, so the answer may be larger than the memory. */
  lines(path: string): AsyncGenerator<string>;
}

/**
 * Opens the admin API, after a check that a `dataimport serve` listens at the address.
 * @param baseUrl without a final slash
 * @param command for errors, such as `admin supplier`
 */
export async function openLocalAdmin(baseUrl: string, command: string): Promise<AdminApi> {
  const send = ({ method, path, body }: AdminCall) =>
    request(`${baseUrl}/_local/${path}`, {
      method,
      headers: method === 'GET' ? {} : { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const answered = async (call: AdminCall) => {
    const answer = await send(call);
    if (answer.statusCode < 300) return answer.body;
    throw refusalOf(answer.statusCode, await answer.body.text(), command);
  };
  const whole = <T>(read: () => Promise<T>): Promise<T> =>
    read().catch((error: unknown) => {
      throw brokenOff(baseUrl, error);
    });
  const [status, health, headers] = await whole(async () => {
    const answer = await send({ method: 'GET', path: 'health' });
    return [answer.statusCode, await answer.body.text(), answer.headers] as const;
  });
  const server = plainJson(health) as { instance?: unknown } | null | undefined;
  if (status !== 200 || typeof server?.instance !== 'string')
    throw new AppError('usage', {
      reason: `${baseUrl} is no local platform: another program listens there`,
      todo: 'Give the address that `dataimport serve` printed.',
    });
  return {
    database: databaseNamedIn(headers as Readonly<Record<string, string>>),
    call: (call) => whole(async () => Buffer.from(await (await answered(call)).arrayBuffer())),
    lines: async function* (path) {
      try {
        yield* createInterface({ input: await answered({ method: 'GET', path }), crlfDelay: Infinity });
      } catch (error) {
        throw brokenOff(baseUrl, error);
      }
    },
  };
}

/** The error for an answer that did not arrive, or not to its end. */
function brokenOff(baseUrl: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  const reason = networkReason(error);
  const nobody = 'nobody listens there; `dataimport serve` starts a local platform';
  const why = reason.includes('ECONNREFUSED') ? nobody : reason;
  return new AppError('connection_failed', { url: baseUrl, reason: why }, error);
}

function refusalOf(status: number, text: string, command: string): AppError {
  const { shape, problems } = decodeError(plainJson(text));
  const code = problems[0]?.code ?? '';
  // The server has filled in the facts of a sentence. A sentence without facts is in our table, with its next step.
  if (shape === 'detail' && isErrorCode(code) && !entryOf(code).sentence.includes('{'))
    return new AppError(code);
  const reasons = problems.map(({ path, detail }) => [attrOfPath(path), detail].filter(Boolean).join(': '));
  const reason = reasons.join('; ') || `it answered with status ${status}`;
  return new AppError('admin_refused', { reason, command });
}
