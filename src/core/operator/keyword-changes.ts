import { compareDecimals, Decimal } from '../values/decimal.ts';
import type { Digits, FieldRules } from './contract.ts';
import { listed, phrasesOf } from './words.ts';

/** How one contract differs from an earlier one. `removed`: a field that may not be sent any more. */
export const CHANGE_KINDS = ['added', 'removed', 'tightened', 'loosened', 'changed'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** How something changed, and a sentence about it. */
export type Said = readonly [ChangeKind, string];

/** The rules of a value itself, without what is in it. */
export type Keywords = Omit<FieldRules, 'adds' | 'fields' | 'item' | 'types'>;

type Limit = number | string | undefined;

const presence = (_: unknown, after: unknown): ChangeKind => (after ? 'tightened' : 'loosened');
const least = (before: Limit, after: Limit): ChangeKind => limitChange(before, after, 1);
const most = (before: Limit, after: Limit): ChangeKind => limitChange(before, after, -1);
const neither = (): ChangeKind => 'changed';

function limitChange(before: Limit, after: Limit, tighter: 1 | -1): ChangeKind {
  if (after === undefined) return 'loosened';
  if (before === undefined) return 'tightened';
  const [a, b] = [Decimal.of(String(before)), Decimal.of(String(after))];
  return compareDecimals(b, a) === tighter ? 'tightened' : 'loosened';
}

/** What a change of each keyword means. A keyword that is missing is no limit. */
const KEYWORDS: Readonly<Record<string, (before: never, after: never) => ChangeKind>> = {
  required: presence,
  null: (before: boolean | undefined, after: boolean | undefined) =>
    after === true || (before === false && after === undefined) ? 'loosened' : 'tightened',
  min_length: least,
  max_length: most,
  min_items: least,
  max_items: most,
  minimum: least,
  above: least,
  maximum: most,
  below: most,
  whole: most,
  places: most,
  wire: neither,
  deprecated: neither,
  others: (_: unknown, after: unknown) => (after ? 'loosened' : 'tightened'),
  or: (before: unknown, after: unknown) => (!after ? 'tightened' : before ? 'changed' : 'loosened'),
};

/** How the rules of a value itself differ, keyword by keyword, without the fields and items in it. */
export function keywordChanges(before: FieldRules, after: FieldRules): readonly Said[] {
  const [all, now] = [flat(before), flat(after)];
  return [
    ...Object.entries(KEYWORDS).flatMap(([name, kindOf]): readonly Said[] => {
      const [a, b] = [all[name], now[name]];
      if (JSON.stringify(a) === JSON.stringify(b)) return [];
      const says = b === undefined ? `no longer ${phraseOf(name, a)}` : phraseOf(name, b);
      return [[kindOf(a as never, b as never), says]];
    }),
    ...valuesChanges(before.values, after.values),
    ...patternChanges(before.patterns ?? [], after.patterns ?? []),
  ];
}

/** Digits before and after the point are keywords of their own. */
const flat = ({ digits, ...rules }: Keywords): Readonly<Record<string, unknown>> => ({
  ...rules,
  ...digits,
});

function phraseOf(name: string, value: unknown): string {
  const rules = name === 'whole' || name === 'places' ? { digits: { [name]: value } } : { [name]: value };
  return phrasesOf({ from: '', ...rules }).join(', ');
}

/** A change of a list of values. No list takes any value. */
export function valuesChanges(a?: readonly string[], b?: readonly string[]): readonly Said[] {
  if (!a && !b) return [];
  if (!a) return [['tightened', phraseOf('values', b)]];
  if (!b) return [['loosened', 'may have any value']];
  const gone = a.filter((value) => !b.includes(value));
  const fresh = b.filter((value) => !a.includes(value));
  return [
    ...(gone.length > 0 ? [['tightened', `no longer takes ${listed(gone)}`] as const] : []),
    ...(fresh.length > 0 ? [['loosened', `takes ${listed(fresh)}, too`] as const] : []),
  ];
}

function patternChanges(a: readonly string[], b: readonly string[]): readonly Said[] {
  const without = (list: readonly string[], others: readonly string[]): readonly string[] =>
    list.filter((pattern) => !others.includes(pattern));
  return [
    ...without(b, a).map((pattern): Said => ['tightened', `matches \`${pattern}\``]),
    ...without(a, b).map((pattern): Said => ['loosened', `need not match \`${pattern}\``]),
  ];
}

/**
 * The keywords of some rules that are narrower than those of others, or that have no order. Together with the others they say what
 * meets both.
 */
export function narrower(than: Keywords, rules: Keywords): Partial<Keywords> {
  const [all, now] = [flat(than), flat(rules)];
  const kept = Object.entries(KEYWORDS).flatMap(([name, kindOf]) => {
    const [a, b] = [all[name], now[name]];
    const isKept = b !== undefined && b !== a && kindOf(a as never, b as never) !== 'loosened';
    return isKept ? [[name, b] as const] : [];
  });
  const { whole, places, ...others } = Object.fromEntries(kept) as Digits & Partial<Keywords>;
  const digits = { ...(whole !== undefined && { whole }), ...(places !== undefined && { places }) };
  const values = than.values ? rules.values?.filter((value) => than.values!.includes(value)) : rules.values;
  const patterns = rules.patterns?.filter((pattern) => !than.patterns?.includes(pattern)) ?? [];
  return {
    ...(values && values.length !== than.values?.length && { values }),
    ...(Object.keys(digits).length > 0 && { digits }),
    ...others,
    ...(patterns.length > 0 && { patterns }),
  };
}

/** Joins several rules that one value has to meet. */
export function merged(rules: readonly Keywords[], from: string): Keywords {
  return rules.reduce<Keywords>(
    (before, each) => {
      const tighter = narrower(before, each);
      const { digits, patterns } = tighter;
      return {
        ...before,
        ...tighter,
        ...(digits && { digits: { ...before.digits, ...digits } }),
        ...(patterns && { patterns: [...(before.patterns ?? []), ...patterns] }),
      };
    },
    { from },
  );
}
