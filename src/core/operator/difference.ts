import type { QueryFlag, ResourceDescriptor } from '../contract/descriptor.ts';
import { ENDPOINTS, type EndpointName } from '../contract/endpoints.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../contract/resources.ts';
import { typesOf } from './resource-fields.ts';
import {
  ACCOUNT_ANSWERS,
  UNTOLD,
  type FieldRules,
  type Fields,
  type OperatorContract,
  type Statement,
} from './contract.ts';
import { fieldsFor } from './listing.ts';
import { FAILS_WITHOUT, pathBefore } from './request-path.ts';
import { unreadableAnswers } from './unreadable-answers.ts';
import { limitChanges, ownChanges, valuesChanges, type ChangeKind } from './value-changes.ts';
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

/** Whether records that were accepted may be refused after a change. */
export const isTighter = ({ kind }: Change): boolean => kind === 'tightened' || kind === 'removed';

/** What changed from one contract to another, in the order of resources. */
export function differenceOf(before: OperatorContract, after: OperatorContract): readonly Change[] {
  const statements = statementChanges(before, after);
  // A contract keeps no rules of a field that contradicts the interface, so their absence is no change.
  const contradicted = statements.filter(
    (each) => (each.field !== '' || isUntold(each)) && each.from.new !== null,
  );
  const placeOf = (field: string): string => (field === '' ? '' : `${field}.`.replaceAll('[', '.'));
  const isMoot = ({ kind, resource, field }: Change): boolean =>
    field !== '' &&
    contradicted.some(
      (each) =>
        each.resource === resource &&
        placeOf(field).startsWith(placeOf(each.field)) &&
        (kind === 'loosened' || kind === 'changed' || (kind === 'removed' && isUntold(each))),
    );
  const changes = [
    ...RESOURCES.flatMap((resource) => resourceChanges(resource, before, after)).filter(
      (change) => !isMoot(change),
    ),
    ...requestChanges(before, after),
    ...accessChanges(before, after),
    ...serverChanges(before, after),
    ...statements,
    ...answerChanges(before, after),
    ...trimsChanges(before, after),
    ...ruleChanges(before, after),
  ];
  return merged(changes);
}

/** Whether a document says nothing of an object that can be checked, because its types cannot be told apart. */
const isUntold = ({ says }: Pick<Statement, 'says'>): boolean => says.includes(UNTOLD);

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
  const { typeField, endpoint }: ResourceDescriptor<never> = DESCRIPTORS[resource] as never;
  const takes = (rules: typeof a, type: string): boolean =>
    (typeField === null ? undefined : rules?.fields?.[typeField]?.values)?.includes(type) ?? true;
  // Where only one of the contracts takes a type, the values of the type field say so.
  const isTold = (type: string | null, field: string): boolean =>
    type !== null && field !== typeField && !(takes(a, type) && takes(b, type));
  const types = known.length > 0 ? known : [...named];
  const whole = { resource, type: null };
  const change = (kind: ChangeKind, field: string, says: string): Change =>
    changeOf(kind, { ...whole, field }, says, a?.from, b?.from);
  if (a && !b) {
    const isRefused = after.refusals?.some((refusal) => refusal.resource === resource);
    return isRefused ? [] : [change('changed', '', 'the records are not described any more')];
  }
  return [
    ...fieldsChanges(a?.account ?? {}, b?.account ?? {}, whole, ''),
    ...limitChanges(a?.max_records, b?.max_records, 'most').map((kind) =>
      change(kind, '', `a request has at most ${b?.max_records ?? 'any number of'} records`),
    ),
    ...(!a?.dry_run && b?.dry_run
      ? [change('added', 'dry_run', 'asks to validate and to store nothing')]
      : []),
    ...(a?.dry_run && b?.dry_run && a.dry_run.required !== b.dry_run.required
      ? [
          b.dry_run.required
            ? change('tightened', 'dry_run', 'has to be in every request')
            : change('loosened', 'dry_run', 'may be left out'),
        ]
      : []),
    ...(Object.entries(endpoint.query ?? {}) as [QueryFlag, boolean][]).flatMap(([name, isTrue]) => {
      const [was, is] = [a?.query?.[name], b?.query?.[name]];
      if (!a || !b || was === is) return [];
      return is === undefined
        ? change('loosened', '', `no longer so: ${querySays(name, was!, isTrue)}`)
        : change('tightened', '', querySays(name, is, isTrue));
    }),
    ...(a?.dry_run && !b?.dry_run ? [change('changed', 'dry_run', 'is gone')] : []),
    ...(types.length > 0 ? types : [null]).flatMap((type) =>
      fieldsChanges(fieldsFor(a ?? {}, type), fieldsFor(b ?? {}, type), { resource, type }, '').filter(
        ({ field }) => !isTold(type, field),
      ),
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
  return Object.entries(ENDPOINTS).flatMap(([name, { method, path }]) => {
    const [a, b] = [before[name as EndpointName], after[name as EndpointName]];
    const change = (kind: ChangeKind, says: string): Change =>
      changeOf(kind, { field: name }, says, a?.from, b?.from);
    if (!a || !b) {
      if (a && method === 'GET')
        return [
          change('changed', `is no request of the document any more: ${FAILS_WITHOUT[name as EndpointName]}`),
        ];
      return b ? [change('added', 'is a request of the document')] : [];
    }
    // `statementChanges` reports that a POST to a path without its last slash would be refused.
    const isTold = method === 'POST' && `${b.path}/` === a.path;
    return [
      ...(a.path === b.path || isTold ? [] : [change(...pathSays(path, a.path, b.path))]),
      ...(a.results === b.results || b.results === null || b.results === ''
        ? []
        : [change('changed', `the list of results ${renamedSays(a.results, b.results)}`)]),
      // `statementChanges` reports that results without a status cannot be read.
      ...(b.statuses?.length === 0 ? [] : valuesChanges(a.statuses, b.statuses)).map(([, says]) =>
        change('changed', `the status of a result ${says}`),
      ),
    ];
  });
}

/** Where a request is now. The base URL is a setting, so requests to another beginning fail only until it is changed. */
function pathSays(requested: string, before: string, after: string): readonly [ChangeKind, string] {
  const says = `is at \`${after}\`, and was at \`${before}\``;
  const [a, b] = [pathBefore(before, requested), pathBefore(after, requested)];
  if (a === b || a === undefined || b === undefined) return ['changed', says];
  const advice = b === '' ? `does not end with \`${a}\` any more` : `ends with \`${b}\``;
  return ['tightened', `${says}: requests fail until the base URL ${advice}`];
}

/** What has a name now, and what it was. */
function renamedSays(before: string | null | undefined, after: string | undefined): string {
  const named = (name: typeof before, otherwise: string): string => (name ? `\`${name}\`` : otherwise);
  return `is ${named(after, 'not named any more')}, and was ${named(before, 'not named')}`;
}

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
    const says = renamedSays(a?.name, b?.name);
    // The place of a key does not say which word is before it.
    const isWord = (each: typeof a): boolean => each !== undefined && !each.name.includes(' ');
    return isWord(a) && isWord(b)
      ? [changeOf('tightened', { field }, `${says}: a push fails until ${setting} says so`, a?.from, b?.from)]
      : [changeOf('changed', { field }, says, a?.from, b?.from)];
  });
}

/** The base URL is a setting, so nobody knows whether requests go to another server. An earlier version did not keep the servers. */
function serverChanges(
  { servers: before }: OperatorContract,
  { servers: after }: OperatorContract,
): readonly Change[] {
  if (!before || !after || new Set(before).symmetricDifference(new Set(after)).size === 0) return [];
  const named = (urls: readonly string[]): string => (urls.length === 0 ? 'none' : listed(urls));
  const says = `the servers are ${named(after)}, and were ${named(before)}: compare the base URL`;
  return [changeOf('changed', { field: 'servers' }, says, '/servers', '/servers')];
}

/** Why every push would fail, and where a document contradicts the interface. */
function statementChanges(old: OperatorContract, now: OperatorContract): readonly Change[] {
  // An earlier version of this program listed no answers among the refusals. One that is listed twice is one change.
  const refusalsOf = (contract: OperatorContract): Statements =>
    contract.refusals && [...contract.refusals, ...unreadableAnswers(contract)];
  return [
    ...comeAndGone(refusalsOf(old), refusalsOf(now), ['tightened', 'loosened']),
    ...comeAndGone(old.contradictions, now.contradictions, ['changed', 'changed']),
  ];
}

/** Undefined where an earlier version of this program wrote the contract. Then nothing is known to have changed. */
type Statements = readonly Statement[] | undefined;

function comeAndGone(
  before: Statements,
  after: Statements,
  [come, gone]: readonly [ChangeKind, ChangeKind],
): readonly Change[] {
  if (!before || !after) return [];
  const isSame = (a: Statement, b: Statement): boolean =>
    a.resource === b.resource && a.says === b.says && (a.field ?? b.field) === (b.field ?? a.field);
  const without = (list: readonly Statement[], others: readonly Statement[]): readonly Statement[] =>
    list.filter((each) => !others.some((other) => isSame(each, other)));
  const told = (
    kind: ChangeKind,
    { resource, types = [], field = '' }: Statement,
    says: string,
    ...from: [before?: string, after?: string]
  ): Change => ({ ...changeOf(kind, { resource, field }, says, ...from), types });
  return [
    ...without(after, before).map((each) => told(come, each, each.says, undefined, each.from)),
    ...without(before, after).map((each) => told(gone, each, `no longer so: ${each.says}`, each.from)),
  ];
}

function answerChanges(before: OperatorContract, after: OperatorContract): readonly Change[] {
  return ACCOUNT_ANSWERS.flatMap((answer) => {
    const [a, b] = [before.account_number[answer], after.account_number[answer]];
    if (a?.name === b?.name) return [];
    const says = `the account number ${renamedSays(a?.name, b?.name)}`;
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
  // When the requests of a rule are gone too, nothing became looser.
  const gone = before.rules.filter(
    ({ code, resources }) =>
      !has(after, code) &&
      (resources?.some(
        (each) =>
          after.resources[each] &&
          !after.contradictions?.some((one) => one.resource === each && isUntold(one)),
      ) ??
        true),
  );
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
    ...gone.map(({ code, from }) => changeOf('loosened', { field: code }, 'is no rule any more', from)),
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
