import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COHORT, note, NOTES, seedWith, site } from '../support/cohort-site.ts';
import { verified } from '../support/verified.ts';

const MIGRATE = ['migrate', 'night.yaml'];

/** The words of a command as a shell reads them. */
const words = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!).slice(1);

describe('the command that goes on with a cohort', () => {
  test('has the words as they were typed, in quotes where a shell needs them, and can be typed', async () => {
    const made = await site(seedWith('imported', 'staged'));
    writeFileSync(join(made.cwd, 'my night.yaml'), `name: night\n${COHORT}`);
    const first = await made.cli('migrate', 'my night.yaml', '--run-dir', 'elsewhere');
    const line = /^next: (.*)$/m.exec(first.stdout)![1]!;
    expect(line).toBe("dataimport migrate 'my night.yaml' --run-dir elsewhere");
    await made.reseed(seedWith('imported', 'imported'));
    expect((await made.cli(...words(line))).exitCode).toBe(0);
  });

  test('is in verify, which names the folder', async () => {
    const made = await site(seedWith('imported', 'staged'));
    await made.cli(...MIGRATE, '--run-dir', 'elsewhere');
    for (const line of [[], ['night.yaml']]) {
      const { exitCode, found } = await verified(made, ...line, '--run-dir', 'elsewhere');
      expect([exitCode, found.next]).toEqual([5, 'dataimport migrate night.yaml --run-dir elsewhere']);
      expect((await made.cli(...words(found.next!))).exitCode).toBe(5);
    }
  });

  test('names each shard that is unfinished', async () => {
    const made = await site(seedWith('staged', 'staged', 'staged', 'staged'));
    made.csv('n1.csv', NOTES, ...[1001, 1002, 1003, 1004].map((account) => note(account, 'first')));
    for (const shard of ['1/2', '2/2']) await made.cli(...MIGRATE, '--shard', shard);
    const { found } = await verified(made);
    const commands = found.answer.to_do.map(({ who, command }) => `${who} ${command}`);
    expect([...new Set(commands)]).toEqual([
      'platform null',
      'importer dataimport migrate night.yaml --shard 1/2',
      'importer dataimport migrate night.yaml --shard 2/2',
    ]);
    await made.reseed(seedWith('imported', 'imported', 'imported', 'imported'));
    for (const { command } of found.answer.to_do)
      if (command !== null) expect((await made.cli(...words(command))).exitCode).toBe(0);
    expect(await made.ledger()).toHaveLength(9);
    const { answer } = (await verified(made)).found;
    expect([answer.everything_arrived, answer.to_do]).toEqual([true, []]);
  });
});

test('the next command of --shard auto has the shard of this process, because a shell has no scheduler', async () => {
  const made = await site(seedWith('staged', 'staged', 'staged', 'staged'));
  const env = { JOB_COMPLETION_INDEX: '1', DATAIMPORT_SHARD_COUNT: '2' };
  made.csv('n1.csv', NOTES, ...[1001, 1002, 1003, 1004].map((account) => note(account, 'first')));
  const migrated = await made.cliIn({ env }, ...MIGRATE, '--shard', 'auto');
  expect([migrated.exitCode, migrated.stdout]).toEqual([
    5,
    expect.stringContaining('next: dataimport migrate night.yaml --shard 2/2\n') as string,
  ]);
  const pushed = await made.cliIn({ env }, 'push', 'notes', 'n1.csv', '--shard=auto', '--supplier', 'ACME');
  expect([pushed.exitCode, pushed.stdout]).toEqual([
    4,
    expect.stringContaining('next: dataimport push notes n1.csv --shard 2/2 --supplier ACME\n') as string,
  ]);
});

const CLOSED = `status=400 body='{"non_field_errors": ["Closed for today."]}'`;

test.each<readonly [what: string, exit: number, fault: string, flags: readonly string[]]>([
  ['a platform that asks to wait for long', 5, 'records accept status=429 retry-after=7200', []],
  ['a platform that does not answer for long', 5, 'records accept status=503', ['--retry-for', '1s']],
  ['a refused record', 4, `notes accept ${CLOSED} account=1002`, []],
  ['a refused record that is skipped', 6, `notes accept ${CLOSED} account=1002`, ['--on-reject', 'skip']],
  ['too many refusals', 4, `notes accept ${CLOSED}`, ['--on-reject', 'skip', '--max-errors', '1']],
  ['refused tokens', 7, 'records accept status=401', []],
  ['an answer that is not of the platform', 4, 'records accept status=302', []],
  ['lost answers', 5, 'transactions after-commit reset', ['--retry-for', '1s']],
])('after %s the next command leads to the end as it is printed', async (what, exit, fault, flags) => {
  const made = await site(seedWith('imported', 'imported'));
  const world = { maxWaits: 50, chance: 0.5 };
  writeFileSync(join(made.cwd, 'my night.yaml'), COHORT);
  await made.faults(fault);
  const line = ['migrate', 'my night.yaml', '--run-dir', 'my runs', ...flags];
  const ended = await made.cliIn(world, ...line);
  expect(ended.exitCode, ended.stderr).toBe(exit);
  const [, waiting = '0'] = /^cohort .* (\d+) waiting/m.exec(ended.stdout) ?? [];
  const counts = [...ended.stdout.matchAll(/^ {2}not sent: (\d+) rows?/gm)].map(([, count]) => Number(count));
  if (what.includes('refus') && exit === 4)
    expect(counts.reduce((all, count) => all + count, 0)).toBe(Number(waiting));
  await made.faults();
  const next = /^next: (.*)$/m.exec(ended.stdout)![1]!;
  expect(words(next)).toEqual(line);
  expect((await made.cliIn(world, ...words(next))).exitCode).toBe(0);
  expect(await made.ledger()).toHaveLength(7);
});
