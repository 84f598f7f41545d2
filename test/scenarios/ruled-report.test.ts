import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeIo, runCli } from '../support/cli-io.ts';

const REPORT = `SQL> SELECT * FROM payments;

ACCOUNT_NO TX_ID   BOOKED           AMT
---------- ------- ---------- ---------
0097659831 S100001 2024-07-01    121.16
0789472643 S100002 2024-02-01  1,149.16
0715501772 S100003 2024-01-01       .29
`;

test('fixed columns read a report whose columns stand under dashes', async () => {
  const io = fakeIo();
  const inFolder = (...argv: string[]) => runCli(argv, fakeIo({ cwd: io.cwd }));
  writeFileSync(join(io.cwd, 'payments.lst'), REPORT);
  const mapping = `version: 1
resource: transactions
source:
  fixed: [{ name: ACCOUNT_NO, width: 10 }, { skip: 1 }, { name: TX_ID, width: 7 }, { skip: 1 }, { name: BOOKED, width: 10 }, { skip: 1 }, { name: AMT, width: 9 }]
  skip_lines: 4
  trim: true
  thousands_mark: ','
fields:
  import_supplier: { constant: ACME }
  external_account_number: ACCOUNT_NO
  transaction_id: TX_ID
  transaction_date: BOOKED
  type: { constant: PAYMENT }
  amount: { column: AMT, replace: [{ pattern: '^\\.', with: '0.' }] }
`;
  writeFileSync(join(io.cwd, 'payments.lst.map.yaml'), mapping);
  const { exitCode, stdout: checked } = await inFolder('check', 'transactions', 'payments.lst');
  expect(checked).toContain('3 rows read: 3 valid');
  expect(checked).toContain('1270.61');
  expect(exitCode).toBe(0);
});
