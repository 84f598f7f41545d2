import { ENDPOINTS, type EndpointName } from '../../../core/contract/endpoints.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../../core/contract/resources.ts';
import {
  ACCOUNT_ANSWERS,
  type AccountAnswer,
  type OperatorContract,
  type RequestRules,
} from '../../../core/operator/contract.ts';
import { pointerOf, Findings, inside, type Where } from '../../../core/operator/finding.ts';
import { comparablePath, FAILS_WITHOUT, pathBefore } from '../../../core/operator/request-path.ts';
import { querySays } from '../../../core/operator/words.ts';
import { authorizationIn } from './access.ts';
import { readAnswers } from './answers.ts';
import { bodySchema } from './body-schema.ts';
import { memberOf, membersOf, serversOf, type Located } from './document.ts';
import { readSchema } from './read-value.ts';
import type { ReadMember, ReadMembers, ReadValue, Reading } from './reading.ts';
import { resolve, usedAt } from './references.ts';
import { noteRest, type ReadOperation, METHODS, noteOperation } from './unread-parts.ts';
import { readValidators } from './validators.ts';
import type { Endpoint, QueryDefaults, QueryFlag } from '../../../core/contract/descriptor.ts';

/** The requests of one resource, as the document describes them. */
export interface ReadResource {
  readonly from: string;
  /** The supplier and the account number. */
  readonly account: ReadonlyMap<string, ReadMember>;
  /** Undefined when the records were not understood. */
  readonly record: ReadValue | undefined;
  readonly maxRecords: number | undefined;
  readonly dryRun: ReadMember | undefined;
  /** What a request without a query parameter means, where the interface says something else or a request has to have it. */
  readonly query?: QueryDefaults;
}

/** The part of the document that describes the interface. */
export interface ReadInterface extends Pick<OperatorContract, 'authorization'> {
  readonly resources: ReadonlyMap<Resource, ReadResource>;
  readonly accountNumbers: ReadonlyMap<AccountAnswer, { readonly name: string; readonly from: string }>;
  readonly requests: ReadonlyMap<EndpointName, RequestRules>;
}

const ACCOUNT_FIELDS: readonly string[] = ['import_supplier', 'external_account_number'];

/** Reads the endpoints of the interface. @throws AppError `operator_document_invalid` when the document has none of them */
export function readOperations(reading: Reading): ReadInterface {
  const resources = new Map<Resource, ReadResource>();
  const accountNumbers = new Map<AccountAnswer, { name: string; from: string }>();
  const requests = new Map<EndpointName, RequestRules>();
  const operations: PlacedOperation[] = [];
  const noteAnswer = (
    name: EndpointName,
    read: PlacedOperation,
    number: AccountAnswer | undefined,
    where: Where,
  ): void => {
    operations.push(read);
    const { statuses, number: found } = readAnswers(read, number, where, reading);
    requests.set(name, { from: pointerOf(read.operation.path), path: read.path, statuses });
    if (number && found) accountNumbers.set(number, found);
  };
  for (const resource of RESOURCES) {
    const where = { resource, type: null, field: '' };
    const found = operationAt(DESCRIPTORS[resource].endpoint, where, reading);
    if (!found) continue;
    readValidators(found.operation, reading, where);
    const read = readRequest(resource, found.operation, reading);
    if (read) resources.set(resource, { ...read, query: queryIn(found, where, reading) });
    const number = ACCOUNT_ANSWERS.find((name) => name === resource);
    noteAnswer(DESCRIPTORS[resource].endpoint.name as EndpointName, found, number, where);
  }
  if (operations.length === 0) {
    const todo = `Check that it is the document of the data import interface: it has paths such as \`${DESCRIPTORS.notes.endpoint.path}\`.`;
    throw reading.document.failure(
      ['paths'],
      'the document describes no request of the data import interface',
      todo,
    );
  }
  for (const [name, number] of QUERIES) {
    const where = { resource: null, type: null, field: name };
    const found = operationAt(ENDPOINTS[name], where, reading);
    if (found) noteAnswer(name, found, number, where);
  }
  const authorization = authorizationIn(
    reading,
    operations.map(({ operation }) => operation),
  );
  noteRest(operations, reading);
  return { resources, accountNumbers, requests, authorization };
}

/** The requests that ask for accounts, and the answer in which they show the account number. The lists have the same form. */
const QUERIES: readonly (readonly [EndpointName, AccountAnswer?])[] = [
  ['accountTransferStatus', 'account-transfer-status'],
  ['allAccountImportProcesses', 'account-import-processes'],
  ['pendingAccountImportProcesses'],
  ['importedAccountImportProcesses'],
];

/** The query parameters that every request has to say. */
function queryIn(
  { endpoint, item, operation }: PlacedOperation,
  where: Where,
  { document, findings }: Reading,
): QueryDefaults {
  const parameters = [operation, item]
    .flatMap((holder) => membersOf(memberOf(holder, 'parameters')))
    .map((each) => resolve(each, document))
    .filter((each) => memberOf(each, 'in')?.value === 'query');
  const said = (Object.entries(endpoint.query ?? {}) as [QueryFlag, boolean][]).flatMap(([name, own]) => {
    const found = parameters.find((each) => memberOf(each, 'name')?.value === name);
    if (!found) return [];
    const schema = memberOf(found, 'schema');
    const stated = schema && memberOf(resolve(schema, document), 'default')?.value;
    const byDefault = typeof stated === 'boolean' ? stated : own;
    const isRequired = memberOf(found, 'required')?.value === true;
    if (byDefault === own && !isRequired) return [];
    findings.add('tightens', where, querySays(name, byDefault, own), found.path);
    return [[name, byDefault] as const];
  });
  return Object.fromEntries(said);
}

function readRequest(resource: Resource, operation: Located, reading: Reading): ReadResource | undefined {
  const where = { resource, type: null, field: '' };
  const { findings } = reading;
  const schema = bodySchema(operation, where, reading);
  if (!schema) return undefined;
  const { list } = DESCRIPTORS[resource];
  const from = pointerOf(schema.path);
  // The records are read once more by themselves, so that findings name the fields of a record.
  const around = list === null ? findings : new Findings();
  const request = readSchema(schema, where, { ...reading, findings: around });
  if (list !== null) findings.take(around, ({ field }) => !field.startsWith(`${list}[]`));
  if (!request?.members) {
    const says = 'the body of a request is not an object, and an object in the interface';
    if (request) findings.addRefusal('contradicts', where, says, from);
    return undefined;
  }
  const { fields } = request.members;
  const account = new Map(
    ACCOUNT_FIELDS.flatMap((name) => (fields.has(name) ? [[name, fields.get(name)!]] : [])),
  );
  const branches = [...(request.types?.of.values() ?? [])].map(({ members }) => members?.fields);
  const describes = (name: string): boolean => [fields, ...branches].some((each) => each?.has(name));
  const { others } = request.members;
  for (const name of ACCOUNT_FIELDS)
    if (others !== 'any' && !describes(name))
      findings.addRefusal('contradicts', where, `the request has no \`${name}\`, which is always sent`, from);
  const dryRun = fields.get('dry_run');
  if (list === null) {
    return { from, account, maxRecords: undefined, dryRun, record: withoutAccount(request) };
  }
  const value = fields.get(list)?.value;
  const noList = `the body of the request has no list \`${list}\``;
  if (!describes(list)) {
    const [other] = [...fields].find(([, each]) => each.value?.kind === 'list') ?? [];
    const says = other === undefined ? noList : `${noList}, but \`${other}\``;
    if (others === 'any') findings.add('not_understood', where, says, from);
    else findings.addRefusal('not_understood', where, says, from);
    return undefined;
  }
  for (const [name, member] of fields) {
    if (name === list || name === 'dry_run' || ACCOUNT_FIELDS.includes(name)) continue;
    const at = inside(where, name);
    if (member.isRequired) {
      const says = 'is required beside the records, where nothing can be sent';
      findings.addRefusal('not_understood', at, says, member.from);
    } else {
      const says = 'stands beside the records, where nothing can be sent';
      findings.add('not_understood', at, says, member.from);
    }
  }
  const items = schemaOfItems(schema, list, reading);
  if (!items || !value) {
    findings.add('not_understood', where, noList, from);
    return { from, account, maxRecords: undefined, dryRun, record: undefined };
  }
  return { from, account, maxRecords: value.maxItems, dryRun, record: readSchema(items, where, reading) };
}

/** The record of a request that has one record beside its account. */
function withoutAccount(request: ReadValue): ReadValue {
  const without = (value: ReadValue): ReadValue => ({
    ...value,
    ...(value.members && { members: membersWithout(value.members) }),
    ...(value.types && {
      types: {
        by: value.types.by,
        of: new Map([...value.types.of].map(([type, inner]) => [type, without(inner)])),
      },
    }),
  });
  return without(request);
}

function membersWithout({ fields, others }: ReadMembers): ReadMembers {
  const own = [...fields].filter(([name]) => name !== 'dry_run' && !ACCOUNT_FIELDS.includes(name));
  return { fields: new Map(own), others };
}

/** The schema of the items of the list with the records. */
function schemaOfItems(request: Located, list: string, reading: Reading): Located | undefined {
  const { document } = reading;
  const seen: Located[] = [request];
  for (const located of seen) {
    const schema = resolve(located, document);
    const property = memberOf(memberOf(schema, 'properties') ?? schema, list);
    const found = property && firstItems(property, reading);
    if (found) return found;
    seen.push(...membersOf(memberOf(schema, 'allOf')));
    if (seen.length > 100) return undefined;
  }
  return undefined;
}

function firstItems(array: Located, reading: Reading): Located | undefined {
  const schema = resolve(array, reading.document);
  const items = memberOf(schema, 'items');
  if (items) return items;
  for (const part of membersOf(memberOf(schema, 'allOf'))) {
    const found = firstItems(part, reading);
    if (found) return found;
  }
  return undefined;
}

/** A request of the interface, and its path in the document. */
type PlacedOperation = ReadOperation & { readonly path: string };

/** Finds the request of an endpoint. Undefined when the document has none where requests go; the reason is a finding. */
function operationAt(endpoint: Endpoint, where: Where, reading: Reading): PlacedOperation | undefined {
  const { path, method } = endpoint;
  const { document, findings } = reading;
  const paths = membersOf(memberOf(document.root, 'paths'));
  const wanted = comparablePath(path);
  // A push sends POST requests alone.
  const note = (kind: 'contradicts' | 'not_understood', says: string, from: string): void =>
    method === 'POST'
      ? findings.addRefusal(kind, where, says, from)
      : findings.add(kind, where, `${says}: ${FAILS_WITHOUT[where.field as EndpointName]}`, from);
  const found =
    paths.find(({ key }) => comparablePath(key) === wanted) ??
    // The version and what is before it may be a part of the server's address.
    paths.find(
      ({ key }) => wanted.endsWith(comparablePath(key)) && comparablePath(key).includes('/data-import/'),
    ) ??
    paths.find(({ key }) => comparablePath(key).endsWith(wanted));
  const item = found && usedAt(found, reading);
  const operation = item && memberOf(item, method.toLowerCase());
  if (!found || !operation) {
    const others = found && membersOf(item!).filter(({ key }) => METHODS.includes(key));
    const moved = paths.find(({ key }) => unversioned(comparablePath(key)) === unversioned(wanted));
    const instead =
      others && others.length > 0
        ? `, but ${others.map(({ key }) => key.toUpperCase()).join(', ')}`
        : moved
          ? `, but \`${moved.key}\``
          : '';
    const says = `the document has no ${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}${instead}`;
    note('not_understood', says, pointerOf((found ?? moved)?.path ?? ['paths']));
    return undefined;
  }
  if (!found.key.endsWith('/')) {
    const says = `the path \`${found.key}\` ends without a slash, and \`${path}\` with one in requests`;
    note('contradicts', says, pointerOf(found.path));
  }
  notePath(endpoint, { ...found, holders: [operation, item, document.root] }, where, reading);
  const read = { endpoint, item, operation };
  noteOperation(read, where, reading);
  return { ...read, path: found.key };
}

/** Says how the path of a request differs from the path that requests go to. */
function notePath(
  { path }: Endpoint,
  found: Located & { key: string; holders: readonly Located[] },
  where: Where,
  { findings }: Reading,
): void {
  const [wanted, present] = [comparablePath(path), comparablePath(found.key)];
  const prefix = wanted.slice(0, Math.max(wanted.length - present.length, 0));
  const isElsewhere =
    present !== wanted && (prefix === '' || !found.holders.some((holder) => isBelow(prefix, holder)));
  if (!isElsewhere) return;
  const before = pathBefore(found.key, path);
  const advice = before ? `: let the base URL end with \`${before}\`` : ', below the base URL';
  const says = `the path is \`${found.key}\`; requests go to \`${path}\`${advice}`;
  findings.add('contradicts', where, says, found.path);
}

/** Whether the address of a server ends with the beginning of a path. */
function isBelow(prefix: string, holder: Located): boolean {
  return serversOf(holder).some((url) => url.replace(/\/$/, '').endsWith(prefix));
}

/** A path without its version. */
const unversioned = (path: string): string => path.replace(/\/v\d+(?=\/)/, '');
