import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { Expectation, LedgerLine, ReplayStep } from './expectation.ts';
import { expectationText } from './expectation-file.ts';

/** Equal lines around a difference. */
const CONTEXT = 3;

/** The difference between an expectation and a replay, as a unified diff; null when they are equal. */
export function differenceOf(expected: Expectation, actual: Expectation, file: string): string | null {
  const before = expectationText(expected);
  const after = expectationText({
    ...actual,
    steps: actual.steps.map((step, index) => asFarAs(expected.steps[index], step)),
    ledger: expected.ledger && ledgerAsFarAs(expected.ledger, actual.ledger ?? []),
  });
  if (before === after) return null;
  const [from, to] = [`${file} (expected)`, `${file} (actual)`];
  return createTwoFilesPatch(from, to, before, after, undefined, undefined, {
    context: CONTEXT,
    headerOptions: FILE_HEADERS_ONLY,
  });
}

/** The result of a step without the parts that its expectation leaves out. */
function asFarAs(expected: ReplayStep | undefined, actual: ReplayStep): ReplayStep {
  const { command, exit, ...rest } = actual;
  const compared = Object.entries(rest).filter(
    ([name]) => expected === undefined || expected[name as keyof ReplayStep] !== undefined,
  );
  return { command, exit, ...Object.fromEntries(compared) };
}

/** The ledger without digests, unless the expectation has digests. */
function ledgerAsFarAs(
  expected: readonly LedgerLine[],
  actual: readonly LedgerLine[],
): readonly LedgerLine[] {
  if (expected.some(({ content }) => content !== undefined)) return actual;
  return actual.map(({ content: _content, ...line }) => line);
}
