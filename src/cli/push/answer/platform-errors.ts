import { ACCOUNT_FIELDS } from '../../../core/contract/account.ts';
import { DESCRIPTORS, THERE_ALREADY, type Resource } from '../../../core/contract/resources.ts';
import { sentenceOf, textsOf } from '../../../core/error-codes/sentence.ts';
import { isErrorCode, type ErrorCode } from '../../../core/error-codes/table.ts';
import { attrOfPath, pathOfAttr, type Path, type Severity } from '../../../core/problem.ts';
import type { DecodedError, PlatformProblem } from '../../../core/validation-error.ts';
import { cellOf, type ColumnMap, type RecordCell } from '../../mapping/column-map.ts';
import { isFreeOfValues, isPlainName, shownPath } from './platform-words.ts';
import type { AnsweredProblem, LocatedProblem } from '../ports/report.ts';
import type { Batch, BatchRecord, Finding } from '../ports/run.ts';
import { fieldOfName } from '../../mapping/language/fields.ts';

/** An error that an answer names, tied to its record. */
export interface PlatformError {
  /** Number of the record; null when the error is about the request as a whole. */
  readonly seq: number | null;
  /** The input in the terms of the request (interface.md 7.1); null when none is named. */
  readonly attr: string | null;
  /** Its path is the field inside the record; empty when none is named. */
  readonly problem: PlatformProblem;
  /** Null when no answer came. */
  readonly status: number | null;
  /** Default: error. */
  readonly severity?: Severity;
  /** The sent value and the value in the answer, for `--show-values`. */
  readonly values?: Finding['values'];
  readonly facts?: Finding['facts'];
  /** What the answer looks like that gives no reason. */
  readonly seen?: string;
}

/** An error in our words, about an answer that names none. */
export function platformError(
  code: ErrorCode,
  about: Pick<PlatformError, 'seq' | 'status' | 'seen' | 'facts'> & { detail?: string },
): PlatformError {
  const { detail = '', ...rest } = about;
  return { ...rest, attr: null, problem: { code, path: [], detail } };
}

/**
 * Ties the errors of a body to the records of the batch: by the index in `attr`, by the id of the failing transaction, or
 * because the batch has one record. A body that names nothing gives one error about the request.
 */
export function platformErrorsOf(
  resource: Resource,
  batch: Batch,
  { problems: named }: Pick<DecodedError, 'problems'>,
  status: number,
): readonly PlatformError[] {
  const problems: readonly PlatformProblem[] =
    named.length > 0 ? named : [{ code: 'answer_unproven', path: [], detail: '' }];
  return problems.map((problem) => ({ ...tied(resource, batch, problem, status), status }));
}

function tied(
  resource: Resource,
  batch: Batch,
  problem: PlatformProblem,
  status: number,
): Omit<PlatformError, 'status'> {
  const { list, idField } = DESCRIPTORS[resource];
  if (problem.transactionId !== undefined) {
    const at = batch.records.findIndex(({ id }) => id === problem.transactionId);
    const path = fieldNamedBy(resource, problem.detail) ?? [idField!];
    const attr = at < 0 || list === null ? null : attrOfPath([list, at, ...path]);
    return { seq: batch.records[at]?.seq ?? null, attr, problem: { ...problem, path } };
  }
  const attr = problem.path.length === 0 ? null : attrOfPath(problem.path);
  const [first, index, ...inner] = problem.path as readonly (string | number | undefined)[];
  if (list !== null && first === list && typeof index === 'number' && batch.records[index])
    return { seq: batch.records[index].seq, attr, problem: { ...problem, path: inner as Path } };
  // A single record causes what is wrong with its request, but not a missing account or a wrong key.
  return { seq: list === null && status === 400 ? batch.records[0]!.seq : null, attr, problem };
}

/**
 * The field that a message begins with, as in `product_code: the platform has no such product`, because this error has no
 * other place for a field. It decides where the problem is shown, and nothing else.
 */
function fieldNamedBy(resource: Resource, words: string): Path | undefined {
  const name = /^([a-z_]+(?:\.[a-z0-9_]+)*):/.exec(words)?.[1];
  return name === undefined ? undefined : fieldOfName(resource, name)?.path;
}

/** The supplier is paused or complete, so every further request would fail. The record itself is not refused. */
const OF_THE_RUN = 'import_supplier_migration_not_ongoing' satisfies ErrorCode;

/** A missing account is answered with 404, in words alone or with a code (deployments.md, "Responses"). */
export function isAboutAccount({ problem, status }: PlatformError): boolean {
  if (problem.code === 'account_not_found') return true;
  if (status === 404) return problem.code === null;
  return problem.path.length === 1 && ACCOUNT_FIELDS.has(problem.path[0]!);
}

/** Whether an error is about the supplier, so that every further request would fail in the same way. */
export function isOfTheRun({ problem: { code, path } }: PlatformError): boolean {
  return code === OF_THE_RUN || (path.length === 1 && path[0] === 'import_supplier');
}

/** Whether an error is about the account, the supplier, the key or the form of a request, so that no record of it was looked at. */
export function isBesideRecords(error: PlatformError): boolean {
  return isAboutAccount(error) || isOfTheRun(error) || error.status !== 400;
}

/** The records may be in a database that is gone, whatever the answer says. */
const OF_ANOTHER_DATABASE = 'platform_database_changed' satisfies ErrorCode;

/** Codes whose own next step is all that there is to do. */
const SETTLED_BY_PERSON: readonly string[] = [
  OF_ANOTHER_DATABASE,
  'outcome_unproven' satisfies ErrorCode,
  ...THERE_ALREADY,
];

/** A page of a proxy, an answer of another database, and a field beside the records are about no cell. */
const ABOUT_NO_CELL: ReadonlySet<string> = new Set<ErrorCode>(['answer_unproven', OF_ANOTHER_DATABASE]);

/** The code of a refusal about one transaction, which it usually names by its id. */
const OF_ONE = 'transaction_import_error' satisfies ErrorCode;

/** Whether a refusal has words but names no record, so that any of several records may be meant (deployments.md, "Responses"). */
export function mayBeAboutAnyRecord({ records }: Batch, errors: readonly PlatformError[]): boolean {
  return (
    records.length > 1 &&
    errors.every(
      ({ seq, attr, problem: { code }, status }) =>
        seq === null && attr === null && status === 400 && (code === null || code === OF_ONE),
    )
  );
}

/** A source of a run: its name and the columns that fed its fields. */
export type ErrorSource = { readonly name: string; readonly columns: ColumnMap };

/** Everything that leads from an error of the platform back to a cell. */
export interface ErrorContext {
  readonly resource: Resource;
  /** The sources of the run; the source of a record is `sources[record.source - 1]`. */
  readonly sources: readonly ErrorSource[];
}

/** An error of the platform at the file, line and column of the cell that caused it, as it is shown without and with `--show-values`. */
export function locatePlatformError(
  { resource, sources }: ErrorContext,
  batch: Batch,
  error: PlatformError,
): AnsweredProblem {
  const { seq, status, severity = 'error' } = error;
  const record = batch.records.find((candidate) => candidate.seq === seq) ?? batch.records[0]!;
  const source = sources[record.source - 1]!;
  const cell = blamedCell(resource, { columns: source.columns, parts: record.parts }, error);
  const { file, line, column, header } = cell;
  const place = { file: file ?? source.name, line: line ?? record.line, column, header };
  const shown = (showValues: boolean): LocatedProblem => {
    const { code, ...texts } = textsShown(resource, batch, { ...error, showValues });
    return { code, severity, ...place, ...texts, http_status: status };
  };
  const [hiding, withValues] = [shown(false), shown(true)];
  const isHidden = (['code', 'attr', 'detail'] as const).some((key) => hiding[key] !== withValues[key]);
  return isHidden ? { ...hiding, withValues } : hiding;
}

/** An error, and whether the words of the platform may be shown that may repeat values of cells. */
type ShownError = PlatformError & { readonly showValues: boolean };

function textsShown(
  resource: Resource,
  batch: Batch,
  error: ShownError,
): Pick<LocatedProblem, 'code' | 'attr' | 'detail' | 'next'> {
  const { problem, attr, status, values, seen, showValues } = error;
  const supplier = batch.account.import_supplier;
  const code = shownCode(resource, batch, error);
  const facts = { supplier, ...(status !== null && { status }), ...error.facts };
  const { sentence = null, next = null } = isErrorCode(code) ? textsOf(code, facts) : {};
  const { detail } = problem;
  const about = { words: detail, status, isOfTheRun: isOfTheRun(error) };
  const isShown = detail !== '' && (showValues || isFreeOfValues(resource, batch, about));
  const path = attr === null || showValues ? [] : shownPath(resource, batch, pathOfAttr(attr));
  return {
    code,
    attr: showValues ? attr : path.length === 0 ? null : attrOfPath(path),
    detail:
      (isShown ? detail : wordsInstead(sentence, error)) +
      (seen === undefined ? '' : `; it got ${seen}`) +
      (showValues && values ? ` (sent ${values.sent}, answered ${values.answered})` : '') +
      furtherRecords(batch, error),
    next: nextStep(resource, code, { next, error, supplier }),
  };
}

function nextStep(
  resource: Resource,
  code: string,
  { next, error, supplier }: { next: string | null; error: PlatformError; supplier: string },
): string | null {
  // No correction of rows changes a refusal of the supplier, unless its code says so.
  if (isOfTheRun(error)) {
    if (error.problem.code === ('invalid_choice' satisfies ErrorCode))
      return `The platform knows no supplier ${supplier}: check --supplier, or what feeds import_supplier; the operator knows its code.`;
    if (error.problem.code !== null) return next;
    return 'Ask the operator whether the supplier has this code and is Ongoing, then run the command again.';
  }
  const { final } = DESCRIPTORS[resource].refusal;
  if (final === null || error.status !== 400 || [final, ...SETTLED_BY_PERSON].includes(code)) return next;
  // A record that must not be sent again unchanged (interface.md 4.5) needs another next step than the code has.
  return [next, textsOf(final, {}).next].filter((step) => step !== null).join(' ');
}

/** The code of a refusal in words without a code. A page of a proxy has no words, so it gets none of these. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'validation_error',
  401: 'authentication_failed',
  403: 'permission_denied',
  404: 'account_not_found',
  405: 'method_not_allowed',
  415: 'unsupported_media_type',
};

/** A code that could be a value of a cell is shown only with `--show-values`. */
function shownCode(resource: Resource, batch: Batch, { problem, status, showValues }: ShownError): string {
  const { code, detail } = problem;
  const { final } = DESCRIPTORS[resource].refusal;
  if (code !== null && (showValues || isErrorCode(code) || isPlainName(batch, code))) return code;
  const hasNone = (code === null && detail === '') || status === null;
  const ofStatus = hasNone ? undefined : ((status === 400 ? final : null) ?? CODE_OF_STATUS[status]);
  return ofStatus ?? 'answer_unproven';
}

/** The words in place of a text of the platform that may contain a value, or of no text. */
function wordsInstead(sentence: string | null, { problem, status }: PlatformError): string {
  const { detail } = problem;
  if (detail === '') return sentence ?? sentenceOf('answer_unproven', { status: status ?? 'none' });
  const size = [...detail].length;
  return `${sentence ?? 'is refused by the platform'}; its text of ${size} character${size === 1 ? '' : 's'} is hidden`;
}

function blamedCell(
  resource: Resource,
  { columns, parts }: { columns: ColumnMap; parts: BatchRecord['parts'] },
  { problem, status }: PlatformError,
): RecordCell {
  if (problem.path.length > 0) return cellOf(columns, problem.path, parts);
  if (problem.code !== null && ABOUT_NO_CELL.has(problem.code)) return cellOf(columns, []);
  // A 404 is always about the account (interface.md 7.2).
  if (status === 404) return cellOf(columns, ['external_account_number'], parts);
  const { field } = DESCRIPTORS[resource].refusal;
  return cellOf(columns, field === null ? [] : [field], parts);
}

/** An error about the request as a whole is shown at its first row, with the number of further rows that it is about. */
function furtherRecords(batch: Batch, error: PlatformError): string {
  const { records } = batch;
  const others = records.length - 1;
  if (error.seq !== null || others === 0) return '';
  if (!mayBeAboutAnyRecord(batch, [error])) return ` (and ${others} more of the same request)`;
  const [first, last] = [records[0]!, records.at(-1)!];
  const upTo = first.source === last.source ? `, up to line ${last.line}` : '';
  return ` (or one of the ${others} rows after it${upTo}: --on-reject skip finds out which)`;
}
