import { compareDecimals, Decimal } from '../values/decimal.ts';
import type { Digits, FieldRules } from './contract.ts';
import { deprecatedPhrase, listed, phrasesOf, valuesPhrase } from './words.ts';

/** How one contract differs from an earlier one. `removed`: a field that may not be sent any more. */
export const CHANGE_KINDS = ['added', 'removed', 'tightened', 'loosened', 'changed'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

type Said = readonly [ChangeKind, string];

/** Limits of a value: the side on which each is. */
const LIMITS = [
  ['min_length', 'least'],
  ['min_items', 'least'],
  ['max_length', 'most'],
  ['max_items', 'most'],
  ['minimum', 'least'],
  ['above', 'least'],
  ['maximum', 'most'],
  ['below', 'most'],
] as const;

/** How the rules of a value itself differ, without the fields and items in it. */
export function ownChanges(a: FieldRules, b: FieldRules): readonly Said[] {
  const unlessSame = (name: keyof FieldRules, said: Said): readonly Said[] =>
    JSON.stringify(a[name]) === JSON.stringify(b[name]) ? [] : [said];
  const number = b.or && `is a text or a ${phrasesOf({ ...b.or, wire: undefined }).join(', ')}`;
  return [
    ...unlessSame('required', b.required ? ['tightened', 'is required'] : ['loosened', 'is optional']),
    ...nullChanges(a.null, b.null),
    ...valuesChanges(a.values, b.values),
    ...LIMITS.flatMap(([name, side]) =>
      limitChanges(a[name], b[name], side).map((kind): Said => [kind, limitSays(name, a, b)]),
    ),
    ...digitsChanges(a.digits, b.digits),
    ...patternChanges(a.patterns ?? [], b.patterns ?? []),
    ...unlessSame('wire', ['changed', b.wire ? `is sent as a ${b.wire}` : 'is sent as before contracts']),
    ...unlessSame(
      'others',
      b.others ? ['loosened', 'takes further fields'] : ['tightened', 'takes no further fields'],
    ),
    ...unlessSame(
      'or',
      number ? [a.or ? 'changed' : 'loosened', number] : ['tightened', 'is never a number'],
    ),
    ...unlessSame('deprecated', [
      'changed',
      b.deprecated ? `is ${deprecatedPhrase(b.deprecated)}` : 'is not deprecated any more',
    ]),
  ];
}

function nullChanges(a: boolean | undefined, b: boolean | undefined): readonly Said[] {
  if (a === b) return [];
  const isTighter = b === false || (a === true && b === undefined);
  return [isTighter ? ['tightened', 'is never null'] : ['loosened', 'may be null']];
}

export function valuesChanges(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly Said[] {
  if (!a && !b) return [];
  if (!a) return [['tightened', `is ${valuesPhrase(b!)}`]];
  if (!b) return [['loosened', 'may have any value']];
  const gone = a.filter((value) => !b.includes(value));
  const fresh = b.filter((value) => !a.includes(value));
  return [
    ...(gone.length > 0 ? [['tightened', `no longer takes ${listed(gone)}`] as const] : []),
    ...(fresh.length > 0 ? [['loosened', `takes ${listed(fresh)}, too`] as const] : []),
  ];
}

/** How a limit changed. A limit that is undefined is none. */
export function limitChanges<Limit extends number | string>(
  a: Limit | undefined,
  b: Limit | undefined,
  side: 'least' | 'most',
): readonly ChangeKind[] {
  if (a === b) return [];
  if (b === undefined) return ['loosened'];
  const order = a === undefined ? 0 : compareDecimals(Decimal.of(String(b)), Decimal.of(String(a)));
  return [a === undefined || (side === 'most' ? order < 0 : order > 0) ? 'tightened' : 'loosened'];
}

function limitSays(name: keyof FieldRules, a: FieldRules, b: FieldRules): string {
  if (b[name] !== undefined) return `is ${phrasesOf({ from: '', [name]: b[name] })[0]}`;
  return `is no longer ${phrasesOf({ from: '', [name]: a[name] })[0]}`;
}

function digitsChanges(a: Digits = {}, b: Digits = {}): readonly Said[] {
  return (['whole', 'places'] as const).flatMap((name): Said[] => {
    const words = (digits: Digits): string => phrasesOf({ from: '', digits: { [name]: digits[name] } })[0]!;
    return limitChanges(a[name], b[name], 'most').map((kind) => [
      kind,
      b[name] === undefined ? `may have more than ${words(a).replace('at most ', '')}` : `has ${words(b)}`,
    ]);
  });
}

function patternChanges(a: readonly string[], b: readonly string[]): readonly Said[] {
  return [
    ...b
      .filter((pattern) => !a.includes(pattern))
      .map((pattern): Said => ['tightened', `matches \`${pattern}\``]),
    ...a
      .filter((pattern) => !b.includes(pattern))
      .map((pattern): Said => ['loosened', `need not match \`${pattern}\``]),
  ];
}
