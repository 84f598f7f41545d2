import type { Chance } from './chance.ts';
import type { Sample } from './samples.ts';

/** How long the next request takes, in milliseconds; see `Sample`. */
export interface DrawnRequest {
  readonly busyMs: number;
  readonly pauseMs: number;
}

/** The requests of a rehearsal as a distribution that other requests are drawn from. */
export interface LatencyModel {
  /** A request of `records` that begins when `atOnce` are in flight, itself included. */
  draw(records: number, atOnce: number, chance: Chance): DrawnRequest;
}

/** Fewer samples than this say too little about one number of requests at once, so its neighbours are asked, too. */
const ENOUGH = 25;

/** The slowest tenth of the samples is their tail. */
const TAIL = 0.1;

/** No request is drawn that takes more than so many times as long as the slowest of the rehearsal. */
const MOST_TIMES_SLOWEST = 10;

/**
 * The time of a request grows with its records and with the requests beside it: a line through the samples (least squares)
 * says how much. Chance is the ratio of a sample to that line. It is drawn from the samples that were sent beside about as many
 * others, so a platform that slows down in steps is followed as far as the rehearsal went. Beyond that the line goes on.
 *
 * A larger night also has slower requests than the slowest of the rehearsal, and a single one may decide when it ends. So a ratio of
 * the slowest tenth is drawn from the distribution of Pareto that fits the tail.
 */
export function latencyModelOf(samples: readonly Sample[]): LatencyModel {
  const line = lineThrough(samples);
  const ratios = samples
    .map((sample) => ({
      atOnce: sample.atOnce,
      ratio: sample.busyMs / line(sample.records, sample.atOnce),
      pauseMs: sample.pauseMs,
    }))
    .toSorted((a, b) => a.atOnce - b.atOnce);
  const tail = tailOf(ratios.map(({ ratio }) => ratio));
  const near = new Map<number, readonly (typeof ratios)[number][]>();
  const nearTo = (atOnce: number): (typeof ratios)[number][] => {
    for (let away = 0; ; away++) {
      const found = ratios.filter((each) => Math.abs(each.atOnce - atOnce) <= away);
      if (found.length >= Math.min(ENOUGH, ratios.length)) return found;
    }
  };
  return {
    draw(records, atOnce, chance) {
      const known = near.get(atOnce) ?? nearTo(atOnce);
      near.set(atOnce, known);
      const { ratio, pauseMs } = known[Math.floor(chance() * known.length)]!;
      return { busyMs: (ratio > tail.from ? tail.draw(chance) : ratio) * line(records, atOnce), pauseMs };
    },
  };
}

/** The ratios above `from` as a distribution of Pareto. Its exponent is the estimate of Hill. */
function tailOf(ratios: readonly number[]): { readonly from: number; draw(chance: Chance): number } {
  const sorted = ratios.toSorted((a, b) => a - b);
  const from = sorted[Math.floor((1 - TAIL) * (sorted.length - 1))]!;
  const above = sorted.filter((ratio) => ratio > from);
  const meanLog = mean(above.map((ratio) => Math.log(ratio / from)));
  const most = MOST_TIMES_SLOWEST * sorted.at(-1)!;
  return { from, draw: (chance) => Math.min(most, from * (1 - chance()) ** -meanLog) };
}

/** The mean time of a request, in milliseconds. */
type Line = (records: number, atOnce: number) => number;

/** No time is less than this, in milliseconds: the clock of a run file counts whole milliseconds. */
const LEAST_MS = 0.5;

/** A slope counts when it explains so many times as much as chance would on average (an F test at about 5 %). */
const CLEAR = 4;

/** The line with the least squares of those that fall in neither direction: more work never takes less time. */
export function lineThrough(samples: readonly Sample[]): Line {
  const times = samples.map(({ busyMs }) => busyMs);
  const [meanMs, meanRecords, meanAtOnce] = [
    mean(times),
    mean(samples.map(({ records }) => records)),
    mean(samples.map(({ atOnce }) => atOnce)),
  ];
  const byRecords = samples.map(({ records }) => records - meanRecords);
  const byAtOnce = samples.map(({ atOnce }) => atOnce - meanAtOnce);
  const off = times.map((time) => time - meanMs);
  const [rr, nn, rn] = [dot(byRecords, byRecords), dot(byAtOnce, byAtOnce), dot(byRecords, byAtOnce)];
  const [ry, ny] = [dot(byRecords, off), dot(byAtOnce, off)];
  const both = rr * nn - rn * rn;
  const slopes: readonly (readonly [perRecord: number, perRequest: number])[] = [
    ...(both > 1e-9 * rr * nn ? [[(ry * nn - ny * rn) / both, (ny * rr - ry * rn) / both] as const] : []),
    ...(rr > 0 ? [[ry / rr, 0] as const] : []),
    ...(nn > 0 ? [[0, ny / nn] as const] : []),
    [0, 0],
  ];
  const rising = slopes.filter(([perRecord, perRequest]) => perRecord >= 0 && perRequest >= 0);
  // What a line explains of the squares.
  const explained = ([perRecord, perRequest]: readonly [number, number]): number =>
    2 * (perRecord * ry + perRequest * ny) -
    (perRecord * perRecord * rr + 2 * perRecord * perRequest * rn + perRequest * perRequest * nn);
  const best = rising.reduce((most, each) => (explained(each) > explained(most) ? each : most));
  // A slope that chance alone explains as well would be far off where the rehearsal has no samples.
  const used = best.filter((slope) => slope > 0).length;
  const unexplained = Math.max(0, dot(off, off) - explained(best)) / Math.max(1, samples.length - 1 - used);
  const [perRecord, perRequest] = explained(best) > CLEAR * used * unexplained ? best : [0, 0];
  // A steep line may fall to zero between the samples, and a ratio to almost zero would be huge elsewhere.
  const leastMs = times.reduce((least, time) => Math.min(least, time), Infinity);
  return (records, atOnce) =>
    Math.max(
      LEAST_MS,
      leastMs,
      meanMs + perRecord * (records - meanRecords) + perRequest * (atOnce - meanAtOnce),
    );
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, each, index) => sum + each * b[index]!, 0);
}
