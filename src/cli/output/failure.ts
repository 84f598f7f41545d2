import { AppError } from '../../core/app-error.ts';
import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import { entryOf, type ErrorCode } from '../../core/error-codes/table.ts';
import { isOutOfHandles } from '../../core/file-reason.ts';
import type { Facts } from '../../core/problem.ts';
import type { ExitName } from './exit-codes.ts';
import { PLAIN, type Paint } from './text/paint.ts';
import { problemLine, type ReportedProblem } from './text/problem-line.ts';
import { escapeControl } from './text/text.ts';

/** An error that ended a command, as it is shown. */
export interface Failure {
  readonly exit: ExitName;
  /** At least one. */
  readonly problems: readonly ReportedProblem[];
  /** What to do next, in words that can be acted on. */
  readonly next: string;
  /** Stack of a bug; undefined for any other failure. */
  readonly stack: string | undefined;
}

/**
 * Describes whatever was thrown. An `AppError` is a failure with a code, anything else is a bug. An `AppError` whose cause
 * is an `AggregateError` represents the errors in it, so each of them is shown.
 */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof AppError) {
    const failure = describe(thrown.code, thrown.facts, stackOfBug(thrown));
    if (!(thrown.cause instanceof AggregateError)) return failure;
    return { ...failure, problems: thrown.cause.errors.flatMap((error) => failureOf(error).problems) };
  }
  // Any file may be the one too many, such as a part of this program.
  if (isOutOfHandles(thrown))
    return describe('machine_exhausted', { reason: 'too many files are open for another one' }, undefined);
  const reason = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return describe('bug', { reason }, thrown instanceof Error ? thrown.stack : undefined);
}

/** For people: where, what, and the next command to type. */
export function failureText({ problems, next, stack }: Failure, paint: Paint = PLAIN): string {
  const lines = problems.map((problem) => {
    const line = problemLine(problem, paint);
    return problem.file === undefined ? `dataimport: ${line}` : line;
  });
  if (stack !== undefined) lines.push(...stack.split('\n').map((line) => `  ${escapeControl(line.trim())}`));
  return [...lines, `next: ${escapeControl(next)}`, ''].join('\n');
}

function describe(code: ErrorCode, facts: Facts, stack: string | undefined): Failure {
  const entry = entryOf(code);
  // The status of the answer, where the code covers several.
  const status = typeof facts['status'] === 'number' ? facts['status'] : entry.status;
  return {
    exit: entry.exit,
    problems: [
      {
        code,
        severity: 'error',
        ...locationOf(facts, entry.sentence),
        detail: sentenceOf(code, facts),
        ...(status === null ? {} : { http_status: status }),
      },
    ],
    // A usage error before any command was recognised has no command to name.
    next: nextStepOf(code, facts).replace('dataimport  --help', 'dataimport --help'),
    stack,
  };
}

/** File, line and column. Empty when the sentence itself names the file and no line is known. */
function locationOf(facts: Facts, sentence: string): Pick<ReportedProblem, 'file' | 'line' | 'column'> {
  const { file, line, column } = facts;
  if (typeof file !== 'string' || (line === undefined && sentence.includes('{file}'))) return {};
  return {
    file,
    ...(typeof line === 'number' ? { line } : {}),
    ...(typeof column === 'number' ? { column } : {}),
  };
}

function stackOfBug(error: AppError): string | undefined {
  return entryOf(error.code).exit === 'BUG' ? error.stack : undefined;
}
