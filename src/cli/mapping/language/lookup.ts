import * as z from 'zod/mini';
import { failure } from '../../../core/problem.ts';
import { SOURCE_ENCODINGS } from '../../csv/source-format.ts';
import { interfaceValue } from './interface-value.ts';
import { publish } from './published-schema.ts';
import { expectOf, filledText, oneCharacter } from './schemas.ts';
import { StepProblem } from './step-problem.ts';
import type { KeysOf, StepField } from './steps.ts';
import { described, optionalKey } from '../../../core/schema.ts';

const lookupFile = z.strictObject({
  file: described(filledText(), 'A file of CSV or JSON Lines, relative to the mapping file.'),
  key: described(
    filledText(),
    'Its column with the texts that are looked up. Rows that repeat a text have to have the same value.',
  ),
  value: described(filledText(), 'Its column with the texts that replace them.'),
  type: optionalKey(
    z.enum(['csv', 'jsonl']),
    'Default: `jsonl` for a file named .jsonl or .ndjson, else `csv`.',
  ),
  encoding: optionalKey(z.enum(SOURCE_ENCODINGS), 'The encoding of the file. Default: utf-8.'),
  delimiter: optionalKey(oneCharacter(), "The character between cells. Default: ','."),
});

export type LookupFile = z.output<typeof lookupFile>;

/** A table in the mapping file cannot have both of these as texts, because they mark a lookup file. */
const MARKS = ['file', 'key'] as const;

const inlineTable = z.record(z.string(), filledText('the value that replaces this text')).check((context) => {
  const keys = Object.keys(context.value);
  if (keys.length === 0) expectOf(context, 'a table with at least one text');
  // Such a table is a lookup file, whose schema says what is wrong with it.
  if (MARKS.every((key) => keys.includes(key)))
    context.issues.push({ code: 'invalid_type', expected: 'object', input: context.value });
});
publish(inlineTable, {
  type: 'object',
  minProperties: 1,
  additionalProperties: { anyOf: [{ type: 'string', minLength: 1 }, { type: ['number', 'boolean'] }] },
  not: { required: [...MARKS] },
});

export const LOOKUP_KEYS = {
  lookup: optionalKey(
    z.union([lookupFile, inlineTable]),
    'Replaces a text by a value: a table, or a file with one. Its values are written as the interface writes them: 0.23, 2026-01-31.',
  ),
};

export type LookupSpec = KeysOf<typeof LOOKUP_KEYS>;

export type LookupTables = ReadonlyMap<LookupFile, ReadonlyMap<string, string>>;

/** Whether a lookup names a file and is no table itself. */
export function isLookupFile(lookup: NonNullable<LookupSpec['lookup']>): lookup is LookupFile {
  return MARKS.every((key) => Object.hasOwn(lookup, key));
}

/** The step that replaces a text by the value of a table, as the interface writes it; undefined when the field has no table. */
export function lookupStep(
  { lookup }: LookupSpec,
  { facts: { kind } }: StepField,
  tables: LookupTables,
): ((text: string) => unknown) | undefined {
  if (lookup === undefined) return undefined;
  const table = isLookupFile(lookup) ? tables.get(lookup)! : new Map(Object.entries(lookup));
  return (text) => {
    const found = table.get(text);
    return found === undefined ? new StepProblem(failure('lookup_missing', [])) : interfaceValue(found, kind);
  };
}
