import * as z from 'zod/mini';
import { described } from '../../../core/schema.ts';
import { SOURCE_ENCODINGS } from '../../csv/source-format.ts';
import { publish } from './published.ts';
import { filledText, objectTo, oneCharacter } from './scalars.ts';

const lookupFile = z.strictObject({
  file: described(filledText(), 'A CSV file, relative to the mapping file.'),
  key: described(filledText(), 'Its column with the texts that are looked up, each once.'),
  value: described(filledText(), 'Its column with what takes their place.'),
  encoding: described(z.optional(z.enum(SOURCE_ENCODINGS)), 'Default: utf-8.'),
  delimiter: described(z.optional(oneCharacter()), "Default: ','."),
});

/** A table cannot have both of these as texts: they are how a file is known. */
const MARKS = ['file', 'key'] as const;

const inlineTable = z.record(z.string(), filledText()).check((context) => {
  const keys = Object.keys(context.value);
  if (keys.length === 0) objectTo(context, 'a table with at least one text');
  if (MARKS.every((key) => keys.includes(key)))
    objectTo(context, 'a table without the keys `file` and `key`');
});
publish(inlineTable, {
  type: 'object',
  minProperties: 1,
  additionalProperties: { anyOf: [{ type: 'string', minLength: 1 }, { type: ['number', 'boolean'] }] },
  not: { required: [...MARKS] },
});

/** A table of texts, or a file that holds one. */
export const lookupTable = z.union([lookupFile, inlineTable]);
