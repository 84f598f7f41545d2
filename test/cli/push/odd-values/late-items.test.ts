import { expect, test } from 'vitest';
import { LateItems } from '../../../../src/cli/push/odd-values/late-items.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { oddFile } from '../../../support/odd-file.ts';

const ending = (...ends: readonly unknown[]) => ends.map((end_date) => ({ end_date }));

/** What is reported of records, the first of which is on line 2. */
function reported(resource: Resource, records: readonly object[]): readonly string[] {
  const { file, problems } = oddFile(resource);
  const items = new LateItems(resource);
  for (const [at, record] of records.entries()) items.see(record, { source: 1, line: at + 2 });
  items.report(file);
  return problems;
}

test('transactions before the end of one of their items are reported at the first', () => {
  const records = [
    { transaction_date: '2026-01-31', line_items: ending('2026-01-31') },
    { transaction_date: '2026-01-30', line_items: ending('2026-01-01', '2026-01-31') },
    { transaction_date: '2026-01-01', line_items: ending('2026-02-01') },
    { transaction_date: '2026-01-01' },
    { line_items: ending('2026-02-01') },
  ];
  expect(reported('transactions', records)).toEqual([
    'a.csv:3 warning dated_before_items_end transaction_date: is before the end of its own line items in 2 of 3 ' +
      'transactions with line items',
  ]);
});

test.each<readonly [string, Resource, object]>([
  [
    'ends on its own day',
    'transactions',
    { transaction_date: '2026-01-31', line_items: ending('2026-01-31') },
  ],
  ['has no end', 'transactions', { transaction_date: '2026-01-31', line_items: ending(undefined, 5) }],
  ['has no date', 'transactions', { transaction_date: 5, line_items: ending('2026-01-31') }],
  ['has no list', 'transactions', { transaction_date: '2026-01-31', line_items: 'x' }],
  ['is of another resource', 'notes', { transaction_date: '2026-01-01', line_items: ending('2026-02-01') }],
])('a record whose item %s is not reported', (_, resource, record) => {
  expect(reported(resource, [record])).toEqual([]);
});
