import type { Severity } from '../../core/problem.ts';
import { escapeControl } from './text.ts';

/** A problem as the JSON documents show it (cli.md, "Output"); the keys are the contract of scripts. */
export interface ReportedProblem {
  readonly code: string;
  readonly severity: Severity;
  readonly file?: string | null;
  /** One-based; the line on which the row begins. */
  readonly line?: number | null;
  /** One-based number of the cell. */
  readonly column?: number | null;
  readonly header?: string | null;
  /** Path into the request, as the platform writes it. */
  readonly attr?: string | null;
  readonly detail: string;
  readonly http_status?: number | null;
}

/** `transactions.csv:1042:7 error invalid_choice type is not one of the allowed values`, for people, editors and CI. */
export function problemLine(problem: ReportedProblem): string {
  const { code, severity, detail } = problem;
  return escapeControl(
    [whereOf(problem), severity, code, withSubject(subjectOf(problem), detail)].filter(isGiven).join(' '),
  );
}

/** The column; where it feeds a part of a list or an object, or holds one as JSON, also which part. */
function subjectOf({ header, attr, http_status }: ReportedProblem): string | null | undefined {
  if (!isGiven(header)) return attr;
  // The path of an answer begins at the request and says nothing that the place does not.
  const isPart = isGiven(attr) && attr !== header && attr.includes('.') && !isGiven(http_status);
  return isPart ? `${header} (${attr})` : header;
}

/**
 * What is wrong, behind the name of what it is wrong with. The words of a platform may begin with the name of the field:
 * some errors have no other place for it (interface.md 4.3). It is said once then.
 */
export function withSubject(subject: string | null | undefined, detail: string): string {
  const named = /^([\w.]+):/.exec(detail)?.[1];
  const isSaid = named !== undefined && `.${subject}`.endsWith(`.${named}`);
  return isGiven(subject) && !isSaid ? `${subject} ${detail}` : detail;
}

/**
 * The same as an annotation of GitHub Actions, which shows it beside the line of the file.
 * Escapes are those of its runner: `%`, line ends, and in properties also `:` and `,`.
 */
export function annotationOf(problem: ReportedProblem): string {
  const properties = Object.entries({
    file: problem.file,
    line: problem.line,
    col: problem.column,
    title: problem.code,
  })
    .filter(([, value]) => isGiven(value))
    .map(
      ([name, value]) => `${name}=${escapeData(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
    );
  const message = withSubject(subjectOf(problem), problem.detail);
  return `::${problem.severity} ${properties.join(',')}::${escapeData(message)}`;
}

function whereOf({ file, line, column }: ReportedProblem): string | undefined {
  if (!isGiven(file)) return undefined;
  return [file, line, isGiven(line) ? column : undefined].filter(isGiven).join(':');
}

function isGiven<T>(part: T | null | undefined): part is T {
  return part !== undefined && part !== null && part !== '';
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
