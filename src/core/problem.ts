import { entryOf, type ErrorCode } from './error-codes/table.ts';

/** An error stops the record. A warning is reported and the record is sent. */
export const SEVERITIES = ['error', 'warning'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** From the outermost object inwards: field names and zero-based list indexes, as in `attr` (interface.md 7.1). */
export type Path = readonly (string | number)[];

/** The facts of a sentence of the code table. Never the value of a cell, because values are shown only on request. */
export type Facts = Readonly<Record<string, string | number>>;

/** One thing that is wrong with data. The words come from the code table. */
export type Problem = Readonly<{ code: ErrorCode; path: Path; facts: Facts; severity: Severity }>;

/** A problem that stops the record. */
export function failure(code: ErrorCode, path: Path, facts: Facts = {}): Problem {
  return { code, path, facts, severity: 'error' };
}

/** A problem that is reported and does not stop the record. */
export function warning(code: ErrorCode, path: Path, facts: Facts = {}): Problem {
  return { code, path, facts, severity: 'warning' };
}

/** Whether any of the problems stops the record. */
export function hasFailure(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === 'error');
}

/** The problem of an inner value, seen from an outer one. */
export function under(prefix: Path, problem: Problem): Problem {
  return { ...problem, path: [...prefix, ...problem.path] };
}

/** `['transactions', 3, 'type']` → `transactions.3.type`. */
export function attrOfPath(path: Path): string {
  return path.join('.');
}

/** `transactions.3.type` → `['transactions', 3, 'type']`: an all-digit part is a list index (interface.md 7.1). */
export function pathOfAttr(attr: string): Path {
  return attr === ''
    ? []
    : attr.split('.').map((part) => (/^\d{1,9}$/.test(part) ? Number.parseInt(part, 10) : part));
}

/** The name that means "the object as a whole" (deployments.md, "Framework behaviour"). */
export const NON_FIELD = 'non_field_errors';

/**
 * Where the platform reports a problem. Our own checks name the field that a person looks at first, also for a rule
 * between fields; the platform names the object instead.
 */
export function platformPathOf({ code, path }: Problem): Path {
  return entryOf(code).wholeObject ? [...path.slice(0, -1), NON_FIELD] : path;
}

/** The path without the name that means an object as a whole. */
export function withoutNonField(path: Path): Path {
  return path.at(-1) === NON_FIELD ? path.slice(0, -1) : path;
}
