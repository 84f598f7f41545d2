import { DESCRIPTORS, RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { parseExactJson } from '../../core/values/exact-json.ts';
import { textOf, type Answer } from '../http/answer.ts';
import { isResource, type Effect, type FaultEndpoint } from './fault-rule.ts';

export type ResultChange = Extract<Effect, 'missing' | 'doubled' | 'reordered' | 'extra' | 'failing'>;

/** A position counts from 1. `true`, and a position after the end, mean the last one. */
type Position = number | true;

type Fields = Readonly<Record<string, unknown>>;

/** How many results an answer contains; 0 without a list. */
export function resultsIn(answer: Answer): number {
  return resultsOf(answer)?.list.length ?? 0;
}

/** The answer of an endpoint with changed results. An answer without results stays as it is. */
export function withResults(
  answer: Answer,
  endpoint: FaultEndpoint,
  change: ResultChange,
  position: Position,
): Answer {
  const results = resultsOf(answer);
  if (!results || results.list.length === 0) return answer;
  return { ...answer, body: results.withList(changed(results.list, endpoint, change, position)) };
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
  return listIn(
    textOf(answer),
    RESOURCES.map((resource) => DESCRIPTORS[resource].answer.list),
  );
}

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

function changed(
  list: readonly Fields[],
  endpoint: FaultEndpoint,
  change: ResultChange,
  position: Position,
): readonly Fields[] {
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
      return [...list, strayOf(item, endpoint)];
    case 'failing':
      return isResource(endpoint) ? list.with(index, failedOf(item, endpoint)) : list;
  }
  return change satisfies never;
}

const STRAY = 'sent-by-nobody';

/** A result for a record that nobody sent, in the form of this one. */
function strayOf(item: Fields, endpoint: FaultEndpoint): Fields {
  if (!isResource(endpoint)) return { ...item, external_account_number: STRAY };
  const { answer, repetition } = DESCRIPTORS[endpoint];
  const stray = { [repetition.field]: STRAY };
  if (answer.record === null) return { ...item, ...stray };
  return { ...item, [answer.record]: { ...(item[answer.record] as Fields), ...stray } };
}

/** deployments.md, "Responses". A resource without a status for failures gets one that is made up likewise. */
function failedOf(item: Fields, resource: Resource): Fields {
  const { kind, answer } = DESCRIPTORS[resource];
  const known = Object.entries(answer.statuses ?? {}).find(([, outcome]) => outcome === 'rejected');
  const status = known?.[0] ?? `${kind.toUpperCase()}_CREATION_ERROR`;
  return { ...item, status, error_detail: 'a fault of the local platform' };
}
