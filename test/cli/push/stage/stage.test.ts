import { describe, expect, test } from 'vitest';
import { addsUp } from '../../../../src/cli/push/ports/report.ts';
import { RESOURCES, type Resource } from '../../../../src/core/contract/resources.ts';
import {
  csvFrom,
  csvOf,
  row,
  stagedRun,
  type StagedRun,
  type StagedRunOptions,
} from '../../../support/push-staged-run.ts';

/** The batches of a run in the order of sending, each with its account and the ids or lines of its records. */
async function batchesOf({ run }: StagedRun): Promise<readonly string[]> {
  const operations = run.draining(() => '2026-11-21T10:15:02Z');
  const batches: string[] = [];
  for (
    let account = operations.nextAccount(0);
    account !== undefined;
    account = operations.nextAccount(account)
  ) {
    for (let batch = await operations.claimNext(account); batch;) {
      batches.push(
        `${batch.account.external_account_number}: ${batch.records.map(({ id, line }) => id ?? line).join(' ')}`,
      );
      const records = batch.records.map(({ seq }) => ({ seq, outcome: 'created' as const }));
      batch = await operations.settle(
        batch,
        { status: 201, records, state: 'done', problems: [], inDoubt: false },
        () => true,
      );
    }
  }
  return batches;
}

/** Problems as `line:column severity code detail`. */
const problemsOf = ({ run }: StagedRun): readonly string[] =>
  run.report().problems.map(({ file, line, column, severity, code, detail }) => {
    const where = file.endsWith('-1.csv') ? '' : `${file}:`;
    return `${where}${line}:${column} ${severity} ${code}: ${detail}`;
  });

const codesOf = (staged: StagedRun): readonly string[] =>
  staged.run.report().problems.map(({ line, column, code }) => `${line}:${column} ${code}`);

async function rowsOf(resource: Resource, csv: string | readonly string[], options?: StagedRunOptions) {
  const staged = await stagedRun(resource, csv, options);
  const { rows } = staged.run.report();
  expect(addsUp(rows)).toBe(true);
  return { staged, rows, end: staged.end.kind };
}

describe('a file without problems', () => {
  test.each(RESOURCES)('of %s is staged account by account in the order of the file', async (resource) => {
    const { staged, rows, end } = await rowsOf(resource, csvFrom(resource, 'B:1 A:2 C:4'), {
      limits: { records: 2, bytes: 1_000_000 },
    });
    expect(end).toBe('staged');
    expect(rows).toMatchObject({ read: 3, not_sent: 3, invalid: 0, filtered: 0 });
    expect(problemsOf(staged)).toEqual([]);
    expect((await batchesOf(staged)).map((batch) => batch[0])).toEqual(['B', 'A', 'C']);
  });

  test('is split into batches by count and bytes, whatever rows of other accounts are in between', async () => {
    const csv = csvFrom('transactions', 'A:1 B:2 A:3 B:4 A:5 C:6 A:7 A:8');
    const { staged } = await rowsOf('transactions', csv, { limits: { records: 2, bytes: 1_000_000 } });
    expect(await batchesOf(staged)).toEqual(['A: 1 3', 'A: 5 7', 'A: 8', 'B: 2 4', 'C: 6']);
    const one = await rowsOf('transactions', csv, { limits: { records: 10, bytes: 1 } });
    expect(await batchesOf(one.staged)).toHaveLength(8);
  });

  test('is stored as the JSON texts that will be sent', async () => {
    const csv = csvOf([{ ...row.transactions('A', '1'), amount: '0010.10', note: 'say "hi"\nto all' }]);
    const { staged } = await rowsOf('transactions', csv);
    const batch = await staged.run.draining(() => '').claimNext(1);
    expect(batch!.records[0]!.payload).toBe(
      '{"transaction_id":"1","transaction_date":"2026-01-05","amount":10.10,"type":"CHARGE","note":"say \\"hi\\"\\nto all"}',
    );
  });

  test('may be one of several files, which are one run in their order', async () => {
    const csvs = [csvFrom('transactions', 'A:1 B:2'), csvFrom('transactions', 'A:3')];
    const { staged, rows } = await rowsOf('transactions', csvs);
    expect(rows.read).toBe(3);
    expect(await batchesOf(staged)).toEqual(['A: 1 3', 'B: 2']);
    expect(staged.run.mappedSources().map(({ name }) => name)).toEqual([
      'transactions-1.csv',
      'transactions-2.csv',
    ]);
  });

  test('has exact control totals', async () => {
    const amounts = ['0.10', '0.20', '0.30', '12345678.99'];
    const csv = csvOf([
      ...amounts.map((amount, index) => ({ ...row.transactions('A', `T${index}`), amount })),
      { ...row.transactions('A', 'P'), type: 'PAYMENT', amount: '5' },
    ]);
    const { staged } = await rowsOf('transactions', csv);
    expect(staged.run.report().controlTotals).toEqual([
      { type: 'CHARGE', currency: null, count: 4, read: '12345679.59', accepted: '0.00' },
      { type: 'PAYMENT', currency: null, count: 1, read: '5', accepted: '0' },
    ]);
  });
});

describe('a file with invalid rows', () => {
  const csv = csvOf([
    row.transactions('A', '1'),
    { ...row.transactions('A', '2'), amount: '1e5', type: 'FEE' },
    { ...row.transactions('', '3') },
    { ...row.transactions('B', '4'), transaction_date: '2030-01-01', note: 'x\ny' },
    row.transactions('B', '5'),
  ]);

  test('is not sent, and every problem is reported at its cell', async () => {
    const { staged, rows, end } = await rowsOf('transactions', csv);
    expect(end).toBe('invalid');
    expect(rows).toMatchObject({ read: 5, invalid: 3, not_sent: 2 });
    expect(codesOf(staged)).toEqual([
      '3:5 invalid',
      '3:6 invalid_choice',
      '4:2 required',
      '5:4 transaction_in_future',
    ]);
    expect(staged.run.condition).toBe('never_staged');
  });

  test('is sent without them with --skip-invalid', async () => {
    const { staged, rows, end } = await rowsOf('transactions', csv, { skipInvalid: true });
    expect(end).toBe('staged');
    expect(rows).toMatchObject({ read: 5, invalid: 3, not_sent: 2 });
    expect(await batchesOf(staged)).toEqual(['A: 1', 'B: 5']);
  });

  test('is checked to its end, whatever the shape of a row', async () => {
    const lines = [
      'import_supplier,external_account_number,body',
      'ACME,A,x',
      'ACME,A',
      'ACME,A,x,y',
      'ACME,A,z',
    ];
    const { staged, rows } = await rowsOf('notes', `${lines.join('\n')}\n`);
    expect(rows).toMatchObject({ read: 4, invalid: 2 });
    expect(problemsOf(staged)).toEqual([
      '3:null error row_too_short: the row has fewer cells (2) than the header (3) (from byte 54 on)',
      '4:null error row_too_long: the row has more cells (4) than the header (3) (from byte 61 on)',
    ]);
  });

  test('reports the warnings of its valid rows, which are sent', async () => {
    const csvText = csvOf([{ ...row.transactions('A', '1'), amount: '007', reason: 'NEW' }]);
    const { staged, rows, end } = await rowsOf('transactions', csvText);
    expect(end).toBe('staged');
    expect(rows).toMatchObject({ read: 1, not_sent: 1 });
    expect(problemsOf(staged)).toEqual([
      '2:5 warning leading_zeros: has leading zeros, which are not sent',
      '2:7 warning undocumented_value: is not a value that the interface shows',
    ]);
  });
});

describe('a file that cannot be used as a whole', () => {
  const header = 'import_supplier,external_account_number,body\n';

  test('a header without rows is a warning, and nothing is sent', async () => {
    const { staged, rows, end } = await rowsOf('notes', header);
    expect([end, rows.read]).toEqual(['staged', 0]);
    expect(problemsOf(staged)).toEqual([
      '1:null warning file_has_no_rows: the file has a header and no rows',
    ]);
    expect(staged.run.isOpen).toBe(false);
  });

  test('one bad file of several stops the run', async () => {
    const { staged, end } = await rowsOf('notes', [csvFrom('notes', 'A:1'), ''], { skipInvalid: true });
    expect(end).toBe('invalid');
    expect(problemsOf(staged)).toEqual(['notes-2.csv:1:null error file_empty: the file has no header line']);
  });
});

describe('rows that are the same record for the platform', () => {
  test.each([
    ['transactions', 'A:1 A:2 B:1 A:1', '2:3 duplicate_transaction_ids', '5:3 duplicate_transaction_ids'],
    ['statements', 'A:1 A:2 B:1 A:1', '2:3 duplicate_statement_ids', '5:3 duplicate_statement_ids'],
    [
      'payment-instructions',
      'A:1 C:2 B:1 A:9',
      '2:2 duplicate_payment_instructions',
      '5:2 duplicate_payment_instructions',
    ],
  ] as const)('are refused, both of them: %s', async (resource, rows, first, second) => {
    const { staged, rows: counts, end } = await rowsOf(resource, csvFrom(resource, rows));
    expect(end).toBe('invalid');
    expect(codesOf(staged)).toEqual([first, second]);
    expect(counts).toMatchObject({ read: 4, invalid: 2, not_sent: 2 });
  });

  test('name each other', async () => {
    const { staged } = await rowsOf('transactions', [
      csvFrom('transactions', 'A:1 A:1'),
      csvFrom('transactions', 'A:1'),
    ]);
    expect(staged.run.report().problems.map(({ file, line, detail }) => `${file}:${line} ${detail}`)).toEqual(
      [
        'transactions-1.csv:2 the transaction_id occurs more than once for the account (see line 3, which has the same content)',
        'transactions-1.csv:3 the transaction_id occurs more than once for the account (see line 2, which has the same content)',
        'transactions-2.csv:2 the transaction_id occurs more than once for the account (see transactions-1.csv:2, which has the same content)',
      ],
    );
  });

  test('are refused, whether their content is equal or not', async () => {
    const other = { ...row.transactions('A', '1'), amount: '99.00' };
    const { staged, rows } = await rowsOf('transactions', csvOf([row.transactions('A', '1'), other]), {
      skipInvalid: true,
    });
    expect(rows).toMatchObject({ read: 2, invalid: 2 });
    expect(await batchesOf(staged)).toEqual([]);
  });

  test.each([
    ['another account', 'A:1 B:1'],
    ['another case', 'A:x A:X'],
    ['another Unicode form', 'A:\u00E9 A:e\u0301'],
  ])('are different records with %s', async (_, rows) => {
    expect((await rowsOf('transactions', csvFrom('transactions', rows))).end).toBe('staged');
  });

  test('are reported for notes, of which the platform keeps one', async () => {
    const { staged, rows, end } = await rowsOf('notes', csvFrom('notes', 'A:1 A:1 B:1 A:1'));
    expect(end).toBe('staged');
    expect(rows).toMatchObject({ read: 4, not_sent: 4, invalid: 0 });
    expect(codesOf(staged)).toEqual(['3:3 identical_notes']);
  });

  test('are refused for notes that differ in a field that the platform would lose', async () => {
    const note = (document: string) => ({
      ...row.notes('A', '1'),
      'document_paths.0.document_path': document,
    });
    const { staged, rows } = await rowsOf('notes', csvOf([note('a.pdf'), note('b.pdf'), note('a.pdf')]));
    expect(rows).toMatchObject({ read: 3, not_sent: 0, invalid: 3 });
    expect(codesOf(staged)).toEqual(['2:3 notes_differ', '3:3 notes_differ', '4:3 notes_differ']);
  });
});

describe('a part of a file', () => {
  const csv = csvFrom('transactions', 'A:1 B:2 A:3 C:4 A:5');

  test.each([
    [2, ['A: 1', 'B: 2'], 3],
    [9, ['A: 1 3', 'A: 5', 'B: 2', 'C: 4'], 0],
  ])('is selected by position: %j', async (maxRecords, batches, filtered) => {
    const { staged, rows } = await rowsOf('transactions', csv, { maxRecords });
    expect(rows.filtered).toBe(filtered);
    expect(await batchesOf(staged)).toEqual(batches);
  });

  test('is selected by account, with each account in exactly one shard', async () => {
    const { staged, rows } = await rowsOf('transactions', csv, { inShard: (account) => account !== 'A' });
    expect(rows).toMatchObject({ read: 5, filtered: 3, not_sent: 2 });
    expect(await batchesOf(staged)).toEqual(['B: 2', 'C: 4']);
  });

  test('is staged without the problems of rows of other shards, which are read and counted', async () => {
    const rowsOfA = [1, 2].map((id) => ({ ...row.transactions('A', `a${id}`), amount: 'much' }));
    const bad = csvOf([...rowsOfA, row.transactions('B', 'b')]);
    const { staged, rows, end } = await rowsOf('transactions', bad, {
      inShard: (account) => account !== 'A',
    });
    expect([end, problemsOf(staged)]).toEqual(['staged', []]);
    expect(rows).toMatchObject({ read: 3, filtered: 2, invalid: 0, not_sent: 1 });
  });

  test('is staged without the problems of the other rows', async () => {
    const bad = csvOf([row.notes('A', '1'), { ...row.notes('A', '2'), created_at: 'never' }]);
    const { staged, end } = await rowsOf('notes', bad, { maxRecords: 1 });
    expect([end, problemsOf(staged)]).toEqual(['staged', []]);
  });
});

test('interrupted staging leaves nothing that could be sent', async () => {
  const { staged, end } = await rowsOf('notes', csvFrom('notes', 'A:1 A:2'), {
    stopping: AbortSignal.abort(),
  });
  expect(end).toBe('interrupted');
  expect(staged.run.condition).toBe('never_staged');
});

test('rows that are only checked are not put into batches', async () => {
  const { staged, rows, end } = await rowsOf('notes', csvFrom('notes', 'A:1 A:2'), { limits: null });
  expect([end, rows.read]).toEqual(['staged', 2]);
  expect(staged.run.isOpen).toBe(false);
});

test('the supplier of the command line is the supplier of every row', async () => {
  const csv = csvOf([{ external_account_number: 'A', body: 'x' }]);
  const { staged } = await rowsOf('notes', csv, { supplier: 'OTHER' });
  const batch = await staged.run.draining(() => '').claimNext(1);
  expect(batch!.account.import_supplier).toBe('OTHER');
});

test('the same number of two suppliers is two accounts', async () => {
  const csv = csvOf([row.notes('A', '1'), { ...row.notes('A', '1'), import_supplier: 'OTHER' }]);
  const { staged, end } = await rowsOf('notes', csv);
  expect([end, await batchesOf(staged)]).toEqual(['staged', ['A: 2', 'A: 3']]);
});
