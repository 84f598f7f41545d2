import { DESCRIPTORS, RESOURCES, type Resource } from '../../core/contract/resources.ts';
import type {
  Field,
  Fields,
  OperatorContract,
  ResourceRules,
  Statement,
} from '../../core/operator/contract.ts';
import { typesOf, type Shape } from '../../core/operator/narrow.ts';
import { listed } from '../../core/operator/operator-check.ts';
import { enforcementPhrase } from '../../core/operator/rules-by-code.ts';
import { inOrder } from './finding.ts';
import { eachField, fieldUnder, isUpper, keywordPhrase, recordField, wordOf } from './openapi/fields.ts';

/** Everything that a contract says, but for what is only compared with another version. */
export function allOf(contract: OperatorContract): readonly Statement[] {
  const described = RESOURCES.filter((resource) => contract.resources[resource]);
  const demands = described.flatMap((resource) => recordChanges(resource, undefined, contract));
  const all = inOrder([...statementsOf(contract), ...demands]);
  return all.filter(({ kind }) => kind !== 'needs' && kind !== 'says');
}

/** Whether records that were accepted may be refused after a change. */
export const isTighter = ({ kind }: Statement): boolean => kind === 'tightened' || kind === 'removed';

/** What changed from one contract to another, in the order of resources. */
export function differenceOf(before: OperatorContract, after: OperatorContract): readonly Statement[] {
  const [old, now] = [before, after].map((contract) => {
    const all = statementsOf({ ...contract, rules: contract.rules.filter(({ off }) => !off) });
    return new Map(all.map((each) => [JSON.stringify([each.resource, each.field, each.says]), each]));
  });
  return inOrder([
    ...RESOURCES.flatMap((resource) => recordChanges(resource, before, after)),
    ...[...now!].flatMap(([key, each]) => (old!.has(key) ? [] : { ...each, kind: kindsOf(each)[0] })),
    ...[...old!].flatMap(([key, each]) =>
      now!.has(key) ? [] : { ...each, kind: kindsOf(each)[1], says: `no longer so: ${each.says}` },
    ),
  ]);
}

/** Everything that a contract says beside the fields of records: its statements, and its rules. */
function statementsOf({ statements, rules }: OperatorContract): Statement[] {
  const ofRules = rules.map((rule): Statement => {
    const says = `is a rule${rule.title && `: ${rule.title}`} (${enforcementPhrase(rule)})`;
    return { kind: 'rules', resource: null, types: [], field: rule.code, says, from: rule.from };
  });
  return [...statements, ...ofRules];
}

/** How a statement of a kind changes a contract when it is new, and when it is gone. */
function kindsOf({ kind, refuses_all }: Statement): readonly [come: Said[0], gone: Said[0]] {
  if (refuses_all || kind === 'tightened' || kind === 'rules') return ['tightened', 'loosened'];
  return ['changed', kind === 'needs' ? 'tightened' : 'changed'];
}

/** How something changed, and a sentence about it. */
type Said = readonly [Statement['kind'], string];

/** What a field demands, each by a name. Only numbers have a form. */
function demandsIn({ required, null: isNull, kind, wire, limits = {}, keywords = [] }: Field) {
  return new Map<string, string>([
    ...(required ? ([['required', 'required']] as const) : []),
    ...(isNull ? ([['null', 'may be null']] as const) : []),
    ...(kind === 'decimal' && wire ? ([['wire', `sent as a ${wire}`]] as const) : []),
    ...Object.entries(limits).map(([name, limit]) => [name, `\`${name}: ${limit}\``] as const),
    ...keywords.map((each) => [each, keywordPhrase(each)] as const),
  ]);
}

function keywordChanges(before: Field, after: Field): readonly Said[] {
  const [a, b] = [demandsIn(before), demandsIn(after)];
  const changes = [...new Set([...a.keys(), ...b.keys()])].flatMap((name): readonly Said[] => {
    const [was, is] = [a.get(name), b.get(name)];
    if (was === is) return [];
    if (name === 'null') return [is ? ['loosened', is] : ['tightened', 'never null']];
    const says = is ?? `no longer ${was}`;
    if (name === 'wire') return [['changed', says]];
    const more = (after.limits?.[name] ?? 0) - (before.limits?.[name] ?? 0);
    const isLooser = was === undefined || is === undefined ? !is : isUpper(name) ? more > 0 : more < 0;
    return [[isLooser ? 'loosened' : 'tightened', says]];
  });
  return [...changes, ...valuesChanges(before.values, after.values)];
}

/** A change of a list of values. No list takes any value. */
function valuesChanges(a?: readonly string[], b?: readonly string[]): readonly Said[] {
  if (!a && b)
    return [['tightened', b.length === 1 ? `only ${listed(b)}` : `one of ${b.length} values: ${listed(b)}`]];
  if (!a || !b) return a ? [['loosened', 'may have any value']] : [];
  const gone = a.filter((value) => !b.includes(value));
  const fresh = b.filter((value) => !a.includes(value));
  return [
    ...(gone.length > 0 ? [['tightened', `no longer takes ${listed(gone)}`] as const] : []),
    ...(fresh.length > 0 ? [['loosened', `takes ${listed(fresh)}, too`] as const] : []),
  ];
}

function wordsOf(field: Field): string {
  const said = keywordChanges({ kind: field.kind, from: '' }, field).map(([, says]) => says);
  return [wordOf(field.kind), ...said, ...(field.open ? ['further fields pass'] : [])].join(', ');
}

/** The fields of a resource, of the interface or of a contract. */
type Described = Pick<ResourceRules, 'account' | 'fields' | 'types'>;

function interfaceFields(resource: Resource): Described {
  const { account } = DESCRIPTORS[resource];
  const types = typesOf(resource).map(
    (type) => [type, { fields: recordField(resource, type).fields! }] as const,
  );
  return {
    account: fieldUnder(account.shape as Shape, [], {}).fields!,
    fields: recordField(resource, null).fields!,
    ...(types.length > 0 && { types: Object.fromEntries(types) }),
  };
}

/** The changes of the records of a resource, and of what is around them. @param before undefined for the interface */
function recordChanges(
  resource: Resource,
  before: OperatorContract | undefined,
  after: OperatorContract,
): readonly Statement[] {
  const [a, b] = [before, after].map((contract) => contract?.resources[resource]);
  const from = (b ?? a)?.record ?? (b ?? a)?.body ?? '';
  const changes = (all: readonly Said[], field: string): readonly Statement[] =>
    all.map(([kind, says]) => ({ kind, resource, types: [], field, says, from }));
  const { typeField } = DESCRIPTORS[resource];
  const [old, now] = [a, b].map((described) => described ?? interfaceFields(resource)) as [
    Described,
    Described,
  ];
  // Types that nobody lists are any types.
  const [was, is] = [old, now].map(({ types }) => types && Object.keys(types));
  const types = is?.filter((type) => was?.includes(type) ?? true) ?? was ?? [null];
  const fieldsOf = (type: string | null) => (of: Described) => of.types?.[type ?? '']?.fields ?? of.fields;
  const changesOf = (type: string | null, fields: (of: Described) => Fields): readonly Statement[] =>
    fieldsChanges(fields(old), fields(now), { resource, types: type === null ? [] : [type], from });
  return [
    ...changesOf(null, ({ account }) => account),
    ...changes(valuesChanges(was, is), typeField ?? ''),
    ...types.flatMap((type) =>
      changesOf(type, fieldsOf(type)).filter(
        // The value of the field that tells types apart is known.
        ({ field, refuses_all }) => type === null || field !== typeField || refuses_all,
      ),
    ),
  ];
}

/** What a change is about, and the place of the record for what is not described. */
type About = Pick<Statement, 'resource' | 'types' | 'from'>;

function fieldsChanges(before: Fields, after: Fields, about: About): readonly Statement[] {
  const [old, now] = [before, after].map((fields) => new Map(eachField(fields)));
  return [...new Set([...old!.keys(), ...now!.keys()])].toSorted().flatMap((field) => {
    const [a, b] = [old!.get(field), now!.get(field)];
    const around = field.replace(/\[\]$|\.?\w+$/, '');
    const [wasAround, isAround] = [old, now].map((all) => around === '' || all!.has(around));
    // What is inside of a field goes with it.
    if (!b && !isAround) return [];
    const from = (b ?? a)!.from || about.from;
    if (b?.contradicts === undefined || b.contradicts === a?.contradicts)
      return fieldChanges(a, b, wasAround === true).map(([kind, says]) => ({
        ...about,
        kind,
        field,
        says,
        from,
      }));
    // An object or a list around a field may be left out.
    const isNever = b.kind === undefined || b.values?.length === 0;
    const refusesAll = isNever && b.required === true && /^\w+$/.test(field);
    const says = `${b.contradicts}${refusesAll ? ': every such record would be refused' : ''}`;
    return [{ ...about, kind: 'tightened', field, says, from, ...(refusesAll && { refuses_all: true }) }];
  });
}

/** @param a undefined where there is no such field; so is `b` @param wasAround whether there was an object to have it */
function fieldChanges(a: Field | undefined, b: Field | undefined, wasAround: boolean): readonly Said[] {
  if (!b) return [['removed', 'not a field here']];
  if (!a) return [[b.required && wasAround ? 'tightened' : 'added', `is added: ${wordsOf(b)}`]];
  if (a.unnamed !== b.unnamed) return [['changed', b.unnamed ? 'is not named here' : 'is named here']];
  const [was, is] = [a, b].map(({ kind }) => (kind ? wordOf(kind) : 'nothing'));
  return [
    ...(was === is ? [] : [['tightened', `is now ${is}, and was ${was}`] as const]),
    ...keywordChanges(a, b),
  ];
}
