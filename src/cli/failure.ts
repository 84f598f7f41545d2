import { AppError } from '../core/app-error.ts';
import { nextStepOf, sentenceOf } from '../core/error-codes/sentence.ts';
import { entryOf, type ErrorCode } from '../core/error-codes/table.ts';
import type { Facts } from '../core/problem.ts';
import type { ExitName } from './exit-codes.ts';
import { exitDocument, type FailureDocument } from './render/json-output.ts';
import { problemLine, type ReportedProblem } from './render/problem-line.ts';
import { escapeControl } from './render/text.ts';

/** Everything there is to say about an error that ended a command. */
export interface Failure {
  readonly exit: ExitName;
  /** At least one. */
  readonly problems: readonly ReportedProblem[];
  readonly next: string;
  /** Where in the program it happened; only for a fault of the program itself. */
  readonly stack: string | undefined;
}

/**
 * Reads whatever was thrown. An `AppError` is a failure with a name; anything else is a fault of ours. One that has
 * others as its cause stands for them: each is told by itself.
 */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof AppError) {
    const failure = describe(thrown.code, thrown.facts, stackOfBug(thrown));
    if (!(thrown.cause instanceof AggregateError)) return failure;
    return { ...failure, problems: thrown.cause.errors.flatMap((error) => failureOf(error).problems) };
  }
  const reason = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return describe('bug', { reason }, thrown instanceof Error ? thrown.stack : undefined);
}

/** For people: where, what, and the next command to type. */
export function failureText({ problems, next, stack }: Failure): string {
  const lines = problems.map((problem) =>
    problem.file === undefined ? `dataimport: ${problemLine(problem)}` : problemLine(problem),
  );
  if (stack !== undefined) lines.push(...stack.split('\n').map((line) => `  ${escapeControl(line.trim())}`));
  return [...lines, `next: ${escapeControl(next)}`, ''].join('\n');
}

/** For scripts: the document of a command that ended before it had one of its own. */
export function failureDocument({ exit, problems, next }: Failure): FailureDocument {
  return { version: 1, exit: exitDocument(exit), problems, next };
}

function describe(code: ErrorCode, facts: Facts, stack: string | undefined): Failure {
  const entry = entryOf(code);
  // The status that was answered, where the code stands for several.
  const status = typeof facts['status'] === 'number' ? facts['status'] : entry.status;
  return {
    exit: entry.exit,
    problems: [
      {
        code,
        severity: 'error',
        ...placeOf(facts, entry.sentence),
        detail: sentenceOf(code, facts),
        ...(status === null ? {} : { http_status: status }),
      },
    ],
    // A usage error before any command was recognised has no command to name.
    next: nextStepOf(code, facts).replace('dataimport  --help', 'dataimport --help'),
    stack,
  };
}

/** File, line and column, unless the sentence itself names the file and there is no line to add. */
function placeOf(facts: Facts, sentence: string): Pick<ReportedProblem, 'file' | 'line' | 'column'> {
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
