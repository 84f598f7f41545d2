import { compareDecimals, Decimal } from '../values/decimal.ts';
import type { Digits, FieldRules } from './contract.ts';
import { deprecatedPhrase, listed, phrasesOf, valuesPhrase } from './words.ts';

/** How one contract differs from an earlier one. `removed`: a field that may not be sent any more. */
export const CHANGE_KINDS = ['added', 'removed', 'tightened', 'loosened', 'changed'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

type Said = readonly [ChangeKind, string];

export function ownChanges(a: FieldRules, b: FieldRules): readonly Said[] {
  const numbers = (['min_length', 'min_items', 'max_length', 'max_items'] as const).flatMap((name): Said[] =>
    limitChanges(a[name], b[name], name.startsWith('min') ? 'least' : 'most').map((kind) => [
      kind,
      limitSays(name, a, b),
    ]),
  );
  const decimals = (['minimum', 'above', 'maximum', 'below'] as const).flatMap((name): Said[] =>
    decimalChanges(a[name], b[name], name === 'minimum' || name === 'above').map((kind) => [
      kind,
      limitSays(name, a, b),
    ]),
  );
  return [
    ...(a.required === b.required
      ? []
      : [b.required ? (['tightened', 'is required'] as const) : (['loosened', 'is optional'] as const)]),
    ...nullChanges(a.null, b.null),
    ...valuesChanges(a.values, b.values),
    ...numbers,
    ...decimals,
    ...digitsChanges(a.digits, b.digits),
    ...patternChanges(a.patterns ?? [], b.patterns ?? []),
    ...(a.wire === b.wire
      ? []
      : [['changed', b.wire ? `is sent as a ${b.wire}` : 'is sent as before contracts'] as const]),
    ...(JSON.stringify(a.others) === JSON.stringify(b.others)
      ? []
      : [
          [
            b.others ? 'loosened' : 'tightened',
            b.others ? 'takes further fields' : 'takes no further fields',
          ] as const,
        ]),
    ...(JSON.stringify(a.or) === JSON.stringify(b.or)
      ? []
      : [
          !b.or
            ? (['tightened', 'is never a number'] as const)
            : ([
                a.or ? 'changed' : 'loosened',
                `is a text or a ${phrasesOf({ ...b.or, wire: undefined }).join(', ')}`,
              ] as const),
        ]),
    ...(JSON.stringify(a.deprecated) === JSON.stringify(b.deprecated)
      ? []
      : [
          [
            'changed',
            b.deprecated ? `is ${deprecatedPhrase(b.deprecated)}` : 'is not deprecated any more',
          ] as const,
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

/** A limit that is undefined is none. */
export function limitChanges(
  a: number | undefined,
  b: number | undefined,
  side: 'least' | 'most',
): readonly ChangeKind[] {
  if (a === b) return [];
  if (b === undefined) return ['loosened'];
  return [a === undefined || (side === 'most' ? b < a : b > a) ? 'tightened' : 'loosened'];
}

function decimalChanges(
  a: string | undefined,
  b: string | undefined,
  isLeast: boolean,
): readonly ChangeKind[] {
  if (a === b) return [];
  if (b === undefined) return ['loosened'];
  const order = a === undefined ? 0 : compareDecimals(Decimal.of(b), Decimal.of(a));
  return [a === undefined || (isLeast ? order > 0 : order < 0) ? 'tightened' : 'loosened'];
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
