import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chained } from '../../support/chained-run.ts';
import { chainProblems, flip, FLIPPED } from '../../support/flipped-run.ts';
import { chanceFrom } from '../chance.ts';
import { violation, type Violation } from '../invariants/violation.ts';
import { Tally, type CampaignResult } from './campaign-result.ts';

/**
 * Flips one bit in a copy of a part of a finished run, and lets the checker of the examples look for it. `count`: flips of each
 * part. A flip in the run file is harmless when all sealed rows are still what they were.
 */
export async function chainCampaign({
  seed,
  count,
}: {
  readonly seed: number;
  readonly count: number;
}): Promise<CampaignResult> {
  const started = performance.now();
  const chance = chanceFrom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'dataimport-chain-'));
  const [counts, events] = [new Tally(), new Tally()];
  const violations: (Violation & { readonly scenario: string })[] = [];
  try {
    const run = await chained(folder);
    if (chainProblems(run).length > 0) throw new Error(chainProblems(run).join('\n'));
    for (const part of FLIPPED)
      for (let flips = 0; flips < count; flips++) {
        const { where, isNoticed, isHarmless } = flip(run, part, folder, chance.next);
        counts.add('flips');
        events.add(`${part}: ${isNoticed ? 'noticed' : isHarmless ? 'in nothing that is sealed' : 'missed'}`);
        if (!isNoticed && !isHarmless)
          violations.push({
            ...violation('I18', `a flipped bit of ${where} was not noticed`),
            scenario: `--seed ${seed}, flip ${flips} of ${part}`,
          });
      }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const seconds = (performance.now() - started) / 1000;
  return { campaign: 'chain', counts: counts.counts, events: events.sorted(), violations, seconds };
}
