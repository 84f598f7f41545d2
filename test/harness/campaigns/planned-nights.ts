import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataimport, serve } from '../../support/built-cli.ts';
import { chanceFrom } from '../chance.ts';
import { generatedMigration, type MigrationSize } from '../generated-migration.ts';
import { violation } from '../invariants/violation.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';

/** The share of nights that may end outside of their interval. */
const OUTSIDE = 0.1;

/** `--latency` by its kind, from a time in milliseconds. */
const PROFILES: Readonly<Record<string, (ms: number) => string>> = {
  fixed: (ms) => `${ms}ms`,
  normal: (ms) => `normal:${ms}ms±${Math.round(0.3 * ms)}ms`,
  'long-tail': (ms) => `long-tail:${Math.round(ms / 2)}ms`,
  degrading: (ms) => `degrading:${Math.round(ms / 2)}ms+${Math.round(ms / 10)}ms`,
};

const REHEARSAL: MigrationSize = { accounts: 20, notes: 5, transactions: 20, statements: 4 };
const NIGHT: MigrationSize = { accounts: 60, notes: 8, transactions: 24, statements: 4 };

/**
 * Rehearses cohorts of all four resources against `serve --latency`, plans a larger night with `plan cohort.yaml`, and sends it with
 * `migrate`. Everything is real, also the time, so other work on the machine widens the intervals. Nine of ten nights have to end inside their interval.
 */
export async function plannedNightsCampaign({
  seed,
  count,
}: {
  readonly seed: number;
  readonly count: number;
}): Promise<CampaignResult> {
  const started = performance.now();
  const counts = new Tally();
  const events = new Tally();
  const outside: FoundViolation[] = [];
  const kinds = Object.keys(PROFILES);
  for (let number = seed; number < seed + count; number++) {
    const kind = kinds[number % kinds.length]!;
    const { lowMs, highMs, realMs } = await plannedNight(number, kind);
    const isInside = lowMs <= realMs && realMs <= highMs;
    counts.add('nights');
    counts.add('inside', isInside ? 1 : 0);
    counts.add('width in percent of the night', Math.round((100 * (highMs - lowMs)) / realMs / count));
    events.add(`${kind}: ${isInside ? 'inside' : 'outside'}`);
    const words = `${kind}: ${realMs} ms, planned ${lowMs} to ${highMs} ms`;
    if (!isInside) outside.push({ ...violation('I19', words), scenario: `seed ${number}` });
  }
  const isShown = outside.length <= OUTSIDE * count;
  counts.add('outside', outside.length);
  const seconds = (performance.now() - started) / 1000;
  return {
    campaign: 'planned-nights',
    counts: counts.counts,
    events: events.sorted(),
    violations: isShown ? [] : outside,
    seconds,
  };
}

async function plannedNight(
  seed: number,
  kind: string,
): Promise<{ readonly lowMs: number; readonly highMs: number; readonly realMs: number }> {
  const chance = chanceFrom(seed);
  const latency = PROFILES[kind]!(80 + chance.below(150));
  const concurrency = 6 + chance.below(7);
  // A third of the nights is sent with more requests at once than the rehearsal.
  const more = chance.below(3) === 0 ? chance.below(5) : 0;
  const cwd = mkdtempSync(join(tmpdir(), 'dataimport-planned-'));
  const send = async (name: string, size: MigrationSize, most: number, plan: readonly string[]) => {
    const { files, seed: platformSeed, apiKey } = generatedMigration(seed + size.accounts, size);
    const folder = join(cwd, name);
    mkdirSync(folder);
    for (const { resource, text } of files) writeFileSync(join(folder, `${resource}.csv`), text);
    writeFileSync(join(folder, 'seed.yaml'), platformSeed);
    const resources = files.map(({ resource }) => `  ${resource}: { files: [${resource}.csv] }`);
    const limits = `limits: { batch_size: 3, concurrency: ${most} }`;
    const cohort = ['version: 1', `name: ${name}`, 'supplier: ACME', 'resources:', ...resources, limits, ''];
    writeFileSync(join(folder, 'cohort.yaml'), cohort.join('\n'));
    const place = [
      '--port',
      '0',
      '--db',
      join(folder, 'platform.sqlite'),
      '--seed',
      join(folder, 'seed.yaml'),
    ];
    const platform = await serve([...place, '--latency', latency, '--fault-seed', String(seed)], { cwd });
    const env = { DATAIMPORT_BASE_URL: platform.url, DATAIMPORT_API_KEY: apiKey };
    const command = async (...argv: readonly string[]) => {
      const { exitCode, stdout, stderr } = await dataimport([...argv, '--json'], { cwd, env });
      if (exitCode !== 0)
        throw new Error(`seed ${seed}: ${argv[0]} ended with ${exitCode}: ${stdout}${stderr}`);
      return JSON.parse(stdout) as { readonly duration_ms: unknown };
    };
    try {
      const planned = plan.length > 0 ? await command('plan', `${name}/cohort.yaml`, ...plan) : undefined;
      const sent = await command('migrate', `${name}/cohort.yaml`);
      return { planned, realMs: sent.duration_ms as number };
    } finally {
      await platform.crash();
    }
  };
  try {
    await send('rehearsal', REHEARSAL, concurrency, []);
    const { planned, realMs } = await send('night', NIGHT, concurrency + more, ['--from', 'rehearsal']);
    const { low, high } = planned!.duration_ms as { low: number; high: number };
    return { lowMs: low, highMs: high, realMs };
  } finally {
    rmSync(cwd, { recursive: true, force: true, maxRetries: 3 });
  }
}
