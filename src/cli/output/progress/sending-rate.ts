/** How far the rate looks back, in milliseconds. Earlier answers say little about now. */
const WINDOW_MS = 180_000;

/** A rate over less than this time, in milliseconds, or from a single answer is chance. */
const BASIS_MS = 15_000;
const BASIS_SAMPLES = 3;

const SAMPLE_EVERY_MS = 1_000;

/** How fast records are settled, by the last minutes. */
export class SendingRate {
  private samples: { atMs: number; settled: number }[] = [];

  /** `settled`: all records that are settled at this time. All times are those in which the platform answered (run-course.ts). */
  add(settled: number, atMs: number): void {
    const last = this.samples.at(-1);
    if (last && atMs - last.atMs < SAMPLE_EVERY_MS) return;
    // One sample stays from before the window, so that the rate is one of the whole window.
    const first = this.samples.findLastIndex((sample) => atMs - sample.atMs >= WINDOW_MS);
    if (first > 0) this.samples.splice(0, first);
    this.samples.push({ atMs, settled });
  }

  /** How long `left` more records take at this rate, in milliseconds; undefined while there is no basis for it. */
  leftMs({ settled, left }: { settled: number; left: number }, nowMs: number): number | undefined {
    const [first] = this.samples;
    if (!first || this.samples.length < BASIS_SAMPLES || nowMs - first.atMs < BASIS_MS) return undefined;
    if (settled <= first.settled) return undefined;
    return (left * (nowMs - first.atMs)) / (settled - first.settled);
  }

  /** How many in a second at this rate; undefined while there is no basis for it. */
  perSecond(settled: number, nowMs: number): number | undefined {
    const eachMs = this.leftMs({ settled, left: 1 }, nowMs);
    return eachMs === undefined ? undefined : 1_000 / eachMs;
  }
}

/** `85`, or `8.1` below ten: a rate with two digits. */
export function rateText(perSecond: number): string {
  return perSecond < 9.95 ? perSecond.toFixed(1) : String(Math.round(perSecond));
}

/** `under 1 min left`, `12 min left`, `2 h 10 min left`. Seconds would promise more than a rate can say. */
export function timeLeftText(leftMs: number): string {
  if (leftMs < 60_000) return 'under 1 min left';
  const minutes = Math.ceil(leftMs / 60_000);
  if (minutes < 60) return `${minutes} min left`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}
