import type { AccountKey } from '../../../core/contract/account.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../../core/contract/resources.ts';
import { entryOf, isErrorCode } from '../../../core/error-codes/table.ts';
import { isCalendarDate } from '../../../core/values/calendar-date.ts';
import { compareDecimals, Decimal } from '../../../core/values/decimal.ts';
import { parseExactJson } from '../../../core/values/exact-json.ts';
import { isJsonObject } from '../../../core/values/plain-json.ts';
import type { SettledOutcome } from '../ports/report.ts';
import type { Batch, BatchRecord, Finding, RecordResult, RequestOptions } from '../ports/run.ts';
import type { AnswerForm, Comparison } from '../../../core/contract/descriptor.ts';
import { isSameSecond } from '../../../core/values/instant.ts';

/**
 * The result of each record, in the order of the batch. `body`: checked by the response schema, with every digit of its numbers. Undefined when the answer lacks, adds, repeats or swaps records, or has an unknown
 * status: then no part of it is believed. A record that the answer repeats with another value has to be verified.
 */
export function recordResultsOf(
  resource: Resource,
  { records, mayRepeat }: Pick<Batch, 'records' | 'mayRepeat'>,
  body: unknown,
  options: Partial<RequestOptions>,
): readonly RecordResult[] | undefined {
  const sentAgain = mayRepeat !== undefined && DESCRIPTORS[resource].answer.statuses === null;
  const found = inOrderOf(resource, records, resultsIn(resource, body));
  const results = found?.map((result, index) =>
    resultOf(resource, records[index]!, result, { ...options, sentAgain }),
  );
  return results?.includes(undefined) ? undefined : (results as readonly RecordResult[] | undefined);
}

/** Whether any part of an answer of success names another account than the request. */
export function isAboutAnotherAccount(resource: Resource, account: AccountKey, body: unknown): boolean {
  const results = resultsIn(resource, body);
  const parts = [body as Fields, ...results, ...results.map((result) => storedIn(resource, result))];
  return parts.some((part) => namesAnotherAccount(account, part));
}

/**
 * Whether an answer of success contradicts itself: it says that the request failed, or that a record failed which it calls stored. Nothing
 * shows which is true. An item with an error status of its own is only a result (deployments.md, "Responses"), and may give a reason.
 */
export function reportsFailure(resource: Resource, body: unknown): boolean {
  const { record } = DESCRIPTORS[resource].answer;
  const items = resultsIn(resource, body).filter(
    (item) => isJsonObject(item) && !FAILURES.has(item['status']),
  );
  const stored: readonly Fields[] =
    record === null ? [] : items.map((item) => item[record]).filter((found) => isJsonObject(found));
  return (
    [body, ...items].filter((part) => isJsonObject(part)).some(saysFailed) ||
    // Its other fields are those of the record.
    stored.some((each) => FAILURES.has(each['status']) || !isEmpty(each['error_detail']))
  );
}

/** Whether an object has a mark of failure beside what it says of a success. */
function saysFailed(part: Fields): boolean {
  const { status, detail, code, success, ok } = part;
  const known = typeof code === 'string' && isErrorCode(code) ? entryOf(code).status : null;
  // Words without a code may be about the success.
  const isRefusal = known !== null || (!isEmpty(detail) && !isEmpty(code));
  return (
    isRefusal ||
    FAILURES.has(status) ||
    success === false ||
    ok === false ||
    (status instanceof Decimal && compareDecimals(status, FIRST_FAILURE) >= 0) ||
    (typeof status === 'string' && /^(?:failed|failure|error|rejected)$/i.test(status)) ||
    MARKS_OF_FAILURE.some((name) => !isEmpty(part[name]))
  );
}

/** The first status of HTTP that is no success. */
const FIRST_FAILURE = Decimal.of('300');

const MARKS_OF_FAILURE = [
  'error',
  'errors',
  'error_detail',
  'non_field_errors',
  'failed',
  'failures',
] as const;

/** The statuses with which a platform refuses a record. */
const FAILURES: ReadonlySet<unknown> = new Set(
  RESOURCES.flatMap((resource) =>
    Object.entries<SettledOutcome>(DESCRIPTORS[resource].answer.statuses ?? {})
      .filter(([, outcome]) => outcome === 'rejected')
      .map(([status]) => status),
  ),
);

/** Whether a value reports nothing: missing, null, false, an empty text, or a list or an object without content. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return value === undefined || value === null || value === '' || value === false;
  return Object.keys(value).length === 0;
}

function resultOf(
  resource: Resource,
  { seq, payload }: BatchRecord,
  result: Fields,
  { forceAddToCurrentStatement, contract, sentAgain }: Partial<RequestOptions> & { sentAgain: boolean },
): RecordResult | undefined {
  const outcome = outcomeOf(resource, result['status']);
  if (outcome === undefined) return undefined;
  // The words about a record that is refused inside of a success (deployments.md, "Responses").
  const reason = result['error_detail'];
  if (outcome === 'rejected') return { seq, outcome, ...(typeof reason === 'string' ? { reason } : {}) };
  const data = storedIn(resource, result);
  const { amount: money, answer, idField } = DESCRIPTORS[resource];
  const sent = parseExactJson(payload) as Fields;
  const isExisting = outcome === 'existing';
  const moved = answer.movableDate && movedDate(answer.movableDate.field, sent, data);
  const differences = [
    ...differencesOf(resource, { sent, answered: data, isExisting }).filter(
      (each) => !contract?.trims || !isByBlanks(each),
    ),
    ...(moved && outcome === 'created' && forceAddToCurrentStatement === false ? [moved] : []),
  ];
  if (differences.length > 0) {
    const found = differences.map(({ field, ...values }): Finding => {
      return { code: isByBlanks(values) ? 'differs_by_blanks' : 'existing_differs', field, values };
    });
    return { seq, outcome: 'verify', found };
  }
  const found: readonly Finding[] = [
    ...(moved && answer.movableDate
      ? [{ code: answer.movableDate.code, field: moved.field, severity: 'warning' } as const]
      : []),
    ...(sentAgain ? [{ code: 'sent_again', field: idField, severity: 'warning' } as const] : []),
  ];
  const amount = money && answeredAmount(sent[money.field], data[money.field]);
  return {
    seq,
    outcome,
    ...(amount ? { amount: amount.text } : {}),
    ...(found.length > 0 ? { found } : {}),
  };
}

/** Whether two values are the same text without the blanks at their ends. */
const isByBlanks = ({ sent, answered }: Pick<ValueDifference, 'sent' | 'answered'>): boolean =>
  sent.trim() === answered.trim();

/** The amount of an answer, in the digits that were sent when both are the same money: platforms answer 12 as "12.00". */
function answeredAmount(sent: unknown, answered: unknown): Decimal | undefined {
  const [ours, theirs] = [decimalOf(sent), decimalOf(answered)];
  return ours && theirs && compareDecimals(ours, theirs) === 0 ? ours : theirs;
}

/** The results of an answer, one for each record that it is about. */
function resultsIn(resource: Resource, body: unknown): readonly Fields[] {
  const { list } = DESCRIPTORS[resource].answer;
  const found = list === null ? body : (body as Fields)[list];
  return (Array.isArray(found) ? found : [found]) as readonly Fields[];
}

/** The record that the platform stored, in a result. */
function storedIn(resource: Resource, result: Fields): Fields {
  const { record } = DESCRIPTORS[resource].answer;
  return record === null ? result : (result[record] as Fields);
}

/** The result of each record, in the order of the batch. Records without an id follow the order of the request. */
function inOrderOf(
  resource: Resource,
  records: readonly BatchRecord[],
  results: readonly Fields[],
): readonly Fields[] | undefined {
  if (results.length !== records.length) return undefined;
  const { idField, answer } = DESCRIPTORS[resource];
  const byId =
    idField === null ? null : new Map(results.map((result) => [storedIn(resource, result)[idField], result]));
  if (byId && byId.size !== records.length) return undefined;
  const found = records.flatMap(({ id, payload }, index) => {
    const result = byId ? byId.get(id) : results[index];
    return !result || answer.echoes?.(JSON.parse(payload) as never, result) === false ? [] : [result];
  });
  return found.length === records.length ? found : undefined;
}

/** A status that the interface does not list for the resource settles nothing. */
function outcomeOf(resource: Resource, status: unknown): SettledOutcome | undefined {
  const statuses: Readonly<Record<string, SettledOutcome>> | null = DESCRIPTORS[resource].answer.statuses;
  if (statuses === null) return 'created';
  return typeof status === 'string' && Object.hasOwn(statuses, status) ? statuses[status] : undefined;
}

/**
 * A date that the platform stored otherwise. It may have moved the date into the open statement period (interface.md 4.3). A
 * date that is left out or cannot be read proves nothing.
 */
function movedDate(field: string, sent: Fields, data: Fields): ValueDifference | undefined {
  const [ours, theirs] = [sent[field], data[field]];
  return typeof theirs === 'string' && isCalendarDate(theirs) && theirs !== ours
    ? { field, sent: String(ours), answered: theirs }
    : undefined;
}

/** A record, or the part of an answer that repeats it, with every digit of its numbers. */
export type Fields = Readonly<Record<string, unknown>>;

/** A record as it was sent, and as an answer repeats it. */
interface Repeated {
  readonly sent: Fields;
  readonly answered: Fields;
  /** Whether the platform had the record before. */
  readonly isExisting?: boolean;
}

/** A field whose value in an answer is not the value that was sent. */
type ValueDifference = Readonly<{ field: string; sent: string; answered: string }>;

/** The fields that an answer repeats with another value than was sent. A field that it leaves out proves nothing. */
export function differencesOf(
  resource: Resource,
  { sent, answered, isExisting = false }: Repeated,
): readonly ValueDifference[] {
  const {
    echoed,
    echoedIfExisting,
  }: Pick<AnswerForm<Fields>, 'echoed' | 'echoedIfExisting'> = DESCRIPTORS[resource].answer;
  return (Object.entries(echoed) as [string, Comparison][]).flatMap(([field, comparison]) => {
    if (isExisting && echoedIfExisting && !echoedIfExisting.includes(field)) return [];
    const [mine, theirs] = [sent[field], answered[field]];
    const agrees = isAbsent(theirs) || AGREES[comparison](mine, theirs);
    return agrees ? [] : [{ field, sent: textOf(mine), answered: textOf(theirs) }];
  });
}

/** Whether a repeated value is the value that was sent. A value that cannot be read does not agree. */
const AGREES: Readonly<Record<Comparison, (sent: unknown, answered: unknown) => boolean>> = {
  // No amount and an amount of zero are the same money.
  amount: (sent, answered) => {
    const [mine, theirs] = [isAbsent(sent) ? ZERO : decimalOf(sent), decimalOf(answered)];
    return mine !== undefined && theirs !== undefined && compareDecimals(mine, theirs) === 0;
  },
  // A platform may fill in a text or a date that was not sent.
  text: (sent, answered) => isAbsent(sent) || answered === sent,
  date: (sent, answered) =>
    isAbsent(sent) || (typeof answered === 'string' && answered.slice(0, 'YYYY-MM-DD'.length) === sent),
  // A platform need not keep fractions of a second, and a time without a zone proves nothing (interface.md 2.1).
  second: (sent, answered) => isAbsent(sent) || isSameSecond(String(sent), textOf(answered)) !== false,
  // A note without a pin is not pinned (interface.md 2.3).
  flag: (sent, answered) => answered === (sent ?? false),
};

const ZERO = Decimal.of('0');

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** An amount as a number or as text. */
function decimalOf(value: unknown): Decimal | undefined {
  if (value instanceof Decimal) return value;
  return typeof value === 'string' ? Decimal.parse(value) : undefined;
}

function textOf(value: unknown): string {
  if (isAbsent(value)) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether a part of an answer names another account than the request. A part that names none proves nothing. */
export function namesAnotherAccount(account: AccountKey, part: Fields): boolean {
  return (['import_supplier', 'external_account_number'] as const).some(
    (field) => !isAbsent(part[field]) && textOf(part[field]) !== account[field],
  );
}
