import { violation, type Violation } from '../invariants/violation.ts';
import { servedPlatform, type ServedPlatform } from '../served-platform.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';
import { memoryViolations } from './memory.ts';

/** The result of one seed. */
export interface SeedResult {
  /** Records on the platform after it. */
  readonly stored: number;
  readonly counts: Readonly<Record<string, number>>;
  /** Kinds of events, each as often as it occurred. */
  readonly events: readonly string[];
  readonly violations: readonly Violation[];
}

/** The seeds of a campaign. */
export interface Seeds {
  readonly seed: number;
  readonly count: number;
  readonly open?: typeof servedPlatform;
}

interface Rounds extends Seeds {
  readonly campaign: string;
  /** After so many seeds the platform gets a valid request, and its records are deleted. */
  readonly round: number;
  /** Sends the request of a seed. `before`: records on the platform before it. */
  readonly send: (number: number, platform: ServedPlatform, before: number) => Promise<SeedResult>;
}

/** Sends seed after seed to `serve` in its own process. Checks I14 and I15 after each round. */
export async function inRounds({
  campaign,
  seed,
  count,
  open = servedPlatform,
  round,
  send,
}: Rounds): Promise<CampaignResult> {
  const started = performance.now();
  const [counts, events] = [new Tally(), new Tally()];
  const violations: FoundViolation[] = [];
  const memory: number[] = [];
  const platform = await open();
  try {
    let stored = await platform.rows();
    for (let number = seed; number < seed + count; number++) {
      const result = await send(number, platform, stored);
      stored = result.stored;
      for (const [name, more] of Object.entries(result.counts)) counts.add(name, more);
      for (const name of result.events) events.add(name);
      violations.push(...result.violations.map((each) => ({ ...each, scenario: `seed ${number}` })));
      if ((number - seed) % round !== round - 1) continue;
      counts.add('valid requests between');
      if (!(await platform.isWell()))
        violations.push({
          ...violation('I14', 'a valid request is refused'),
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
  return { campaign, counts: counts.counts, events: events.sorted(), violations, seconds };
}
