import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockResource } from '../../src/cli/journal/database/resource-lock.ts';
import { journalsIn, readingsOf } from '../support/journals.ts';
import { runCli } from '../support/cli-io.ts';
import { COHORT, documentOf, note, NOTES, seedWith, site } from '../support/cohort-site.ts';
import type { Migration } from '../support/migration.ts';

const MIGRATE = ['migrate', 'night.yaml', '-j', '1'];
const SEED = seedWith('imported', 'imported');

const runsFolder = ({ cwd }: Migration): string => join(cwd, '.dataimport', 'journal');
/** The journal of the notes. */
const notesOf = ({ cwd }: Migration): string =>
  journalsIn(cwd)
    .files()
    .find((file) => file.endsWith('notes.sqlite'))!;

/** Types a command, and does something while it waits because the platform has asked it to slow down. */
async function whileWaiting(made: Migration, line: readonly string[], act: () => void | Promise<void>) {
  const io = made.io({ maxWaits: 9, chance: 0.5 });
  const { sleep } = io.timing;
  let acts = 0;
  io.timing.sleep = async (waitMs, signal) => {
    await sleep(waitMs, signal);
    if (acts++ === 0) await act();
  };
  const ended = await runCli(line, io);
  expect(acts, ended.stderr).toBeGreaterThan(0);
  return ended;
}

/** A cohort in which the platform takes some notes, and then asks to wait. */
async function waitingSite(): Promise<Migration> {
  const made = await site(SEED, `${COHORT}limits: { batch_size: 1 }\n`);
  await made.faults('notes accept status=429 retry-after=1 nth=3');
  return made;
}

/** The command once more, to the end. No record is on the platform twice. */
async function toTheEnd(made: Migration): Promise<void> {
  await made.faults();
  const { exitCode, stderr } = await made.cli(...MIGRATE);
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  expect(await made.ledger()).toHaveLength(7);
}

describe('the folder of the runs', () => {
  test.each<
    readonly [what: string, harm: (made: Migration) => void, end: (made: Migration) => Promise<void>]
  >([
    [
      'is moved away, and later put back,',
      (made) => renameSync(runsFolder(made), join(made.cwd, 'elsewhere')),
      async (made) => {
        rmSync(runsFolder(made), { recursive: true, force: true });
        renameSync(join(made.cwd, 'elsewhere'), runsFolder(made));
        await toTheEnd(made);
      },
    ],
    [
      'loses the file of a run, which is moved away',
      (made) => {
        const file = notesOf(made);
        renameSync(file, `${file}.away`);
      },
      () => Promise.resolve(),
    ],
    [
      'gets another file in place of that of a run',
      (made) => {
        const file = notesOf(made);
        copyFileSync(file, `${file}.copy`);
        renameSync(`${file}.copy`, file);
      },
      () => Promise.resolve(),
    ],
  ])('that %s while a cohort is sent ends the command before its next request', async (_, harm, end) => {
    const made = await waitingSite();
    let answered = 0;
    const ended = await whileWaiting(made, [...MIGRATE, '--json'], async () => {
      answered = (await made.ledger()).length;
      harm(made);
    });
    expect(ended.exitCode).toBe(8);
    expect(ended.stderr).toContain('error run_removed the journal ');
    expect(answered).toBeGreaterThan(0);
    // The last answer asked to wait.
    const { rows, requests, next } = documentOf(ended);
    expect([rows.created, requests.total, rows.unknown]).toEqual([answered, answered + 1, 0]);
    expect(await made.ledger()).toHaveLength(answered);
    expect(next).toBe('dataimport migrate night.yaml -j 1 --json');
    await end(made);
  });

  test('that is removed while a cohort is sent is begun again, and the platform recognises what it has', async () => {
    const made = await waitingSite();
    const ended = await whileWaiting(made, MIGRATE, () => rmSync(runsFolder(made), { recursive: true }));
    expect([ended.exitCode, ended.stdout]).toEqual([8, expect.stringMatching(/\d requests?, /) as string]);
    expect(ended.stderr).toContain('error run_removed the journal ');
    await toTheEnd(made);
  });
});

describe('a second process', () => {
  test('with the same cohort does nothing while the first one sends it', async () => {
    const made = await waitingSite();
    let second: Awaited<ReturnType<Migration['cli']>> | undefined;
    let before = 0;
    const first = await whileWaiting(made, MIGRATE, async () => {
      before = (await made.ledger()).length;
      second = await made.cli(...MIGRATE);
      expect(await made.ledger()).toHaveLength(before);
    });
    expect([second!.exitCode, second!.stderr]).toEqual([10, expect.stringContaining('run_locked')]);
    expect(first.exitCode).toBe(0);
    expect(await made.ledger()).toHaveLength(7);
  });

  test('with one resource of it alone, or with the whole cohort and not a shard, does nothing either', async () => {
    const made = await waitingSite();
    const lines = [
      ['push', 'notes', 'n1.csv', '--supplier', 'ACME'],
      ['resume'],
      [...MIGRATE, '--shard', '1/2'],
    ];
    const ended: number[] = [];
    await whileWaiting(made, MIGRATE, async () => {
      for (const line of lines) ended.push((await made.cli(...line)).exitCode);
    });
    expect(ended).toEqual(lines.map(() => 10));
    expect(await made.ledger()).toHaveLength(7);
  });

  test('with another shard of the same number goes on beside it', async () => {
    const made = await site(seedWith('imported', 'imported', 'imported', 'imported'));
    made.csv('n1.csv', NOTES, ...[1001, 1002, 1003, 1004].map((account) => note(account, 'first')));
    await made.cli(...MIGRATE, '--shard', '1/2');
    const { target, database } = readingsOf(journalsIn(made.cwd))[0]!.header;
    const unlock = lockResource(
      runsFolder(made),
      { resource: 'transactions', target, database, supplier: 'ACME' },
      { index: 1, count: 2 },
    );
    expect((await made.cli(...MIGRATE, '--shard', '1/2')).exitCode).toBe(10);
    expect((await made.cli(...MIGRATE)).exitCode).toBe(10);
    expect((await made.cli(...MIGRATE, '--shard', '2/2')).exitCode).toBe(0);
    unlock();
    expect((await made.cli(...MIGRATE)).exitCode).toBe(0);
    expect(await made.ledger()).toHaveLength(9);
  });
});

describe('a journal of a cohort', () => {
  /** Copies the journal of the notes, with what is beside it. */
  function copy(from: string, to: string): void {
    for (const end of ['', '-wal'])
      if (existsSync(from + end)) copyFileSync(from + end, to + end);
      else rmSync(to + end, { force: true });
  }

  test('that is restored from an older copy is refused, and goes on with the newer one', async () => {
    const made = await site(seedWith('imported', 'staged'));
    expect((await made.cli(...MIGRATE)).exitCode).toBe(5);
    const [notes, older, newer] = [notesOf(made), join(made.cwd, 'older'), join(made.cwd, 'newer')];
    copy(notes, older);
    await made.setState('1002', 'imported');
    await made.faults('transactions accept status=429 retry-after=7200');
    expect((await made.cliIn({ chance: 0.5 }, ...MIGRATE)).exitCode).toBe(5);
    copy(notes, newer);
    const before = await made.ledger();
    await made.faults();
    copy(older, notes);
    for (const line of [MIGRATE, ['resume']]) {
      const { exitCode, stderr } = await made.cli(...line);
      expect([exitCode, stderr], line.join(' ')).toEqual([
        8,
        expect.stringMatching(/run_rolled_back .* is an older copy: its chain has \d+ links, and \d+ were/),
      ]);
    }
    expect(await made.ledger()).toEqual(before);
    copy(newer, notes);
    await toTheEnd(made);
  });

  test.each([
    [
      'is that of another resource',
      (file: string) => copyFileSync(file.replace('notes', 'transactions'), file),
      'run_inaccessible',
    ],
    ['is damaged', (file: string) => writeFileSync(file, 'no database'), 'run_damaged'],
  ])(
    'stops every command that sends while it %s, because nobody knows what it has sent',
    async (_, harm, code) => {
      const made = await site(SEED);
      expect((await made.cli(...MIGRATE)).exitCode).toBe(0);
      harm(notesOf(made));
      made.csv('n2.csv', NOTES, note(1002, 'second'), note(1001, 'second'), note(1001, 'third'));
      for (const again of [MIGRATE, ['push', 'notes', 'n2.csv'], ['resume']]) {
        const { exitCode, stderr } = await made.cli(...again);
        expect([exitCode, stderr]).toEqual([8, expect.stringContaining(code) as string]);
      }
      expect(await made.ledger()).toHaveLength(7);
    },
  );
});
