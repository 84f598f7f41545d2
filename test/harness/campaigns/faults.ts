import { rmSync } from 'node:fs';
import type { CampaignResult, FoundViolation } from './campaign-result.ts';
import { Tally } from './campaign-result.ts';
import { faultRuns } from './fault-run.ts';
import { quickFolder } from './quick-folder.ts';

/** `count` seeds from the first. */
export function seedsFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

/** Runs the real engine and the real run file against a simulated platform, on virtual time. One run for each seed. */
export async function faultsCampaign(
  seeds: readonly number[],
  isEnough: (soFar: Pick<CampaignResult, 'counts' | 'violations' | 'events'>) => boolean = () => false,
): Promise<CampaignResult> {
  const started = performance.now();
  const folder = quickFolder();
  const runFaults = faultRuns(folder);
  const [counts, events] = [new Tally(), new Tally()];
  const violations: FoundViolation[] = [];
  try {
    for (const number of seeds) {
      if (isEnough({ counts: counts.counts, violations, events: events.counts })) break;
      const run = await runFaults(number);
      const { difference } = run;
      counts.add('runs');
      counts.add('requests', run.requests);
      counts.add('rows', run.rows);
      counts.add('lives', run.lives);
      counts.add('deaths', run.deaths.length);
      counts.add('faults', run.faults.length);
      counts.add('lost', difference.lost);
      counts.add('repeated', difference.repeated);
      counts.add('falsely reported', run.violations.filter(({ invariant }) => invariant === 'I6').length);
      counts.add('totals that differ', difference.totalsDiffer);
      for (const fault of run.faults) events.add(`fault: ${fault}`);
      for (const end of run.ends) events.add(`end: ${end}`);
      for (const death of run.deaths) events.add(`death: ${death}`);
      events.add(`variant: ${run.variant}`);
      const scenario = `seed ${number}, ${run.variant}`;
      violations.push(...run.violations.map((violation) => ({ ...violation, scenario })));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const seconds = (performance.now() - started) / 1000;
  return {
    campaign: 'faults',
    counts: counts.counts,
    events: events.sorted(),
    violations,
    seconds,
  };
}
