import { rmSync } from 'node:fs';
import type { CampaignResult, FoundViolation } from './campaign-result.ts';
import { Tally } from './campaign-result.ts';
import { storyteller } from './fault-story.ts';
import { quickFolder } from './quick-folder.ts';

/** Runs of the real engine and the real run file against a simulated platform, on virtual time. */
export async function faultsCampaign(
  { seed, count }: { readonly seed: number; readonly count: number },
  isEnough: (violations: readonly FoundViolation[]) => boolean = () => false,
): Promise<CampaignResult> {
  const started = performance.now();
  const folder = quickFolder();
  const tell = storyteller(folder);
  const [counts, happened] = [new Tally(), new Tally()];
  const violations: FoundViolation[] = [];
  try {
    for (let number = seed; number < seed + count && !isEnough(violations); number++) {
      const story = await tell(number);
      const { difference } = story;
      counts.add('runs');
      counts.add('requests', story.requests);
      counts.add('rows', story.rows);
      counts.add('lives', story.lives);
      counts.add('deaths', story.deaths.length);
      counts.add('faults', story.faults.length);
      counts.add('lost', difference.lost);
      counts.add('repeated', difference.repeated);
      counts.add('falsely reported', story.violations.filter(({ invariant }) => invariant === 'I6').length);
      counts.add('totals that differ', difference.totalsDiffer);
      for (const fault of story.faults) happened.add(`fault: ${fault}`);
      for (const end of story.ends) happened.add(`end: ${end}`);
      for (const death of story.deaths) happened.add(`death: ${death}`);
      const scenario = `seed ${number}, ${story.way}`;
      violations.push(...story.violations.map((violation) => ({ ...violation, scenario })));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const seconds = (performance.now() - started) / 1000;
  return {
    campaign: 'faults',
    counts: counts.counts,
    happened: happened.sorted(),
    violations,
    seconds,
  };
}
