import { DESCRIPTORS } from '../../core/contract/resources.ts';
import { parseExactJson } from '../../core/values/exact-json.ts';
import { textOf, type Answer } from '../http/answer.ts';
import { isResource, type Effect } from './rule.ts';
import type { FaultEndpoint } from './rule-schema.ts';

/** The effects that change the results of an answer. */
export type ResultChange = Extract<Effect, 'missing' | 'doubled' | 'reordered' | 'extra' | 'failing'>;

/** A position counts from 1. `true`, and a position after the end, mean the last one. */
type Position = number | true;

type Fields = Readonly<Record<string, unknown>>;

/** How many results an answer contains; 0 without a list. */
export function resultsIn(answer: Answer): number {
  return resultsOf(answer)?.list.length ?? 0;
}

/** The answer with changed results. An answer without results stays as it is. */
export function withResults(answer: Answer, change: ResultChange, position: Position): Answer {
  const results = resultsOf(answer);
  if (!results || results.list.length === 0) return answer;
  return { ...answer, body: results.withList(changed(results.list, change, position)) };
}

/** The body with the first records only. A body with a single record stays as it is. */
export function withFirst(body: Uint8Array, endpoint: FaultEndpoint, records: number): Uint8Array {
  return withRecords(body, endpoint, (list) => list.slice(0, records)) ?? body;
}

/** The body without one record; undefined when no record is left. */
export function without(
  body: Uint8Array,
  endpoint: FaultEndpoint,
  position: Position,
): Uint8Array | undefined {
  return withRecords(body, endpoint, (list) => list.toSpliced(indexOf(position, list.length), 1));
}

function withRecords(
  body: Uint8Array,
  endpoint: FaultEndpoint,
  change: (list: readonly Fields[]) => readonly Fields[],
): Uint8Array | undefined {
  const name = isResource(endpoint) ? DESCRIPTORS[endpoint].list : null;
  const records = listIn(Buffer.from(body).toString(), [name]);
  const list = change(records?.list ?? []);
  return list.length === 0 ? undefined : Buffer.from(JSON.stringify(records!.withList(list)));
}

function resultsOf(answer: Answer): JsonList | undefined {
  return listIn(textOf(answer), ['results', 'statements']);
}

/** A list in a JSON document. */
interface JsonList {
  readonly list: readonly Fields[];
  /** The document with another list. */
  withList(list: readonly Fields[]): unknown;
}

/** Finds the list: the document itself, or one of its fields. The JSON is parsed exactly, so digits stay as they are. */
function listIn(text: string, names: readonly (string | null)[]): JsonList | undefined {
  const json = parseExactJson(text);
  if (Array.isArray(json)) return { list: json as readonly Fields[], withList: (list) => list };
  const fields = json as Fields;
  const name = names.find((each) => each !== null && Array.isArray(fields[each]));
  if (name === null || name === undefined) return undefined;
  return { list: fields[name] as readonly Fields[], withList: (list) => ({ ...fields, [name]: list }) };
}

function indexOf(position: Position, length: number): number {
  return Math.min(position === true ? length : position, length) - 1;
}

function changed(list: readonly Fields[], change: ResultChange, position: Position): readonly Fields[] {
  const index = indexOf(position, list.length);
  const item = list[index]!;
  switch (change) {
    case 'missing':
      return list.toSpliced(index, 1);
    case 'doubled':
      return list.toSpliced(index, 0, item);
    case 'reordered':
      return list.toReversed();
    case 'extra':
      return [...list, strayOf(item)];
    case 'failing':
      return list.with(index, failedOf(item));
  }
  return change satisfies never;
}

const STRAY = 'sent-by-nobody';

/** A result for a record that nobody sent, in the form of this one. */
function strayOf(item: Fields): Fields {
  const { transaction_data: data } = item;
  if (typeof data === 'object') return { ...item, transaction_data: { ...data, transaction_id: STRAY } };
  const name = ['statement_id', 'external_account_number'].find((each) => each in item) ?? 'body';
  return { ...item, [name]: STRAY };
}

/** deployments.md, "Responses". No such status is known for notes, so theirs is made up likewise. */
function failedOf(item: Fields): Fields {
  const status = 'transaction_data' in item ? 'TRANSACTION_IMPORT_ERROR' : 'NOTE_CREATION_ERROR';
  return { ...item, status, error_detail: 'a fault of the local platform' };
}
