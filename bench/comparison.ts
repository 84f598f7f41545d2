import type { Usage } from './process.ts';

/** One program of a comparison. Each call runs the whole program once. */
export type Side = () => Promise<Usage>;

/** Samples of several programs that took turns. The first one is ours. */
export interface Comparison {
  /** The measurement and its case, such as `read plain`. */
  readonly id: string;
  /** Rows that each program processes. */
  readonly rows: number;
  readonly samples: Readonly<Record<string, readonly Usage[]>>;
}

/** A number of a sample that two programs are compared by. */
export type Quantity = 'wallMs' | 'cpuMs' | 'peakBytes' | 'diskBytes';

/**
 * Runs all sides in turn, as often as `pairs` says, so that other load on the machine hits all alike.
 */
export async function alternate(job: {
  readonly id: string;
  readonly rows: number;
  readonly pairs: number;
  readonly sides: Readonly<Record<string, Side>>;
}): Promise<Comparison> {
  const { id, rows, pairs, sides } = job;
  const samples: Record<string, Usage[]> = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let round = 0; round < pairs; round++)
    for (const [name, run] of Object.entries(sides)) samples[name]!.push(await run());
  return { id, rows, samples };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The name of our side. */
export function oursOf({ samples }: Comparison): string {
  return Object.keys(samples)[0]!;
}

/** The median of one quantity of a side. */
export function middle(comparison: Comparison, side: string, quantity: Quantity): number {
  return median(samplesOf(comparison, side).map((sample) => sample[quantity]));
}

/** The median over the rounds of one side's quantity ÷ another side's in the same round. */
export function ratio(
  comparison: Comparison,
  quantity: Quantity,
  [side, other]: readonly [side: string, other: string],
): number {
  const others = samplesOf(comparison, other);
  return median(
    samplesOf(comparison, side).map((sample, round) => sample[quantity] / others[round]![quantity]),
  );
}

function samplesOf({ id, samples }: Comparison, side: string): readonly Usage[] {
  const found = samples[side];
  if (found === undefined) throw new Error(`${id} has no ${side}`);
  return found;
}
