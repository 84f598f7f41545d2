/** A span of time for people: `850 ms`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function durationText(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`;
  const seconds = Math.round(durationMs / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Longest span that a timer of Node takes, 2^31 - 1 ms, rounded down to whole hours. */
export const MAX_HOURS = 596;

/** A span of time as `500ms`, `30s`, `15m` or `2h`, in milliseconds. NaN when it is too short or too long, undefined for another text. */
export function durationOf(text: string): number | undefined {
  const match = /^(\d{1,9})(ms|s|m|h)$/.exec(text);
  if (!match) return undefined;
  const value = Number.parseInt(match[1]!, 10) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
  return value >= 1 && value <= MAX_HOURS * UNIT_MS.h ? value : NaN;
}
