import type { Violation } from '../invariants/violation.ts';

/** What a campaign came to. */
export interface CampaignResult {
  readonly campaign: string;
  /** What was done and found, in the order in which it is printed. */
  readonly counts: Readonly<Record<string, number>>;
  /** How often each kind of thing happened. */
  readonly happened: Readonly<Record<string, number>>;
  readonly violations: readonly FoundViolation[];
  readonly seconds: number;
}

/** A violation and the scenario that shows it again. */
export interface FoundViolation extends Violation {
  readonly scenario: string;
}

/** Counts up. */
export class Tally {
  readonly counts: Record<string, number> = {};

  add(name: string, more = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + more;
  }

  /** By name. */
  sorted(): Readonly<Record<string, number>> {
    return Object.fromEntries(Object.entries(this.counts).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Adds up parts of one campaign that ran side by side. */
export function merged(parts: readonly CampaignResult[]): CampaignResult {
  const [counts, happened] = [new Tally(), new Tally()];
  for (const part of parts) {
    for (const [name, count] of Object.entries(part.counts)) counts.add(name, count);
    for (const [name, count] of Object.entries(part.happened)) happened.add(name, count);
  }
  return {
    campaign: parts[0]!.campaign,
    counts: counts.counts,
    happened: happened.counts,
    violations: parts.flatMap(({ violations }) => violations),
    seconds: Math.max(...parts.map(({ seconds }) => seconds)),
  };
}

/** The result as a table for people. */
export function tableOf({ campaign, counts, happened, violations, seconds }: CampaignResult): string {
  const rows = (all: Readonly<Record<string, number>>): string[] => {
    const width = Math.max(0, ...Object.keys(all).map((name) => name.length));
    return Object.entries(all).map(
      ([name, count]) => `  ${name.padEnd(width)}  ${String(count).padStart(8)}`,
    );
  };
  const shown = violations
    .slice(0, 20)
    .map(({ invariant, scenario, words }) => `  ${invariant} ${scenario}: ${words}`);
  return [
    `${campaign}, ${Math.round(seconds)} s`,
    ...rows({ ...counts, violations: violations.length }),
    ...(Object.keys(happened).length === 0 ? [] : ['what happened', ...rows(happened)]),
    ...(shown.length === 0 ? [] : ['violations, the first of them', ...shown]),
    '',
  ].join('\n');
}
