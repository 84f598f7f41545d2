import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  fieldNames,
  fieldOfName,
  recordShape,
  requiredFields,
  type FieldShape,
  type LeafShape,
  type ObjectShape,
} from '../../../../src/cli/mapping/language/fields.ts';
import { anyJson, choice, date, decimal, flag, text } from '../../../../src/core/contract/field.ts';
import { DESCRIPTORS, type Descriptors } from '../../../../src/core/contract/resources.ts';

const rate = () => decimal({ whole: 3, places: 2 });
const either = () =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: choice(['GAS']), code: text(), zone: z.optional(text()), both: text() }),
    z.strictObject({ kind: choice(['POWER']), phase: text(), zone: text(), both: z.optional(text()) }),
    z.strictObject({ kind: choice(['HEAT']), zone: text() }),
  ]);

/** Descriptors of an operator whose notes have a field of every kind. */
function descriptors(): Descriptors {
  const schema = z.strictObject({
    day: z.optional(z.nullable(date())),
    rates: z.array(rate()),
    bands: z.optional(z.array(z.array(rate()))),
    meters: z.optional(z.array(z.strictObject({ code: text(), is_new: z.optional(flag()) }))),
    place: z.strictObject({ room: text() }),
    more: z.optional(z.catchall(z.object({ size: rate() }), z.unknown())),
    device: z.optional(either()),
    free: z.optional(anyJson()),
    plain: z.object({ size: rate() }),
  });
  return { ...DESCRIPTORS, notes: { ...DESCRIPTORS.notes, schema } as unknown as Descriptors['notes'] };
}

/** `text?`: a text that may be left out. `{ … }*`: an object with any further keys. */
function shown(shape: FieldShape | ObjectShape): string {
  const end = 'isRequired' in shape && !shape.isRequired ? '?' : '';
  if (shape.kind === 'leaf') return `${shape.facts.kind}${end}`;
  if (shape.kind === 'list') return `[${shown(shape.item)}]${end}`;
  expect(shape.kind).toBe('object');
  const fields = Object.entries(shape.fields).map(([name, field]) => `${name}: ${shown(field)}`);
  return `{ ${fields.join(', ')} }${'isOpen' in shape && shape.isOpen ? '*' : ''}${end}`;
}

test('the shape of a resource has its fields with their kinds, and those of the account first', () => {
  const { fields } = recordShape('notes', descriptors());
  expect(Object.entries(fields).map(([name, shape]) => `${name}: ${shown(shape)}`)).toEqual([
    'import_supplier: text',
    'external_account_number: text',
    'day: date?',
    'rates: [decimal]',
    'bands: json?',
    'meters: [{ code: text, is_new: boolean? }]?',
    'place: { room: text }',
    'more: { size: decimal }*?',
    // A field of one type alone, or one that a type may leave out, is not required.
    'device: { kind: text, code: text?, zone: text?, both: text?, phase: text? }?',
    'free: json?',
    'plain: { size: decimal }',
  ]);
  const { schema } = (fields['device'] as ObjectShape).fields['kind'] as LeafShape;
  expect(['GAS', 'POWER', 'HEAT', 'COAL'].map((kind) => schema.safeParse(kind).success)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('a field that all types of an object require is required', () => {
  const schema = z.strictObject({
    device: z.discriminatedUnion('kind', [
      z.strictObject({ kind: choice(['GAS']), code: text() }),
      z.strictObject({ kind: choice(['POWER']), code: text() }),
    ]),
  });
  const made = { ...DESCRIPTORS, notes: { ...DESCRIPTORS.notes, schema } } as unknown as Descriptors;
  expect(shown(recordShape('notes', made).fields['device']!)).toBe('{ kind: text, code: text }');
});

test('the shape of a resource is made once for the descriptors, and apart for each resource', () => {
  const made = descriptors();
  const shape = recordShape('notes', made);
  expect(recordShape('transactions', made)).not.toBe(shape);
  expect(recordShape('notes', made)).toBe(shape);
  expect(recordShape('notes', descriptors())).not.toBe(shape);
});

test('a schema that is no field of an interface is an error of the contract', () => {
  const schema = z.strictObject({ odd: z.number() });
  const made = { ...DESCRIPTORS, notes: { ...DESCRIPTORS.notes, schema } } as unknown as Descriptors;
  expect(() => recordShape('notes', made)).toThrow(
    'a field of the interface is neither a value, a list nor an object',
  );
});

test('the names of fields, and of those that every row has to fill', () => {
  expect(fieldNames('payment-instructions')).toEqual([
    'import_supplier',
    'external_account_number',
    'vendor',
    'reference',
    'type',
  ]);
  expect(requiredFields('notes', descriptors())).toEqual([
    'external_account_number',
    'rates',
    'place',
    'plain',
  ]);
  expect(fieldNames('notes', descriptors())).toContain('bands');
  expect(requiredFields('statements')).toEqual([
    'external_account_number',
    'bill_period_from_date',
    'bill_period_to_date',
    'statement_id',
  ]);
});

describe('the field of a dotted name', () => {
  test.each<readonly [string, string | undefined]>([
    ['amount', 'decimal'],
    ['import_supplier', 'text'],
    ['line_items', 'json'],
    ['line_items.0', 'json'],
    ['line_items.0.rate_band', 'text'],
    ['line_items.999.rate_band', 'text'],
    ['line_items.1000.rate_band', undefined],
    ['line_items.00.rate_band', undefined],
    ['line_items.0.units.3', 'decimal'],
    ['line_items.rate_band', undefined],
    ['line_items.0.rate_band.x', undefined],
    ['amount.0', undefined],
    ['amount.kind', undefined],
    ['0', undefined],
    ['nothing', undefined],
    ['nothing.0.nothing', undefined],
    ['toString', undefined],
  ])('%s is %s', (name, kind) => {
    expect(fieldOfName('transactions', name)?.kind).toBe(kind);
  });

  test('has the path of the name', () => {
    expect(fieldOfName('transactions', 'line_items.12.units.3')).toEqual({
      path: ['line_items', 12, 'units', 3],
      kind: 'decimal',
      isFree: false,
    });
  });

  test.each([
    ['free', 'json', true],
    ['more', 'json', true],
    ['more.size', 'decimal', false],
    ['bands', 'json', true],
    ['place', 'json', false],
    ['device', 'json', false],
    ['meters', 'json', false],
    ['meters.0', 'json', false],
    ['day', 'date', false],
  ])('%s of an operator is %s; it takes any JSON: %s', (name, kind, isFree) => {
    expect(fieldOfName('notes', name, descriptors())).toMatchObject({ kind, isFree });
  });
});
