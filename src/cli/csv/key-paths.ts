import {
  JsonSyntaxError,
  parseExactJson,
  partsOf,
  UnreadableNumber,
  withNumbers,
} from '../../core/values/exact-json.ts';
import { Decimal } from '../../core/values/decimal.ts';

/** The cells of a row. Cells of JSON Lines also have the object that they were read from. */
export type Cells = readonly string[] & { readonly object?: object };

/** An object of JSON as cells: the text of each value by its key path, such as `account.number`. Null is an empty cell. */
export class KeyedCells extends Map<string, string> {
  private readonly object: object;

  constructor(object: object) {
    super();
    this.object = object;
  }

  /** The cells of columns. A column that the object does not have is empty. */
  in(names: Iterable<string>): Cells {
    return Object.assign(
      Array.from(names, (name) => this.get(name) ?? ''),
      { object: this.object },
    );
  }
}

/** The value at a key path of an object; undefined when there is none. */
export function valueAt(object: unknown, path: string): unknown {
  if (!isObject(object)) return undefined;
  for (const [key, value] of Object.entries(object) as [string, unknown][]) {
    const found =
      key === path
        ? value
        : path.startsWith(`${key}.`)
          ? valueAt(value, path.slice(key.length + 1))
          : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * A filled column below a key path that the value there does not have, because a key has a point in it; undefined when the value has all.
 * @param names of the columns
 */
export function lostFrom(cells: Cells, names: readonly string[], path: string): string | undefined {
  const value = valueAt(cells.object, path);
  const isLost = (name: string): boolean =>
    name.startsWith(`${path}.`) && valueAt(value, name.slice(path.length + 1)) === undefined;
  return names.find((name, index) => cells[index] !== '' && isLost(name));
}

/** Levels of nested objects, and keys of one object. More mean that the file is no export of records. */
const LIMITS = { depth: 100, keys: 4096 };

/**
 * The cells of a line with one object. A list is one cell, with its JSON as text. A number keeps the digits that it is written
 * with. @returns the cells, or why the line is no such object, as the end of a sentence
 */
export function keyedCells(line: string): KeyedCells | string {
  const parsed = parsedJson(line);
  if (parsed instanceof JsonSyntaxError) return parsed.message;
  return isObject(parsed) ? objectCells(parsed) : 'it is no object';
}

/** The cells of each object of a list that is the text of a cell; undefined when the text is no list of objects. */
export function elementCells(cell: string): readonly KeyedCells[] | undefined {
  const list = parsedList(cell);
  if (!list?.every(isObject)) return undefined;
  const elements = list.map(objectCells);
  return elements.every((cells) => typeof cells !== 'string') ? elements : undefined;
}

/** The cells of an object, or why they are none, as when two of its values have one key path. */
function objectCells(object: object): KeyedCells | string {
  const cells = new KeyedCells(object);
  return addCells(cells, '', object) ?? cells;
}

/** The cells of the object at a key path, as the only element of a list; undefined when no object is there. */
export function onlyElement({ object }: Cells, path: string): readonly KeyedCells[] | undefined {
  const value = valueAt(object, path);
  const cells = isObject(value) ? objectCells(value) : '';
  return typeof cells === 'string' ? undefined : [cells];
}

export const isList = (cell: string): boolean => cell.startsWith('[') && parsedList(cell) !== undefined;

function parsedList(cell: string): readonly unknown[] | undefined {
  const parsed = parsedJson(cell);
  return Array.isArray(parsed) ? parsed : undefined;
}

/** The value of a text, or what is wrong with it. */
function parsedJson(text: string): unknown {
  try {
    return parseExactJson(text, LIMITS);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
}

/** Adds the values of an object. @returns what is wrong with it, as the end of a sentence */
function addCells(cells: Map<string, string>, prefix: string, object: object): string | undefined {
  for (const [key, value] of Object.entries(object) as [string, unknown][]) {
    const path = prefix + key;
    if (isObject(value) && Object.keys(value).length > 0) {
      const problem = addCells(cells, `${path}.`, value);
      if (problem !== undefined) return problem;
      continue;
    }
    // A key may have a point in it.
    if (cells.has(path)) return `two of its values have the key path \`${path}\``;
    const text = textOf(value);
    if (!text.isWellFormed()) return `\`${path}\` has half of a character`;
    cells.set(path, text);
  }
  return undefined;
}

/** The text of a value, a list included. An object gets here only without keys, and has no text. */
function textOf(value: unknown): string {
  if (value === null || isObject(value)) return '';
  if (typeof value === 'string') return value;
  if (value instanceof Decimal || value instanceof UnreadableNumber) return value.text;
  return JSON.stringify(withNumbers(value));
}

/** Whether a value is an object, and neither a list nor a number. */
export function isObject(value: unknown): value is object {
  return !Array.isArray(value) && partsOf(value) !== undefined;
}
