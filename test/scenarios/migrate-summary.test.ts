import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cohortDocument } from '../support/json-documents.ts';
import { migration, type Migration } from '../support/migration.ts';
import { verified } from '../support/verified.ts';

const INSTRUCTIONS = 'import_supplier,external_account_number,vendor,reference,type';
const TRANSACTIONS =
  'import_supplier,external_account_number,transaction_id,transaction_date,type,amount,reference';
const STATEMENTS =
  'import_supplier,external_account_number,statement_id,number,issued_date,bill_period_from_date,bill_period_to_date,gross_amount';
const NOTES = 'import_supplier,external_account_number,body,created_at';

const many = <T>(count: number, made: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => made(index));

/** Account 1001 is imported, and the accounts from 2000 on are not known. */
const SEED = `
version: 1
api_keys: [{key: local-key, suppliers: [ACME]}]
suppliers: [{code: ACME, name: Acme Energy, status: Ongoing}]
vendors: [{code: STRIPE, instructions: [{reference: pi_1, type: CARD}]}]
accounts:
  - {import_supplier: ACME, external_account_number: "1001", state: imported}
`;

async function site(cohort: string): Promise<Migration> {
  const made = await migration(SEED);
  writeFileSync(join(made.cwd, 'night.yaml'), `version: 1\nsupplier: ACME\nresources:\n${cohort}`);
  return made;
}

test('a thousand warnings and twenty other errors do not hide the refusal that ended the command', async () => {
  const made = await site(
    '  notes: { files: [n.csv] }\n  transactions: { files: [t.csv] }\n  payment-instructions: { files: [i.csv] }\n',
  );
  made.csv('n.csv', NOTES, ...many(25, (index) => `ACME,${2000 + index},text,2026-01-01T00:00:00Z`));
  // A reference is not shown for a charge, so each row is a warning.
  made.csv(
    't.csv',
    TRANSACTIONS,
    ...many(1_005, (index) => `ACME,1001,t-${index},2026-02-01,CHARGE,1.10,r-${index}`),
  );
  made.csv('i.csv', INSTRUCTIONS, 'ACME,1001,STRIPE,pi_9,CARD');
  const first = await made.cli('migrate', 'night.yaml');
  expect(first.exitCode).toBe(4);
  const lines = first.stderr.split('\n');
  expect(lines.filter((line) => line.startsWith('i.csv:2'))).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith('n.csv:'))).toHaveLength(1);
  const severities = lines.flatMap((line) => /^\w\.csv:\S+ (error|warning) /.exec(line)?.[1] ?? []);
  // The warnings are printed before the first request.
  expect(severities).toEqual(severities.toSorted().toReversed());
  const { problems, problems_total: total } = cohortDocument.parse(
    (await made.cli('migrate', 'night.yaml', '--json')).json(),
  );
  expect(total).toBeGreaterThan(1_000);
  expect(problems).toHaveLength(1_000);
  expect(problems.filter(({ severity }) => severity === 'error').map(({ file }) => file)).toEqual([
    ...many(25, () => 'n.csv'),
    'i.csv',
  ]);
});

test('a finished cohort with several next steps names verify, which has all of them', async () => {
  const made = await site(
    '  statements: { files: [s.csv] }\n  payment-instructions: { files: [i.csv] }\non_reject: skip\nafter_failure: continue\n',
  );
  made.csv('s.csv', STATEMENTS, 'ACME,1001,s-1,s-1,2026-02-01,2026-01-01,2026-01-31,110');
  made.csv('i.csv', INSTRUCTIONS, 'ACME,1001,STRIPE,pi_9,CARD');
  await made.faults('statements after-commit reset times=1');
  const line = ['migrate', 'night.yaml', '--run-dir', 'r', '--json'];
  const ended = await made.cliIn({ maxWaits: 5, chance: 0.5 }, ...line);
  const { next, exit } = cohortDocument.parse(ended.json());
  expect([exit.code, next]).toEqual([6, 'dataimport verify night.yaml --run-dir r']);
  expect((await made.cli(...next!.split(' ').slice(1))).exitCode).toBe(6);
});

test('a continued cohort says which requests are of this command, because its time is', async () => {
  const made = await site('  notes: { files: [n.csv] }\n  transactions: { files: [t.csv] }\n');
  made.csv('n.csv', NOTES, 'ACME,1001,text,2026-01-01T00:00:00Z');
  made.csv('t.csv', TRANSACTIONS, 'ACME,1001,t-1,2026-02-01,CREDIT,1.10,');
  await made.faults('transactions accept status=422 times=1');
  const requests = async (): Promise<readonly string[]> => {
    const { stdout } = await made.cli('migrate', 'night.yaml');
    return stdout.split('\n').filter((line) => /^\d+ request/.test(line));
  };
  expect(await requests()).toEqual([
    '1 request, 1 of 1 account done',
    '1 request, 0 of 1 account done',
    '2 requests, 0 of 1 account done, 0 ms',
  ]);
  expect(await requests()).toEqual([
    '1 request (none by this command), 1 of 1 account done',
    '2 requests (1 by this command, 1 tried again), 1 of 1 account done',
    '3 requests (1 by this command, 1 tried again), 1 of 1 account done; this command took 0 ms',
  ]);
});

test('why a command ended early is said once for all resources', async () => {
  const made = await site('  notes: { files: [n.csv] }\n  transactions: { files: [t.csv] }\n');
  made.csv('n.csv', NOTES, 'ACME,1001,text,2026-01-01T00:00:00Z');
  made.csv('t.csv', TRANSACTIONS, 'ACME,1001,t-1,2026-02-01,CREDIT,1.10,');
  await made.faults('records accept status=503');
  const line = ['migrate', 'night.yaml', '--retry-for', '1s'];
  const { exitCode, stderr } = await made.cliIn({ maxWaits: 20, chance: 0.5 }, ...line);
  expect(exitCode).toBe(5);
  expect(stderr.match(/ error retry_time_used_up /g)).toHaveLength(1);
});

describe('verify', () => {
  const stepsOf = async (made: Migration) => (await verified(made)).found.answer.to_do;

  test('counts the invalid rows of shards once, and each shard copies them on request', async () => {
    const made = await migration(SEED);
    const row = (index: number, amount: string): string =>
      `ACME,${3000 + index},t-${index},2026-02-01,CREDIT,${amount},`;
    made.csv('t.csv', TRANSACTIONS, ...many(6, (index) => row(index, index < 3 ? 'x' : '1.00')));
    for (const part of ['1/3', '2/3', '3/3'])
      await made.cli(
        'push',
        'transactions',
        't.csv',
        '--skip-invalid',
        '--on-reject',
        'skip',
        '--shard',
        part,
      );
    const steps = await stepsOf(made);
    const correcting = steps.filter(({ what }) => what.startsWith('Correct 3 invalid rows of t.csv: '));
    expect(correcting.map(({ rows, command }) => [rows, command])).toEqual([[3, null]]);
    const copied: string[] = [];
    for (const { command } of steps.filter((step) => step.command !== null)) {
      const file = `rejects-${copied.length}.csv`;
      await made.cli(...command!.split(' ').slice(1), '--rejects', file);
      copied.push(readFileSync(join(made.cwd, file), 'utf8'));
    }
    expect(new Set(copied.join('').match(/^.*,x,.*$/gm))).toHaveLength(3);
  });

  test('does not count a record that is set aside among those that continuing the cohort sends', async () => {
    const made = await site('  notes: { files: [n.csv] }\n  payment-instructions: { files: [i.csv] }\n');
    made.csv('n.csv', NOTES, 'ACME,2001,text,2026-01-01T00:00:00Z');
    made.csv('i.csv', INSTRUCTIONS, 'ACME,1001,STRIPE,pi_9,CARD', 'ACME,2001,STRIPE,pi_1,CARD');
    expect((await made.cli('migrate', 'night.yaml')).exitCode).toBe(4);
    const steps = await stepsOf(made);
    const again = steps.filter(({ command }) => command === 'dataimport migrate night.yaml');
    expect(again.reduce((all, { rows }) => all + rows, 0)).toBe(2);
    expect(steps.filter(({ what }) => what.startsWith('Remove the cause of 1 refusal'))).toHaveLength(1);
  });

  test('names an unproven row to compare, and not as a refusal', async () => {
    const made = await site('  statements: { files: [s.csv] }\n');
    const REST = '2026-02-01,2026-01-01,2026-01-31,110';
    made.csv('s.csv', STATEMENTS, `ACME,1001,s-1,s-1,${REST}`, `ACME,2001,s-2,s-2,${REST}`);
    await made.faults('statements after-commit reset nth=1');
    const push = ['push', 'statements', 's.csv', '--on-reject', 'skip'];
    expect((await made.cliIn({ chance: 0.5, maxWaits: 20 }, ...push)).exitCode).toBe(6);
    const whats = (await stepsOf(made)).map(({ what }) => what);
    expect(whats[0]).toMatch(
      /^Remove the cause of 1 refusal of s.csv: no imported account has [^;]+\(s\.csv:3\)\. Look/,
    );
    expect(whats.at(-1)).toMatch(/^Compare 1 record of s.csv/);
  });
});
