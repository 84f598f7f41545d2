import * as z from 'zod/mini';
import { FIELD_FACTS, unwrapped, type FieldFacts } from '../../../core/contract/field.ts';
import { compareDecimals, Decimal } from '../../../core/values/decimal.ts';
import type { Digits, FieldRules } from '../../../core/operator/contract.ts';
import type { Findings, Where } from '../../../core/operator/finding.ts';
import { digitsOf } from '../openapi/digits-pattern.ts';
import { KIND_WORDS, type ReadKind, type ReadValue } from '../openapi/reading.ts';
import { deprecatedPhrase, digitsPhrase, listed, phrasesOf } from '../../../core/operator/words.ts';
import { limitsOf } from './added.ts';

/** Which kinds of the document a kind of the interface agrees with. A text of the document may be any text. */
const AGREEING: Readonly<Record<FieldFacts['kind'], readonly ReadKind[]>> = {
  text: ['text', 'date', 'datetime'],
  decimal: ['number', 'text'],
  boolean: ['boolean'],
  date: ['date', 'text'],
  datetime: ['datetime', 'text'],
  json: ['text', 'date', 'datetime', 'number', 'boolean', 'object', 'list'],
};

/** Why a value of the document cannot be a value of the interface; undefined when both go together. */
export function contradictionOf(schema: z.ZodMiniType, read: ReadValue): string | undefined {
  const inner = unwrapped(schema);
  const facts = FIELD_FACTS.get(inner);
  const expected: readonly ReadKind[] = facts
    ? AGREEING[facts.kind]
    : [inner instanceof z.ZodMiniArray ? 'list' : 'object'];
  if (read.kind !== 'json' && !expected.includes(read.kind))
    return `is ${KIND_WORDS[read.kind]}, and ${KIND_WORDS[expected[0]!]} in the interface`;
  if (read.values && facts?.kind === 'text' && usableValues(inner, read.values).length === 0)
    return `has no value that the interface has: ${listed(read.values) || 'its list is empty'}`;
  return undefined;
}

/** Where a comparison is, and what it finds. */
export type Comparing = { readonly where: Where; readonly findings: Findings };

/** What the document demands of a value beyond the interface. Findings say what it tightens and what it would loosen. */
export function tightenedLeaf(
  schema: z.ZodMiniType,
  read: ReadValue,
  comparing: Comparing,
): Omit<FieldRules, 'from'> {
  const inner = unwrapped(schema);
  const facts = FIELD_FACTS.get(inner)!;
  const rules =
    facts.kind === 'decimal'
      ? decimalRules(facts, read, comparing)
      : facts.kind === 'boolean'
        ? {}
        : textRules(inner, facts, read, comparing);
  const { where, findings } = comparing;
  noteUncheckedLengths(inner, facts, read, comparing);
  for (const says of phrasesOf({ ...rules, wire: undefined, from: '' }))
    findings.add('tightens', where, says, read.from);
  if (rules.wire) findings.add('wire', where, `is sent as a ${rules.wire}`, read.from);
  return { ...rules, ...commonRules(schema, read, comparing) };
}

/** Characters that values have which are no free texts: the fewest and the most. */
const LENGTHS: Readonly<Partial<Record<FieldFacts['kind'], readonly [number, number]>>> = {
  date: [10, 10],
  datetime: [20, 35],
};

/** Lengths of a value with a form of its own would refuse some of its values, and nothing checks them. */
function noteUncheckedLengths(
  schema: z.ZodMiniType,
  { kind, bounds }: FieldFacts,
  { minLength = 0, maxLength = Infinity, values, from }: ReadValue,
  { where, findings }: Comparing,
): void {
  const choices =
    schema instanceof z.ZodMiniEnum ? usableValues(schema, values ?? choicesOf(schema)) : undefined;
  if (kind === 'text' && !choices) return;
  const { whole = 15, places = 0 } = bounds ?? {};
  const [fewest, most] = choices
    ? [Math.min(...choices.map(({ length }) => length)), Math.max(...choices.map(({ length }) => length))]
    : (LENGTHS[kind] ?? [1, whole + places + 2]);
  for (const [name, refuses] of [
    ['minLength', minLength > fewest],
    ['maxLength', maxLength < most],
  ] as const)
    if (refuses) findings.add('not_understood', where, `\`${name}\` of this value is not checked`, from);
}

/** The rules that every kind of value may have: null, and deprecation. */
export function commonRules(
  schema: z.ZodMiniType,
  { isNullable, deprecated, from, kind }: ReadValue,
  { where, findings }: Comparing,
): Pick<FieldRules, 'null' | 'deprecated'> {
  const takesNull = schema.safeParse(null).success;
  const refusesNull = takesNull && !isNullable && kind !== 'json';
  if (refusesNull) findings.add('tightens', where, 'is never null', from);
  if (!takesNull && isNullable && kind !== 'json') findings.add('loosens', where, 'may be null', from);
  if (deprecated) findings.add('deprecates', where, `is ${deprecatedPhrase(deprecated)}`, from);
  return { ...(refusesNull && { null: false }), ...(deprecated && { deprecated }) };
}

function textRules(
  schema: z.ZodMiniType,
  facts: FieldFacts,
  read: ReadValue,
  { where, findings }: Comparing,
): Omit<FieldRules, 'from'> {
  const loosens = (says: string): void => findings.add('loosens', where, says, read.from);
  const { minLength, maxLength, values } = read;
  const usable = values && usableValues(schema, values);
  if (values?.includes('') && !usable?.includes('')) loosens('may be empty');
  const foreign = values?.filter((value) => value !== '' && !usable?.includes(value)) ?? [];
  if (foreign.length > 0) loosens(`has values that the interface does not have: ${listed(foreign)}`);
  const isChoice = schema instanceof z.ZodMiniEnum;
  const isShorter = facts.max === undefined || (maxLength !== undefined && maxLength < facts.max);
  if (facts.max !== undefined && (maxLength === undefined || maxLength > facts.max) && !usable)
    loosens(maxLength === undefined ? 'has no greatest length' : `may have ${maxLength} characters`);
  const isLonger = minLength !== undefined && (minLength > 1 || schema.safeParse('').success);
  const isDated = facts.kind === 'text' && (read.kind === 'date' || read.kind === 'datetime');
  const isAll =
    isChoice && usable !== undefined && choicesOf(schema).every((value) => usable.includes(value));
  return {
    ...(isDated && { adds: read.kind as 'date' | 'datetime' }),
    ...(usable && !isAll && { values: usable }),
    ...(isLonger && !isChoice && { min_length: minLength }),
    ...(maxLength !== undefined &&
      isShorter &&
      facts.kind === 'text' &&
      !isChoice && { max_length: maxLength }),
    ...(read.patterns.length > 0 && { patterns: read.patterns }),
  };
}

/** The values of a closed list that the interface accepts, too. */
function usableValues(schema: z.ZodMiniType, values: readonly string[]): readonly string[] {
  return values.filter((value) => schema.safeParse(value).success);
}

const choicesOf = (schema: z.ZodMiniEnum): readonly string[] => Object.values(schema.def.entries).map(String);

/** Most digits of an amount in minor units. */
const MINOR: Digits = { whole: 15, places: 0 };

function decimalRules(
  facts: FieldFacts,
  read: ReadValue,
  { where, findings }: Comparing,
): Omit<FieldRules, 'from'> {
  const loosens = (says: string): void => findings.add('loosens', where, says, read.from);
  const own: Digits = facts.bounds ?? MINOR;
  const isPositive = facts.bounds?.positive ?? false;
  // A decimal that the document has as a text may have its digits in a pattern, without the format.
  const found =
    read.kind === 'text' && !read.isDecimal
      ? read.patterns.map((pattern) => [pattern, digitsOf(pattern)] as const)
      : [];
  const patterns =
    found.length > 0 ? found.flatMap(([pattern, digits]) => (digits ? [] : [pattern])) : read.patterns;
  const said = [read.digits, ...found.map(([, digits]) => digits)].filter((digits) => digits !== undefined);
  const digits: { whole?: number; places?: number } = {};
  for (const name of ['whole', 'places'] as const) {
    const limits = said.flatMap((each) => each[name] ?? []);
    const [limit, most] = [limits.length === 0 ? undefined : Math.min(...limits), own[name]];
    if (limit !== undefined && (most === undefined || limit < most)) digits[name] = limit;
    if (limit !== undefined && most !== undefined && limit > most)
      loosens(`may have ${digitsPhrase({ [name]: limit })}`);
  }
  const isUnsigned = found.some(([, each]) => each && !each.isSigned);
  const limits = limitsOf({ ...read, ...(isUnsigned && read.minimum === undefined && { minimum: '0' }) });
  const { minimum, above, ...upper } = limits;
  const isImplied = (limit: string): boolean => isPositive && compareDecimals(Decimal.of(limit), ZERO) <= 0;
  if (isPositive && minimum === undefined && above === undefined) loosens('may be zero or negative');
  return {
    ...(read.values && { values: read.values }),
    ...(Object.keys(digits).length > 0 && { digits }),
    ...(minimum !== undefined && !isImplied(minimum) && { minimum }),
    ...(above !== undefined && !isImplied(above) && { above }),
    ...upper,
    ...(patterns.length > 0 && { patterns }),
    ...(read.kind === 'json' || read.orText
      ? {}
      : ({ wire: read.kind === 'number' ? 'number' : 'string' } as const)),
  };
}

const ZERO = Decimal.of('0');
