import { cents } from '../oracle/canonical.ts';
import type { CanonicalLedger } from '../oracle/oracle.ts';
import { type Invariant, violation, type Violation } from './violation.ts';

/** How two ledgers differ. */
export interface LedgerDifference {
  readonly lost: number;
  readonly repeated: number;
  /** Records that are neither expected nor repetitions of expected ones. */
  readonly foreign: number;
  readonly totalsDiffer: number;
}

/** Checks I1, I3 and I4 of the records of a platform against the records that the oracle computes. */
export function ledgerViolations(expected: CanonicalLedger, actual: CanonicalLedger): readonly Violation[] {
  const keys = [...new Set([...expected.keys(), ...actual.keys()])];
  return keys.flatMap((key) => {
    const [wanted, found] = [expected.get(key) ?? [], actual.get(key) ?? []];
    const say = (invariant: Invariant, words: string): Violation => violation(invariant, `${key}: ${words}`);
    const { lost, repeated, foreign } = difference(wanted, found);
    const all: Violation[] = [];
    if (lost > 0) all.push(say('I1', `${lost} of ${wanted.length} records are lost`));
    if (repeated > 0) all.push(say('I1', `${repeated} records are stored more often than expected`));
    if (foreign > 0) all.push(say('I1', `${foreign} stored records were never sent`));
    const sums = unequalSums(wanted, found);
    if (sums.length > 0) all.push(say('I3', sums.join(', ')));
    const isComplete = lost + repeated + foreign === 0;
    if (isComplete && wanted.some((record, index) => record !== found[index]))
      all.push(say('I4', 'the records are in another order than in the file'));
    return all;
  });
}

/** The difference of two ledgers as numbers, for a table. */
export function ledgerDifference(expected: CanonicalLedger, actual: CanonicalLedger): LedgerDifference {
  const sum = { lost: 0, repeated: 0, foreign: 0, totalsDiffer: 0 };
  for (const key of new Set([...expected.keys(), ...actual.keys()])) {
    const [wanted, found] = [expected.get(key) ?? [], actual.get(key) ?? []];
    const { lost, repeated, foreign } = difference(wanted, found);
    sum.lost += lost;
    sum.repeated += repeated;
    sum.foreign += foreign;
    sum.totalsDiffer += unequalSums(wanted, found).length;
  }
  return sum;
}

function difference(
  wanted: readonly string[],
  found: readonly string[],
): Omit<LedgerDifference, 'totalsDiffer'> {
  const balance = new Map<string, number>();
  for (const record of wanted) balance.set(record, (balance.get(record) ?? 0) - 1);
  const known = new Set(wanted);
  for (const record of found) balance.set(record, (balance.get(record) ?? 0) + 1);
  const result = { lost: 0, repeated: 0, foreign: 0 };
  for (const [record, more] of balance) {
    if (more < 0) result.lost -= more;
    else if (known.has(record)) result.repeated += more;
    else result.foreign += more;
  }
  return result;
}

/** Count and exact sum of each type. */
function unequalSums(wanted: readonly string[], found: readonly string[]): readonly string[] {
  const [a, b] = [sumsByType(wanted), sumsByType(found)];
  return [...new Set([...a.keys(), ...b.keys()])].flatMap((type) => {
    const [x, y] = [a.get(type) ?? '0 of 0', b.get(type) ?? '0 of 0'];
    return x === y ? [] : [`${type || 'records'}: ${y} instead of ${x} (hundredths)`];
  });
}

function sumsByType(records: readonly string[]): ReadonlyMap<string, string> {
  const sums = new Map<string, { count: number; sum: bigint }>();
  for (const record of records) {
    const type = /^type=(.*)$/m.exec(record)?.[1] ?? '';
    const amount = /^(?:amount|gross_amount)=(.*)$/m.exec(record)?.[1] ?? '0';
    const { count, sum } = sums.get(type) ?? { count: 0, sum: 0n };
    sums.set(type, { count: count + 1, sum: sum + cents(amount) });
  }
  return new Map([...sums].map(([type, { count, sum }]) => [type, `${sum} of ${count}`]));
}
