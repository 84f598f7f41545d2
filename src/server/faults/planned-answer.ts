import { STATUS_CODES } from 'node:http';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import { httpDateOf } from '../../core/values/http-date.ts';
import { Page, refusal, type Answer } from '../http/answer.ts';
import type { FaultRule } from './rule-schema.ts';

/** The code of the platform's own answer with a status, where it has one. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  401: 'authentication_failed',
  403: 'permission_denied',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'throttled',
  500: 'error',
};

/** The answer that a rule describes. Without a `body` it has the platform's own body for the status. */
export function plannedAnswer(rule: FaultRule, defaults: { status: number; nowMs: number }): Answer {
  const { status = defaults.status, location, headers = {} } = rule;
  const { 'retry-after': waitSeconds, 'retry-after-date': dateSeconds } = rule;
  const { 'content-type': contentType, ...others } = {
    ...(waitSeconds !== undefined && { 'retry-after': String(waitSeconds) }),
    ...(location !== undefined && { location }),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  } as Record<string, string>;
  return {
    status,
    headers: {
      ...(status === 401 && { 'www-authenticate': 'Token' }),
      // Clients compare the date with the `Date` header, so both come from the same clock.
      ...(dateSeconds !== undefined && {
        date: httpDateOf(defaults.nowMs),
        'retry-after': httpDateOf(defaults.nowMs + dateSeconds * 1_000),
      }),
      ...others,
    },
    body: pageOf(rule, status, contentType),
  };
}

function pageOf({ html, empty, body }: FaultRule, status: number, contentType: string | undefined): Page {
  if (empty) return new Page(contentType ?? null, '');
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return html
    ? new Page(contentType ?? 'text/html; charset=utf-8', text ?? htmlPage(status))
    : new Page(contentType ?? 'application/json; charset=utf-8', text ?? jsonBody(status));
}

function jsonBody(status: number): string {
  const code = CODES[status];
  const body =
    code === undefined ? { detail: phraseOf(status), code: 'error' } : refusal(code, { limit: 0 }).body;
  return JSON.stringify(body);
}

function htmlPage(status: number): string {
  const title = status < 300 ? 'Welcome to this network' : `${status} ${phraseOf(status)}`;
  return `<!DOCTYPE html>\n<html><head><title>${title}</title></head>\n<body><h1>${title}</h1></body></html>\n`;
}

const phraseOf = (status: number): string => STATUS_CODES[status] ?? 'status of a fault';
