import * as z from 'zod/mini';
import {
  anyJson,
  choice,
  date,
  datetime,
  demandedDecimal,
  demandedText,
  FIELD_FACTS,
  flag,
  objectOnly,
  text,
  textOrDecimal,
  unwrapped,
  type CheckFailure,
  type FieldFacts,
} from '../contract/field.ts';
import { compareDecimals, Decimal } from '../values/decimal.ts';
import { Pattern } from '../values/pattern.ts';
import type { FieldRules, Fields } from './contract.ts';
import type { Shape } from './resource-fields.ts';
import { listed } from './words.ts';

/**
 * The end that a record is checked for. `file`: digits of a file in any form become what is sent. `wire`: the form is that of a
 * request already.
 */
export type End = 'file' | 'wire';

/** The fields of an object under the rules of the operator, the added ones last. */
export function shapeUnder(base: Shape, rules: Fields, end: End): Record<string, z.ZodMiniType> {
  const own = Object.entries(base).flatMap(([name, schema]): [string, z.ZodMiniType][] => {
    const rule = Object.hasOwn(rules, name) ? rules[name]! : undefined;
    if (!rule) return [[name, schema]];
    return rule.absent ? [] : [[name, valueUnder(schema, rule, end)]];
  });
  const added = Object.entries(rules).flatMap(([name, rule]): [string, z.ZodMiniType][] =>
    Object.hasOwn(base, name) || !rule.adds ? [] : [[name, addedValue(rule, end)]],
  );
  return Object.fromEntries([...own, ...added]);
}

/** A value of the interface under the rules of the operator. */
function valueUnder(base: z.ZodMiniType, rules: FieldRules, end: End): z.ZodMiniType {
  const isOptional = base instanceof z.ZodMiniOptional && !rules.required;
  // A field that the operator has with another kind, which was accepted, or with a narrower kind of text.
  if (rules.adds)
    return isOptional
      ? z.optional(required(addedValue(rules, end)))
      : required(addedValue({ ...rules, required: true }, end));
  const inner = unwrapped(base);
  const narrowed = innerUnder(inner, rules, end);
  const nullable =
    rules.null !== false && required(base).safeParse(null).success ? z.nullable(narrowed) : narrowed;
  return isOptional ? z.optional(nullable) : nullable;
}

function innerUnder(base: z.ZodMiniType, rules: FieldRules, end: End): z.ZodMiniType {
  const facts = FIELD_FACTS.get(base);
  if (facts?.kind === 'decimal') return decimalUnder(facts, rules, end);
  if (base instanceof z.ZodMiniEnum)
    return rules.values ? choice(rules.values as readonly [string, ...string[]]) : base;
  if (facts && facts.kind !== 'boolean') return textUnder(base as z.ZodMiniType<string>, facts, rules);
  if (facts) return base;
  if (base instanceof z.ZodMiniArray) {
    const element = base.def.element as z.ZodMiniType;
    const item = rules.item ? valueUnder(element, rules.item, end) : element;
    return listOf(item, { ...rules, min_items: rules.min_items ?? (base.safeParse([]).success ? 0 : 1) });
  }
  return z.strictObject(shapeUnder((base as z.ZodMiniObject).shape as Shape, rules.fields ?? {}, end));
}

function addedValue(rules: FieldRules, end: End): z.ZodMiniType {
  const value = addedInner(rules, end);
  const nullable = rules.null === true ? z.nullable(value) : value;
  return rules.required ? nullable : z.optional(nullable);
}

function addedInner(rules: FieldRules, end: End): z.ZodMiniType {
  switch (rules.adds!) {
    case 'text':
      return rules.or
        ? textOrDecimal(addedText(rules), decimalUnder({ kind: 'decimal' }, rules.or, end))
        : addedText(rules);
    case 'date':
      return textUnder(date(), { kind: 'date' }, rules);
    case 'datetime':
      return textUnder(datetime(), { kind: 'datetime' }, rules);
    case 'boolean':
      return flag();
    case 'decimal':
      return decimalUnder({ kind: 'decimal' }, rules, end);
    case 'list':
      return listOf(rules.item ? required(addedValue(rules.item, end)) : anyJson(), rules);
    case 'object':
      return objectOnly(objectOf(rules, end));
    case 'json':
      return anyJson();
  }
}

function addedText(rules: FieldRules): z.ZodMiniType<string> {
  return textUnder(text({ mayBeEmpty: true }), { kind: 'text', mayBeEmpty: true }, rules);
}

function objectOf(rules: FieldRules, end: End): z.ZodMiniType {
  const fields = shapeUnder({}, rules.fields ?? {}, end);
  const { types, others } = rules;
  if (types) {
    const options = Object.entries(types.of).map(([type, { fields: own = {} }]) =>
      z.strictObject({ [types.by]: choice([type]), ...fields, ...shapeUnder({}, own, end) }),
    );
    return z.discriminatedUnion(types.by, options as unknown as [z.ZodMiniObject]);
  }
  if (others === undefined) return z.strictObject(fields);
  return z.catchall(z.object(fields), others === 'any' ? anyJson() : required(addedValue(others, end)));
}

function listOf(
  item: z.ZodMiniType,
  { min_items: least = 0, max_items: most = Infinity }: FieldRules,
): z.ZodMiniType {
  return z.array(item).check((context) => {
    const { length } = context.value as readonly unknown[];
    const failure: CheckFailure | undefined =
      length >= least
        ? length > most
          ? { code: 'max_length', facts: { limit: `${most} items` } }
          : undefined
        : length === 0
          ? { code: 'empty' }
          : { code: 'min_length', facts: { limit: `${least} items` } };
    if (failure) context.issues.push({ code: 'custom', input: context.value, params: failure });
  });
}

/** The values of a closed list, as far as a message shows them. */
const SHOWN = 12;

function textUnder(base: z.ZodMiniType<string>, facts: FieldFacts, rules: FieldRules): z.ZodMiniType<string> {
  const { values, min_length: least = 0, max_length: most = Infinity } = rules;
  const allowed = values && new Set(values);
  const missedBy = patternsOf(rules);
  const { known: _, ...others } = facts;
  const narrowed: FieldFacts = {
    ...others,
    // A schema inherits the facts of the schema that it was made of, so the open list has to be taken away.
    known: values ? undefined : facts.known,
    ...(values && { values }),
    ...(most !== Infinity && { max: Math.min(most, facts.max ?? most) }),
    ...(facts.mayBeEmpty && { mayBeEmpty: least === 0 && (!allowed || allowed.has('')) }),
  };
  return demandedText(base, narrowed, (value) => {
    if (allowed && !allowed.has(value))
      return { code: 'invalid_choice', facts: { known: listed(values, SHOWN) } };
    // A character has one or two units, so most lengths are known without counting characters.
    if (value.length < 2 * least && [...value].length < least)
      return value === ''
        ? { code: 'blank' }
        : { code: 'min_length', facts: { limit: `${least} characters` } };
    if (value.length > most && [...value].length > most)
      return { code: 'max_length', facts: { limit: `${most} characters` } };
    const missed = missedBy(value);
    return missed === undefined
      ? undefined
      : { code: 'invalid', facts: { expected: `a text that matches ${missed}` } };
  });
}

function decimalUnder(facts: FieldFacts, rules: FieldRules, end: End): z.ZodMiniType {
  const { values, digits, wire, min_length: least = 0, max_length: most = Infinity } = rules;
  const missedBy = patternsOf(rules);
  const allowed = values?.flatMap((value) => Decimal.parse(value) ?? []);
  const bound = (limit: string | undefined) => (limit === undefined ? undefined : Decimal.of(limit));
  const [minimum, maximum, above, below] = [rules.minimum, rules.maximum, rules.above, rules.below].map(
    bound,
  );
  const own = facts.bounds ?? (facts.unit === 'minor' ? { whole: 15, places: 0 } : { whole: 64, places: 64 });
  const bounds = { ...own, whole: digits?.whole ?? own.whole, places: digits?.places ?? own.places };
  const beyond = (code: 'min_value' | 'max_value', limit: Decimal): CheckFailure => ({
    code,
    facts: { limit: limit.text },
  });
  return demandedDecimal({
    facts: { ...facts, bounds, ...(wire && { wire }), ...(values && { values }) },
    isWire: end === 'wire',
    check: (value) => {
      if (allowed && !allowed.some((each) => compareDecimals(each, value) === 0))
        return { code: 'invalid_choice', facts: { known: listed(values!, SHOWN) } };
      if (minimum && compareDecimals(value, minimum) < 0) return beyond('min_value', minimum);
      if (above && compareDecimals(value, above) <= 0)
        return { code: 'invalid', facts: { expected: `greater than ${above.text}` } };
      if (maximum && compareDecimals(value, maximum) > 0) return beyond('max_value', maximum);
      if (below && compareDecimals(value, below) >= 0)
        return { code: 'invalid', facts: { expected: `less than ${below.text}` } };
      const { length } = value.text;
      if (length < least || length > most)
        return {
          code: length > most ? 'max_length' : 'min_length',
          facts: { limit: `${length > most ? most : least} characters` },
        };
      const missed = missedBy(value.text);
      return missed === undefined
        ? undefined
        : { code: 'invalid', facts: { expected: `a decimal that matches ${missed}` } };
    },
  });
}

/** The first pattern that a text does not match. */
function patternsOf({ patterns = [] }: FieldRules): (value: string) => string | undefined {
  const all = patterns.map((each) => new Pattern(each));
  return (value) => all.find((each) => !each.test(value))?.source;
}

export function required(schema: z.ZodMiniType): z.ZodMiniType {
  return schema instanceof z.ZodMiniOptional ? (schema.def.innerType as z.ZodMiniType) : schema;
}

export function optional(schema: z.ZodMiniType): z.ZodMiniType {
  return schema instanceof z.ZodMiniOptional ? schema : z.optional(schema);
}
