import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { folderWith } from '../support/mapping-files.ts';

const HEADER = 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount';
const rowOf = (account: string, id: string): string => `ACME,${account},${id},2026-02-01,CREDIT,1.50`;
const fileOf = (...rows: readonly string[]): string => `${[HEADER, ...rows].join('\n')}\n`;
const ARGS = ['check', 'transactions', '--json'] as const;

interface Checked {
  readonly rows: Readonly<Record<string, number>>;
  readonly control_totals: readonly { readonly count: number; readonly read: string }[];
  readonly problems: readonly { readonly code: string; readonly line: number; readonly detail: string }[];
  readonly left_out: readonly object[];
}

async function checked(csv: string, ...flags: readonly string[]): Promise<Checked> {
  const { stdout } = await runCli(
    [...ARGS, 't.csv', ...flags],
    fakeIo({ cwd: folderWith({ 't.csv': csv }) }),
  );
  return JSON.parse(stdout) as Checked;
}

test('a check reads a file again in which an id repeats, and names both rows', async () => {
  const { rows, problems, control_totals } = await checked(
    fileOf(rowOf('1', 'a'), rowOf('1', 'b'), rowOf('2', 'c'), rowOf('1', 'a')),
  );
  expect(rows).toMatchObject({ read: 4, not_sent: 2, invalid: 2 });
  expect(problems.map(({ code, line }) => [code, line])).toEqual([
    ['duplicate_transaction_ids', 2],
    ['duplicate_transaction_ids', 5],
  ]);
  expect(control_totals).toMatchObject([{ count: 2, read: '3.00' }]);
});

test('a check reads a file again in which account numbers are alike, and reports each problem once', async () => {
  const invalid = rowOf('3', 'x').replace('1.50', 'much');
  const { rows, problems } = await checked(
    fileOf(invalid, rowOf('A1', 'a'), rowOf('a1', 'b'), rowOf('2', 'c')),
  );
  expect(rows).toMatchObject({ read: 4, not_sent: 3, invalid: 1 });
  expect(problems.map(({ code }) => code)).toEqual(['invalid', 'identifiers_may_collide']);
});

test('standard input can be read again, too', async () => {
  const stdin = Readable.from([Buffer.from(fileOf(rowOf('1', 'a'), rowOf('1', 'a')))]);
  const { stdout } = await runCli([...ARGS, '-'], { ...fakeIo({ cwd: folderWith({}) }), stdin });
  expect((JSON.parse(stdout) as Checked).rows).toMatchObject({ read: 2, invalid: 2 });
});
