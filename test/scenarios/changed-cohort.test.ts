import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { belongsTo } from '../../src/cli/push/stage-job.ts';
import {
  COHORT,
  documentOf,
  note,
  NOTES,
  runsOf,
  seedWith,
  site,
  transaction,
  TRANSACTIONS,
} from '../support/cohort-site.ts';
import { journalOf } from '../support/journals.ts';
import { runDocument } from '../support/json-documents.ts';
import type { Migration } from '../support/migration.ts';
import { typed } from '../support/next-command.ts';
import { verified } from '../support/verified.ts';

const MIGRATE = ['migrate', 'night.yaml'];
const answerOf = async (made: Migration) => (await verified(made, 'night.yaml')).found.answer;

/** A note more than at the beginning. */
const changeNotes = (made: Migration): string =>
  made.csv('n2.csv', NOTES, note(1002, 'second'), note(1001, 'second'), note(1001, 'third'));

describe('a cohort with another content of a file', () => {
  test('sends the new rows by the same command, while another resource is not finished', async () => {
    const made = await site(seedWith('imported', 'staged'));
    made.csv('n1.csv', NOTES, note(1001, 'first'));
    made.csv('n2.csv', NOTES, note(1001, 'second'));
    expect((await made.cli(...MIGRATE)).exitCode).toBe(5);
    made.csv('n2.csv', NOTES, note(1001, 'second'), note(1001, 'third'));
    made.csv('n3.csv', NOTES, note(1001, 'fourth'));
    const ended = await made.cli(...MIGRATE, '--json');
    const { resources, exit, next } = documentOf(ended);
    expect([exit.name, resources[0]!.rows]).toMatchObject(['UNFINISHED', { read: 4, created: 4 }]);
    expect(next).toBe('dataimport migrate night.yaml --json');
    await made.setState('1002', 'imported');
    expect((await made.cli(...typed(next))).exitCode).toBe(0);
    const bodies = (await made.ledger()).flatMap(({ data }) => data['body'] ?? []);
    expect(bodies).toEqual(['first', 'second', 'third', 'fourth']);
  });

  test('after its end sends the new rows, and counts those that came before', async () => {
    const made = await site(seedWith('imported', 'imported'));
    expect((await made.cli(...MIGRATE)).exitCode).toBe(0);
    expect((await answerOf(made)).sentence).toBe('Everything arrived: 7 of 7 records.');
    changeNotes(made);
    const later = { nowMs: Date.UTC(2026, 10, 21, 0, 0, 5) };
    expect((await made.cliIn(later, ...MIGRATE)).exitCode).toBe(0);
    expect((await made.ledger()).length).toBe(8);
    const { exitCode, found } = await verified(made);
    expect([exitCode, found.answer.sentence]).toEqual([0, 'Everything arrived: 8 of 8 records.']);
    expect(found.parts.map((part) => part.vanished.count)).toEqual([0, 0]);
    // A wrong row of one resource does not hide what has arrived of the others.
    made.csv('t.csv', TRANSACTIONS, transaction(1001, 't-1'), transaction(1002, 't-2', 'no amount'));
    made.csv('n3.csv', NOTES, note(1001, 'fourth'));
    const { exit, rows } = documentOf(await made.cli(...MIGRATE, '--json'));
    expect([exit.code, rows]).toMatchObject([3, { read: 8, sent_before: 6, not_sent: 1, invalid: 1 }]);
  });

  test('that is pushed alone counts in the cohort, and the cohort in what is pushed', async () => {
    const made = await site(seedWith('imported', 'imported'));
    await made.cli(...MIGRATE);
    changeNotes(made);
    expect((await made.cli('push', 'notes', 'n2.csv')).exitCode).toBe(0);
    const rows = [transaction(1001, 't-1'), transaction(1002, 't-2'), transaction(1001, 't-4')];
    made.csv('t.csv', TRANSACTIONS, ...rows);
    const pushed = runDocument.parse((await made.cli('push', 'transactions', 't.csv', '--json')).json());
    expect([pushed.rows.created, pushed.problems.map(({ code }) => code)]).toEqual([3, ['record_vanished']]);
    const { exitCode, found } = await verified(made, 'night.yaml');
    expect([exitCode, found.rows]).toMatchObject([0, { read: 8, created: 8 }]);
    expect(found.parts.map(({ resource, vanished }) => [resource, vanished.count])).toEqual([
      ['notes', 0],
      ['transactions', 1],
    ]);
    // The cohort finds what the pushes have brought there.
    const again = documentOf(await made.cli(...MIGRATE, '--json'));
    expect(again.rows).toMatchObject({ read: 8, created: 8, existing: 0 });
    expect(await made.ledger()).toHaveLength(9);
  });

  test('of a cohort of which a file is replaced in the night sends the late account its records in their order', async () => {
    const made = await site(seedWith('imported', 'staged'));
    const wrong = [transaction(1001, 't-1'), transaction(1002, 't-2', 'x'), transaction(1001, 't-3')];
    made.csv('t.csv', TRANSACTIONS, ...wrong);
    const first = await made.cli(...MIGRATE, '--skip-invalid', '--json');
    expect([first.exitCode, documentOf(first)]).toMatchObject([
      5,
      {
        rows: { created: 4, not_sent: 2, invalid: 1 },
        not_sent: [{ resource: 'notes', reason: 'account_not_imported', rows: 2 }],
      },
    ]);
    // At 3 a.m. the supplier sends the corrected file, and an hour later the account is imported.
    const right = [transaction(1001, 't-1'), transaction(1002, 't-2'), transaction(1001, 't-3')];
    made.csv('t.csv', TRANSACTIONS, ...right, transaction(1002, 't-4'));
    const second = await made.cli(...MIGRATE, '--json');
    expect([second.exitCode, documentOf(second)]).toMatchObject([
      5,
      {
        rows: { created: 4, not_sent: 4 },
        not_sent: [
          { resource: 'notes', reason: 'account_not_imported', rows: 2 },
          { resource: 'transactions', reason: 'account_not_imported', rows: 2 },
        ],
      },
    ]);
    await made.setState('1002', 'imported');
    const third = await made.cli(...typed(documentOf(first).next));
    expect([third.exitCode, documentOf(third).rows]).toMatchObject([
      0,
      { read: 8, created: 8, invalid: 0, not_sent: 0 },
    ]);
    const of = (await made.ledger()).filter((line) => line.external_account_number === '1002');
    expect(of.map(({ kind, data }) => [kind, data['transaction_id'] ?? data['body']])).toEqual([
      ['note', 'first'],
      ['note', 'second'],
      ['transaction', 't-2'],
      ['transaction', 't-4'],
    ]);
    expect(await answerOf(made)).toMatchObject({ everything_arrived: true, to_do: [] });
  });

  test('says that a record changed that arrived before, sends nothing, and leads on to the end', async () => {
    const made = await site(seedWith('imported', 'imported'));
    await made.cli(...MIGRATE);
    const rows = [transaction(1001, 't-1', '2.20'), transaction(1002, 't-2'), transaction(1001, 't-3')];
    made.csv('t.csv', TRANSACTIONS, ...rows, transaction(1001, 't-4'));
    const changed = await made.cli(...MIGRATE, '--json');
    const { next, resources, exit } = documentOf(changed);
    expect([changed.exitCode, exit.resumable, (await made.ledger()).length]).toEqual([3, true, 7]);
    expect(resources[1]!.problems).toMatchObject([{ code: 'record_changed', file: 't.csv', line: 2 }]);
    expect(next).toBe('dataimport verify night.yaml');
    const resumed = await made.cli('resume', '--json');
    expect([resumed.exitCode, documentOf(resumed).next, (await made.ledger()).length]).toEqual([3, next, 7]);
    const { to_do: steps } = await answerOf(made);
    const list = steps.find(({ who }) => who === 'platform')!.command;
    expect(list).toMatch(
      /^dataimport runs show \S+-transactions-\S+ --unresolved --csv unresolved-\S+\.csv$/,
    );
    const listed = await made.cli(...typed(list));
    const confirm = /(dataimport runs confirm \S+ --rows \S+) /.exec(listed.stdout)![1]!;
    // The operator corrects the record, and a person says so.
    expect((await made.cli(...typed(confirm), '--arrived', '--by', 'Ada')).exitCode).toBe(0);
    const ended = await made.cli(...MIGRATE, '--json');
    expect([ended.exitCode, documentOf(ended).rows]).toMatchObject([
      0,
      { read: 8, created: 7, confirmed: 1 },
    ]);
    expect((await made.ledger()).length).toBe(8);
  });
});

test('a cohort with a changed record sends the others with --skip-invalid', async () => {
  const made = await site(seedWith('imported', 'imported'));
  await made.cli(...MIGRATE);
  const rows = [transaction(1001, 't-1', '2.20'), transaction(1002, 't-2'), transaction(1001, 't-3')];
  made.csv('t.csv', TRANSACTIONS, ...rows, transaction(1001, 't-4'));
  changeNotes(made);
  expect((await made.cli(...MIGRATE)).exitCode).toBe(3);
  expect(await made.ledger()).toHaveLength(7);
  const resumed = await made.cli(...MIGRATE, '--skip-invalid', '--json');
  expect([resumed.exitCode, documentOf(resumed).rows]).toMatchObject([6, { invalid: 1, not_sent: 0 }]);
  expect((await made.ledger()).some(({ data }) => data['transaction_id'] === 't-4')).toBe(true);
  expect((await made.cli(...MIGRATE, '--skip-invalid')).exitCode).toBe(6);
  expect(await made.ledger()).toHaveLength(9);
});

test('a cohort sends nothing that a push has sent, nor a push anything that the cohort has sent', async () => {
  const made = await site(seedWith('imported', 'imported'));
  const push = (...files: readonly string[]) =>
    made.cli('push', 'notes', ...files, '--supplier', 'ACME', '--json');
  expect((await push('n1.csv')).exitCode).toBe(0);
  const dry = await made.cli(...MIGRATE, '--dry-run', '--json');
  const plans = documentOf(dry).resources.map(({ plan }) => plan?.records);
  expect([dry.exitCode, plans]).toEqual([0, [2, 3]]);
  const migrated = await made.cli(...MIGRATE, '--json');
  expect([migrated.exitCode, documentOf(migrated).rows]).toMatchObject([0, { read: 7, created: 7 }]);
  const again = await push('n2.csv', 'n1.csv');
  expect([again.exitCode, again.json()['rows']]).toMatchObject([0, { read: 4, created: 4 }]);
  expect(await made.ledger()).toHaveLength(7);
  expect((await made.cli('verify', 'night.yaml', '--ledger', made.url)).exitCode).toBe(0);
  expect((await answerOf(made)).sentence).toBe('Everything arrived: 7 of 7 records.');
});

test('a finished cohort is not sent again by any number of shards', async () => {
  const made = await site(seedWith('imported', 'imported'));
  await made.cli(...MIGRATE);
  const counts = [];
  for (const shard of ['1/2', '2/2']) {
    const { exitCode, json } = await made.cli(...MIGRATE, '--shard', shard, '--json');
    expect(exitCode).toBe(0);
    counts.push(documentOf({ json }).rows.sent_before);
  }
  expect(counts.reduce((all, count) => all + count, 0)).toBe(7);
  expect((await made.ledger()).length).toBe(7);
});

describe('a resource of which nothing was sent, in a cohort that has sent others', () => {
  /** Notes of an account that is imported, transactions of one that is not. */
  async function begun(checks: string): Promise<Migration> {
    const cohort = `
version: 1
supplier: ACME
resources:
  notes: { files: [n1.csv] }
  transactions: { files: [t.csv, t2.csv] }
${checks}`;
    const made = await site(seedWith('imported', 'staged'), cohort);
    made.csv('n1.csv', NOTES, note(1001, 'first'));
    made.csv('t.csv', TRANSACTIONS, transaction(1002, 't-1'));
    made.csv('t2.csv', TRANSACTIONS, transaction(1002, 't-2'));
    made.csv('e.csv', 'A,T', '1002,2.20');
    expect((await made.cli(...MIGRATE)).exitCode).toBe(5);
    return made;
  }

  test('may be corrected, leaves no run behind while its rows are invalid, and its checks are run again', async () => {
    const made = await begun(
      'checks: { totals: [{ of: transactions, equal: { file: e.csv, account: A, total: T } }] }\n',
    );
    const before = runsOf(made);
    made.csv('t2.csv', TRANSACTIONS, transaction(1002, 't-2', 'x'));
    expect((await made.cli(...MIGRATE)).exitCode).toBe(3);
    expect(runsOf(made)).toEqual(before);
    made.csv('t2.csv', TRANSACTIONS, transaction(1002, 't-2', '7.00'));
    await made.setState('1002', 'imported');
    const refused = await made.cli(...MIGRATE);
    expect([refused.exitCode, refused.stdout]).toEqual([
      3,
      expect.stringContaining(
        'next: correct the invalid rows in their file, then: dataimport migrate night.yaml\n',
      ) as string,
    ]);
    expect((await made.ledger()).length).toBe(1);
    made.csv('t2.csv', TRANSACTIONS, transaction(1002, 't-3'));
    expect((await made.cli(...MIGRATE)).exitCode).toBe(0);
    expect((await made.ledger()).length).toBe(3);
  });
});

test('a conflict that kept the checks of a cohort from the first command leaves them to the next', async () => {
  const checks = 'checks: { totals: [{ of: transactions, equal: { file: e.csv, account: A, total: T } }] }\n';
  const cohort = COHORT.replace(/ {2}notes.*\n/, checks);
  const made = await site(seedWith('imported', 'imported'), cohort);
  made.csv('t.csv', TRANSACTIONS, transaction(1001, 't-1'));
  await made.cli('push', 'transactions', 't.csv');
  made.csv('t.csv', TRANSACTIONS, transaction(1001, 't-1', '9.00'), transaction(1002, 't-2'));
  made.csv('e.csv', 'A,T', '1001,9.00', '1002,2.20');
  const codesOf = async (...flags: readonly string[]) => {
    const { exit, problems } = documentOf(await made.cli(...MIGRATE, ...flags, '--json'));
    return [exit.code, ...problems.map(({ code }) => code)];
  };
  expect(await codesOf()).toEqual([3, 'record_changed']);
  expect(await codesOf('--skip-invalid')).toEqual([3, 'record_changed', 'cohort_check_failed']);
  expect(await made.ledger()).toHaveLength(1);
  made.csv('e.csv', 'A,T', '1001,9.00', '1002,1.10');
  // Once a person has settled the conflict, the same command makes the checks, too.
  made.csv('e.csv', 'A,T', '1001,9.00', '1002,2.20');
  const id = runsOf(made).at(-1)!;
  await made.cli('runs', 'show', id, '--unresolved', '--csv', 'u.csv');
  await made.cli('runs', 'confirm', id, '--rows', 'u.csv', '--arrived', '--by', 'ada');
  expect(await codesOf()).toEqual([3, 'cohort_check_failed']);
  expect(await made.ledger()).toHaveLength(1);
  made.csv('e.csv', 'A,T', '1001,9.00', '1002,1.10');
  expect(await codesOf()).toEqual([0]);
  expect(await made.ledger()).toHaveLength(2);
});

test('a cohort whose last command died while it read a file is verified by what came before', async () => {
  const made = await site(seedWith('imported', 'imported'));
  await made.cli(...MIGRATE);
  const [notes] = runsOf(made) as [string];
  const file = journalOf(made.cwd, notes);
  const db = new Database(file);
  db.exec(
    `UPDATE reading SET state = 'staging'; DELETE FROM link; DELETE FROM attempt; DELETE FROM outcome; DELETE FROM batch; DELETE FROM event`,
  );
  db.close();
  rmSync(`${file}.head`);
  const { exitCode, found } = await verified(made);
  expect([exitCode, found.parts.map(({ rows }) => rows)]).toMatchObject([
    5,
    [{ not_sent: 4 }, { created: 3 }],
  ]);
});

describe('a shard with an invalid row, while another shard has sent its rows', () => {
  const TOTALS = 'checks: { totals: [{ of: transactions, equal: { file: e.csv, account: A, total: S }';
  const cohort = (more = ''): string => `
version: 1
supplier: ACME
resources:
  transactions: { files: [t.csv] }
${TOTALS}${more} }] }
`;
  const GOOD_ROWS = ['1001', '1002', '1003', '1004'].map((account) =>
    transaction(Number(account), `t-${account}`),
  );
  const BAD = '1002';
  const bad = belongsTo({ index: 1, count: 2 }, BAD) ? '1/2' : '2/2';
  const good = bad === '1/2' ? '2/2' : '1/2';
  const invalid = GOOD_ROWS.map((row) => (row.includes(BAD) ? row.replace('1.10', 'x') : row));

  async function withTotals(): Promise<Migration> {
    const made = await site(seedWith('imported', 'imported', 'imported', 'imported'), cohort());
    made.csv('e.csv', 'A,S', '1001,1.10', '1002,1.10', '1003,1.10', '1004,1.10');
    made.csv('t.csv', TRANSACTIONS, ...invalid);
    return made;
  }

  test('is sent from the corrected file, and so is the other shard, which sends nothing twice', async () => {
    const made = await withTotals();
    expect((await made.cli(...MIGRATE, '--shard', good)).exitCode).toBe(0);
    const line = [...MIGRATE, '--shard', bad];
    const first = await made.cli(...line);
    expect([first.exitCode, first.stdout]).toEqual([
      3,
      expect.stringContaining(
        `next: correct the invalid rows in their file, then: dataimport ${line.join(' ')}\n`,
      ) as string,
    ]);
    made.csv('t.csv', TRANSACTIONS, ...GOOD_ROWS);
    expect((await made.cli(...line)).exitCode).toBe(0);
    expect((await made.ledger()).length).toBe(4);
    // Each row of the corrected file has arrived, whatever shard has read it last.
    expect((await answerOf(made)).sentence).toBe('Everything arrived: 4 of 4 records.');
    expect((await made.cli(...MIGRATE, '--shard', good)).exitCode).toBe(0);
    expect((await made.ledger()).length).toBe(4);
    expect((await answerOf(made)).sentence).toBe('Everything arrived: 4 of 4 records.');
  });
});
