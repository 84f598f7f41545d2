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
import { merged, type Told } from './finding.ts';
import { eachField, fieldUnder, LIMITS, recordFields, wordOf, type Limit } from './openapi/fields.ts';

/** How one contract differs from an earlier one. `removed`: a field that may not be sent any more. */
export const CHANGE_KINDS = ['added', 'removed', 'tightened', 'loosened', 'changed'] as const;
type ChangeKind = (typeof CHANGE_KINDS)[number];

/** One difference of two contracts, or of a contract and the interface. */
export interface Change extends Told {
  readonly kind: ChangeKind;
  /** JSON pointers into the two documents; null where the field is not described. */
  readonly from: { readonly old: string | null; readonly new: string | null };
  /** No value of the field passes, because the interface says otherwise. */
  readonly contradicts?: true;
  /** The operator adds the field. */
  readonly is_added?: boolean;
  /** No record passes. */
  readonly refuses_all?: boolean | undefined;
}

/** What a contract demands of records beyond the interface, for each type by itself. */
export function demandsOf(contract: OperatorContract): Statement[] {
  const changes = RESOURCES.flatMap((resource) =>
    contract.resources[resource] ? recordChanges(resource, undefined, contract) : [],
  );
  return changes.map(({ kind, from, contradicts, is_added, refuses_all, ...told }) => {
    const seen = kind === 'tightened' ? 'tightened' : 'changed';
    return {
      ...told,
      kind: contradicts ? 'contradicts' : is_added ? 'added' : seen,
      from: from.new ?? '',
      ...(refuses_all && { refuses_all }),
    };
  });
}

/** Whether records that were accepted may be refused after a change. */
export const isTighter = ({ kind }: Change): boolean => kind === 'tightened' || kind === 'removed';

/** What changed from one contract to another, in the order of resources. */
export function differenceOf(before: OperatorContract, after: OperatorContract): readonly Change[] {
  const keyOf = ({ resource, field, says }: Statement): string => JSON.stringify([resource, field, says]);
  const [old, now] = [before, after].map((contract) => {
    const rules = contract.rules.filter(({ off }) => !off);
    return new Map(statementsOf({ ...contract, rules }).map((each) => [keyOf(each), each]));
  });
  const without = (one = old!, other = now!): Statement[] =>
    [...one].flatMap(([key, each]) => (other.has(key) ? [] : each));
  return merged([
    ...RESOURCES.flatMap((resource) => recordChanges(resource, before, after)),
    ...without(now, old).map((each) => ({
      ...each,
      kind: kindsOf(each)[0],
      from: { old: null, new: each.from },
    })),
    ...without(old, now).map((each) => ({
      ...each,
      says: `no longer so: ${each.says}`,
      kind: kindsOf(each)[1],
      from: { old: each.from, new: null },
    })),
  ]);
}

/** Everything that a contract says beside the fields of records: its statements, and its rules. */
export function statementsOf({ statements, rules }: OperatorContract): Statement[] {
  const ofRules = rules.map((rule): Statement => {
    const { code, title, from } = rule;
    const says = `is a rule${title && `: ${title}`} (${enforcementPhrase(rule)})`;
    return { kind: 'rules', resource: null, types: [], field: code, says, from };
  });
  return [...statements, ...ofRules];
}

/** How a statement of a kind changes a contract when it is new, and when it is gone. */
function kindsOf({ kind, refuses_all }: Statement): readonly [come: ChangeKind, gone: ChangeKind] {
  if (refuses_all || kind === 'tightened') return ['tightened', 'loosened'];
  return [kind === 'rules' ? 'tightened' : 'changed', kind === 'needs' ? 'tightened' : 'changed'];
}

/** How something changed, and a sentence about it. */
type Said = readonly [ChangeKind, string];

/** Keywords as a person reads them; `%` is the value. */
const WORDS: Readonly<Record<Limit | 'required' | 'null' | 'wire', string>> = {
  required: 'required',
  null: 'may be null',
  minLength: 'at least % characters',
  maxLength: 'at most % characters',
  minItems: 'at least % items',
  maxItems: 'at most % items',
  minimum: 'at least %',
  exclusiveMinimum: 'greater than %',
  maximum: 'at most %',
  exclusiveMaximum: 'less than %',
  multipleOf: 'a multiple of %',
  wire: 'sent as a %',
};
const NAMES = Object.keys(WORDS) as (keyof typeof WORDS)[];

/** A keyword of a value in words; undefined where it says nothing. Only numbers have a form. */
function phrase(name: keyof typeof WORDS, value: Field): string | undefined {
  const said = name in LIMITS ? value.limits?.[name] : value[name as 'required' | 'null' | 'wire'];
  if (said === undefined || (name === 'wire' && value.kind !== 'decimal')) return undefined;
  return name === 'minLength' && said === 1 ? 'not empty' : WORDS[name].replace('%', String(said));
}

function keywordChanges(before: Field, after: Field): readonly Said[] {
  const changes = NAMES.flatMap((name): readonly Said[] => {
    const [was, is] = [phrase(name, before), phrase(name, after)];
    if (was === is) return [];
    if (name === 'null') return [is ? ['loosened', is] : ['tightened', 'never null']];
    const says = is ?? `no longer ${was}`;
    if (name === 'wire') return [['changed', says]];
    const isLooser =
      name in LIMITS && was !== undefined && is !== undefined
        ? (after.limits![name]! - before.limits![name]!) * LIMITS[name as Limit] < 0
        : is === undefined;
    return [[isLooser ? 'loosened' : 'tightened', says]];
  });
  const [a, b] = [new Set(before.patterns), new Set(after.patterns)];
  return [
    ...changes,
    ...valuesChanges(before.values, after.values),
    ...[...b.difference(a)].map((pattern): Said => ['tightened', `matches \`${pattern}\``]),
    ...[...a.difference(b)].map((pattern): Said => ['loosened', `need not match \`${pattern}\``]),
  ];
}

/** A change of a list of values. No list takes any value. */
function valuesChanges(a?: readonly string[], b?: readonly string[]): readonly Said[] {
  if (!a) return b ? [['tightened', valuesPhrase(b)]] : [];
  if (!b) return [['loosened', 'may have any value']];
  const gone = [...new Set(a).difference(new Set(b))];
  const fresh = [...new Set(b).difference(new Set(a))];
  return [
    ...(gone.length > 0 ? [['tightened', `no longer takes ${listed(gone)}`] as const] : []),
    ...(fresh.length > 0 ? [['loosened', `takes ${listed(fresh)}, too`] as const] : []),
  ];
}

function valuesPhrase(values: readonly string[]): string {
  return values.length === 1 ? `only ${listed(values)}` : `one of ${values.length} values: ${listed(values)}`;
}

function wordsOf(field: Field): string {
  const said = keywordChanges({ kind: field.kind, from: '' }, field).map(([, says]) => says);
  return [wordOf(field.kind), ...said, ...(field.open ? ['further fields pass'] : [])].join(', ');
}

/** The fields of a resource, of the interface or of a contract. */
type Described = Pick<ResourceRules, 'account' | 'fields' | 'types'>;

function interfaceFields(resource: Resource): Described {
  const { account } = DESCRIPTORS[resource];
  const types = typesOf(resource).map((type) => [type, { fields: recordFields(resource, type) }] as const);
  return {
    account: fieldUnder(account as unknown as Shape, [], {}).fields!,
    fields: recordFields(resource, null),
    ...(types.length > 0 && { types: Object.fromEntries(types) }),
  };
}

/** Fields by their paths. */
type ByPath = ReadonlyMap<string, Field>;

/** The changes of the records of a resource, and of what is around them. @param before undefined for the interface */
function recordChanges(
  resource: Resource,
  before: OperatorContract | undefined,
  after: OperatorContract,
): readonly Change[] {
  const [a, b] = [before, after].map((contract) => contract?.resources[resource]);
  const change = ([kind, says]: Said, field: string): Change => ({
    kind,
    resource,
    types: [],
    field,
    says,
    from: { old: a?.from ?? null, new: b?.from ?? null },
  });
  if (a && !b) {
    const isRefused = after.statements.some((each) => each.resource === resource && each.refuses_all);
    return isRefused ? [] : [change(['changed', 'the records are not described any more'], '')];
  }
  const { typeField } = DESCRIPTORS[resource];
  const own = interfaceFields(resource);
  const [old, now] = [a ?? own, b ?? own];
  // Types that nobody lists are any types.
  const [was, is] = [old, now].map(({ types }) => types && Object.keys(types));
  const types = is?.filter((type) => was?.includes(type) ?? true) ?? was ?? [null];
  const changesOf = (type: string | null, fieldsOf: (described: Described) => Fields): readonly Change[] => {
    const [first, second, third] = [old, now, own].map((each): ByPath => new Map(eachField(fieldsOf(each))));
    return fieldsChanges(first!, second!, third!, { resource, types: type === null ? [] : [type] });
  };
  return [
    ...changesOf(null, (described) => described.account),
    ...valuesChanges(was, is).map((each) => change(each, typeField!)),
    ...types.flatMap((type) =>
      changesOf(type, (described) => described.types?.[type ?? '']?.fields ?? described.fields).filter(
        // The value of the field that tells types apart is known.
        ({ field, contradicts }) => type === null || field !== typeField || contradicts === true,
      ),
    ),
  ];
}

function fieldsChanges(
  before: ByPath,
  after: ByPath,
  own: ByPath,
  where: Pick<Change, 'resource' | 'types'>,
): readonly Change[] {
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((field) => {
    const [a, b] = [before.get(field), after.get(field)];
    const around = field.replace(/\[\]$|\.?\w+$/, '');
    const isOwn = own.has(field);
    // What is inside of a field goes with it.
    if (around !== '' && (b ? isOwn && !before.has(around) : !after.has(around))) return [];
    const contradicts = b?.contradicts !== a?.contradicts && b?.contradicts !== undefined;
    // An object or a list around a field may be left out.
    const refuses_all = contradicts && b!.required === true && /^\w+$/.test(field);
    const why = `${b?.contradicts}${refuses_all ? ': every such record would be refused' : ''}`;
    const said: readonly Said[] = contradicts ? [['tightened', why]] : fieldChanges(a, b, isOwn);
    const from = { old: a?.from || null, new: b?.from || null };
    return said.map(([kind, says]) => ({
      ...where,
      kind,
      field,
      says,
      from,
      is_added: !a && !isOwn,
      refuses_all,
      ...(contradicts && { contradicts: true as const }),
    }));
  });
}

/** @param a undefined where there is no such field; so is `b` */
function fieldChanges(a: Field | undefined, b: Field | undefined, isOwn: boolean): readonly Said[] {
  if (!b) return [isOwn ? ['tightened', 'not a field here'] : ['removed', 'is not a field any more']];
  if (!a)
    return [
      isOwn
        ? ['loosened', 'is a field here']
        : [b.required ? 'tightened' : 'added', `is added: ${wordsOf(b)}`],
    ];
  if (a.unnamed !== b.unnamed)
    return [['changed', b.unnamed ? 'is not named here: a record with it gets a warning' : 'is named here']];
  const [was, is] = [a, b].map(({ kind }) => (kind ? wordOf(kind) : 'nothing'));
  return [
    ...(was === is ? [] : [['tightened', `is now ${is}, and was ${was}`] as const]),
    ...keywordChanges(a, b),
  ];
}
