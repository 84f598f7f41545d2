import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import { isCalendarDate } from '../../core/values/calendar-date.ts';
import { compareDecimals, Decimal } from '../../core/values/decimal.ts';
import { parseExactJson } from '../../core/values/exact-json.ts';
import type { SettledOutcome } from './ports/report.ts';
import type { BatchRecord, RecordResult } from './ports/run.ts';

/** An answer of success: its body, parsed by the response schema, and the text that it was parsed from. */
interface SuccessAnswer {
  readonly body: unknown;
  readonly text: string;
}

/**
 * The result of each record, in the order of the batch. Undefined when the answer lacks, adds, repeats or swaps records or
 * has an unknown status: then no part of it is believed.
 */
export function recordResultsOf(
  resource: Resource,
  records: readonly BatchRecord[],
  { body, text }: SuccessAnswer,
): readonly RecordResult[] | undefined {
  const answered = answeredIn(resource, records, body);
  const { answer } = DESCRIPTORS[resource];
  const results = records.map(({ seq, payload }, index): RecordResult | undefined => {
    const result = answered?.[index];
    if (!result || answer.echoes?.(JSON.parse(payload) as never, result) === false) return undefined;
    const outcome = outcomeOf(resource, result['status']);
    return outcome && { seq, outcome };
  });
  if (answered === undefined || results.includes(undefined)) return undefined;
  const whole = results as readonly RecordResult[];
  return answer.compared.length === 0 && !answer.movableDate
    ? whole
    : comparedWithStored(resource, { records, answered, text }, whole);
}

type Fields = Readonly<Record<string, unknown>>;

/** The item of each record in an answer, by its id, or by its position when records have no id. */
function answeredIn(
  resource: Resource,
  records: readonly BatchRecord[],
  body: unknown,
): readonly (Fields | undefined)[] | undefined {
  const { idField, answer } = DESCRIPTORS[resource];
  const found = answer.list === null ? body : (body as Fields)[answer.list];
  const items = (Array.isArray(found) ? found : [found]) as readonly Fields[];
  if (items.length !== records.length) return undefined;
  if (idField === null) return items;
  const byId = new Map(items.map((item) => [storedIn(resource, item)[idField], item]));
  return byId.size === records.length ? records.map(({ id }) => byId.get(id)) : undefined;
}

/** The record that the platform stored, in an item of an answer. */
function storedIn(resource: Resource, item: Fields): Fields {
  const { record } = DESCRIPTORS[resource].answer;
  return record === null ? item : (item[record] as Fields);
}

/** A status that the interface does not list for the resource settles nothing. */
function outcomeOf(resource: Resource, status: unknown): SettledOutcome | undefined {
  const statuses: Readonly<Record<string, SettledOutcome>> | null = DESCRIPTORS[resource].answer.statuses;
  if (statuses === null) return 'created';
  return typeof status === 'string' && Object.hasOwn(statuses, status) ? statuses[status] : undefined;
}

/**
 * Compares records with what the platform stored. It may have moved a date into the open statement period (interface.md 4.3).
 * It finds existing records by their id alone (interface.md 3.3), so they may have another amount or type. An answer that lacks
 * a field, or has an unreadable one, proves nothing.
 */
function comparedWithStored(
  resource: Resource,
  given: {
    readonly records: readonly BatchRecord[];
    readonly answered: readonly (Fields | undefined)[];
    readonly text: string;
  },
  results: readonly RecordResult[],
): readonly RecordResult[] {
  const { compared, movableDate } = DESCRIPTORS[resource].answer;
  const { records, answered, text } = given;
  const hasExisting = results.some(({ outcome }) => outcome === 'existing');
  const exact = hasExisting ? exactlyAnswered(resource, records, text) : undefined;
  return results.map((result, index) => {
    const { payload } = records[index]!;
    const stored = exact?.[index];
    if (result.outcome === 'existing' && stored) {
      const differsIn = differingField(
        parseExactJson(payload) as Fields,
        storedIn(resource, stored),
        compared,
      );
      if (differsIn !== undefined) return { ...result, outcome: 'verify', differsIn };
    }
    if (movableDate === undefined || result.outcome === 'rejected') return result;
    const date = storedIn(resource, answered[index]!)[movableDate.field];
    return isMoved(date, (JSON.parse(payload) as Fields)[movableDate.field])
      ? { ...result, dateMoved: true }
      : result;
  });
}

/** The items of an answer with every digit of their numbers. Undefined when a field occurs twice, with two values. */
function exactlyAnswered(
  resource: Resource,
  records: readonly BatchRecord[],
  text: string,
): ReturnType<typeof answeredIn> {
  try {
    return answeredIn(resource, records, parseExactJson(text));
  } catch {
    return undefined;
  }
}

function isMoved(stored: unknown, sent: unknown): boolean {
  return typeof stored === 'string' && isCalendarDate(stored) && stored !== sent;
}

/** The date is not compared, because the platform moves it, nor are texts that it may change. */
function differingField(sent: Fields, stored: Fields, compared: readonly string[]): string | undefined {
  return compared.find((field) => {
    const [ours, theirs] = [sent[field], stored[field]];
    if (!(ours instanceof Decimal)) return typeof theirs === 'string' && theirs !== ours;
    const amount = decimalOf(theirs);
    return amount !== undefined && compareDecimals(ours, amount) !== 0;
  });
}

/** An amount as a number or as text. */
function decimalOf(value: unknown): Decimal | undefined {
  if (value instanceof Decimal) return value;
  return typeof value === 'string' ? Decimal.parse(value) : undefined;
}
