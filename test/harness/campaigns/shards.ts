import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  dataimport,
  dataimportWith,
  serve,
  type CliEnvironment,
  type Ended,
} from '../../support/built-cli.ts';
import { chanceFrom, type Chance } from '../chance.ts';
import { generatedMigration } from '../generated-migration.ts';
import { ledgerDifference, ledgerViolations } from '../invariants/ledger.ts';
import { violation, type Violation } from '../invariants/violation.ts';
import { actualLedger, expectedLedger, givenInstants } from '../oracle/oracle.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';

const SIZE = { accounts: 10, notes: 4, transactions: 8, statements: 3 };

/** Most commands of one shard, and how many of them may be killed. */
const MOST_COMMANDS = 40;
const MOST_KILLS = 3;

/**
 * Sends generated files with `push --shard auto`, four shards of a file at once from one folder unless another number is given. Each
 * process is killed at any time and its line is typed again until it succeeds. `count`: kills.
 */
export async function shardsCampaign({
  seed,
  count,
  shards = 4,
}: {
  readonly seed: number;
  readonly count: number;
  readonly shards?: number;
}): Promise<CampaignResult> {
  const started = performance.now();
  const counts = new Tally();
  const events = new Tally();
  const violations: FoundViolation[] = [];
  for (let next = seed; (counts.counts['kills'] ?? 0) < count; next++) {
    const found = await shardedMigration(next, shards, { count, counts, events });
    violations.push(...found.map((each) => ({ ...each, scenario: `seed ${next}` })));
  }
  const seconds = (performance.now() - started) / 1000;
  return { campaign: 'shards', counts: counts.counts, events: events.sorted(), violations, seconds };
}

async function shardedMigration(seed: number, count: number, course: Course): Promise<readonly Violation[]> {
  const { counts } = course;
  const { files: ofAll, accounts, seed: platformSeed, apiKey } = generatedMigration(seed, SIZE);
  // The next resource belongs to the next seed.
  const files = ofAll.filter((_, index) => index === seed % ofAll.length);
  const cwd = mkdtempSync(join(tmpdir(), 'dataimport-shards-'));
  writeFileSync(join(cwd, 'seed.yaml'), platformSeed);
  const platform = await serve(
    ['--port', '0', '--db', join(cwd, 'platform.sqlite'), '--seed', join(cwd, 'seed.yaml')],
    {
      cwd,
    },
  );
  const env = {
    DATAIMPORT_BASE_URL: platform.url,
    DATAIMPORT_API_KEY: apiKey,
    DATAIMPORT_SHARD_COUNT: String(count),
  };
  const violations: Violation[] = [];
  try {
    for (const { resource, text } of files) {
      writeFileSync(join(cwd, `${resource}.csv`), text);
      const line = ['push', resource, `${resource}.csv`, '--shard', 'auto'];
      const flags = ['--batch-size', '3', '-j', '4', '--json'];
      const shards = Array.from({ length: count }, async (_, index) => {
        const world = { cwd, env: { ...env, JOB_COMPLETION_INDEX: String(index) } };
        const chance = chanceFrom(seed * count + index);
        const failure = await repeated([...line, ...flags], { ...course, world, chance });
        if (failure !== undefined)
          violations.push(violation('I10', `${resource}, shard ${index + 1}: ${failure}`));
      });
      await Promise.all(shards);
    }
    const expected = expectedLedger(files, accounts);
    const answer = await fetch(`${platform.url}/_local/ledger`);
    const actual = actualLedger(await answer.text(), givenInstants(files));
    const { lost, repeated: twice } = ledgerDifference(expected, actual);
    counts.add('migrations');
    counts.add('lost', lost);
    counts.add('repeated', twice);
    violations.push(...ledgerViolations(expected, actual));
  } finally {
    await platform.crash();
    rmSync(cwd, { recursive: true, force: true, maxRetries: 3 });
  }
  return violations;
}

interface Course {
  /** No process is killed after so many kills. */
  readonly count: number;
  readonly counts: Tally;
  readonly events: Tally;
}

/** Types the line of one shard until it succeeds, and once more. Returns what was wrong. */
async function repeated(
  line: readonly string[],
  {
    world,
    chance,
    count,
    counts,
    events,
  }: Course & { readonly world: CliEnvironment; readonly chance: Chance },
): Promise<string | undefined> {
  for (let commands = 0; commands < MOST_COMMANDS; commands++) {
    const isMortal = commands < MOST_KILLS && (counts.counts['kills'] ?? 0) < count;
    const afterMs = 200 + chance.below(2_000);
    const ended = await dataimportWith(line, world, async (child) => {
      if (isMortal) setTimeout(() => child.kill('SIGKILL'), afterMs);
    });
    if (ended.signal === 'SIGKILL') {
      counts.add('kills');
      continue;
    }
    events.add(`exit ${ended.exitCode}`);
    // Another shard may hold the lock of the folder, or look at this run, at that moment.
    if (ended.exitCode === 10) continue;
    if (!isDone(ended)) return `exit ${ended.exitCode}: ${ended.stdout}`;
    const again = await dataimport(line, world);
    return again.exitCode === ended.exitCode || again.exitCode === 10
      ? undefined
      : `exit ${ended.exitCode}, then ${again.exitCode}`;
  }
  return `no end after ${MOST_COMMANDS} commands`;
}

function isDone({ exitCode }: Ended): boolean {
  return exitCode === 0 || exitCode === 6;
}
