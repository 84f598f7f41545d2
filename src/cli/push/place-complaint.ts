import type { Resource } from '../../core/contract/resources.ts';
import { isErrorCode, type ErrorCode } from '../../core/error-codes/table.ts';
import { sentenceOf, textsOf } from '../../core/error-codes/sentence.ts';
import type { Path } from '../../core/problem.ts';
import type { PlatformProblem } from '../../core/validation-error.ts';
import { Decimal } from '../../core/values/decimal.ts';
import { parseExactJson } from '../../core/values/exact-json.ts';
import { cellOf, type CellLocation, type ColumnMap } from '../mapping/column-map.ts';
import { isOfOneUnnamed } from './complaints.ts';
import type { Batch, BatchRecord } from './ports/batch.ts';
import type { LocatedProblem } from './ports/located-problem.ts';
import type { PlatformComplaint } from './reading.ts';

/** A source as a complaint needs it. */
export interface ComplaintSource {
  readonly name: string;
  readonly columns: ColumnMap;
}

/** What is needed to bring a complaint of the platform back to a cell. */
export interface ComplaintContext {
  readonly resource: Resource;
  /** The sources of the run; that of a record is `sources[record.source - 1]`. */
  readonly sources: readonly ComplaintSource[];
  /** Whether the words of the platform may repeat values of cells (`--show-values`). */
  readonly showValues: boolean;
}

/** Brings what the platform names back to file, line and column of the cell that caused it. */
export function placeComplaint(
  context: ComplaintContext,
  batch: Batch,
  complaint: PlatformComplaint,
): LocatedProblem {
  const { problem, seq, attr, status, severity = 'error' } = complaint;
  const record = batch.records.find((candidate) => candidate.seq === seq) ?? batch.records[0]!;
  const source = context.sources[record.source - 1]!;
  const code = codeOf(problem, status);
  const facts = status === null ? {} : { status };
  const texts = isErrorCode(code) ? textsOf(code, facts) : undefined;
  const ours = texts?.sentence ?? sentenceOf('refused_without_reason', { status: status ?? 'none' });
  const place = placeInRow(context.resource, { columns: source.columns, parts: record.parts }, complaint);
  const theirs = context.showValues ? problem.detail : withoutValues(problem.detail, batch);
  return {
    code,
    severity,
    file: place.file ?? source.name,
    line: place.line ?? record.line,
    column: place.column,
    header: place.header,
    attr,
    detail: (problem.detail === '' ? ours : theirs) + alsoAbout(batch, complaint),
    next: texts?.next ?? null,
    http_status: status,
  };
}

/** What a refusal in words and without a code is about; a page of something else has no words that could be read. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'validation_error',
  401: 'authentication_failed',
  403: 'permission_denied',
  404: 'account_not_found',
  405: 'method_not_allowed',
  415: 'unsupported_media_type',
};

function codeOf({ code, detail }: PlatformProblem, status: number | null): string {
  const ofStatus = detail === '' || status === null ? undefined : CODE_OF_STATUS[status];
  return code ?? ofStatus ?? 'refused_without_reason';
}

function placeInRow(
  resource: Resource,
  { columns, parts }: Pick<ComplaintSource, 'columns'> & Pick<BatchRecord, 'parts'>,
  { problem, status }: PlatformComplaint,
): CellLocation {
  if (problem.path.length > 0) return cellOf(columns, problem.path, parts);
  // A page of something else is about nothing in the file.
  if (problem.code === 'refused_without_reason') return cellOf(columns, []);
  // 404 is always about the account (interface.md 7.2); a refused instruction is about its reference.
  const blamed: Path =
    status === 404 ? ['external_account_number'] : resource === 'payment-instructions' ? ['reference'] : [];
  return cellOf(columns, blamed);
}

/** A complaint about the request as a whole is shown at its first row and tells how many more it is about, or may be. */
function alsoAbout(batch: Batch, complaint: PlatformComplaint): string {
  const { records } = batch;
  const { seq } = complaint;
  const others = records.length - 1;
  if (seq !== null || others === 0) return '';
  if (!isOfOneUnnamed(batch, [complaint])) return ` (and ${others} more of the same request)`;
  const [first, last] = [records[0]!, records.at(-1)!];
  const upTo = first.source === last.source ? `, up to line ${last.line}` : '';
  return ` (or it is one of the ${others} after it${upTo}: --on-reject skip finds out)`;
}

/** The platform may quote what it was sent; cell values are shown only when asked for. */
function withoutValues(words: string, batch: Batch): string {
  const sent = batch.records.flatMap(({ payload }) => textsIn(parseExactJson(payload)));
  const values = [batch.account.external_account_number, ...sent]
    .filter((value) => value.length >= SHORTEST_HIDDEN)
    .sort((a, b) => b.length - a.length);
  return values.reduce((text, value) => text.replaceAll(value, '…'), words);
}

/** Shorter values would tear words apart and tell nothing of a person. */
const SHORTEST_HIDDEN = 3;

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Decimal) return [value.text];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
