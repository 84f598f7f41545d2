import { rmSync } from 'node:fs';
import { seedsFrom } from './faults.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';
import type { LifeWorld } from './life-world.ts';
import { LIFE_ACCOUNTS, livedLife, type LifeKind } from './migration-life.ts';
import { quickFolder } from './quick-folder.ts';
import { RealWorld } from './real-world.ts';
import { SimulatedWorld } from './simulated-world.ts';

/** Most steps of a life before everything is repaired. */
const STEPS = 5;

interface WantedLives {
  readonly seed: number;
  readonly count: number;
  /** Seeds that are lived before those from `seed` on. They do not count. */
  readonly first?: readonly number[];
  /** Default: any steps. */
  readonly kind?: LifeKind | undefined;
  /** Ends the campaign early. */
  readonly until?: (soFar: CampaignResult) => boolean;
}

/**
 * Lives random lives of migrations: files change, causes come and go, processes die, and the same command is run after each step.
 * The command is real but for its sockets and its clock.
 */
export function livesCampaign(wanted: WantedLives): Promise<CampaignResult> {
  return lives(wanted, 'lives', async (cwd, seed) => new SimulatedWorld(cwd, LIFE_ACCOUNTS, seed));
}

/** The same with the built command and `serve` as processes. */
export function realLivesCampaign(wanted: WantedLives): Promise<CampaignResult> {
  return lives(wanted, 'real-lives', (cwd) => RealWorld.open(cwd, LIFE_ACCOUNTS));
}

async function lives(
  { seed, count, first = [], kind = 'any', until = () => false }: WantedLives,
  campaign: string,
  open: (cwd: string, seed: number) => Promise<LifeWorld>,
): Promise<CampaignResult> {
  const started = performance.now();
  const [counts, events] = [new Tally(), new Tally()];
  const violations: FoundViolation[] = [];
  const soFar = (): CampaignResult => ({
    campaign,
    counts: counts.counts,
    events: events.sorted(),
    violations,
    seconds: (performance.now() - started) / 1000,
  });
  for (const number of [...first, ...seedsFrom(seed, count)]) {
    const cwd = quickFolder();
    const world = await open(cwd, number);
    try {
      const life = await livedLife(number, world, { kind, steps: STEPS });
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
      rmSync(cwd, { recursive: true, force: true, maxRetries: 3 });
    }
    if (until(soFar())) break;
  }
  return soFar();
}
