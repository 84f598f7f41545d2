import { STATUS_CODES } from 'node:http';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import { httpDateOf } from '../../core/values/http-date.ts';
import { Page, refusal, type Answer } from '../http/answer.ts';
import type { PlannedAnswer } from './rule.ts';

/** What the platform itself answers with, where it has such an answer. */
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

/** The answer that a rule has for a request at this reading of the clock. */
export function answerOfPlan(
  { status, page, body, headers, retryAfterDateSeconds }: PlannedAnswer,
  nowMs: number,
): Answer {
  const { 'content-type': contentType, ...others } = headers;
  return {
    status,
    headers: {
      ...(status === 401 && { 'www-authenticate': 'Token' }),
      // A date means something only beside the date of the answer, and by the same clock.
      ...(retryAfterDateSeconds !== null && {
        date: httpDateOf(nowMs),
        'retry-after': httpDateOf(nowMs + retryAfterDateSeconds * 1_000),
      }),
      ...others,
    },
    body: bodyOf({ status, page, body, contentType }),
  };
}

interface PlannedBody {
  readonly status: number;
  readonly page: PlannedAnswer['page'];
  readonly body: string | null;
  readonly contentType: string | undefined;
}

function bodyOf({ status, page, body, contentType }: PlannedBody): Page {
  if (page === 'empty') return new Page(contentType ?? null, '');
  if (page === 'html') return new Page(contentType ?? 'text/html; charset=utf-8', body ?? htmlPage(status));
  return new Page(contentType ?? 'application/json; charset=utf-8', body ?? jsonBody(status));
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

function phraseOf(status: number): string {
  return STATUS_CODES[status] ?? 'status of a fault';
}
