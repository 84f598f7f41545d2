import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cohortDocument, type CohortDocument } from '../support/json-documents.ts';
import { migration, type Migration } from '../support/migration.ts';
import { COHORT, INSTRUCTIONS, instruction, seedWith, site } from '../support/cohort-site.ts';
import { verified } from '../support/verified.ts';

const SEED = `
version: 1
api_keys: [{key: local-key, suppliers: [ACME]}]
suppliers: [{code: ACME, name: Acme Energy, status: Ongoing}]
accounts:
  - {import_supplier: ACME, external_account_number: "1001", state: imported}
  - {import_supplier: ACME, external_account_number: "1002", state: imported}
  - {import_supplier: ACME, external_account_number: "1003", state: staged}
`;

const NIGHT = `
version: 1
supplier: ACME
resources:
  transactions: { files: [t.csv] }
  notes: { files: [n.csv] }
`;

const REFUSAL = `notes accept status=400 body='{"non_field_errors": ["Closed for today."]}' account=1002`;

const NOTES = 'import_supplier,external_account_number,body,created_at';

/** Waits are over at once. */
const WORLD = { maxWaits: 20, chance: 0.5 };

const documentOf = (result: { json(): unknown }): CohortDocument => cohortDocument.parse(result.json());
const line = (site: Migration, ...flags: readonly string[]) =>
  site.cliIn(WORLD, 'migrate', 'night.yaml', '--json', ...flags);

const ofAccount = async (site: Migration, account: string): Promise<readonly string[]> =>
  (await site.ledger())
    .filter(({ external_account_number: number }) => number === account)
    .map(({ kind }) => kind);

/** Transactions and these notes of the accounts 1001, 1002 and 1003. The platform refuses notes of 1002. */
async function nightOf(cohort: string, ...notes: readonly string[]): Promise<Migration> {
  const site = await migration(SEED);
  site.csv('n.csv', NOTES, ...notes);
  site.csv(
    't.csv',
    'import_supplier,external_account_number,transaction_id,transaction_date,type,amount',
    ...[1001, 1002, 1003].map((account) => `ACME,${account},t-${account},2026-02-01,CREDIT,1.10`),
  );
  writeFileSync(join(site.cwd, 'night.yaml'), cohort);
  await site.faults(REFUSAL);
  return site;
}

const note = (account: number, body = 'first'): string => `ACME,${account},${body},2026-01-01T00:00:00Z`;

/** A night after its first command: the note of 1002 was refused, and 1003 was not imported yet. */
async function heldNight(): Promise<Migration> {
  const site = await nightOf(`${NIGHT}on_reject: skip\n`, note(1001), note(1002), note(1003));
  const { not_sent: unsent } = documentOf(await line(site));
  expect(unsent).toContainEqual({ ...TRANSACTION, reason: 'earlier_resource_failed' });
  return site;
}

const TRANSACTION = { resource: 'transactions', accounts: 1, rows: 1 } as const;

/** The command again, in which the account 1003 is imported meanwhile. The other accounts are sent to their end. */
async function held(site: Migration, ...flags: readonly string[]) {
  await site.setState('1003', 'imported');
  const result = await line(site, ...flags);
  const { not_sent: unsent, resources, exit, next } = documentOf(result);
  for (const account of ['1001', '1003'])
    expect(await ofAccount(site, account), account).toEqual(['note', 'transaction']);
  const problem = resources[1]!.problems.find(({ line: at }) => at === 3);
  return { unsent, exit, next, problem };
}

describe('the later resources of an account are held back', () => {
  test('until the same command brings the refused record to the platform', async () => {
    const site = await heldNight();
    await site.faults();
    const { exit, not_sent: unsent } = documentOf(await line(site));
    expect(exit.name).toBe('UNFINISHED');
    expect(unsent).toMatchObject([{ reason: 'account_not_imported' }, { reason: 'account_not_imported' }]);
    expect(await ofAccount(site, '1002')).toEqual(['note', 'transaction']);
    await site.setState('1003', 'imported');
    expect((await line(site)).exitCode).toBe(0);
  });

  test('until a person says with `resume` that the cause is gone', async () => {
    const site = await heldNight();
    await site.faults();
    await site.setState('1003', 'imported');
    expect((await site.cli('resume')).exitCode).toBe(0);
    expect(await ofAccount(site, '1002')).toEqual(['note', 'transaction']);
  });

  test('while no answer says whether the record was applied, until the platform says that it has it already', async () => {
    const site = await heldNight();
    await site.faults('notes after-commit reset account=1002');
    const doubtful = documentOf(await line(site, '--retry-for', '1s'));
    expect([doubtful.exit.name, doubtful.rows.unknown]).toEqual(['UNFINISHED', 1]);
    expect(await ofAccount(site, '1002')).toEqual(['note']);
    await site.faults();
    const { exit, unsent } = await held(site);
    expect([exit.name, unsent]).toEqual(['OK', []]);
    expect(await ofAccount(site, '1002')).toEqual(['note', 'transaction']);
  });

  test('while the record is refused again, however often the command is typed, and its texts and verify say which and what to type', async () => {
    const site = await heldNight();
    const { unsent, exit, next, problem } = await held(site);
    expect(exit).toMatchObject({ name: 'PARTIAL', resumable: true });
    expect(unsent).toEqual([{ ...TRANSACTION, reason: 'earlier_resource_failed' }]);
    expect(next).toBe('dataimport migrate night.yaml --json');
    expect(problem).toMatchObject({
      code: 'earlier_resource_failed',
      detail:
        'a record of the notes of the account was refused, so its transactions are not sent; rows: 1 (see n.csv:3)',
      next: expect.stringContaining('run the command again') as string,
    });
    expect(await ofAccount(site, '1002')).toEqual([]);

    const { stdout, stderr } = await site.cli('migrate', 'night.yaml');
    expect(stdout).toContain(
      '  not sent: 1 row of transactions, 1 account held back by a refused record of an earlier resource\n',
    );
    expect(stderr).toContain(
      't.csv:3 error earlier_resource_failed a record of the notes of the account was refused, so its',
    );
    const { found } = await verified(site);
    expect(found.parts.map((part) => part.unsent_accounts)).toMatchObject([
      [],
      [{ reason: 'earlier_resource_failed', accounts: 1, rows: 1 }],
    ]);
    expect(found.parts[1]!.groups).toMatchObject([
      { file: 't.csv', first_lines: [3], code: 'earlier_resource_failed' },
    ]);
    const { command } = found.answer.to_do.at(-1)!;
    expect(command).toBe('dataimport migrate night.yaml');

    // A refusal that stops the command leaves no account without a reason.
    const stopped = documentOf(await line(site, '--on-reject', 'stop'));
    expect(stopped.exit).toMatchObject({ name: 'REFUSED', resumable: true });
    expect(stopped.rows.rejected).toBe(1);
    expect(await ofAccount(site, '1002')).toEqual([]);
    await site.faults();
    expect((await site.cli(...stopped.next!.split(' ').slice(1))).exitCode).toBe(0);
    expect(await ofAccount(site, '1002')).toEqual(['note', 'transaction']);
  });

  test('while the record was not sent, because the platform asked to wait', async () => {
    const site = await heldNight();
    await site.faults('notes accept status=429 retry-after=7200 account=1002');
    const { exit, resources } = documentOf(await line(site));
    expect([exit.name, resources[0]!.rows]).toMatchObject(['UNFINISHED', { rejected: 0, not_sent: 2 }]);
    expect(await ofAccount(site, '1002')).toEqual([]);
    await site.faults();
    expect((await held(site)).exit.name).toBe('OK');
    expect(await ofAccount(site, '1002')).toEqual(['note', 'transaction']);
  });

  test('until the row is corrected in its file', async () => {
    const site = await heldNight();
    site.csv('n.csv', NOTES, note(1001), note(1002, 'corrected'), note(1003));
    await site.faults(REFUSAL.replace(' account=1002', ' account=1009'));
    const { exit, unsent } = await held(site);
    expect([exit.name, unsent]).toEqual(['OK', []]);
    expect(await ofAccount(site, '1002')).toEqual(['note', 'transaction']);
  });

  test('until the row is gone from its file, because the file is the wish', async () => {
    const site = await heldNight();
    site.csv('n.csv', NOTES, note(1001), note(1003));
    await site.setState('1003', 'imported');
    const { exit, rows } = documentOf(await line(site));
    expect([exit.name, rows]).toMatchObject(['OK', { read: 5, rejected: 0 }]);
    expect(await ofAccount(site, '1002')).toEqual(['transaction']);
  });

  test('until the cohort file says after_failure: continue', async () => {
    const site = await heldNight();
    await line(site);
    writeFileSync(join(site.cwd, 'night.yaml'), `${NIGHT}on_reject: skip\nafter_failure: continue\n`);
    const { exit, unsent } = await held(site);
    expect([exit.name, unsent]).toEqual(['PARTIAL', []]);
    expect(await ofAccount(site, '1002')).toEqual(['transaction']);
  });
});

test('the rest of a resource of an account waits for its refused record, and keeps its order', async () => {
  const cohort = `${NIGHT}after_failure: hold\nlimits: { batch_size: 1, concurrency: 1 }\n`;
  const site = await nightOf(cohort, note(1001), note(1002), note(1002, 'second'), note(1003));
  expect(documentOf(await line(site)).exit.name).toBe('REFUSED');
  await site.faults();
  await site.setState('1003', 'imported');
  expect((await line(site)).exitCode).toBe(0);
  const bodies = (await site.ledger())
    .filter(({ external_account_number: number }) => number === '1002')
    .map(({ kind, data }) => [kind, (data as { body?: string }).body]);
  expect(bodies).toEqual([
    ['note', 'first'],
    ['note', 'second'],
    ['transaction', undefined],
  ]);
});

test('of two earlier resources with a refused record, the first one is named, and each account has its own', async () => {
  const cohort = `${COHORT}  payment-instructions: { files: [i.csv] }
order: [notes, payment-instructions, transactions]
on_reject: skip
`;
  const made = await site(seedWith('imported', 'imported'), cohort);
  made.csv('n2.csv', NOTES, note(1002, 'second'));
  made.csv('i.csv', INSTRUCTIONS, instruction(1002, 'pi_none'), instruction(1001, 'pi_none'));
  const reasons = async (): Promise<readonly string[]> =>
    documentOf(await made.cli('migrate', 'night.yaml', '--json'))
      .resources.flatMap(({ problems }) => problems)
      .filter(({ code }) => code === 'earlier_resource_failed')
      .map((each) => `${each.line}: ${each.detail.replace(/^a record of the ([a-z-]+) .*\(see /, '$1 (')}`);
  expect(await reasons()).toEqual(['2: payment-instructions (i.csv:3)', '3: payment-instructions (i.csv:2)']);
  // The refusal of an instruction stays, and a note that is new is refused, too.
  made.csv('n2.csv', NOTES, note(1002, 'second'), note(1001, 'second'));
  await made.faults(REFUSAL.replace('1002', '1001'));
  expect(await reasons()).toEqual(['2: notes (n2.csv:3)', '3: payment-instructions (i.csv:2)']);
});

test('an unsettled record of an earlier version of the files is settled first', async () => {
  const site = await heldNight();
  await site.faults('notes after-commit reset account=1002');
  expect((await line(site, '--retry-for', '1s')).exitCode).toBe(5);
  site.csv('n.csv', NOTES, note(1001), note(1002), note(1003), note(1002, 'new'));
  const unsettled = await line(site, '--retry-for', '1s');
  const document = documentOf(unsettled);
  expect([unsettled.exitCode, document.exit.name]).toEqual([5, 'UNFINISHED']);
  expect(document.next).toBe('dataimport migrate night.yaml --json --retry-for 1s');
  expect(await ofAccount(site, '1002')).toEqual(['note']);
  await site.faults();
  await site.setState('1003', 'imported');
  expect((await site.cli(...document.next!.split(' ').slice(1))).exitCode).toBe(0);
  expect(await ofAccount(site, '1002')).toEqual(['note', 'note', 'transaction']);
});
