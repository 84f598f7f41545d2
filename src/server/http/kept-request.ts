import type { LoggedRequest } from './logged-request.ts';

/** A request as the log keeps it, and about how many bytes of memory it takes. */
export interface KeptRequest {
  readonly request: Omit<LoggedRequest, 'seq'>;
  readonly bytes: number;
}

/** How much of a body the log keeps, in bytes. */
export const KEPT_BODY_BYTES = 1024 * 1024;

/** Most UTF-16 units of any other text, and most items of a list. */
const MOST = { units: 1_024, items: 50 };

/** What a value takes, beside the characters of its texts. */
const VALUE_BYTES = 16;

/**
 * Cuts what a client may send in any length, and names the cut fields in `cut`. Bodies come cut already. Each other value is written and read
 * as JSON, because a part of a text keeps the whole body in memory that it was read from.
 */
export function keptRequest(request: Omit<LoggedRequest, 'seq' | 'cut'>): KeptRequest {
  const { request_body: sent, response_body: answered, request_bytes, response_bytes } = request;
  const cut = new Set<string>();
  let bytes = bytesOf(sent) + bytesOf(answered);
  const fields = Object.entries(request).map(([name, value]) => {
    if (name === 'request_body' || name === 'response_body') return [name, value];
    const text = JSON.stringify(value, (_, part: unknown) => {
      const first = firstPart(part);
      if (first !== part) cut.add(name);
      return first;
    });
    bytes += VALUE_BYTES + 2 * text.length;
    return [name, JSON.parse(text)];
  });
  if (request_bytes > KEPT_BODY_BYTES && sent !== undefined) cut.add('request_body');
  if ((response_bytes ?? 0) > KEPT_BODY_BYTES && answered !== undefined) cut.add('response_body');
  return {
    request: { ...Object.fromEntries(fields), ...(cut.size > 0 && { cut: [...cut] }) } as LoggedRequest,
    bytes,
  };
}

function firstPart(value: unknown): unknown {
  if (typeof value === 'string' && value.length > MOST.units) return value.slice(0, MOST.units);
  return Array.isArray(value) && value.length > MOST.items ? value.slice(0, MOST.items) : value;
}

/** A text takes one byte a character, or two when one of its characters needs them. Two are counted. */
export const bytesOf = (text: string | undefined): number =>
  text === undefined ? 0 : VALUE_BYTES + 2 * text.length;
