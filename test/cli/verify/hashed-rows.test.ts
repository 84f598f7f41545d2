import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Reading } from '../../../src/cli/journal/reading.ts';
import { migration } from '../../support/migration.ts';
import { GOOD, HEADER, IMPORTED } from '../../support/refused-account.ts';

const INVOICES = `version: 1
resource: transactions
source: { date_format: dd/MM/yyyy }
continuation: { key: [id] }
filter:
  - { column: kind, in: [TOTAL] }
fields:
  import_supplier: { constant: ACME }
  external_account_number: account
  transaction_id: id
  transaction_date: date
  type: kind
  amount: amount
  note: note
  product_code: { constant: STD }
  line_items:
    rows:
      when: { column: from, is: present }
      item:
        rate_band: { constant: DAY }
        start_date: from
        end_date: to
        number_of_units: units
        net_amount: net
`;

/** Files whose rows need everything that a run file keeps of a row. */
const FILES = {
  transactions: {
    mapping: INVOICES,
    lines: [
      'id,account,date,kind,amount,note,from,to,units,net',
      't-1,1001,01/02/2026,SUPPLY_CHARGE,30.50,"é ""quoted""\nnext line 🎈",,,,',
      ',,,,,,01/01/2026,15/01/2026,1.0,10.50',
      ',,,,,,16/01/2026,31/01/2026,2,20.00',
      't-0,1001,01/02/2026,TOTAL,30.50,,,,,',
      't-2,1003,02/02/2026,PAYMENT,12.50,,,,,',
    ],
  },
  notes: {
    mapping: null,
    lines: [
      'import_supplier,external_account_number,body,created_at',
      'ACME,1001,first,2026-02-01T10:00:00+02:00',
      'ACME,1001,second,',
      'ACME,1003,a tab\tinside,2026-02-01T10:00:00.000Z',
    ],
  },
} as const;

/** A site where a file was pushed, and a command that compares it: what it says, and how often the rows were read. */
async function pushed(resource: string, lines: readonly string[], mapping: string | null = null) {
  const site = await migration(IMPORTED);
  const file = site.csv('rows.csv', ...lines);
  if (mapping !== null) writeFileSync(join(site.cwd, 'rows.csv.map.yaml'), mapping);
  const push = await site.cli('push', resource, file);
  expect({ stderr: push.stderr, exitCode: push.exitCode }).toMatchObject({ exitCode: 0 });
  return {
    site,
    verified: async () => {
      // Each reading stages into a journal without a name.
      const spy = vi.spyOn(Reading, 'scratch');
      onTestFinished(() => spy.mockRestore());
      const { exitCode, stdout } = await site.cli('verify', resource, file);
      return { exitCode, stdout, readings: spy.mock.calls.length };
    },
  };
}

test.each(Object.entries(FILES))(
  '%s that one run has read are hashed, and no row is kept',
  async (resource, file) => {
    const { verified } = await pushed(resource, file.lines, file.mapping);
    expect(await verified()).toMatchObject({
      exitCode: 0,
      readings: 1,
      stdout: expect.stringContaining('nothing differs') as string,
    });
  },
);

test('rows that a mapping makes otherwise now are read again, and each difference is named', async () => {
  const { site, verified } = await pushed('transactions', [HEADER, GOOD]);
  const mapping = `version: 1
resource: transactions
fields:
  import_supplier: import_supplier
  external_account_number: external_account_number
  transaction_id: transaction_id
  transaction_date: transaction_date
  type: { constant: PAYMENT }
  amount: amount
`;
  writeFileSync(join(site.cwd, 'rows.csv.map.yaml'), mapping);
  expect(await verified()).toMatchObject({
    exitCode: 11,
    readings: 2,
    stdout: expect.stringContaining('record_differs') as string,
  });
});
