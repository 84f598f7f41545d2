import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RESOURCES } from '../../../src/core/contract/resources.ts';
import { chanceFrom } from '../chance.ts';
import { violation } from '../invariants/violation.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';
import { honestNight } from './lie-night.ts';
import { TAMPERINGS, type Tampering } from './tampering.ts';

/**
 * Plays honest nights, which the commands of the morning have to believe, and tampers with copies of the first one in every known way and
 * for every resource: the commands have to find it. `count`: honest nights.
 */
export async function liesCampaign({
  seed,
  count,
  tamperings = TAMPERINGS,
}: {
  readonly seed: number;
  readonly count: number;
  readonly tamperings?: readonly Tampering[];
}): Promise<CampaignResult> {
  const started = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'dataimport-lies-'));
  const [counts, events] = [new Tally(), new Tally()];
  const violations: FoundViolation[] = [];
  try {
    for (let number = 0; number < count; number++) {
      const night = await honestNight(join(folder, 'night'), chanceFrom(seed + number));
      for (const resource of RESOURCES) {
        const found = await night.morning(resource);
        if (found !== undefined)
          violations.push({
            ...violation('I23', `an honest night is not believed: ${found}`),
            scenario: `--seed ${seed + number} --count 1, ${resource}`,
          });
      }
      counts.add('honest nights');
      if (number === 0)
        for (const tampering of tamperings)
          for (const resource of RESOURCES) {
            const copy = night.copy(join(folder, 'copy'));
            if (tampering.apply(copy, resource) === false) continue;
            const found = await copy.morning(resource);
            counts.add('lies');
            events.add(`${tampering.name}: ${found === undefined ? 'not found' : 'found'}`);
            if (found === undefined && tampering.hidden === undefined)
              violations.push({
                ...violation('I23', `${tampering.name} is not found`),
                scenario: `--seed ${seed}, ${resource}`,
              });
          }
      rmSync(night.folder, { recursive: true, force: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const seconds = (performance.now() - started) / 1000;
  return { campaign: 'lies', counts: counts.counts, events: events.counts, violations, seconds };
}
