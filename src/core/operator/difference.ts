import { ENDPOINTS, type EndpointName } from '../contract/endpoints.ts';
import { RESOURCES, type Resource } from '../contract/resources.ts';
import { typesOf } from './resource-fields.ts';
import { ACCOUNT_ANSWERS, type FieldRules, type Fields, type OperatorContract } from './contract.ts';
import { fieldsFor } from './listing.ts';
import { unreadableAnswers } from './unreadable-answers.ts';
import { limitChanges, ownChanges, valuesChanges, type ChangeKind } from './value-changes.ts';
import { phrasesOf } from './words.ts';

/** How one contract differs from an earlier one. */
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
export const isTighter = ({ kind }: Change): boolean => kind === 'tightened' || kind === 'removed';

/** What changed from one contract to another, in the order of resources. */
export function differenceOf(before: OperatorContract, after: OperatorContract): readonly Change[] {
  const changes = [
    ...RESOURCES.flatMap((resource) => resourceChanges(resource, before, after)),
    ...requestChanges(before, after),
    ...accessChanges(before, after),
    ...refusalChanges(before, after),
    ...answerChanges(before, after),
    ...trimsChanges(before, after),
    ...ruleChanges(before, after),
  ];
  return merged(changes);
}

/** The records that a change is about. */
type Place = { readonly resource: Resource | null; readonly type: string | null };

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
    changeOf(kind, { ...whole, field }, says, a?.from, b?.from);
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

/** The rules of a field that a contract does not name. */
const NOTHING: FieldRules = { from: '' };

function valueChanges(
  before: FieldRules | undefined,
  after: FieldRules | undefined,
  place: Place,
  field: string,
): readonly Change[] {
  const change = (kind: ChangeKind, says: string): Change =>
    changeOf(kind, { ...place, field }, says, before?.from, after?.from);
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

/** A contract of an earlier version of this program does not say where its requests are. Then nothing is known to have changed. */
function requestChanges(
  { requests: before }: OperatorContract,
  { requests: after }: OperatorContract,
): readonly Change[] {
  if (!before || !after) return [];
  return Object.entries(ENDPOINTS).flatMap(([name, { method }]) => {
    const [a, b] = [before[name as EndpointName], after[name as EndpointName]];
    const change = (kind: ChangeKind, says: string): Change =>
      changeOf(kind, { field: name }, says, a?.from, b?.from);
    if (!a || !b) {
      if (a && method === 'GET') return [change('changed', 'is no request of the document any more')];
      return b ? [change('added', 'is a request of the document')] : [];
    }
    // Requests of records to a path without its last slash are told among those that would be refused.
    const isTold = method === 'POST' && `${b.path}/` === a.path;
    return [
      ...(a.path === b.path || isTold
        ? []
        : [change('changed', `is at \`${b.path}\`, and was at \`${a.path}\``)]),
      ...(a.results === b.results || b.results === null || b.results === ''
        ? []
        : [change('changed', `the list of results is ${named(b.results)}, and was ${named(a.results)}`)]),
      // Results without a status are told among the answers that cannot be read.
      ...(b.statuses?.length === 0 ? [] : valuesChanges(a.statuses, b.statuses)).map(([, says]) =>
        change('changed', `the status of a result ${says}`),
      ),
    ];
  });
}

const named = (name: string | null | undefined): string => (name ? `\`${name}\`` : 'not named');

/** How a token is obtained and shown. Both are settings, so a push fails only until they are changed. */
function accessChanges(before: OperatorContract, after: OperatorContract): readonly Change[] {
  return (
    [
      ['authorization', 'authScheme'],
      ['token_path', 'tokenPath'],
    ] as const
  ).flatMap(([field, setting]) => {
    const [a, b] = [before[field], after[field]];
    const isTold = after.refusals?.some(({ from }) => from === b?.from) && before.refusals;
    if (a?.name === b?.name || isTold) return [];
    const says = `is \`${b?.name ?? 'unnamed'}\`, and was \`${a?.name ?? 'unnamed'}\``;
    // The place of a key does not say which word is before it.
    const isWord = (each: typeof a): boolean => each !== undefined && !each.name.includes(' ');
    return isWord(a) && (isWord(b) || (!b && field === 'token_path'))
      ? [changeOf('tightened', { field }, `${says}: a push fails until ${setting} says so`, a?.from, b?.from)]
      : [changeOf('changed', { field }, says, a?.from, b?.from)];
  });
}

function refusalChanges(old: OperatorContract, now: OperatorContract): readonly Change[] {
  if (!old.refusals || !now.refusals) return [];
  // A contract of an earlier version of this program lists no answers among its refusals. The same one twice is one change.
  const before = [...old.refusals, ...unreadableAnswers(old)];
  const after = [...now.refusals, ...unreadableAnswers(now)];
  type Refusal = (typeof after)[number];
  const without = (list: readonly Refusal[], others: readonly Refusal[]): readonly Refusal[] =>
    list.filter(
      ({ resource, says }) => !others.some((other) => other.resource === resource && other.says === says),
    );
  return [
    ...without(after, before).map(({ resource, says, from }) =>
      changeOf('tightened', { resource, field: '' }, says, undefined, from),
    ),
    ...without(before, after).map(({ resource, says, from }) =>
      changeOf('loosened', { resource, field: '' }, `no longer so: ${says}`, from, undefined),
    ),
  ];
}

function answerChanges(before: OperatorContract, after: OperatorContract): readonly Change[] {
  return ACCOUNT_ANSWERS.flatMap((answer) => {
    const [a, b] = [before.account_number[answer], after.account_number[answer]];
    if (a?.name === b?.name) return [];
    const says = `the account number is \`${b?.name ?? 'unnamed'}\`, and was \`${a?.name ?? 'unnamed'}\``;
    return [changeOf('changed', { field: answer }, says, a?.from, b?.from)];
  });
}

function trimsChanges({ trims: before }: OperatorContract, { trims }: OperatorContract): readonly Change[] {
  if (before === trims) return [];
  const says = trims ? 'blanks at the ends of texts are removed' : 'blanks at the ends of texts stay';
  return [changeOf('changed', { field: 'trims' }, says)];
}

function ruleChanges(before: OperatorContract, after: OperatorContract): readonly Change[] {
  const has = ({ rules }: OperatorContract, code: string) => rules.find((rule) => rule.code === code);
  return [
    ...after.rules.flatMap(({ code, title, from, off }) => {
      const at = { field: code };
      const old = has(before, code);
      if (!old) return [changeOf('tightened', at, `is a new rule${title && `: ${title}`}`, undefined, from)];
      if (old.off === off) return [];
      return off
        ? [changeOf('loosened', at, 'is turned off', old.from, from)]
        : [changeOf('tightened', at, 'is not turned off any more', old.from, from)];
    }),
    ...before.rules.flatMap(({ code, from }) =>
      has(after, code) ? [] : [changeOf('loosened', { field: code }, 'is no rule any more', from)],
    ),
  ];
}

function changeOf(
  kind: ChangeKind,
  { resource = null, type = null, field }: Partial<Place> & { field: string },
  says: string,
  before?: string,
  after?: string,
): Change {
  const from = { old: before ?? null, new: after ?? null };
  return { kind, resource, types: type === null ? [] : [type], field, says, from };
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
