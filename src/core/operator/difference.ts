import type { QueryFlag, ResourceDescriptor } from '../contract/descriptor.ts';
import { ENDPOINTS, type EndpointName } from '../contract/endpoints.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../contract/resources.ts';
import {
  ACCOUNT_ANSWERS,
  type FieldRules,
  type Fields,
  type OperatorContract,
  type Statement,
} from './contract.ts';
import { keywordChanges, valuesChanges, type ChangeKind } from './keyword-changes.ts';
import { comparablePath, FAILS_WITHOUT } from './request-path.ts';
import { fieldsFor, typesOf } from './resource-fields.ts';
import { listed, phrasesOf, querySays } from './words.ts';

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

/** What a contract demands of records beyond the interface. */
export function demandsOf({ resources }: OperatorContract): readonly Change[] {
  return merged(RESOURCES.flatMap((resource) => resourceChanges(resource, {}, { resources })));
}

/** Whether records that were accepted may be refused after a change. */
export const isTighter = ({ kind }: Change): boolean => kind === 'tightened' || kind === 'removed';

/** What changed from one contract to another, in the order of resources. A part that one of them does not have proves no change. */
export function differenceOf(before: OperatorContract, after: OperatorContract): readonly Change[] {
  return merged([
    ...RESOURCES.flatMap((resource) => resourceChanges(resource, before, after)),
    ...requestChanges(before.requests, after.requests),
    ...nameChanges(before, after),
    ...serverChanges(before.servers, after.servers),
    ...comeAndGone(before.refusals, after.refusals, ['tightened', 'loosened']),
    ...comeAndGone(before.not_enforced, after.not_enforced, ['changed', 'changed']),
    ...ruleChanges(before, after),
  ]);
}

/** The records and the field that a change is about. */
type Place = { readonly resource?: Resource | null; readonly type?: string | null; readonly field: string };
type Placed = { readonly from: string } | undefined;

function changeOf(
  kind: ChangeKind,
  { resource = null, type = null, field }: Place,
  says: string,
  ...[old, now]: readonly [old?: Placed, now?: Placed]
): Change {
  const from = { old: old?.from ?? null, new: now?.from ?? null };
  return { kind, resource, types: type === null ? [] : [type], field, says, from };
}

function resourceChanges(
  resource: Resource,
  { resources: before = {} }: Pick<Partial<OperatorContract>, 'resources'>,
  { resources: after, refusals }: Pick<OperatorContract, 'resources' | 'refusals'>,
): readonly Change[] {
  const [a, b] = [before[resource], after[resource]];
  const change = (kind: ChangeKind, says: string): Change =>
    changeOf(kind, { resource, field: '' }, says, a, b);
  if (a && !b) {
    const isRefused = refusals?.some((refusal) => refusal.resource === resource);
    return isRefused ? [] : [change('changed', 'the records are not described any more')];
  }
  const { typeField, endpoint }: ResourceDescriptor<never> = DESCRIPTORS[resource] as never;
  const known = typesOf(resource);
  const named = new Set([a, b].flatMap((rules) => Object.keys(rules?.types?.of ?? {})));
  const types = known.length > 0 ? known : [...named];
  // The values of the type field say which types come and go.
  const isTaken = (type: string): boolean =>
    [a, b].every((rules) => rules?.fields?.[typeField!]?.values?.includes(type) ?? true);
  const isOfType = ({ types: of, field }: Change): boolean => field !== typeField && !of.every(isTaken);
  const ofType = (type: string | null): readonly Change[] =>
    fieldsChanges(fieldsFor(a ?? {}, type), fieldsFor(b ?? {}, type), { resource, type, field: '' });
  const around = (rules: typeof a): Fields => ({
    ...rules?.account,
    ...(rules?.dry_run && { dry_run: { adds: 'boolean', ...rules.dry_run } }),
  });
  const most = (rules: typeof a): FieldRules => ({ from: '', max_items: rules?.max_records });
  return [
    ...fieldsChanges(around(a), around(b), { resource, field: '' }),
    ...keywordChanges(most(a), most(b)).map(([kind, says]) =>
      change(kind, `the records of a request: ${says}`),
    ),
    ...(Object.entries(endpoint.query ?? {}) as [QueryFlag, boolean][]).flatMap(([name, isTrue]) => {
      const [was, is] = [a?.query?.[name], b?.query?.[name]];
      if (was === is) return [];
      return is === undefined
        ? change('loosened', `no longer so: ${querySays(name, was!, isTrue)}`)
        : change('tightened', querySays(name, is, isTrue));
    }),
    ...(types.length > 0 ? types : [null]).flatMap(ofType).filter((each) => !isOfType(each)),
  ];
}

function fieldsChanges(before: Fields, after: Fields, place: Place): readonly Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  const own = (fields: Fields, name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined);
  return names.flatMap((name) => {
    const field = place.field === '' ? name : `${place.field}.${name}`;
    return valueChanges(own(before, name), own(after, name), { ...place, field });
  });
}

/** The rules of a field that a contract does not name. */
const NOTHING: FieldRules = { from: '' };

function valueChanges(
  before: FieldRules | undefined,
  after: FieldRules | undefined,
  place: Place,
): readonly Change[] {
  const change = (kind: ChangeKind, says: string): Change => changeOf(kind, place, says, before, after);
  if (after?.adds && !before)
    return [
      change(after.required ? 'tightened' : 'added', `is added: ${phrasesOf(after).join(', ')}`),
      ...addedInside(after, place),
    ];
  if (before?.adds && !after) return [change('removed', 'is not a field any more')];
  const [a, b] = [before ?? NOTHING, after ?? NOTHING];
  if (a.adds !== b.adds) {
    const [was, is] = [a, b].map(({ adds = 'as in the interface' }) => adds);
    return [change('tightened', `is now ${is}, and was ${was}`)];
  }
  if (a.absent !== b.absent)
    return [b.absent ? change('tightened', 'not a field here') : change('loosened', 'is a field here')];
  const types = new Set([...Object.keys(a.types?.of ?? {}), ...Object.keys(b.types?.of ?? {})]);
  return [
    ...keywordChanges(a, b).map(([kind, says]) => change(kind, says)),
    ...fieldsChanges(a.fields ?? {}, b.fields ?? {}, place),
    ...(a.item || b.item ? valueChanges(a.item, b.item, { ...place, field: `${place.field}[]` }) : []),
    ...[...types].flatMap((type) => {
      const [x, y] = [a.types?.of[type], b.types?.of[type]];
      if (!x || !y)
        return [change(y ? 'loosened' : 'tightened', `${y ? 'may' : 'may not'} be of the type ${type}`)];
      return fieldsChanges(x.fields ?? {}, y.fields ?? {}, { ...place, field: `${place.field}(${type})` });
    }),
  ];
}

/** A contract adds a field: these are the fields inside of it. */
function addedInside({ fields = {}, item, types }: FieldRules, place: Place): readonly Change[] {
  const added = (inside: Fields, around: string): readonly Change[] =>
    Object.entries(inside).flatMap(([name, rules]) => {
      const at = { ...place, field: around + name };
      const says = `is added: ${phrasesOf(rules).join(', ')}`;
      return [changeOf('added', at, says, undefined, rules), ...addedInside(rules, at)];
    });
  return [
    ...added(fields, `${place.field}.`),
    ...(item ? added({ '[]': item }, place.field) : []),
    ...Object.entries(types?.of ?? {}).flatMap(([type, own]) =>
      added(own.fields ?? {}, `${place.field}(${type}).`),
    ),
  ];
}

function requestChanges(
  before: OperatorContract['requests'],
  after: OperatorContract['requests'],
): readonly Change[] {
  if (!before || !after) return [];
  return (Object.keys(ENDPOINTS) as EndpointName[]).flatMap((field) => {
    const [a, b] = [before[field], after[field]];
    const change = (kind: ChangeKind, says: string): Change => changeOf(kind, { field }, says, a, b);
    // A request of records that is gone is among the refusals.
    const gone = FAILS_WITHOUT[field];
    if (!b) return a && gone ? [change('changed', `is no request of the document any more: ${gone}`)] : [];
    if (!a) return [change('added', 'is a request of the document')];
    const isMoved = comparablePath(a.path) !== comparablePath(b.path);
    return [
      ...(isMoved
        ? [change('tightened', `is at \`${b.path}\`, and was at \`${a.path}\`: compare the base URL`)]
        : []),
      ...valuesChanges(a.statuses, b.statuses).map(([, says]) => change('changed', `its answers: ${says}`)),
    ];
  });
}

/** The word before a token, and the fields of answers with the account number: all are settings. */
function nameChanges(before: OperatorContract, after: OperatorContract): readonly Change[] {
  const named = ({ authorization, account_number: numbers }: OperatorContract) => ({
    authorization,
    ...numbers,
  });
  const [old, now] = [named(before), named(after)];
  return (['authorization', ...ACCOUNT_ANSWERS] as const).flatMap((field) => {
    const [a, b] = [old[field], now[field]];
    if (a?.name === b?.name) return [];
    const [was, is] = [a, b].map((each) => (each ? `\`${each.name}\`` : 'not named'));
    if (field !== 'authorization')
      return [changeOf('changed', { field }, `the account number is ${is}, and was ${was}`, a, b)];
    const fails = a && b && !b.name.split(' or ').includes(a.name);
    const says = `requests show ${is}, and showed ${was}${fails ? ': a push fails until authScheme says so' : ''}`;
    return [changeOf(fails ? 'tightened' : 'changed', { field }, says, a, b)];
  });
}

/** The base URL is a setting, so nobody knows whether requests go to another server. */
function serverChanges(before?: readonly string[], after?: readonly string[]): readonly Change[] {
  if (!before || !after || new Set(before).symmetricDifference(new Set(after)).size === 0) return [];
  const [was, is] = [before, after].map((urls) => (urls.length === 0 ? 'none' : listed(urls)));
  const from = { from: '/servers' };
  const says = `the servers are ${is}, and were ${was}: compare the base URL`;
  return [changeOf('changed', { field: 'servers' }, says, from, from)];
}

/** Why every push would fail, or where a document contradicts the interface. */
function comeAndGone(
  before: readonly Statement[] | undefined,
  after: readonly Statement[] | undefined,
  [come, gone]: readonly [ChangeKind, ChangeKind],
): readonly Change[] {
  if (!before || !after) return [];
  const keyOf = ({ resource, field, says }: Statement): string => JSON.stringify([resource, field, says]);
  const without = (list: readonly Statement[], others: readonly Statement[]): readonly Statement[] => {
    const known = new Set(others.map(keyOf));
    return list.filter((each) => !known.has(keyOf(each)));
  };
  const told = (kind: ChangeKind, each: Statement, says: string, ...from: [old?: Placed, now?: Placed]) => ({
    ...changeOf(kind, { resource: each.resource, field: each.field ?? '' }, says, ...from),
    types: each.types ?? [],
  });
  return [
    ...without(after, before).map((each) => told(come, each, each.says, undefined, each)),
    ...without(before, after).map((each) => told(gone, each, `no longer so: ${each.says}`, each)),
  ];
}

function ruleChanges(
  { rules: before }: OperatorContract,
  { rules: after, resources }: OperatorContract,
): readonly Change[] {
  const codes = new Set([...before, ...after].map(({ code }) => code));
  return [...codes].flatMap((field) => {
    const [a, b] = [before, after].map((rules) => rules.find(({ code }) => code === field));
    const change = (kind: ChangeKind, says: string): readonly Change[] => [
      changeOf(kind, { field }, says, a, b),
    ];
    if (!a) return change('tightened', `is a new rule${b!.title && `: ${b!.title}`}`);
    // Where its requests are gone, too, nothing became looser.
    if (!b && a.resources?.every((each) => !resources[each])) return [];
    if (!b) return change('loosened', 'is no rule any more');
    if (a.off === b.off) return [];
    return b.off ? change('loosened', 'is turned off') : change('tightened', 'is not turned off any more');
  });
}

/** The same change of several types is one; a change of every type names none. */
function merged(changes: readonly Change[]): readonly Change[] {
  const same = Map.groupBy(changes, ({ kind, resource, field, says }) =>
    JSON.stringify([kind, resource, field, says]),
  );
  return [...same.values()].map((each) => {
    const [first] = each as [Change, ...Change[]];
    const types = each.flatMap((change) => change.types);
    const every = first.resource === null ? [] : typesOf(first.resource);
    const isEvery = every.length > 0 && every.every((type) => types.includes(type));
    return { ...first, types: isEvery ? [] : types };
  });
}
