import { ENDPOINTS } from '../../core/contract/endpoints.ts';
import { DESCRIPTORS } from '../../core/contract/resources.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import { isResource } from '../faults/fault-rule.ts';
import { jsonIn } from '../http/body.ts';
import { KEPT_BODY_BYTES } from '../http/request-log.ts';
import type { RequestSubject } from '../http/logged-request.ts';
import { textOf, type Answer } from '../http/answer.ts';
import { isJsonObject, type Fields } from '../routes/envelope.ts';
import { problemsFor } from './client-advice.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Writes a request into the log when its connection is done with it.
 * @param nowMs the real clock
 */
export function recordAtEnd(context: RequestContext, nowMs: () => number): void {
  const startedMs = performance.now();
  const at = preciseInstantOfClock(nowMs());
  const { server, method, path, match, response } = context;
  response.once('close', () => {
    const { body, answer, faults, subject = subjectOf(context) } = context;
    const isWhole = response.writableFinished;
    const length = Number.parseInt(String(response.getHeader('content-length')), 10);
    // The bodies of a token request and of its answer are secrets.
    const isTokenRequest = match?.access === 'open';
    const codes = answer ? codesOf(answer) : [];
    server.requests.add({
      at,
      method,
      path,
      query: loggable(context.queryText),
      endpoint: match?.endpoint ?? null,
      ...subject,
      status: isWhole ? response.statusCode : null,
      codes,
      ...(answer &&
        (answer.problems || codes.length > 0) && { problems: problemsFor(context, answer, codes, subject) }),
      ...(answer?.created !== undefined && { created: answer.created }),
      ...(answer?.repetitions && answer.repetitions.existing > 0 && { repetitions: answer.repetitions }),
      ...(Object.keys(answer?.tolerated ?? {}).length > 0 && { tolerated: answer!.tolerated }),
      ...(faults.length > 0 && { faults }),
      duration_ms: Math.round((performance.now() - startedMs) * 10) / 10,
      request_bytes: body?.length ?? 0,
      response_bytes: isWhole && !Number.isNaN(length) ? length : null,
      ...(!isTokenRequest && bodiesOf(body, answer)),
    });
  });
}

/** The account of a path, or the account and records that a body names. No route may have judged the body. */
function subjectOf({ match, body }: RequestContext): RequestSubject {
  const { endpoint, segments = {} } = match ?? {};
  const named = endpoint && isResource(endpoint) ? fieldsIn(body) : {};
  const { import_supplier, external_account_number, ...others } = named;
  return {
    import_supplier: segments['importSupplier'] ?? nameIn(import_supplier),
    external_account_number: segments['externalAccountNumber'] ?? nameIn(external_account_number),
    records: endpoint && isResource(endpoint) ? recordsIn(others, DESCRIPTORS[endpoint].list) : null,
  };
}

function fieldsIn(body: Uint8Array | undefined): Fields {
  const json = jsonIn(body);
  return isJsonObject(json) ? json : {};
}

/** Without a list the fields beside the account are one record. */
function recordsIn(others: Fields, list: string | null): number | null {
  if (list === null) return Object.keys(others).length > 0 ? 1 : null;
  const records = others[list];
  return Array.isArray(records) ? records.length : null;
}

/** Longest name of a supplier or an account in the log. A body that nobody has checked may have any. */
const LONGEST_NAME = 128;

function nameIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME ? value : null;
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
      const name = parameter.split('=', 1)[0]!;
      if (KNOWN_PARAMETERS.has(name)) return parameter;
      return /^\w{1,64}$/.test(name) ? name : '…';
    })
    .join('&');
}

function codesOf({ status, hidden, problems = [], body }: Answer): readonly string[] {
  if (hidden) return [hidden.code];
  const errors = problems.flatMap(({ severity, code }) => (severity === 'error' ? [code] : []));
  if (errors.length > 0) return [...new Set(errors)];
  return status >= 400 && isJsonObject(body) && typeof body['code'] === 'string' ? [body['code']] : [];
}

function bodiesOf(body: Uint8Array | undefined, answer: Answer | undefined) {
  return {
    ...(body && { request_body: firstPartOf(Buffer.from(body.buffer, body.byteOffset, body.length)) }),
    ...(answer && { response_body: firstPartOf(Buffer.from(textOf(answer))) }),
  };
}

const firstPartOf = (bytes: Buffer): string => bytes.toString('utf8', 0, KEPT_BODY_BYTES);
