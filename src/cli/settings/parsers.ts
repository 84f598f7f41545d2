import type { ErrorCode } from '../../core/error-codes/table.ts';
import { isCalendarDate, type CalendarDate } from '../../core/values/calendar-date.ts';
import { isTimeZone } from '../../core/values/time-zone.ts';

/** The parsed text of a flag, a variable or a key in a file. */
export type ParsedSetting<T> =
  | { readonly value: T }
  /** `reason` completes "is wrong: …" and never repeats the text; `code` when the table has a code of its own for it. */
  | { readonly reason: string; readonly code?: ErrorCode };

/** Parses the text of a value. Settings are texts wherever they come from, so each has exactly one parser. */
export type SettingParser<T> = (text: string) => ParsedSetting<T>;

/** A whole number from `min` (1) to `max`, in digits only: `0`, `-1`, `1.5`, `1e9` and the empty text are wrong. */
export function count({ min = 1, max }: { min?: number; max: number }): SettingParser<number> {
  return (text) => {
    // A number with more digits than a float represents exactly is above any maximum.
    const value = /^\d{1,15}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
    return value >= min && value <= max
      ? { value }
      : { reason: `it must be a whole number from ${min} to ${max}` };
  };
}

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Longest span that a timer of Node takes, 2^31 - 1 ms, rounded down to whole hours. */
const MAX_HOURS = 596;

/** A span of time such as `500ms`, `30s`, `15m` or `2h`, in milliseconds. */
export const duration: SettingParser<number> = (text) => {
  const match = /^(\d{1,9})(ms|s|m|h)$/.exec(text);
  if (!match) return { reason: 'it must be a span of time such as 500ms, 30s, 15m or 2h' };
  const value = Number.parseInt(match[1]!, 10) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
  return value >= 1 && value <= MAX_HOURS * UNIT_MS.h
    ? { value }
    : { reason: `it must be from 1ms to ${MAX_HOURS}h` };
};

/** A number of requests in a span of time. */
export interface GivenRate {
  readonly requests: number;
  /** In milliseconds. */
  readonly perMs: number;
}

const requests = count({ max: 100_000 });

/** `20/s`, or `30/m` for less than one request in a second. */
export const rate: SettingParser<GivenRate> = (text) => {
  const [, number = '', unit] = /^(\d+)\/([sm])$/.exec(text) ?? [];
  const parsed = requests(number);
  return 'value' in parsed
    ? { value: { requests: parsed.value, perMs: unit === 's' ? UNIT_MS.s : UNIT_MS.m } }
    : { reason: 'it must be a whole number of requests in a second or a minute, such as 20/s or 30/m' };
};

/** How many rows may be wrong: a number of rows, or a share of all rows that were read. */
export type ErrorLimit = { readonly rows: number } | { readonly percent: number };

const rows = count({ min: 0, max: 1_000_000_000 });
const percent = count({ min: 0, max: 100 });

/** `20`, or `5%`. */
export const errorLimit: SettingParser<ErrorLimit> = (text) => {
  const isShare = text.endsWith('%');
  const parsed = isShare ? percent(text.slice(0, -1)) : rows(text);
  if (!('value' in parsed))
    return { reason: 'it must be a whole number of rows, or a share of them such as 5%' };
  return { value: isShare ? { percent: parsed.value } : { rows: parsed.value } };
};

/** Text that is not blank and has no control characters. */
export const plainText: SettingParser<string> = (text) => {
  if (text.trim() === '') return { reason: 'it is empty' };
  return /\p{Cc}/u.test(text) ? { reason: 'it contains control characters' } : { value: text };
};

function matching(pattern: RegExp, reason: string): SettingParser<string> {
  return (text) => (pattern.test(text) ? { value: text } : { reason });
}

/** A name of letters, digits and underscores, as in programs. */
export const identifier = matching(/^[A-Za-z_]\w*$/, 'it must be a name of letters, digits and underscores');

/** Words with commas between them, such as `PENDING,REJECTED`. */
export const wordList: SettingParser<readonly string[]> = (text) =>
  /^\w+(?: *, *\w+)*$/.test(text)
    ? { value: text.split(/ *, */) }
    : { reason: 'it must be words with commas between them' };

/** A word before a token (RFC 9110, 11.1). */
export const schemeWord = matching(
  /^[A-Za-z][\w!#$%&'*+.^`|~-]{0,31}$/,
  'it must be a word such as Token or Bearer, or none',
);

/** A path below the base URL. */
export const urlPath = matching(/^\/[\w\-./~]*$/, 'it must be a path that begins with /');

/** A day such as `1970-01-01`. */
export const calendarDate: SettingParser<CalendarDate> = (text) =>
  isCalendarDate(text) ? { value: text } : { reason: 'it must be a day such as 1970-01-01' };

/** A choice that is written `yes` or `no`. */
export const yesOrNo: SettingParser<boolean> = (text) =>
  text === 'yes' || text === 'no' ? { value: text === 'yes' } : { reason: 'it must be yes or no' };

/** A time zone such as `Europe/London`. */
export const timeZone: SettingParser<string> = (text) =>
  isTimeZone(text)
    ? { value: text }
    : { reason: 'it must be a time zone such as Europe/London, not an offset' };

/**
 * The address of the platform without its final slash, so that the paths of the interface can be added to it:
 * `https://host/prefix` + `/v1/…`. A key does not belong in a URL, and a query or fragment would be lost. Keys and
 * customer data leave this machine over https only.
 */
export const baseUrl: SettingParser<string> = (text) => {
  const parsed = tokenUrl(text);
  if (!('value' in parsed)) return parsed;
  const { origin, pathname } = new URL(text);
  const path = pathname.replace(/\/$/, '');
  return path.endsWith('/v1')
    ? { reason: 'it must end before /v1, which every path of the interface begins with' }
    : { value: `${origin}${path}` };
};

/** The address of an authorisation server, as it is. */
export const tokenUrl: SettingParser<string> = (text) => {
  // `URL` trims, repairs and resolves. An address that needs any of that is more likely a mistake.
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) {
    return { reason: 'it must be an address such as https://platform.example' };
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    return { reason: 'it must not contain a user name or password' };
  if (/[?#]/.test(text)) return { reason: 'it must not contain a query or fragment' };
  if (url.pathname.includes('//') || /(^|\/)\.{1,2}(\/|$)/.test(text)) {
    return { reason: 'its path has an empty or relative part' };
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return { reason: 'it is not https and not on this machine', code: 'base_url_insecure' };
  }
  return { value: text };
};

/** Whether a host of a URL is this machine. Nothing that is sent there can be read on the way. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
