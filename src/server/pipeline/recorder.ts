import { ENDPOINTS } from '../../core/contract/endpoints.ts';
import { decodeError } from '../../core/validation-error.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import { loggedProblems } from '../http/logged-problem.ts';
import { textOf, type Answer } from '../http/answer.ts';
import type { Tenants } from '../tenants/tenants.ts';
import type { RequestContext } from './request-context.ts';

interface RecorderOptions {
  readonly tenants: Tenants;
  /** The real clock. */
  readonly nowMs: () => number;
}

/** How much of a body the log keeps. */
const KEPT_BYTES = 1024 * 1024;

/** Writes a request into the log of its tenant when its connection is done with it. */
export function recordAtEnd(context: RequestContext, { tenants, nowMs }: RecorderOptions): void {
  const startedMs = performance.now();
  const at = preciseInstantOfClock(nowMs());
  const { method, target, match, response } = context;
  response.once('close', () => {
    const [path = '', query = ''] = target.split('?', 2);
    const { body, answer, subject, tenant = tenants.root } = context;
    const isWhole = response.writableFinished;
    const length = Number.parseInt(String(response.getHeader('content-length')), 10);
    // The bodies of a token request and of its answer are secrets.
    const isTokenRequest = match?.access === 'open';
    tenant.requests.add({
      at,
      method,
      path,
      query: loggable(query),
      endpoint: match?.endpoint ?? null,
      import_supplier: subject?.import_supplier ?? match?.segments['importSupplier'] ?? null,
      external_account_number:
        subject?.external_account_number ?? match?.segments['externalAccountNumber'] ?? null,
      records: subject?.records ?? null,
      status: isWhole ? response.statusCode : null,
      codes: answer && answer.status >= 400 ? codesOf(answer) : [],
      ...(answer?.problems && { problems: loggedProblems(answer.problems) }),
      duration_ms: Math.round((performance.now() - startedMs) * 10) / 10,
      request_bytes: body?.length ?? 0,
      response_bytes: isWhole && !Number.isNaN(length) ? length : null,
      ...(tenant.requests.keepsBodies() && !isTokenRequest && bodiesOf(body, answer)),
    });
  });
}

const KNOWN_PARAMETERS = new Set<string>(
  Object.values(ENDPOINTS).flatMap((endpoint) => Object.keys('query' in endpoint ? endpoint.query : {})),
);

/** A query without the values of unknown parameters, which may be secrets. An unknown name is kept if it looks like a name. */
function loggable(query: string): string {
  if (query === '') return '';
  return query
    .split('&')
    .map((parameter) => {
      const [name = ''] = parameter.split('=', 1);
      if (KNOWN_PARAMETERS.has(name)) return parameter;
      return /^\w{1,64}$/.test(name) ? name : '…';
    })
    .join('&');
}

function codesOf(answer: Answer): readonly string[] {
  // The transaction shape has no field for codes. Each sentence ends with its code in parentheses.
  const { shape, problems } = decodeError(plainJson(textOf(answer)));
  const codes =
    shape === 'transaction'
      ? problems.flatMap(({ detail }) => codesIn(detail))
      : problems.map(({ code }) => code);
  return [...new Set(codes.filter((code) => code !== null))];
}

function codesIn(detail: string): readonly string[] {
  return [...detail.matchAll(/\((\w+)\)(?=;|$)/g)].map(([, code]) => code!);
}

function bodiesOf(body: Uint8Array | undefined, answer: Answer | undefined) {
  return {
    ...(body && { request_body: firstPartOf(body) }),
    ...(answer && { response_body: firstPartOf(Buffer.from(textOf(answer))) }),
  };
}

/** A new string, because a part of a string keeps the whole string in memory. */
function firstPartOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, KEPT_BYTES)).toString();
}
