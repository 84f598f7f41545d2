import { rmSync } from 'node:fs';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';
import { LIFE_ACCOUNTS, livedLife } from './migration-life.ts';
import { quickFolder } from './quick-folder.ts';
import { SimulatedWorld } from './simulated-world.ts';

/** Most steps of a life before everything is repaired. */
const STEPS = 5;

/**
 * Lives random lives of migrations: files change, causes come and go, processes die, and the same command is run after each step.
 * The command is real but for its sockets and its clock. `until`: ends the campaign early.
 */
export async function livesCampaign({
  seed,
  count,
  until = () => false,
}: {
  readonly seed: number;
  readonly count: number;
  readonly until?: (soFar: CampaignResult) => boolean;
}): Promise<CampaignResult> {
  const started = performance.now();
  const [counts, events] = [new Tally(), new Tally()];
  const violations: FoundViolation[] = [];
  const soFar = (): CampaignResult => ({
    campaign: 'lives',
    counts: counts.counts,
    events: events.sorted(),
    violations,
    seconds: (performance.now() - started) / 1000,
  });
  for (let number = seed; number < seed + count; number++) {
    const cwd = quickFolder();
    const world = new SimulatedWorld(cwd, LIFE_ACCOUNTS, number);
    try {
      const life = await livedLife(number, world, STEPS);
      counts.add('lives');
      counts.add('steps', life.events.length);
      counts.add('commands', life.commands);
      counts.add('requests', life.requests);
      for (const event of life.events) events.add(event);
      const steps = life.steps.join('\n    ');
      for (const found of life.violations)
        violations.push({ ...found, scenario: `seed ${number}`, words: `${found.words}\n    ${steps}` });
    } finally {
      await world.close();
      rmSync(cwd, { recursive: true, force: true });
    }
    if (until(soFar())) break;
  }
  return soFar();
}
