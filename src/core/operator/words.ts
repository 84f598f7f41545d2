import type { FieldRules } from './contract.ts';

/** Values that a sentence lists at most. */
const SHOWN = 8;

/** The rules of a field as a person reads them, one phrase for each. The inside of objects and lists is left out. */
export function phrasesOf(rules: FieldRules): readonly string[] {
  const { digits, min_items: least, max_items: most, deprecated, types } = rules;
  return [
    ...(rules.absent ? ['not a field here'] : []),
    ...(rules.adds ? [KIND_WORDS[rules.adds]] : []),
    ...(rules.required ? ['required'] : []),
    ...(rules.null === true ? ['may be null'] : []),
    ...(rules.null === false ? ['never null'] : []),
    ...(rules.values ? [valuesPhrase(rules.values)] : []),
    ...lengthPhrase(rules),
    ...(digits ? [digitsPhrase(digits)] : []),
    ...(rules.minimum === undefined ? [] : [`at least ${rules.minimum}`]),
    ...(rules.maximum === undefined ? [] : [`at most ${rules.maximum}`]),
    ...(rules.above === undefined ? [] : [`greater than ${rules.above}`]),
    ...(rules.below === undefined ? [] : [`less than ${rules.below}`]),
    ...(rules.patterns ?? []).map((pattern) => `matches \`${pattern}\``),
    ...(least === undefined && most === undefined ? [] : [itemsPhrase(least, most)]),
    ...(types ? [`its fields depend on \`${types.by}\` (${listed(Object.keys(types.of))})`] : []),
    ...(rules.others === undefined ? [] : [othersPhrase(rules.others)]),
    ...(rules.wire ? [`sent as a ${rules.wire}`] : []),
    ...(rules.or ? [`or a ${phrasesOf({ ...rules.or, wire: undefined }).join(', ')}`] : []),
    ...(deprecated ? [deprecatedPhrase(deprecated)] : []),
  ];
}

/** The kinds of values in words. */
export const KIND_WORDS: Readonly<Record<NonNullable<FieldRules['adds']>, string>> = {
  text: 'text',
  decimal: 'decimal',
  boolean: 'true or false',
  date: 'date',
  datetime: 'date-time',
  object: 'object',
  list: 'list',
  json: 'any JSON value',
};

function valuesPhrase(values: readonly string[]): string {
  const [only] = values;
  return values.length === 1 ? `only ${quoted(only!)}` : `one of ${values.length} values: ${listed(values)}`;
}

/** The first values of a list, and how many there are beside them. */
export function listed(values: readonly string[], shown = SHOWN): string {
  const more = values.length - shown;
  return [...values.slice(0, shown).map(quoted), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

const quoted = (value: string): string => (value === '' ? 'the empty text' : value);

function digitsPhrase({ whole, places }: NonNullable<FieldRules['digits']>): string {
  const before = whole === undefined ? undefined : `${whole} digits before the point`;
  const after = places === undefined ? undefined : places === 0 ? 'no decimals' : `${places} decimals`;
  return `at most ${[before, after].filter((part) => part !== undefined).join(' and ')}`.replace(
    'at most no',
    'no',
  );
}

function lengthPhrase({ min_length: least, max_length: most }: FieldRules): readonly string[] {
  if (least !== undefined && most !== undefined)
    return [least === most ? `${most} characters` : `${least} to ${most} characters`];
  if (most !== undefined) return [`at most ${most} characters`];
  if (least === undefined) return [];
  return [least === 1 ? 'not empty' : `at least ${least} characters`];
}

function othersPhrase(others: NonNullable<FieldRules['others']>): string {
  return others === 'any' ? 'further fields pass' : `further fields pass: ${phrasesOf(others).join(', ')}`;
}

function itemsPhrase(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && least === most) return `exactly ${least} items`;
  if (least !== undefined && most !== undefined) return `${least} to ${most} items`;
  return least === undefined ? `at most ${most} items` : `at least ${least} items`;
}

function deprecatedPhrase({ instead }: NonNullable<FieldRules['deprecated']>): string {
  return instead === undefined ? 'deprecated' : `deprecated: use \`${instead}\` instead`;
}

/** Why every push says a query parameter: a request without it means something else than in the interface, or it is required. */
export function querySays(name: string, byDefault: boolean, own: boolean): string {
  const why = byDefault === own ? 'is required' : `is ${byDefault} by default, and ${own} in the interface`;
  return `the query parameter \`${name}\` ${why}: every push says what it means`;
}
