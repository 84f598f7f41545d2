import type { QueryFlag, ResourceDescriptor } from '../../core/contract/descriptor.ts';
import { ENDPOINTS, type EndpointName } from '../../core/contract/endpoints.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { ACCOUNT_ANSWERS, type OperatorContract, type Statement } from '../../core/operator/contract.ts';
import { merged, type Told } from './finding.ts';
import { keywordChanges, listed, valuesChanges, type ChangeKind } from '../../core/operator/keywords.ts';
import { comparablePath, FAILS_WITHOUT, querySays } from './request-path.ts';
import {
  interfaceView,
  KIND_WORDS,
  recordView,
  wordsOf,
  type Value,
  type Values,
} from '../../core/operator/value.ts';

/** How one contract differs from an earlier one. */
export interface Change extends Told {
  readonly kind: ChangeKind;
  /** JSON pointers into the two documents; null where the field is not described. */
  readonly from: { readonly old: string | null; readonly new: string | null };
}

/** What a contract demands of records beyond the interface, for each type by itself. */
export function demandsOf(contract: OperatorContract): readonly Change[] {
  const changes = RESOURCES.flatMap((resource) =>
    contract.resources[resource] ? resourceChanges(resource, undefined, contract) : [],
  );
  return changes.map((each) => (each.says.startsWith('is added') ? { ...each, kind: 'added' } : each));
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
type Place = {
  readonly resource?: Resource | null;
  readonly type?: string | null;
  readonly field: string;
  /** The fields beside it. */
  readonly beside?: string | undefined;
};
type Placed = { readonly from: string } | undefined;

function changeOf(
  kind: ChangeKind,
  { resource = null, type = null, field }: Place,
  says: string,
  ...[old, now]: readonly [old?: Placed, now?: Placed]
): Change {
  const from = { old: old?.from || null, new: now?.from || null };
  return { kind, resource, types: type === null ? [] : [type], field, says, from };
}

/** @param before undefined for the interface */
function resourceChanges(
  resource: Resource,
  before: OperatorContract | undefined,
  after: OperatorContract,
): readonly Change[] {
  const [a, b] = [before?.resources[resource], after.resources[resource]];
  const change = (kind: ChangeKind, says: string): Change =>
    changeOf(kind, { resource, field: '' }, says, a, b);
  if (a && !b) {
    const isRefused = after.refusals?.some((refusal) => refusal.resource === resource);
    return isRefused ? [] : [change('changed', 'the records are not described any more')];
  }
  const { endpoint, typeField }: ResourceDescriptor<never> = DESCRIPTORS[resource] as never;
  const was = a && before ? recordView(resource, a, before.schemas) : interfaceView(resource);
  const is = b ? recordView(resource, b, after.schemas) : interfaceView(resource);
  const both = [...new Set([...was.types, ...is.types])].filter((type) =>
    [was, is].every(({ types }) => types.length === 0 || types.includes(type)),
  );
  const around = (rules: typeof a): Values => ({
    ...(rules?.dry_run && { dry_run: { ...rules.dry_run, kind: 'boolean' } }),
  });
  const most = (rules: typeof a) => ({ maxItems: rules?.max_records });
  const place = { resource, field: '' };
  // Types that nobody lists are any types.
  const listOf = ({ types }: typeof was) => (types.length > 0 ? types : undefined);
  return [
    ...fieldsChanges({ ...was.account, ...around(a) }, { ...is.account, ...around(b) }, place),
    ...keywordChanges(most(a), most(b)).map(([kind, says]) =>
      change(kind, `the records of a request: ${says}`),
    ),
    ...(Object.entries(endpoint.query ?? {}) as [QueryFlag, boolean][]).flatMap(([name, isTrue]) => {
      const [said, now] = [a?.query?.[name], b?.query?.[name]];
      if (said === now) return [];
      return now === undefined
        ? change('loosened', `no longer so: ${querySays(name, said!, isTrue)}`)
        : change('tightened', querySays(name, now, isTrue));
    }),
    ...valuesChanges(listOf(was), listOf(is)).map(([kind, says]) =>
      changeOf(kind, { resource, field: typeField! }, says, a, b),
    ),
    ...(both.length > 0 ? both : [null]).flatMap((type) =>
      fieldsChanges(was.fieldsOf(type), is.fieldsOf(type), { resource, type, field: '' }),
    ),
  ];
}

function fieldsChanges(before: Values, after: Values, place: Place): readonly Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  const own = (fields: Values, name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined);
  const beside = Object.values(after)
    .find(({ at }) => at)
    ?.at?.replace(/\/[^/]*$/, '');
  return names.flatMap((name) => {
    const field = place.field === '' ? name : `${place.field}.${name}`;
    return valueChanges(own(before, name), own(after, name), { ...place, field, beside });
  });
}

/** @param a undefined where there is no such field; so is `b` */
function valueChanges(a: Value | undefined, b: Value | undefined, place: Place): readonly Change[] {
  const change = (kind: ChangeKind, says: string): Change => changeOf(kind, place, says, a, b);
  if (!a || !b) {
    const isOfInterface = (a ?? b)?.isOfInterface;
    if (isOfInterface)
      return b
        ? [change('loosened', 'is a field here')]
        : [changeOf('tightened', place, 'not a field here', a, { from: place.beside ?? '' })];
    if (!b) return a ? [change('removed', 'is not a field any more')] : [];
    return [
      change(b.required ? 'tightened' : 'added', `is added: ${wordsOf(b)}`),
      ...insideChanges(undefined, b, place),
    ];
  }
  if (a.kind !== b.kind) {
    const [was, is] = [a, b].map(({ kind }) => KIND_WORDS[kind]);
    return [change('tightened', `is now ${is}, and was ${was}`)];
  }
  return [
    ...keywordChanges(a, b).map(([kind, says]) => {
      if (!says.endsWith('required')) return change(kind, says);
      const [was, is] = [a, b].map(({ at, from }) => ({ from: at ?? from }));
      return changeOf(kind, place, says, was, is);
    }),
    ...(a.kind !== 'object' || Boolean(a.isOpen) === Boolean(b.isOpen) || a.isOfInterface
      ? []
      : [change(b.isOpen ? 'loosened' : 'tightened', `${b.isOpen ? '' : 'no longer '}further fields pass`)]),
    ...insideChanges(a, b, place),
  ];
}

/** The fields and items inside of a value. */
function insideChanges(a: Value | undefined, b: Value, place: Place): readonly Change[] {
  return [
    ...fieldsChanges(a?.fields ?? {}, b.fields ?? {}, place),
    ...(a?.item || b.item ? valueChanges(a?.item, b.item, { ...place, field: `${place.field}[]` }) : []),
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
