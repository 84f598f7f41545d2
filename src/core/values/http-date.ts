/** Milliseconds since 1970 of `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that may be sent (RFC 9110, 5.6.7). */
export function httpDateMs(text: string): number | undefined {
  const epochMs = Date.parse(text);
  return Number.isNaN(epochMs) || httpDateOf(epochMs) !== text ? undefined : epochMs;
}

/** The same form of a time in milliseconds since 1970, cut to whole seconds. */
export const httpDateOf = (epochMs: number): string => new Date(epochMs).toUTCString();
