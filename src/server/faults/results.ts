import { parseExactJson } from '../../core/values/exact-json.ts';
import { textOf, type Answer } from '../http/answer.ts';
import type { ItemChange } from './rule.ts';

type Item = Readonly<Record<string, unknown>>;

/** How many results an answer lists; 0 when it lists none. */
export function resultsIn(answer: Answer): number {
  return listOf(bodyOf(answer))?.length ?? 0;
}

/** The answer with its results changed; one that lists none stays as it is. `position` counts from 1, null is the last. */
export function withResults(answer: Answer, change: ItemChange, position: number | null): Answer {
  const body = bodyOf(answer);
  const list = listOf(body);
  if (!list || list.length === 0) return answer;
  const index = indexOf(position, list.length);
  return { ...answer, body: withList(body, changed(list, change, index)) };
}

/** The index of a position that counts from 1; null, and one beyond the end, is the last. */
export function indexOf(position: number | null, length: number): number {
  return Math.min(position ?? length, length) - 1;
}

function changed(list: readonly Item[], change: ItemChange, index: number): readonly Item[] {
  const item = list[index]!;
  switch (change) {
    case 'missing':
      return list.toSpliced(index, 1);
    case 'doubled':
      return list.toSpliced(index, 0, item);
    case 'reordered':
      return list.toReversed();
    case 'extra':
      return [...list, stray(item)];
    case 'failing':
      return list.with(index, failed(item));
  }
  return change satisfies never;
}

const STRAY = 'sent-by-nobody';

/** A result like this one, for a record that nobody sent. */
function stray(item: Item): Item {
  const { transaction_data: data } = item;
  if (typeof data === 'object') return { ...item, transaction_data: { ...data, transaction_id: STRAY } };
  if ('statement_id' in item) return { ...item, statement_id: STRAY };
  if ('external_account_number' in item) return { ...item, external_account_number: STRAY };
  return { ...item, body: STRAY };
}

/** deployments.md, "Responses"; for notes, where no such status is known, one of the same kind. */
function failed(item: Item): Item {
  const status = 'transaction_data' in item ? 'TRANSACTION_IMPORT_ERROR' : 'NOTE_CREATION_ERROR';
  return { ...item, status, error_detail: 'a fault of the local platform' };
}

function bodyOf(answer: Answer): unknown {
  return parseExactJson(textOf(answer));
}

const LISTS = ['results', 'statements'];

function listOf(body: unknown): readonly Item[] | undefined {
  if (Array.isArray(body)) return body as readonly Item[];
  const name = LISTS.find((each) => Array.isArray((body as Item | null)?.[each]));
  return name === undefined ? undefined : ((body as Item)[name] as readonly Item[]);
}

function withList(body: unknown, list: readonly Item[]): unknown {
  if (Array.isArray(body)) return list;
  const name = LISTS.find((each) => each in (body as Item))!;
  return { ...(body as Item), [name]: list };
}
