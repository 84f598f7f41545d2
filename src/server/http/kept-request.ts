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

/** What an object, a list or a number takes, beside the characters of its texts. */
const VALUE_BYTES = 16;

/**
 * Cuts what a client may send in any length, and names the cut fields in `cut`. Bodies come cut already. Each text is copied, because
 * a part of a text keeps the whole body in memory that it was read from.
 */
export function keptRequest(request: Omit<LoggedRequest, 'seq' | 'cut'>): KeptRequest {
  const cut: string[] = [];
  let bytes = 0;
  const fields = Object.entries(request).map(([name, value]) => {
    const isBody = name === 'request_body' || name === 'response_body';
    const kept = isBody ? { value, isCut: isBodyCut(name, request) } : firstPart(value);
    if (kept.isCut) cut.push(name);
    bytes += VALUE_BYTES + bytesOf(kept.value);
    return [name, kept.value];
  });
  return {
    request: { ...Object.fromEntries(fields), ...(cut.length > 0 && { cut }) } as LoggedRequest,
    bytes,
  };
}

function isBodyCut(name: 'request_body' | 'response_body', request: Omit<LoggedRequest, 'seq'>): boolean {
  const { request_bytes, response_bytes } = request;
  return (name === 'request_body' ? request_bytes : (response_bytes ?? 0)) > KEPT_BODY_BYTES;
}

function firstPart(value: unknown): { value: unknown; isCut: boolean } {
  if (typeof value === 'string') return { value: copyOf(value), isCut: value.length > MOST.units };
  if (Array.isArray(value)) {
    const parts = value.slice(0, MOST.items).map(firstPart);
    const isCut = value.length > MOST.items || parts.some((part) => part.isCut);
    return { value: parts.map((part) => part.value), isCut };
  }
  if (typeof value !== 'object' || value === null) return { value, isCut: false };
  const parts = Object.entries(value).map(([name, each]) => [name, firstPart(each)] as const);
  return {
    value: Object.fromEntries(parts.map(([name, part]) => [name, part.value])),
    isCut: parts.some(([, part]) => part.isCut),
  };
}

/** V8 copies shorter texts by itself. */
const LEAST_SHARED = 13;

const copyOf = (text: string): string =>
  text.length < LEAST_SHARED ? text : Buffer.from(text.slice(0, MOST.units)).toString();

/** A text takes one byte a character, or two when one of its characters needs them. Two are counted. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + bytesOf(each), VALUE_BYTES);
}
