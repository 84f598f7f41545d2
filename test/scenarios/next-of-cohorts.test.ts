import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MigrationReport } from '../../src/cli/output/report/migration-report.ts';
import { COHORT, note, NOTES, runsOf, seedWith, site } from '../support/cohort-site.ts';

const MIGRATE = ['migrate', 'night.yaml', '--continue'];

/** The words of a command as a shell reads them. */
const words = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!).slice(1);

describe('the line that continues a cohort', () => {
  test('has the cohort file as it was typed, in quotes where a shell needs them, and can be typed', async () => {
    const made = await site(seedWith('imported', 'staged'));
    writeFileSync(join(made.cwd, 'my night.yaml'), `name: night\n${COHORT}`);
    await made.cli('migrate', 'my night.yaml', '--run-dir', 'elsewhere');
    const report = (
      await made.cli('report', 'night', '--run-dir', 'elsewhere', '--json')
    ).json() as unknown as MigrationReport;
    const line = report.answer.to_do.at(-1)!.command!;
    expect(line).toBe("dataimport migrate 'my night.yaml' --continue --run-dir elsewhere");
    await made.reseed(seedWith('imported', 'imported'));
    expect((await made.cli(...words(line))).exitCode).toBe(0);
  });

  test('names each shard that is unfinished', async () => {
    const made = await site(seedWith('staged', 'staged', 'staged', 'staged'));
    made.csv('n1.csv', NOTES, ...[1001, 1002, 1003, 1004].map((account) => note(account, 'first')));
    for (const shard of ['1/2', '2/2']) await made.cli(...MIGRATE, '--shard', shard);
    const report = (await made.cli('report', 'night', '--json')).json() as unknown as MigrationReport;
    expect(report.answer.to_do.map(({ who, command }) => [who, command])).toEqual([
      ['platform', null],
      ['importer', 'dataimport migrate night.yaml --continue --shard 1/2'],
      ['importer', 'dataimport migrate night.yaml --continue --shard 2/2'],
    ]);
    await made.reseed(seedWith('imported', 'imported', 'imported', 'imported'));
    for (const { command } of report.answer.to_do)
      if (command !== null) expect((await made.cli(...words(command))).exitCode).toBe(0);
  });

  test('is printed by `resume`, which refuses a run of a cohort', async () => {
    const made = await site(seedWith('imported', 'staged'));
    await made.cli(...MIGRATE);
    const { stderr } = await made.cli('resume', runsOf(made)[0]!, '--run-dir', '.dataimport/runs/night');
    expect(stderr).toContain('Type `dataimport migrate night.yaml --continue --run-dir .dataimport/runs`');
  });
});

test.each([
  ['--shard', 'auto'],
  ['--shard=auto', undefined],
])(
  'the next command of %s %s has the shard of this process, because a shell has no scheduler',
  async (flag, value) => {
    const made = await site(seedWith('staged', 'staged', 'staged', 'staged'));
    const env = { JOB_COMPLETION_INDEX: '1', DATAIMPORT_SHARD_COUNT: '2' };
    made.csv('n1.csv', NOTES, ...[1001, 1002, 1003, 1004].map((account) => note(account, 'first')));
    const shard = value === undefined ? [flag] : [flag, value];
    const migrated = await made.cliIn({ env }, ...MIGRATE, ...shard);
    expect([migrated.exitCode, migrated.stdout]).toEqual([
      5,
      expect.stringContaining('next: dataimport migrate night.yaml --continue --shard 2/2\n') as string,
    ]);
    const push = ['push', '--continue', 'notes', 'n1.csv', ...shard, '--supplier', 'ACME'];
    const pushed = await made.cliIn({ env }, ...push);
    expect([pushed.exitCode, pushed.stdout]).toEqual([
      4,
      expect.stringContaining(
        'next: dataimport push --continue notes n1.csv --shard 2/2 --supplier ACME\n',
      ) as string,
    ]);
  },
);
