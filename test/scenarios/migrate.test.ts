import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Journal } from '../../src/cli/journal/journal.ts';
import { journalOf } from '../support/journals.ts';
import { runCli } from '../support/cli-io.ts';
import {
  COHORT,
  documentOf,
  note,
  NOTES,
  runsOf,
  seedWith,
  site,
  statement,
  STATEMENTS,
  transaction,
  TRANSACTIONS,
} from '../support/cohort-site.ts';
import type { Migration } from '../support/migration.ts';
import { verified, verifiedPage } from '../support/verified.ts';

describe('migrate', () => {
  test('sends all resources, for each account in their order, and shows the finished cohort when it is typed again', async () => {
    const made = await site(seedWith('imported', 'imported'));
    const first = await made.cli('migrate', 'night.yaml', '--json');
    expect(first.exitCode).toBe(0);
    expect(documentOf(first)).toMatchObject({
      cohort: 'night',
      rows: { read: 7, created: 7 },
      accounts: { total: 2, done: 2 },
      resources: [
        { resource: 'notes', rows: { created: 4 } },
        { resource: 'transactions', rows: { created: 3 } },
      ],
      next: null,
    });
    const ledger = await made.ledger();
    for (const account of ['1001', '1002']) {
      const kinds = ledger.filter((line) => line.external_account_number === account).map(({ kind }) => kind);
      expect(kinds).toEqual(kinds.toSorted());
    }
    const again = await made.cli('migrate', 'night.yaml');
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toContain('arrived, none of them now');
    expect((await made.ledger()).length).toBe(7);
    expect(runsOf(made)).toHaveLength(2);
    // It has a part for each resource, also without words.
    for (const words of [[], ['night.yaml']]) {
      const { exitCode, found } = await verified(made, ...words);
      expect([exitCode, found.cohort, found.parts.map(({ resource }) => resource)]).toEqual([
        0,
        'night',
        ['notes', 'transactions'],
      ]);
    }
    expect((await made.cli('verify', 'night')).exitCode).toBe(2);
  });

  test('sends the resources in the order of the cohort file, in which verify has its parts and `resume` of one of its runs goes on', async () => {
    const made = await site(seedWith('imported', 'staged'), `${COHORT}order: [transactions, notes]\n`);
    expect((await made.cli('migrate', 'night.yaml')).exitCode).toBe(5);
    const kindsOf = async (account: string) =>
      (await made.ledger())
        .filter((line) => line.external_account_number === account)
        .map(({ kind }) => kind);
    expect(await kindsOf('1001')).toEqual(['transaction', 'transaction', 'note', 'note']);
    const { found } = await verified(made);
    expect(found.parts.map(({ resource }) => resource)).toEqual(['transactions', 'notes']);
    await made.reseed(seedWith('imported', 'imported'));
    const resumed = await made.cli('resume', '--json');
    expect([resumed.exitCode, documentOf(resumed).rows]).toMatchObject([0, { read: 7, created: 7 }]);
    expect(await kindsOf('1002')).toEqual(['transaction', 'note', 'note']);
  });

  test('--dry-run reads everything, says what would be sent, asks nobody and keeps nothing', async () => {
    const made = await site(seedWith('imported', 'imported'));
    await made.leave();
    const result = await made.cli('migrate', 'night.yaml', '--dry-run', '--json');
    expect(result.exitCode).toBe(0);
    const { resources, accounts } = documentOf(result);
    expect(resources.map(({ plan }) => plan?.records)).toEqual([4, 3]);
    expect(accounts).toBeNull();
    expect(existsSync(join(made.cwd, '.dataimport'))).toBe(false);
  });

  test('takes paths from the folder of the cohort file, and limits below flags and variables', async () => {
    const made = await site(seedWith('imported', 'imported'), `${COHORT}limits: { batch_size: 1 }\n`);
    const world = { cwd: join(made.cwd, '..') };
    const file = `${made.cwd.split('/').at(-1)}/night.yaml`;
    const few = await made.cliIn(world, 'migrate', file, '--run-dir', join(made.cwd, 'runs'), '--json');
    expect(documentOf(few).requests.total).toBe(7);
    const many = await made.cliIn(
      { ...world, env: { DATAIMPORT_BATCH_SIZE: '50' } },
      'migrate',
      file,
      '--run-dir',
      join(made.cwd, 'others'),
      '--json',
    );
    expect(documentOf(many)).toMatchObject({ requests: { total: 4 }, rows: { existing: 7 } });
  });
});

describe('checks between the files of a cohort', () => {
  const CHECKED = `
version: 1
resources:
  statements: { files: [s.csv] }
  transactions: { files: [t1.csv, t2.csv] }
checks:
`;

  async function checked(checks: string, ...flags: readonly string[]) {
    const made = await site(seedWith('imported', 'imported', 'imported'), `${CHECKED}${checks}`);
    made.csv('s.csv', STATEMENTS, statement(1001, 's-1', '330'), statement(1002, 's-2', '-5'));
    made.csv(
      't1.csv',
      TRANSACTIONS,
      transaction(1001, 't-1', '1.10', 'CHARGE'),
      transaction(1003, 't-9', '2.00'),
    );
    made.csv(
      't2.csv',
      TRANSACTIONS,
      transaction(1001, 't-2', '2.20', 'CHARGE'),
      transaction(1002, 't-9', '0.05'),
    );
    const result = await made.cli('migrate', 'night.yaml', '--json', ...flags);
    const document = documentOf(result);
    const found = document.problems
      .filter(({ code }) => /^account_|^cohort_/.test(code))
      .map(({ severity, code, file, line, detail }) => `${file}:${line} ${severity} ${code}: ${detail}`);
    return { made, result, document, found };
  }

  test('name an account without records of the other resource, and then nothing is sent', async () => {
    const { made, result, found } = await checked(
      '  accounts: [{ with: transactions, need: statements }]\n',
      '--show-values',
    );
    expect(found.toSorted()).toEqual([
      't1.csv:3 error cohort_check_failed: the account has transactions and no statements',
    ]);
    expect(result.exitCode).toBe(3);
    expect(await made.ledger()).toEqual([]);
  });

  test('the totals equal those of a file, and no total of the file is left over; values are shown on request only', async () => {
    const totals = '  totals: [{ of: transactions, equal: { file: e.csv, account: Account, total: Sum } }]\n';
    const made = await site(seedWith('imported'), `${CHECKED}${totals}`);
    made.csv('s.csv', STATEMENTS, statement(1001, 's-1'));
    made.csv('t1.csv', TRANSACTIONS, transaction(1001, 't-1', '0.10'));
    made.csv('t2.csv', TRANSACTIONS, transaction(1001, 't-2', '0.20'), transaction(1002, 't-3', '5.00'));
    made.csv('e.csv', 'Sum,Account', '0.300,1001', '4.99,1002', '7,1009', '0.00,1010');
    const result = await made.cli('migrate', 'night.yaml', '--dry-run', '--json');
    const { problems } = documentOf(result);
    const found = problems.filter(({ code }) => code === 'cohort_check_failed');
    expect(found.map(({ file, line, detail }) => `${file}:${line} ${detail}`)).toEqual([
      't2.csv:3 the transactions of the account do not add up to the total of e.csv',
      'e.csv:4 the transactions of the account do not add up to the total of e.csv',
    ]);
    made.csv('e.csv', 'Sum,Account', '1e3,1001');
    const unreadable = await made.cli('migrate', 'night.yaml', '--dry-run');
    expect([unreadable.exitCode, unreadable.stderr]).toEqual([
      3,
      expect.stringContaining('e.csv:2 error trailer_unreadable') as string,
    ]);
  });
});

test('the expected totals of accounts of another shard are not missed', async () => {
  const totals =
    'checks: { totals: [{ of: transactions, equal: { file: e.csv, account: Account, total: Sum } }] }\n';
  const made = await site(seedWith('imported'), `${COHORT}${totals}`);
  made.csv('e.csv', 'Account,Sum', '1001,2.20', '1002,1.10', '1009,7');
  const found = [];
  for (const shard of ['1/2', '2/2']) {
    const { stderr } = await made.cli('migrate', 'night.yaml', '--dry-run', '--shard', shard);
    found.push(...stderr.split('\n').filter((line) => line.includes(' error ')));
  }
  // An account without records is missed by one shard.
  expect(found).toEqual([expect.stringContaining('e.csv:4 error cohort_check_failed')]);
});

describe('expected totals of two suppliers with accounts of one number', () => {
  async function checkedTotals(columns: string, ...rows: readonly string[]) {
    const totals = `checks: { totals: [{ of: transactions, equal: { file: e.csv, ${columns}, total: Sum } }] }\n`;
    const made = await site(seedWith('imported'), `${COHORT.replace('supplier: ACME\n', '')}${totals}`);
    const ofBeta = transaction(1001, 't-2', '5.00').replace('ACME', 'BETA');
    made.csv('t.csv', TRANSACTIONS, transaction(1001, 't-1', '0.10'), ofBeta);
    made.csv('e.csv', ...rows);
    const { stderr } = await made.cli('migrate', 'night.yaml', '--dry-run');
    return stderr.split('\n').filter((line) => /^\w+\.csv:/.test(line));
  }

  test('are compared with the account of the supplier that their row names', async () => {
    const columns = 'account: Account, supplier: Supplier';
    const header = 'Supplier,Account,Sum';
    expect(await checkedTotals(columns, header, 'BETA,1001,5.00', 'ACME,1001,0.10')).toEqual([]);
    expect(await checkedTotals(columns, header, 'ACME,1001,5.00', 'BETA,1001,0.10')).toEqual([
      't.csv:2 error cohort_check_failed the transactions of the account do not add up to the total of e.csv',
      't.csv:3 error cohort_check_failed the transactions of the account do not add up to the total of e.csv',
    ]);
  });

  test('are refused without a column for the supplier, because their account would be a guess', async () => {
    expect(await checkedTotals('account: Account', 'Account,Sum', '1001,5.10')).toEqual([
      expect.stringMatching(/^e\.csv:2 error trailer_unreadable .*two suppliers .* \(`supplier`\)$/),
    ]);
  });
});

describe('accounts that are not imported yet', () => {
  test('are not sent, are counted with their rows, and are sent by the same line once they are imported', async () => {
    const made = await site(seedWith('imported', 'staged'));
    const first = await made.cli('migrate', 'night.yaml', '--json');
    expect(first.exitCode).toBe(5);
    const document = documentOf(first);
    expect(document).toMatchObject({
      exit: { name: 'UNFINISHED', resumable: true },
      rows: { read: 7, created: 4, not_sent: 3 },
      accounts: { total: 2, done: 1 },
      not_sent: [
        { resource: 'notes', reason: 'account_not_imported', accounts: 1, rows: 2 },
        { resource: 'transactions', reason: 'account_not_imported', accounts: 1, rows: 1 },
      ],
      next: 'dataimport migrate night.yaml --json',
    });
    expect(document.resources[0]!.problems).toMatchObject([
      { code: 'account_not_imported', file: 'n1.csv', line: 3 },
    ]);
    expect(new Set((await made.ledger()).map((line) => line.external_account_number))).toEqual(
      new Set(['1001']),
    );
    await made.reseed(seedWith('imported', 'imported'));
    const second = await made.cli('migrate', 'night.yaml', '--json');
    expect(documentOf(second)).toMatchObject({ exit: { code: 0 }, rows: { created: 7 }, not_sent: [] });
    expect(runsOf(made)).toHaveLength(2);
  });

  test('of which the platform says nothing end the cohort with 5, and the same line sends them', async () => {
    const made = await site(seedWith('imported', 'imported'));
    await made.faults('lists accept status=503');
    const line = ['migrate', 'night.yaml', '--retry-for', '5s', '--json'];
    const silent = await made.cliIn({ maxWaits: 20 }, ...line);
    expect(silent.exitCode).toBe(5);
    expect(documentOf(silent)).toMatchObject({
      exit: { name: 'UNFINISHED', resumable: true },
      rows: { created: 0, not_sent: 7 },
      not_sent: [
        { resource: 'notes', reason: 'account_not_asked', accounts: 2, rows: 4 },
        { resource: 'transactions', reason: 'account_not_asked', accounts: 2, rows: 3 },
      ],
    });
    await made.faults();
    expect((await made.cli(...line)).exitCode).toBe(0);
  });

  test('are waited for while the others are sent', async () => {
    const made = await site(seedWith('imported', 'staged'));
    const io = made.io({ maxWaits: 3 });
    const { sleep } = io.timing;
    io.timing.sleep = async (waitMs, signal) => {
      await sleep(waitMs, signal);
      await made.setState('1002', io.waits.length === 1 ? 'in_progress' : 'imported');
    };
    const result = await runCli(['migrate', 'night.yaml', '--wait-for-accounts', '4h'], io);
    expect(result.exitCode).toBe(0);
    expect(io.waits).toEqual([2_000, 3_000]);
    expect(result.stderr).toContain(
      'not imported yet: 1 account; waiting up to 4 h 0 min (--wait-for-accounts)',
    );
    expect((await made.ledger()).length).toBe(7);
  });

  test('that fail while they are waited for are reported, and the command ends when only failed ones are left', async () => {
    const made = await site(seedWith('imported', 'in_progress'), `${COHORT}wait_for_accounts: 4h\n`);
    const io = made.io({ maxWaits: 1 });
    const { sleep } = io.timing;
    io.timing.sleep = async (waitMs, signal) => {
      await sleep(waitMs, signal);
      await made.setState('1002', 'failed');
    };
    const result = await runCli(['migrate', 'night.yaml', '--json'], io);
    expect(result.exitCode).toBe(6);
    expect(documentOf(result)).toMatchObject({
      exit: { resumable: true },
      not_sent: [
        { reason: 'account_import_failed', rows: 2 },
        { reason: 'account_import_failed', rows: 1 },
      ],
      next: 'dataimport migrate night.yaml --json',
    });
  });

  test('that failed between two commands end the cohort with 6, however often it is typed, until they are imported, and verify has the reason of the last command', async () => {
    const made = await site(seedWith('imported', 'in_progress'));
    const reasons = async () =>
      (await verified(made)).found.parts.flatMap(({ unsent_accounts: unsent }) =>
        unsent.map(({ reason }) => reason),
      );
    expect((await made.cli('migrate', 'night.yaml')).exitCode).toBe(5);
    expect(await reasons()).toEqual(['account_not_imported', 'account_not_imported']);
    await made.setState('1002', 'failed');
    for (const line of ['second', 'third']) {
      const ended = await made.cli('migrate', 'night.yaml', '--json');
      expect(ended.exitCode, line).toBe(6);
      expect(documentOf(ended).not_sent, line).toMatchObject([
        { reason: 'account_import_failed', rows: 2 },
        { reason: 'account_import_failed', rows: 1 },
      ]);
    }
    expect(await reasons()).toEqual(['account_import_failed', 'account_import_failed']);
    await made.setState('1002', 'in_progress');
    expect((await made.cli('migrate', 'night.yaml')).exitCode).toBe(5);
    await made.setState('1002', 'imported');
    expect((await made.cli('migrate', 'night.yaml')).exitCode).toBe(0);
    expect(await reasons()).toEqual([]);
    expect((await made.ledger()).length).toBe(7);
  });
});

describe('why accounts were not sent', () => {
  const show = async (made: Migration, ...words: readonly string[]): Promise<Record<string, unknown>> =>
    (await made.cli(...words, '--run-dir', '.dataimport/journal', '--json')).json();

  test('is kept by the runs, in `runs show`, also for each of their records, and in verify', async () => {
    const made = await site(seedWith('imported', 'staged'));
    await made.cli('migrate', 'night.yaml');
    const notes = runsOf(made).find((id) => id.includes('-notes-'));
    const problem = {
      code: 'account_not_imported',
      detail:
        'the account is not imported yet (not begun, or failed: the platform does not say which), so its notes are not sent; rows: 2',
    };
    expect(await show(made, 'runs', 'show', notes!)).toMatchObject({
      problems: [{ ...problem, file: 'n1.csv', line: 3 }],
      problems_total: 1,
    });
    const traced = await show(made, 'runs', 'show', notes!, '--account', '1002');
    expect(traced['records']).toMatchObject([{ problems: [problem] }, { problems: [problem] }]);
    const { found } = await verified(made);
    expect(found.parts.map((part) => part.unsent_accounts)).toMatchObject([
      [{ reason: 'account_not_imported', accounts: 1, rows: 2 }],
      [{ reason: 'account_not_imported', accounts: 1, rows: 1 }],
    ]);
    const [part] = found.parts;
    expect([part!.accounts_total, part!.accounts_unfinished, part!.groups]).toMatchObject([
      2,
      1,
      [{ file: 'n1.csv', first_lines: [3], code: problem.code, detail: problem.detail }],
    ]);
    // One command sends both files.
    expect(found.answer.to_do).toEqual([
      {
        who: 'platform',
        what: expect.stringMatching(
          /^3 records were not sent, because their account was not imported when the platform was last asked.*\. The person who runs the import lists them with `dataimport accounts --state pending --supplier ACME`\.$/,
        ) as string,
        command: null,
        rows: 3,
      },
      {
        who: 'importer',
        what: 'Run the command of n1.csv, n2.csv, t.csv again: 3 records are left.',
        command: 'dataimport migrate night.yaml',
        rows: 3,
      },
    ]);
    const page = await verifiedPage(made, '--junit', 'r.xml');
    expect(page).toContain('because their account was not imported when the platform was last asked');
    expect(page).toContain(problem.detail);
    expect(readFileSync(join(made.cwd, 'r.xml'), 'utf8')).toContain(problem.detail);
  });
});

test('a command that is stopped before the platform has answered changes nothing, and before its first question says that nobody knows which accounts are imported', async () => {
  const made = await site(seedWith('imported', 'staged'));
  expect((await made.cli('migrate', 'night.yaml')).exitCode).toBe(5);
  const before = runsOf(made);
  await made.setState('1002', 'imported');
  const early = made.io({});
  const running = runCli(['migrate', 'night.yaml'], early);
  while (early.listeners() === 0) await setImmediate();
  early.raise('SIGTERM');
  const unanswered = await running;
  expect([unanswered.exitCode, unanswered.stdout]).toEqual([
    143,
    expect.stringContaining('next: dataimport migrate night.yaml\n'),
  ]);
  expect([runsOf(made), (await made.ledger()).length]).toEqual([before, 4]);
  const io = made.io({});
  // The first live line is that of sending: the platform has answered, and the accounts are not asked for yet.
  let lines = 0;
  io.every = () => {
    if (++lines === 1) io.raise('SIGTERM');
    return () => undefined;
  };
  const line = ['migrate', 'night.yaml'];
  const { exitCode, stdout, stderr } = await runCli(line, io);
  expect(exitCode).toBe(143);
  expect(stderr).toContain(
    'nobody knows whether the account is imported, because the command was stopped before the platform answered, so its notes are not sent; rows: 2',
  );
  expect(stdout).toContain('not sent: 2 rows of notes, 1 account that the platform said nothing about');
  expect(stdout).toContain(`next: dataimport ${line.join(' ')}\n`);
  expect((await made.cli(...line)).exitCode).toBe(0);
});

describe('a refused record of a cohort', () => {
  /** The note of account 1002 has a document that the platform does not have. */
  const REFUSED = seedWith('imported', 'imported').replace(
    'status: Ongoing}',
    'status: Ongoing, document_root: "s3://x/", documents: ["s3://x/a.pdf"]}',
  );
  const header = 'import_supplier,external_account_number,body,document_paths';

  async function refusing(cohort: string): Promise<Migration> {
    const made = await site(REFUSED, cohort);
    made.csv('n1.csv', header, 'ACME,1001,first,', 'ACME,1002,first,"[{""document_path"":""b.pdf""}]"');
    made.csv('n2.csv', header, 'ACME,1001,second,');
    return made;
  }

  test('is named with its reason in verify, beside what else is left', async () => {
    const made = await refusing(`${COHORT}on_reject: skip\n`);
    const rows = [transaction(1001, 't-1'), transaction(1002, 't-2'), transaction(1001, 't-3', 'x')];
    made.csv('t.csv', TRANSACTIONS, ...rows);
    await made.faults('transactions after-commit reset account=1001');
    const line = ['migrate', 'night.yaml', '--skip-invalid', '--retry-for', '5s'];
    expect((await made.cliIn({ maxWaits: 20, chance: 0.5 }, ...line)).exitCode).toBe(5);
    const { found } = await verified(made);
    expect(found.parts[1]).toMatchObject({
      accounts_unfinished: 2,
      rows: { unknown: 1, not_sent: 1, invalid: 1 },
      unsent_accounts: [{ reason: 'earlier_resource_failed', accounts: 1, rows: 1 }],
    });
    expect(found.answer.to_do.map(({ who, what }) => [who, what])).toEqual([
      ['importer', expect.stringMatching(/^Remove the cause of 1 refusal of n/)],
      ['supplier', expect.stringMatching(/^Correct 1 invalid row of t.csv: t.csv:4/)],
      [
        'importer',
        expect.stringMatching(
          /^Run the command of n.*, t.csv again: 3 records are left. 1 record: no answer .* 1 record: a record of an earlier/,
        ),
      ],
    ]);
  });
});

test.each([
  ['3', 6],
  ['2', 4],
  ['43%', 6],
  ['42%', 4],
])('--max-errors %s of a cohort is about the rows of all resources', async (limit, exit) => {
  const made = await site(seedWith('imported', 'imported'), `${COHORT}after_failure: continue\n`);
  const rows = [transaction(1001, 't-1'), transaction(1002, 't-2'), transaction(1001, 't-3', 'x')];
  made.csv('t.csv', TRANSACTIONS, ...rows);
  // One row is invalid, and two of the seven are refused.
  await made.faults(`notes accept status=400 body='{"non_field_errors": ["No."]}' account=1002`);
  const flags = ['--skip-invalid', '--on-reject', 'skip', '--max-errors', limit];
  const { exitCode, stderr } = await made.cli('migrate', 'night.yaml', '-j', '1', ...flags);
  expect([exitCode, stderr.includes(': 3, more than the 2 of --max-errors')]).toEqual([exit, exit === 4]);
});

test('accounts that only some resources have are one account each, and their records keep their order', async () => {
  const states = ['imported', 'imported', 'imported', 'imported'];
  const made = await site(seedWith(...states), `${COHORT}on_reject: skip\n`);
  made.csv('n1.csv', NOTES, note(1004, 'first'), note(1002, 'first'));
  made.csv('n2.csv', NOTES, note(1003, 'second'));
  made.csv(
    't.csv',
    TRANSACTIONS,
    ...[1003, 1001, 1002].map((account) => transaction(account, `t-${account}`)),
  );
  await made.faults(`notes accept status=400 body='{"non_field_errors": ["No."]}' account=1002`);
  const { accounts, not_sent: unsent } = documentOf(await made.cli('migrate', 'night.yaml', '--json'));
  expect(accounts).toMatchObject({ total: 4, done: 3 });
  expect(unsent).toMatchObject([{ reason: 'earlier_resource_failed', accounts: 1, rows: 1 }]);
  expect((await made.ledger()).map((line) => line.external_account_number)).not.toContain('1002');
});

describe('a cohort that was begun before', () => {
  test('is begun once, however often its command is typed, is in use while another process sends it, and is the next step of one of its runs', async () => {
    const made = await site(seedWith('imported', 'staged'));
    const first = await made.cli('migrate', 'night.yaml');
    const runs = runsOf(made);
    const held = Journal.open(journalOf(made.cwd, runs[0]!));
    const { exitCode, stderr } = await made.cli('migrate', 'night.yaml');
    held.close();
    expect([exitCode, stderr]).toEqual([10, expect.stringContaining('run_locked') as string]);
    const second = await made.cli('migrate', 'night.yaml');
    expect([first.exitCode, second.exitCode, runsOf(made)]).toEqual([5, 5, runs]);
    const shown = await made.cli('runs', 'show', runs[0]!, '--run-dir', '.dataimport/journal', '--json');
    expect(shown.json()['next']).toMatch(/^dataimport migrate night\.yaml/);
    await made.setState('1002', 'imported');
    expect((await made.cli('resume')).exitCode).toBe(0);
    expect(await made.ledger()).toHaveLength(7);
  });

  test('sends a file of which a part was sent when it has changed, and counts the rows of the first one once that is restored', async () => {
    const made = await site(seedWith('imported', 'staged'));
    await made.cli('migrate', 'night.yaml');
    const rows = [transaction(1001, 't-1'), transaction(1002, 't-2'), transaction(1001, 't-3')];
    made.csv('t.csv', TRANSACTIONS, ...rows, transaction(1002, 't-4'));
    await made.reseed(seedWith('imported', 'imported'));
    const changed = await made.cli('migrate', 'night.yaml', '--json');
    expect([changed.exitCode, documentOf(changed).rows]).toMatchObject([0, { read: 8, created: 8 }]);
    made.csv('t.csv', TRANSACTIONS, ...rows);
    const restored = await made.cli('migrate', 'night.yaml');
    expect([restored.exitCode, restored.stderr]).toEqual([
      0,
      expect.stringContaining('warning record_vanished') as string,
    ]);
    expect(await made.ledger()).toHaveLength(8);
  });
});

describe('verify of a cohort', () => {
  test('is about the database where it was sent last, and not about a rehearsal', async () => {
    const made = await site(seedWith('imported', 'imported'));
    const sentence = async (): Promise<string> => (await verified(made)).found.answer.sentence;
    await made.cli('migrate', 'night.yaml');
    expect((await made.cli('admin', 'reset')).exitCode).toBe(0);
    await made.setState('1002', 'staged');
    expect((await made.cli('migrate', 'night.yaml')).exitCode).toBe(5);
    expect(await sentence()).toBe('Not everything arrived: 3 of 7 records did not (3 not sent).');
    await made.setState('1002', 'imported');
    expect((await made.cli('migrate', 'night.yaml')).exitCode).toBe(0);
    expect(await sentence()).toBe('Everything arrived: 7 of 7 records.');
    expect(await made.ledger()).toHaveLength(7);
  });
});
