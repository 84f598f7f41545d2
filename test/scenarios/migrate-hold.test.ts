import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MigrationReport } from '../../src/cli/output/report/migration-report.ts';
import { RunsFolder } from '../../src/cli/run-file/runs-folder.ts';
import { cohortDocument, type CohortDocument } from '../support/json-documents.ts';
import { migration, type Migration } from '../support/migration.ts';

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

const FOLDER = '.dataimport/runs/night';
const REFUSAL = `notes accept status=400 body='{"non_field_errors": ["Closed for today."]}' account=1002`;

/** Waits are over at once. */
const WORLD = { maxWaits: 20, chance: 0.5 };

const documentOf = (result: { json(): unknown }): CohortDocument => cohortDocument.parse(result.json());
const line = (site: Migration) => site.cli('migrate', 'night.yaml', '--continue', '--json');

/** Ids of the runs of the notes, the first one first. */
const notesRuns = ({ cwd }: Migration): readonly string[] =>
  new RunsFolder(join(cwd, FOLDER))
    .ids()
    .filter((id) => id.includes('-notes-'))
    .toReversed();

/** Types a command that was printed. */
const typed = (site: Migration, command: string) => site.cli(...command.split(' ').slice(1));

const ofAccount = async (site: Migration, account: string): Promise<readonly string[]> =>
  (await site.ledger())
    .filter(({ external_account_number: number }) => number === account)
    .map(({ kind }) => kind);

/** Transactions and these notes of the accounts 1001, 1002 and 1003. The platform refuses notes of 1002. */
async function nightOf(cohort: string, ...notes: readonly string[]): Promise<Migration> {
  const site = await migration(SEED);
  site.csv('n.csv', 'import_supplier,external_account_number,body,created_at', ...notes);
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

/** Retries the last run of the notes. */
const retry = (site: Migration, ...flags: readonly string[]) =>
  site.cliIn(WORLD, 'retry', notesRuns(site).at(-1)!, '--run-dir', FOLDER, ...flags, '--json');

/** The next command of the night, in which the account 1003 is imported meanwhile. */
async function held(site: Migration) {
  await site.setState('1003', 'imported');
  const result = await line(site);
  const { not_sent: unsent, resources, exit } = documentOf(result);
  expect([await ofAccount(site, '1001'), await ofAccount(site, '1003')]).toEqual([
    ['note', 'transaction'],
    ['note', 'transaction'],
  ]);
  expect(exit).toMatchObject({ name: 'PARTIAL', resumable: true });
  const problem = resources[1]!.problems.find(({ line: at }) => at === 3)!;
  const command = /`(.*?)`/.exec(problem.next!)![1]!;
  return { unsent, code: problem.code, detail: problem.detail, command };
}

describe('the later resources of an account are held back', () => {
  test('until a retry brings the refused record to the platform', async () => {
    const site = await heldNight();
    await site.faults();
    expect((await retry(site)).exitCode).toBe(0);
    expect(documentOf(await line(site)).not_sent).toMatchObject([
      { reason: 'account_not_imported' },
      { reason: 'account_not_imported' },
    ]);
    expect(await ofAccount(site, '1002')).toEqual(['note', 'transaction']);
  });

  test('until the platform says that it has the record already', async () => {
    const site = await heldNight();
    await site.faults('notes after-commit reset account=1002');
    await retry(site, '--retry-for', '1s');
    await site.faults();
    const { command } = await held(site);
    const resumed = await typed(site, `${command} --json`);
    expect(resumed.json()['rows']).toMatchObject({ existing: 1 });
    await line(site);
    expect(await ofAccount(site, '1002')).toEqual(['note', 'transaction']);
  });

  test('while a retry is refused again, and its own retry lifts the hold', async () => {
    const site = await heldNight();
    expect((await retry(site)).exitCode).toBe(6);
    const { unsent, code, detail, command } = await held(site);
    const id = notesRuns(site)[1]!;
    expect(unsent).toEqual([{ ...TRANSACTION, reason: 'earlier_resource_failed' }]);
    expect([code, detail]).toEqual([
      'earlier_resource_failed',
      `a record of the notes of the account was refused again by the retry ${id}, so its transactions are not sent; rows: 1 (see n.csv:3)`,
    ]);
    expect(await ofAccount(site, '1002')).toEqual([]);
    await site.faults();
    expect(command).toBe(`dataimport retry ${id} --run-dir ${FOLDER}`);
    expect((await typed(site, command)).exitCode).toBe(0);
    await line(site);
    expect(await ofAccount(site, '1002')).toEqual(['note', 'transaction']);
  });

  test('while the retry of a retry is refused', async () => {
    const site = await heldNight();
    await retry(site);
    await retry(site);
    const { detail } = await held(site);
    expect(notesRuns(site)).toHaveLength(3);
    expect(detail).toContain(`was refused again by the retry ${notesRuns(site)[2]!}, so`);
    expect(await ofAccount(site, '1002')).toEqual([]);
  });

  test('while a retry that stopped at the refusal is unfinished, and other accounts are sent', async () => {
    const site = await heldNight();
    expect((await retry(site, '--on-reject', 'stop')).exitCode).toBe(4);
    const { code, detail, command } = await held(site);
    const id = notesRuns(site)[1]!;
    expect([code, detail, command]).toEqual([
      'earlier_record_unsettled',
      `a record of the notes of the account was refused again by the retry ${id}, which is not finished, so its transactions are not sent; rows: 1 (see n.csv:3)`,
      `dataimport resume ${id} --run-dir ${FOLDER}`,
    ]);
    expect(await ofAccount(site, '1002')).toEqual([]);
  });

  test('while a retry has not sent the record, and the command that finishes it lifts the hold', async () => {
    const site = await heldNight();
    await site.faults('notes accept status=429 retry-after=7200 account=1002');
    expect((await retry(site)).exitCode).toBe(5);
    const { unsent, code, detail, command } = await held(site);
    const id = notesRuns(site)[1]!;
    expect(unsent).toEqual([{ ...TRANSACTION, reason: 'earlier_record_unsettled' }]);
    expect([code, detail]).toEqual([
      'earlier_record_unsettled',
      `a record of the notes of the account is in the retry ${id}, which has not sent it, so its transactions are not sent; rows: 1 (see n.csv:3)`,
    ]);
    expect(await ofAccount(site, '1002')).toEqual([]);
    await site.faults();
    expect((await typed(site, command)).exitCode).toBe(0);
    await line(site);
    expect(await ofAccount(site, '1002')).toEqual(['note', 'transaction']);
  });

  test('while no answer says whether a retry was applied', async () => {
    const site = await heldNight();
    await site.faults('notes after-commit reset account=1002');
    expect((await retry(site, '--retry-for', '1s')).exitCode).toBe(5);
    const { code, detail } = await held(site);
    const id = notesRuns(site)[1]!;
    expect([code, detail]).toEqual([
      'earlier_record_unsettled',
      `a record of the notes of the account was sent by the retry ${id}, and no answer says whether it was applied, so its transactions are not sent; rows: 1 (see n.csv:3)`,
    ]);
    expect(await ofAccount(site, '1002')).toEqual(['note']);
  });

  test('while a retry that died before its run file was whole is not typed again', async () => {
    const site = await heldNight();
    await retry(site, '--on-reject', 'stop');
    const [parent, id] = notesRuns(site) as [string, string];
    rmSync(new RunsFolder(join(site.cwd, FOLDER)).fileOf(id));
    const { code, detail, command } = await held(site);
    expect([code, detail, command]).toEqual([
      'earlier_record_unsettled',
      `a record of the notes of the account was given to the retry ${id}, which is missing, so its transactions are not sent; rows: 1`,
      `dataimport retry ${parent} --run-dir ${FOLDER}`,
    ]);
    expect(await ofAccount(site, '1002')).toEqual([]);
    await site.faults();
    expect((await typed(site, command)).exitCode).toBe(0);
    await line(site);
    expect(await ofAccount(site, '1002')).toEqual(['note', 'transaction']);
  });

  test('until the cohort file says after_failure: continue', async () => {
    const site = await heldNight();
    await retry(site);
    await held(site);
    writeFileSync(join(site.cwd, 'night.yaml'), `${NIGHT}on_reject: skip\nafter_failure: continue\n`);
    expect(documentOf(await line(site)).not_sent).toEqual([]);
    expect(await ofAccount(site, '1002')).toEqual(['transaction']);
  });

  test('and the summary and the report say which, and what to type', async () => {
    const site = await heldNight();
    await site.faults('notes accept status=429 retry-after=7200 account=1002');
    await retry(site);
    const id = notesRuns(site)[1]!;
    await site.setState('1003', 'imported');
    const { stdout, stderr } = await site.cli('migrate', 'night.yaml', '--continue');
    expect(stdout).toContain(
      '  not sent: 1 row of transactions, 1 account held back by an earlier record that is not settled\n',
    );
    expect(stderr).toContain(
      `t.csv:3 error earlier_record_unsettled a record of the notes of the account is in the retry ${id}`,
    );
    const report = (await site.cli('report', 'night', '--json')).json() as unknown as MigrationReport;
    expect(report.parts.map((part) => part.unsent_accounts)).toMatchObject([
      [],
      [{ reason: 'earlier_record_unsettled', accounts: 1, rows: 1, who: 'importer' }],
    ]);
    expect(report.parts[1]!.unfinished_accounts).toMatchObject([
      { file: 't.csv', line: 3, code: 'earlier_record_unsettled' },
    ]);
    expect(report.answer.to_do.map(({ command }) => command)).toEqual([
      `dataimport resume ${id} --run-dir ${FOLDER}`,
      'dataimport migrate night.yaml --continue',
    ]);
  });
});

test('the rest of a resource of an account waits for an unfinished retry, and other accounts do not', async () => {
  const cohort = `${NIGHT}after_failure: hold\nlimits: { batch_size: 1, concurrency: 1 }\n`;
  const site = await nightOf(cohort, note(1001), note(1002), note(1002, 'second'), note(1003));
  expect(documentOf(await line(site)).exit.name).toBe('REFUSED');
  expect((await retry(site)).exitCode).toBe(4);
  await site.faults();
  await site.setState('1003', 'imported');
  const { exit, not_sent: unsent } = documentOf(await line(site));
  expect(exit.name).toBe('PARTIAL');
  const reason = 'earlier_record_unsettled';
  expect(unsent).toEqual([
    { ...TRANSACTION, resource: 'notes', reason },
    { ...TRANSACTION, reason },
  ]);
  expect(await ofAccount(site, '1003')).toEqual(['note', 'transaction']);
  expect(await ofAccount(site, '1002')).toEqual([]);
  expect((await typed(site, `dataimport resume ${notesRuns(site)[1]!} --run-dir ${FOLDER}`)).exitCode).toBe(
    0,
  );
  await line(site);
  const bodies = (await site.ledger())
    .filter(({ external_account_number: number }) => number === '1002')
    .map(({ kind, data }) => [kind, (data as { body?: string }).body]);
  expect(bodies).toEqual([
    ['note', 'first'],
    ['note', 'second'],
    ['transaction', undefined],
  ]);
});

test('an unfinished retry of an earlier night of the same files is finished first', async () => {
  const site = await heldNight();
  await site.cli('migrate', 'night.yaml', '--new');
  const first = notesRuns(site)[0]!;
  expect((await site.cli('retry', first, '--run-dir', FOLDER, '--on-reject', 'stop')).exitCode).toBe(4);
  const { exitCode, stderr } = await site.cli('migrate', 'night.yaml', '--continue');
  expect([exitCode, stderr]).toEqual([8, expect.stringContaining('run_unfinished_exists') as string]);
  expect(stderr).toContain(`\`dataimport resume ${notesRuns(site)[2]!} --run-dir ${FOLDER}\``);
});
