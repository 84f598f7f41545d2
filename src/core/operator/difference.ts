import { RESOURCES, type Resource } from '../contract/resources.ts';
import { compareDecimals, Decimal } from '../values/decimal.ts';
import { typesOf } from './compare/compare.ts';
import {
  ACCOUNT_ANSWERS,
  type Digits,
  type FieldRules,
  type Fields,
  type OperatorContract,
} from './contract.ts';
import { fieldsFor } from './listing.ts';
import { deprecatedPhrase, listed, phrasesOf, valuesPhrase } from './words.ts';

/** How one contract differs from an earlier one. `removed`: a field that may not be sent any more. */
export const CHANGE_KINDS = ['added', 'removed', 'tightened', 'loosened', 'changed'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface Change {
  readonly kind: ChangeKind;
  readonly resource: Resource | null;
  /** Empty for every type. */
  readonly types: readonly string[];
  readonly field: string;
  readonly says: string;
  /** JSON pointers into the two documents; null where the field has no rules. */
  readonly from: { readonly old: string | null; readonly new: string | null };
}

/** Whether records that were accepted may be refused after a change. */
export function isTighter({ kind }: Change): boolean {
  return kind === 'tightened' || kind === 'removed';
}

/** What changed from one contract to another, in the order of resources. */
export function differenceOf(before: OperatorContract, after: OperatorContract): readonly Change[] {
  const changes = [
    ...RESOURCES.flatMap((resource) => resourceChanges(resource, before, after)),
    ...answerChanges(before, after),
    ...ruleChanges(before, after),
  ];
  return merged(changes);
}

interface Place {
  readonly resource: Resource;
  readonly type: string | null;
}

function resourceChanges(
  resource: Resource,
  before: OperatorContract,
  after: OperatorContract,
): readonly Change[] {
  const [a, b] = [before.resources[resource], after.resources[resource]];
  const known = typesOf(resource);
  const named = new Set([...Object.keys(a?.types?.of ?? {}), ...Object.keys(b?.types?.of ?? {})]);
  const types = known.length > 0 ? known : [...named];
  const whole = { resource, type: null };
  const change = (kind: ChangeKind, field: string, says: string): Change =>
    changeOf(kind, whole, field, says, a?.from, b?.from);
  return [
    ...fieldsChanges(a?.account ?? {}, b?.account ?? {}, whole, ''),
    ...limitChanges(a?.max_records, b?.max_records, 'most').map((kind) =>
      change(kind, '', `a request has at most ${b?.max_records ?? 'any number of'} records`),
    ),
    ...(!a?.dry_run && b?.dry_run
      ? [change('added', 'dry_run', 'asks to validate and to store nothing')]
      : []),
    ...(a?.dry_run && !b?.dry_run ? [change('changed', 'dry_run', 'is gone')] : []),
    ...(types.length > 0 ? types : [null]).flatMap((type) =>
      fieldsChanges(fieldsFor(a ?? {}, type), fieldsFor(b ?? {}, type), { resource, type }, ''),
    ),
  ];
}

function fieldsChanges(before: Fields, after: Fields, place: Place, prefix: string): readonly Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return names.flatMap((name) =>
    valueChanges(own(before, name), own(after, name), place, prefix === '' ? name : `${prefix}.${name}`),
  );
}

function own(fields: Fields, name: string): FieldRules | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function valueChanges(
  before: FieldRules | undefined,
  after: FieldRules | undefined,
  place: Place,
  field: string,
): readonly Change[] {
  const change = (kind: ChangeKind, says: string): Change =>
    changeOf(kind, place, field, says, before?.from, after?.from);
  if (after?.adds && !before)
    return [change(after.required ? 'tightened' : 'added', `is added: ${phrasesOf(after).join(', ')}`)];
  if (before?.adds && !after) return [change('removed', 'is not a field any more')];
  const [a, b] = [before ?? NOTHING, after ?? NOTHING];
  if (a.adds !== b.adds)
    return [
      change(
        'tightened',
        `is now ${b.adds ?? 'as in the interface'}, and was ${a.adds ?? 'as in the interface'}`,
      ),
    ];
  if (a.absent !== b.absent)
    return [
      change(
        b.absent ? 'tightened' : 'loosened',
        b.absent ? 'is not a field here any more' : 'is a field here',
      ),
    ];
  const types = new Set([...Object.keys(a.types?.of ?? {}), ...Object.keys(b.types?.of ?? {})]);
  return [
    ...ownChanges(a, b).map(([kind, says]) => change(kind, says)),
    ...fieldsChanges(a.fields ?? {}, b.fields ?? {}, place, field),
    ...(a.item || b.item ? valueChanges(a.item, b.item, place, `${field}[]`) : []),
    ...[...types].flatMap((type) => {
      const [x, y] = [a.types?.of[type], b.types?.of[type]];
      if (!x || !y)
        return [change(y ? 'loosened' : 'tightened', `${y ? 'may' : 'may not'} be of the type ${type}`)];
      return fieldsChanges(x.fields ?? {}, y.fields ?? {}, place, `${field}(${type})`);
    }),
  ];
}

const NOTHING: FieldRules = { from: '' };

type Said = readonly [ChangeKind, string];

/** The changes of a value itself. */
function ownChanges(a: FieldRules, b: FieldRules): readonly Said[] {
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

function valuesChanges(a: readonly string[] | undefined, b: readonly string[] | undefined): readonly Said[] {
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

function limitChanges(
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

function answerChanges(before: OperatorContract, after: OperatorContract): readonly Change[] {
  return ACCOUNT_ANSWERS.flatMap((answer) => {
    const [a, b] = [before.account_number[answer], after.account_number[answer]];
    if (a?.name === b?.name) return [];
    const says = `the account number is \`${b?.name ?? 'unnamed'}\`, and was \`${a?.name ?? 'unnamed'}\``;
    return [changeOf('changed', null, answer, says, a?.from, b?.from)];
  });
}

function ruleChanges(before: OperatorContract, after: OperatorContract): readonly Change[] {
  const has = ({ rules }: OperatorContract, code: string) => rules.find((rule) => rule.code === code);
  return [
    ...after.rules.flatMap(({ code, title, from }) =>
      has(before, code)
        ? []
        : [
            changeOf(
              'tightened',
              null,
              code,
              `is a new rule${title === '' ? '' : `: ${title}`}`,
              undefined,
              from,
            ),
          ],
    ),
    ...before.rules.flatMap(({ code, from }) =>
      has(after, code) ? [] : [changeOf('loosened', null, code, 'is no rule any more', from, undefined)],
    ),
  ];
}

function changeOf(
  kind: ChangeKind,
  place: Place | null,
  field: string,
  says: string,
  before: string | undefined,
  after: string | undefined,
): Change {
  return {
    kind,
    resource: place?.resource ?? null,
    types: [place?.type ?? []].flat(),
    field,
    says,
    from: { old: before ?? null, new: after ?? null },
  };
}

/** The same change of several types is one; a change of every type names none. */
function merged(changes: readonly Change[]): readonly Change[] {
  const found = new Map<string, Change>();
  for (const change of changes) {
    const { kind, resource, field, says } = change;
    const key = JSON.stringify([kind, resource, field, says]);
    const before = found.get(key);
    found.set(key, before ? { ...before, types: [...before.types, ...change.types] } : change);
  }
  return [...found.values()].map((change) => {
    const every = change.resource === null ? [] : typesOf(change.resource);
    return every.length > 0 && every.every((type) => change.types.includes(type))
      ? { ...change, types: [] }
      : change;
  });
}
