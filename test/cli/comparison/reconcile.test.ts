import { expect, onTestFinished, test } from 'vitest';
import { byKey } from '../../../src/cli/comparison/pairing.ts';
import { LISTED, reconcile } from '../../../src/cli/comparison/reconcile.ts';
import { groupsOf } from '../../../src/cli/comparison/record-groups.ts';
import type { SourceRecord } from '../../../src/cli/comparison/ports.ts';
import { openUnpairedStore } from '../../../src/cli/scratch/unpaired-store.ts';
import { comparedRecord } from '../../support/compared-record.ts';

function reconciled(source: readonly SourceRecord[], found: readonly SourceRecord[]) {
  const unpaired = openUnpairedStore();
  onTestFinished(unpaired.close);
  return reconcile({
    groups: groupsOf(source, found),
    pairing: byKey,
    judge: () => ({ code: null, fields: [] }),
    unpaired,
    originOf: () => undefined,
    mayMiss: () => false,
    isEarlier: () => false,
  });
}

test('equal records of two suppliers are on two accounts', () => {
  const rows = ['ACME', 'ZEUS'].map((supplier, seq) => comparedRecord({ import_supplier: supplier, seq }));
  expect(reconciled(rows, rows)).toMatchObject({ errors_total: 0, accounts: { total: 2, equal: 2 } });
});

test('as many differences are listed as it says, and all are counted', () => {
  const rows = Array.from({ length: LISTED + 5 }, (_, at) =>
    comparedRecord({ external_account_number: String(10_000 + at), seq: at }),
  );
  const result = reconciled(rows, []);
  expect([result.differences.length, result.errors_total]).toEqual([LISTED, LISTED + 5]);
});
