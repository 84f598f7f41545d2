import type { Severity } from '../../../core/problem.ts';
import { PLAIN, type Paint } from './paint.ts';
import { escapeControl } from './text.ts';

/** A problem as JSON documents show it. Scripts rely on the keys. */
export interface ReportedProblem {
  readonly code: string;
  readonly severity: Severity;
  readonly file?: string | null;
  /** The line on which the row begins, from 1. */
  readonly line?: number | null;
  /** Number of the cell, from 1. */
  readonly column?: number | null;
  readonly header?: string | null;
  /** Path into the request, as the platform writes it. */
  readonly attr?: string | null;
  readonly detail: string;
  readonly http_status?: number | null;
}

/** `transactions.csv:1042:7 error invalid_choice type is not one of the allowed values`, for people, editors and CI. */
export function problemLine(problem: ReportedProblem, paint: Paint = PLAIN): string {
  const { code, severity, detail } = problem;
  const place = locationOf(problem);
  const what = escapeControl(`${code} ${withSubject(subjectOf(problem), detail)}`);
  const words = [place && paint.place(escapeControl(place)), paint[severity](severity), what];
  return words.filter(isGiven).join(' ');
}

/** The column. Where it feeds a part of a list or an object, contains JSON or cannot be read, the field is named, too. */
export function subjectOf({ code, header, attr, http_status }: ReportedProblem): string | null | undefined {
  if (!isGiven(header)) return attr;
  // The path of an answer begins at the request and adds nothing to the location.
  const isPart = isGiven(attr) && attr !== header && attr.includes('.') && !isGiven(http_status);
  // Several fields may read one column, each in its own format.
  const isRead = isGiven(attr) && attr !== header && code.endsWith('_unreadable');
  return isPart || isRead ? `${header} (${attr})` : header;
}

/**
 * The detail with the name of its subject in front. The platform's words may begin with the name of the field, because
 * some errors have no other place for it (interface.md 4.3). Then the name is not repeated.
 */
export function withSubject(subject: string | null | undefined, detail: string): string {
  const named = /^([\w.]+):/.exec(detail)?.[1];
  const isSaid = named !== undefined && `.${subject}`.endsWith(`.${named}`);
  if (!isGiven(subject) || isSaid) return detail;
  return VERB.test(detail) ? `${subject} ${detail}` : `${subject}: ${detail}`;
}

/** How a detail begins that lacks its subject. Any other is a sentence of its own. */
const VERB = /^(?:is|has|may|must|does|was|lies|differs|fits|comes|contains|leads|names|occurs) /;

function locationOf({ file, line, column }: ReportedProblem): string | undefined {
  if (!isGiven(file)) return undefined;
  return [file, line, isGiven(line) ? column : undefined].filter(isGiven).join(':');
}

export function isGiven<T>(part: T | null | undefined): part is T {
  return part !== undefined && part !== null && part !== '';
}
