import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Journal } from '../../../src/cli/journal/journal.ts';
import { runsOf, seedWith, site as cohortSite } from '../../support/cohort-site.ts';
import { runDocument } from '../../support/json-documents.ts';
import type { FakeIoOptions } from '../../support/cli-io.ts';
import { leavingPlatform } from '../../support/leaving-platform.ts';
import { migration, type Migration } from '../../support/migration.ts';
import { GOOD, HEADER, REFUSED, SEED } from '../../support/refused-account.ts';

/** Flags for an end with 4 after the first row, with the second row left. */
const TOO_MANY = ['--on-reject', 'skip', '--max-errors', '0', '-j', '1'];

const NONE = async (): Promise<FakeIoOptions> => ({});

/** A platform that can no longer be reached, tried until the time is over. */
const LEFT = async (): Promise<FakeIoOptions> => ({ ...(await leavingPlatform()), chance: 0.5, maxWaits: 3 });

/** A token that ends with the first request that has records. */
const EXPIRING = async (site: Migration): Promise<FakeIoOptions> => {
  await site.faults('transactions accept expire-tokens');
  return { env: { DATAIMPORT_TOKEN: await site.token() } };
};

/** A platform whose first answer takes a moment. */
const LATE = async (site: Migration): Promise<FakeIoOptions> => {
  await site.faults('token accept reset times=1');
  return { chance: 0.5, maxWaits: 1 };
};

const journalIn = (site: Migration): string =>
  globSync(join(site.cwd, '.dataimport/journal/*/*/transactions.sqlite'))[0]!;

async function pushed(site: Migration, flags: readonly string[] = TOO_MANY, world: FakeIoOptions = {}) {
  site.csv('t.csv', HEADER, REFUSED, GOOD);
  const { exitCode, json } = await site.cliIn(world, 'push', 'transactions', 't.csv', '--json', ...flags);
  const document = runDocument.parse(json());
  return { exitCode, document, run: document.run! };
}

async function shown(site: Migration, run: string, world: FakeIoOptions = {}) {
  const { exitCode, json } = await site.cliIn(world, 'runs', 'show', run, '--json');
  return { exitCode, document: runDocument.parse(json()) };
}

describe('runs show agrees with the push about a run', () => {
  test.each([
    ['that was ended by --max-errors', TOO_MANY, NONE, 4, 'max_errors_exceeded'],
    ['that was refused', ['-j', '1'], NONE, 4, 'account_not_found'],
    ['that ran out of time', ['--retry-for', '800ms', '-j', '1'], LEFT, 5, 'retry_time_used_up'],
    ['whose whole time was over before', ['--max-duration', '100ms'], LATE, 5, 'max_duration_over'],
    ['whose token was refused', ['-j', '1'], EXPIRING, 7, 'credentials_refused'],
  ] as const)('%s', async (_, flags, prepared, code, problem) => {
    const site = await migration(SEED);
    const world = await prepared(site);
    const { exitCode, document, run } = await pushed(site, flags, world);
    expect(exitCode).toBe(code);
    expect(document.problems.map((each) => each.code)).toContain(problem);
    const later = await shown(site, run, world);
    expect(later.exitCode).toBe(code);
    // What arrived now belongs to the command that sent.
    expect(later.document).toEqual({ ...document, duration_ms: undefined, arrived_now: undefined });
  });
});

describe('the recorded end of a run', () => {
  test('is erased when the run is taken up, however that ends', async () => {
    const site = await migration(SEED);
    const { run } = await pushed(site);
    const journal = Journal.open(journalIn(site));
    const taken = journal.reading(1);
    expect(taken.end).toMatchObject({ exit: 'REFUSED', reason: { code: 'max_errors_exceeded' } });
    // Its process dies before it records an end.
    taken.takeUp({ now: '2026-11-21T00:00:00.000Z', choice: taken.choice, again: false });
    expect(taken.end).toBeNull();
    journal.close();
    expect((await shown(site, run)).exitCode).toBe(5);
  });

  test('is the reason why another journal of its cohort could not be read', async () => {
    const made = await cohortSite(seedWith('imported', 'staged'));
    expect((await made.cli('migrate', 'night.yaml')).exitCode).toBe(5);
    const notes = runsOf(made).find((id) => id.includes('notes'))!;
    writeFileSync(journalIn(made), 'x');
    const { exitCode } = await made.cli('migrate', 'night.yaml');
    expect([exitCode, (await made.cli('runs', 'show', notes)).exitCode]).toEqual([8, 8]);
  });
});
