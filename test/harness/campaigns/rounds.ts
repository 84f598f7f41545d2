import { violation, type Violation } from '../invariants/violation.ts';
import { servedPlatform, type ServedPlatform } from '../served-platform.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';
import { memoryViolations } from './memory.ts';

/** What came of one seed. */
export interface Told {
  /** Records that the platform holds now. */
  readonly stored: number;
  readonly counts: Readonly<Record<string, number>>;
  /** Kinds of things, each as often as it happened. */
  readonly happened: readonly string[];
  readonly violations: readonly Violation[];
}

/** Which seeds a campaign sends. */
export interface Seeds {
  readonly seed: number;
  readonly count: number;
}

interface Rounds extends Seeds {
  readonly campaign: string;
  /** After so many seeds the platform is asked whether it is well, and forgets its records. */
  readonly round: number;
  /** Sends what belongs to a seed; `before`: records that the platform holds already. */
  readonly send: (number: number, platform: ServedPlatform, before: number) => Promise<Told>;
}

/** Sends seed after seed to `serve` in a process of its own; I14 and I15 are looked at after each round. */
export async function inRounds({ campaign, seed, count, round, send }: Rounds): Promise<CampaignResult> {
  const started = performance.now();
  const [counts, happened] = [new Tally(), new Tally()];
  const violations: FoundViolation[] = [];
  const memory: number[] = [];
  const platform = await servedPlatform();
  try {
    let stored = 0;
    for (let number = seed; number < seed + count; number++) {
      const told = await send(number, platform, stored);
      stored = told.stored;
      for (const [name, more] of Object.entries(told.counts)) counts.add(name, more);
      for (const name of told.happened) happened.add(name);
      violations.push(...told.violations.map((each) => ({ ...each, scenario: `seed ${number}` })));
      if ((number - seed) % round !== round - 1) continue;
      counts.add('good requests between');
      if (!(await platform.isWell()))
        violations.push({
          ...violation('I14', 'a good request is refused'),
          scenario: `after seed ${number}`,
        });
      stored = 0;
      memory.push(await platform.residentMb());
    }
    violations.push(...memoryViolations(memory).map((each) => ({ ...each, scenario: `seeds from ${seed}` })));
  } finally {
    await platform.stop();
  }
  counts.add('MB at the start', Math.round(memory[0] ?? 0));
  counts.add('MB at the end', Math.round(memory.at(-1) ?? 0));
  const seconds = (performance.now() - started) / 1000;
  return { campaign, counts: counts.counts, happened: happened.sorted(), violations, seconds };
}
