import { expect } from 'vitest';
import { EXITS } from '../../src/cli/output/exit-codes.ts';
import { otherExit } from '../../src/cli/commands/explain.ts';
import { entryOf, isErrorCode, type ErrorCode } from '../../src/core/error-codes/table.ts';

/** An error of a command that ends, or of a cell. */
const ERROR = /^(?:\S.* )?error ([a-z0-9_]+)(?= )/gm;

/** Flags that set rows aside, so that the others decide how the command ends. */
const SET_ASIDE = /--(?:skip-invalid|on-reject skip)\b/;

/** Commands of which one error does not decide the end: they show what was sent, or run others. */
const MANY_ENDS = /^(?:contract|migrate|replay|resume|runs|serve|verify)\b/;

const SIGNALS: readonly number[] = [EXITS.INTERRUPTED.code, EXITS.TERMINATED.code];

/**
 * Compares how a command has ended with what `explain` says about its error, when all of its errors have one code.
 * `words`: those after `dataimport`.
 */
export function expectExplainedExit(words: string, printed: string, exitCode: number): void {
  if (MANY_ENDS.test(words) || SET_ASIDE.test(words) || SIGNALS.includes(exitCode)) return;
  const codes = [...new Set([...printed.matchAll(ERROR)].map(([, code]) => code!))];
  const [code] = codes;
  if (code === undefined || codes.length > 1 || !isErrorCode(code)) return;
  expect(exitsOf(code, words), `${words}: ${code}`).toContain(exitCode);
}

function exitsOf(code: ErrorCode, words: string): readonly number[] {
  const { exit } = entryOf(code);
  const other = otherExit(code);
  // A refused instruction is not sent again, so the last one leaves nothing to go on with.
  const isLast = exit === 'REFUSED' && words.includes('payment-instructions');
  const names = [exit, ...(other === null ? [] : [other]), ...(isLast ? (['PARTIAL'] as const) : [])];
  return names.map((name) => EXITS[name].code);
}
