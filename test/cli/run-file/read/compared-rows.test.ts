import { expect, test } from 'vitest';
import { ComparedRows } from '../../../../src/cli/run-file/read/compared-rows.ts';
import { RunFile } from '../../../../src/cli/run-file/run-file.ts';
import {
  csvOf,
  RecordsNeeded,
  row,
  stagedRun,
  type StagedRunOptions,
} from '../../../support/push-staged-run.ts';

type Row = Readonly<Record<string, string>>;

/** Rows of which a run keeps everything: accounts in turn, with other texts than those that are compared, and one that is left out. */
const ROWS: readonly Row[] = [
  { ...row.transactions('A', '1'), amount: '1.0' },
  { ...row.transactions('A', '2'), amount: '2.00', note: 'é' },
  { ...row.transactions('B', '3'), amount: '3' },
  { ...row.transactions('A', '4'), amount: '4.00' },
];
const WINDOW = { window: { skip: 1, max: 3 } } satisfies StagedRunOptions;

/** Whether the rows are those of a run of `ROWS`. */
async function areThose(rows: readonly Row[], options: StagedRunOptions = WINDOW) {
  const { run } = await stagedRun('transactions', csvOf(ROWS), WINDOW);
  const { rowsSha256 } = run.proving.chain() as unknown as { readonly rowsSha256: string };
  const compared = new ComparedRows({ rowsSha256, checksumsSha256: run.proving.checksums() });
  const into: StagedRunOptions['into'] = (header) => RunFile.scratch(header, compared);
  await stagedRun('transactions', csvOf(rows), { ...options, limits: null, into }).catch((error: unknown) => {
    if (!(error instanceof RecordsNeeded)) throw error;
  });
  const areEnough = compared.areEnough('staged');
  expect(compared.areEqual).toBe(areEnough);
  return areEnough;
}

test('files have the very rows of a run', async () => {
  expect(await areThose(ROWS)).toBe(true);
});

const [left, first, second, third] = ROWS as [Row, Row, Row, Row];

test.each<readonly [string, readonly Row[], StagedRunOptions]>([
  ['another amount', [left, first, second, { ...third, amount: '4.01' }], WINDOW],
  ['the same amount in another form', [left, first, second, { ...third, amount: '4' }], WINDOW],
  ['another account', [left, first, { ...second, external_account_number: 'C' }, third], WINDOW],
  ['another supplier', [left, first, { ...second, import_supplier: 'OTHER' }, third], WINDOW],
  ['another id', [left, first, second, { ...third, transaction_id: '5' }], WINDOW],
  ['a row less', [left, first, second], WINDOW],
  ['a row more', [...ROWS, row.transactions('D', '6')], WINDOW],
  ['another row left out', ROWS, { window: { skip: 0, max: 3 } }],
])('files have %s', async (_, rows, options) => {
  expect(await areThose(rows, options)).toBe(false);
});

test('rows that were read to no end are neither equal nor kept', () => {
  const compared = new ComparedRows({ rowsSha256: '', checksumsSha256: '' });
  expect([compared.areEnough('interrupted'), compared.areEqual]).toEqual([true, false]);
  expect([compared.areEnough('invalid'), compared.areEqual]).toEqual([false, false]);
});

test('nothing is equal whose checksums differ, or whose rows are not read to the end', async () => {
  const { run } = await stagedRun('transactions', csvOf(ROWS), WINDOW);
  const { rowsSha256 } = run.proving.chain() as unknown as { readonly rowsSha256: string };
  const compared = new ComparedRows({ rowsSha256, checksumsSha256: 'other' });
  expect(compared.areEqual).toBe(false);
  const into: StagedRunOptions['into'] = (header) => RunFile.scratch(header, compared);
  const files = [
    ...ROWS.slice(0, 3),
    { ...row.transactions('C', '9'), amount: 'x' },
    { ...row.transactions('C', '8'), note: ' blank' },
  ];
  const again = (
    await stagedRun('transactions', csvOf(files), {
      ...WINDOW,
      window: { skip: 1, max: 9 },
      skipInvalid: true,
      limits: null,
      into,
    })
  ).run;
  const { rows, problems, leftOut, controlTotals } = again.report();
  expect(rows).toMatchObject({ read: 5, not_sent: 3, invalid: 1, filtered: 1 });
  expect(controlTotals).toMatchObject([{ count: 3, read: '15.10' }]);
  expect(leftOut).toEqual([{ kind: 'window', place: '', count: 1 }]);
  // The run has told its warnings.
  expect(problems.map(({ severity }) => severity)).toEqual(['error']);
  expect([...again.leftOutRows(1)]).toEqual([]);
  const whole = new ComparedRows({ rowsSha256, checksumsSha256: 'other' });
  await stagedRun('transactions', csvOf(ROWS), {
    ...WINDOW,
    limits: null,
    into: (header) => RunFile.scratch(header, whole),
  });
  expect(whole.areEnough('staged')).toBe(false);
});
