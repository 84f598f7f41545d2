import * as z from 'zod/mini';
import { FIELD_FACTS, unwrapped } from '../../core/contract/field.ts';
import type { ValueKind } from '../../core/operator/contract.ts';
import { eachField, type Field, type Fields, type Shape } from '../../core/operator/fields.ts';
import { listed, tightest } from '../../core/operator/keywords.ts';

/** The kinds of values in words. */
export const KIND_WORDS: Readonly<Record<ValueKind, string>> = {
  text: 'text',
  decimal: 'decimal',
  boolean: 'true or false',
  date: 'date',
  datetime: 'date-time',
  object: 'object',
  list: 'list',
  json: 'any JSON value',
};

/** What the interface says of the fields of an object. */
function interfaceFields(shape: Shape): Fields {
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, interfaceField(schema)]));
}

function interfaceField(schema: z.ZodMiniType): Field {
  const inner = unwrapped(schema);
  const { kind, max, bounds } = FIELD_FACTS.get(inner) ?? {};
  const values = inner instanceof z.ZodMiniEnum ? Object.values(inner.def.entries).map(String) : undefined;
  const isList = inner instanceof z.ZodMiniArray;
  const least = bounds?.positive ? 0 : undefined;
  const takes = (value: unknown): boolean => inner.safeParse(value).success;
  return {
    from: '',
    kind: kind ?? (isList ? 'list' : 'object'),
    required: schema instanceof z.ZodMiniOptional ? undefined : true,
    null: schema.safeParse(null).success,
    values,
    minLength: kind === 'text' && !values && !takes('') ? 1 : undefined,
    maxLength: max,
    minItems: isList && !takes([]) ? 1 : undefined,
    minimum: least,
    exclusiveMinimum: least,
    fields: isList
      ? { '[]': interfaceField(inner.def.element as z.ZodMiniType) }
      : inner instanceof z.ZodMiniObject
        ? interfaceFields(inner.shape as Shape)
        : undefined,
  };
}

/** A field of a record under the contract of an operator. */
export interface FieldUnder extends Field {
  readonly isOfInterface?: true;
  /** The interface has the field, and the operator neither names nor forbids it. */
  readonly isUnnamed?: true;
  /** Why the schema of the operator cannot hold: the interface says otherwise and counts. */
  readonly contradiction?: string;
}

/** The fields of an object of the interface under what an operator says of it, by their paths. */
export function fieldsUnder(shape: Shape, said: Field | undefined): ReadonlyMap<string, FieldUnder> {
  const own = eachField({ kind: 'object', from: '', fields: interfaceFields(shape) });
  const given = new Map(said ? [['', said], ...eachField(said)] : []);
  const known = own.flatMap(([path, field]): [string, FieldUnder][] => {
    const known = { ...field, isOfInterface: true } as const;
    const found = given.get(path);
    if (found) return [[path, fieldUnder(known, found)]];
    const around = given.get(path.replace(/\.?\w+$/, ''));
    if (around?.kind !== 'object' || around.isOpen || path.endsWith(']')) return [[path, known]];
    if (!field.required)
      return around.isClosed ? [] : [[path, { ...known, from: around.from, isUnnamed: true }]];
    const contradiction = 'is not in the document, and required by the interface, which wins in any case';
    const at = [`${around.from}/properties/${path.split('.').at(-1)}`];
    return [[path, { ...known, from: around.from, at, isUnnamed: true, contradiction }]];
  });
  const names = new Set(own.map(([path]) => path));
  return new Map([...known, ...[...given].filter(([path]) => path !== '' && !names.has(path))]);
}

function fieldUnder(own: FieldUnder, said: Field): FieldUnder {
  const { kind, at = [], from } = said;
  const place = { at, from, ...(said.required && { required: true as const }) };
  if (kind === 'json') return { ...own, ...place };
  // An interface that takes the empty text takes no other blank one.
  const isUsable = (value: string): boolean =>
    own.kind !== 'text' || value.trim() !== '' || (value === '' && !own.minLength);
  const keywords = tightest([own, { ...said, values: said.values?.filter(isUsable) }]);
  const isDecimalText = own.kind === 'text' && kind === 'decimal' && said.wire === 'string';
  const contradiction =
    !isDecimalText && !(AGREEING[own.kind] ?? [own.kind]).includes(kind)
      ? `is ${KIND_WORDS[kind]}, and ${KIND_WORDS[own.kind]} in the interface`
      : own.kind === 'text' && keywords.values?.length === 0
        ? `has no value that the interface has: ${listed(said.values!) || 'its list is empty'}`
        : undefined;
  if (contradiction !== undefined) return { ...own, at, contradiction };
  return { ...own, ...keywords, ...place };
}

/** Which kinds of the document a kind of the interface agrees with. A text of the document may be any text. */
const AGREEING: Readonly<Partial<Record<ValueKind, readonly ValueKind[]>>> = {
  text: ['text', 'date', 'datetime'],
  decimal: ['decimal', 'text'],
  date: ['date', 'text'],
  datetime: ['datetime', 'text'],
};
