import { expect, test } from 'vitest';
import { OtherTally } from '../../../src/cli/comparison/other-tally.ts';
import { sentRecord } from '../../support/compared-record.ts';

test('records beside those of the files are counted and added up by run, kind and type', () => {
  const tally = new OtherTally();
  const [first, second] = [{ kind: 'run', run: 'r1' } as const, { kind: 'run', run: 'r2' } as const];
  tally.add(first, sentRecord({ amount: '1.10' }));
  tally.add(first, sentRecord({ amount: '2.205' }));
  tally.add(first, sentRecord({ type: 'PAYMENT', amount: '-3' }));
  tally.add(second, sentRecord({ amount: '7' }));
  tally.add({ kind: 'allowed', run: null }, sentRecord({ type: null, amount: null }));
  expect(tally.totals()).toEqual([
    { kind: 'run', run: 'r1', type: 'CREDIT', count: 2, sum: '3.305' },
    { kind: 'run', run: 'r1', type: 'PAYMENT', count: 1, sum: '-3' },
    { kind: 'run', run: 'r2', type: 'CREDIT', count: 1, sum: '7' },
    { kind: 'allowed', run: null, type: null, count: 1, sum: null },
  ]);
});
