import type { Violation } from '../invariants/violation.ts';

/** The result of a campaign. */
export interface CampaignResult {
  readonly campaign: string;
  /** Counts in the order of printing. */
  readonly counts: Readonly<Record<string, number>>;
  /** How often each kind of event occurred. */
  readonly events: Readonly<Record<string, number>>;
  readonly violations: readonly FoundViolation[];
  readonly seconds: number;
}

/** A violation and the scenario that reproduces it. */
export interface FoundViolation extends Violation {
  readonly scenario: string;
}

/** Counts by name. */
export class Tally {
  readonly counts: Record<string, number> = {};

  add(name: string, more = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + more;
  }

  /** The counts in the order of their names. */
  sorted(): Readonly<Record<string, number>> {
    return Object.fromEntries(Object.entries(this.counts).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Adds up parts of one campaign that ran in parallel. */
export function merged(parts: readonly CampaignResult[]): CampaignResult {
  const [counts, events] = [new Tally(), new Tally()];
  for (const part of parts) {
    for (const [name, count] of Object.entries(part.counts)) counts.add(name, count);
    for (const [name, count] of Object.entries(part.events)) events.add(name, count);
  }
  return {
    campaign: parts[0]!.campaign,
    counts: counts.counts,
    events: events.counts,
    violations: parts.flatMap(({ violations }) => violations),
    seconds: Math.max(...parts.map(({ seconds }) => seconds)),
  };
}

/** The result as a table for people. */
export function tableOf({ campaign, counts, events, violations, seconds }: CampaignResult): string {
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
    ...(Object.keys(events).length === 0 ? [] : ['events', ...rows(events)]),
    ...(shown.length === 0 ? [] : ['first violations', ...shown]),
    '',
  ].join('\n');
}
