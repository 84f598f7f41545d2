import { httpDateMs } from '../../core/values/http-date.ts';

/**
 * The wait that an answer asks for, in milliseconds; 0 when it asks for none or cannot be read. A date is read
 * against the answer's own `Date`, because clocks differ (RFC 9110, 10.2.3).
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>): number {
  const asked = headers['retry-after']?.trim();
  if (asked === undefined) return 0;
  if (/^\d{1,9}$/.test(asked)) return Number.parseInt(asked, 10) * 1000;
  const until = httpDateMs(asked);
  const now = httpDateMs(headers['date'] ?? '');
  return until === undefined || now === undefined ? 0 : Math.max(0, until - now);
}
