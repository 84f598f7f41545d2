import { DEFAULT_ACCOUNT_NUMBER_FIELD } from '../../../core/contract/account-number.ts';
import type { Endpoint } from '../../../core/contract/descriptor.ts';
import { ENDPOINTS, type EndpointName } from '../../../core/contract/endpoints.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../../core/contract/resources.ts';
import {
  ACCOUNT_ANSWERS,
  type AccountAnswer,
  type OperatorContract,
  type ResourceRules,
} from '../../../core/operator/contract.ts';
import { inside, type Where } from '../finding.ts';
import { keyword, memberOf, membersOf, pointerOf, type Located } from '../../../core/operator/located.ts';
import { fieldAt, partsOf } from '../../../core/operator/fields.ts';
import { authorizationIn } from './access.ts';
import { readAnswers } from './answers.ts';
import { bodySchema } from './body-schema.ts';
import { collectSchemas } from './collect.ts';
import { serversOf } from './document.ts';
import { readParameters } from './parameters.ts';
import type { ReadOperation, Reading } from './reading.ts';
import { resolve } from './references.ts';
import { readValidators } from './validators.ts';

/** The parts of a contract that are read from the requests of a document. */
export type ReadInterface = Pick<OperatorContract, 'resources' | 'account_number' | 'authorization'>;

const ACCOUNT_FIELDS: readonly string[] = ['import_supplier', 'external_account_number'];

/** The requests, and the answers in which they show the account number. The lists of accounts have the same form. */
const READ: readonly Readonly<{
  name: EndpointName;
  resource: Resource | null;
  number?: AccountAnswer | undefined;
}>[] = [
  ...RESOURCES.map((resource) => ({
    name: DESCRIPTORS[resource].endpoint.name as EndpointName,
    resource,
    number: ACCOUNT_ANSWERS.find((name) => name === resource),
  })),
  { name: 'accountTransferStatus', resource: null, number: 'account-transfer-status' },
  { name: 'allAccountImportProcesses', resource: null, number: 'account-import-processes' },
  { name: 'pendingAccountImportProcesses', resource: null },
  { name: 'importedAccountImportProcesses', resource: null },
];

/** What fails on a platform without a request that asks about accounts. A push sends none of them. */
const FAILS_WITHOUT: Readonly<Partial<Record<EndpointName, string>>> = {
  accountTransferStatus: '`status` fails',
  allAccountImportProcesses: '`accounts` fails, and `migrate` sends nothing',
  pendingAccountImportProcesses: '`accounts --state pending` fails',
  importedAccountImportProcesses: '`accounts --imported` fails',
};

/** Reads the endpoints of the interface. @throws AppError `document_invalid` when the document has none of them */
export function readOperations(reading: Reading): ReadInterface {
  const resources: OperatorContract['resources'] = {};
  const numbers: OperatorContract['account_number'] = {};
  const operations: Located[] = [];
  const { findings } = reading;
  for (const { name, resource, number } of READ) {
    const where = { resource, types: [], field: resource === null ? name : '' };
    const found = operationAt(ENDPOINTS[name], where, reading);
    if (!found) continue;
    const { operation, path } = found;
    operations.push(operation);
    const query = readParameters(found, where, reading);
    if (resource !== null) {
      readValidators(operation, reading, where);
      const read = readRequest(resource, operation, reading);
      if (read) resources[resource] = { ...read, ...(Object.keys(query).length > 0 && { query }) };
    }
    const { statuses, number: named } = readAnswers(found, number, where, reading);
    const isAt = `is at \`${comparablePath(path)}\`: compare the base URL`;
    const ofRequest = { resource: null, types: [], field: name };
    findings.add(resource === null ? 'says' : 'needs', ofRequest, isAt, operation.path);
    for (const status of statuses) findings.add('says', ofRequest, `answers with ${status}`, operation.path);
    if (!number || !named) continue;
    numbers[number] = named;
    const says = `the account number is \`${named.name}\``;
    if (named.name !== DEFAULT_ACCOUNT_NUMBER_FIELD)
      findings.add('names', { resource: null, types: [], field: number }, says, named.from);
  }
  if (operations.length === 0) {
    const todo = `Check that it is the document of the data import interface: it has paths such as \`${DESCRIPTORS.notes.endpoint.path}\`.`;
    const reason = 'the document describes no request of the data import interface';
    throw reading.document.failure(['paths'], reason, todo);
  }
  for (const url of serversOf(reading.document.root)) {
    const says = `a server is ${url}: compare the base URL`;
    findings.add('says', { resource: null, types: [], field: 'servers' }, says, '/servers');
  }
  return { resources, account_number: numbers, authorization: authorizationIn(reading, operations) };
}

function readRequest(
  resource: Resource,
  operation: Located,
  reading: Reading,
): Omit<ResourceRules, 'query'> | undefined {
  const where = { resource, types: [], field: '' };
  const { findings, schemas } = reading;
  const schema = bodySchema(operation, where, reading);
  if (!schema) return undefined;
  const types = collectSchemas(schema, resource, reading);
  const { list } = DESCRIPTORS[resource];
  const body = pointerOf(schema.path);
  const request = fieldAt([body], schemas);
  const { from, isOpen, fields = {} } = request;
  if (request.kind !== 'object') {
    const says = 'the body of a request is not an object, and an object in the interface';
    if (request.kind !== 'json') findings.addRefusal('contradicts', where, says, from);
    else findings.add('not_understood', where, 'the body of a request is not described as an object', from);
    return undefined;
  }
  for (const name of ACCOUNT_FIELDS)
    if (!isOpen && !fields[name]?.at[0])
      findings.addRefusal('contradicts', where, `the request has no \`${name}\`, which is always sent`, from);
  const flag = fields['dry_run'];
  const isSaid = flag && (flag.required || isTrueByDefault(schema, 'dry_run', reading));
  if (flag) {
    const says = `requests ${isSaid ? 'have to' : 'may'} say it`;
    findings.add('changed', inside(where, 'dry_run'), says, flag.from);
  }
  const read = {
    from,
    body,
    ...(types && { types }),
    ...(flag && { dry_run: { from: flag.from, ...(isSaid && { required: true as const }) } }),
  };
  if (list === null) return { ...read, record: body };
  const records = fields[list];
  // A list may be required and not described.
  if (!records?.at[0]) {
    const other = Object.keys(fields).find((name) => fields[name]!.kind === 'list');
    const says = `the body of the request has no list \`${list}\`${other === undefined ? '' : `, but \`${other}\``}`;
    findings[isOpen ? 'add' : 'addRefusal']('not_understood', where, says, from);
    return undefined;
  }
  for (const [name, { required, from: at }] of Object.entries(fields)) {
    if (name === list || name === 'dry_run' || ACCOUNT_FIELDS.includes(name)) continue;
    const says = `${required ? 'is required' : 'stands'} beside the records, where nothing can be sent`;
    findings[required ? 'addRefusal' : 'add']('not_understood', inside(where, name), says, at);
  }
  const { fields: { '[]': item } = {}, maxItems: most } = records;
  if (most !== undefined) findings.add('changed', where, `a request has at most ${most} records`, from);
  if (item?.kind !== 'object') {
    const says = 'the records are not described as objects: nothing of them is applied';
    findings.add('not_understood', where, says, item?.from ?? from);
  }
  return {
    ...read,
    ...(most !== undefined && { max_records: most }),
    ...(item?.kind === 'object' && { record: item.at[0]! }),
  };
}

/** Whether a flag of a body is true where nobody says it. */
function isTrueByDefault(schema: Located, name: string, { document }: Reading): boolean {
  const root = document.root.value;
  const behind = (schemas: readonly Located[]): readonly Located[] => partsOf(schemas, root)?.all ?? [];
  const flags = keyword(behind([schema]), 'properties').flatMap((each) => memberOf(each, name) ?? []);
  return keyword(behind(flags), 'default').some(({ value }) => value === true);
}

/** Finds the request of an endpoint. Undefined when the document has none where requests go; the reason is a finding. */
function operationAt(
  endpoint: Endpoint,
  where: Where,
  { document, findings }: Reading,
): ReadOperation | undefined {
  const { path, method } = endpoint;
  const paths = membersOf(memberOf(document.root, 'paths')).map((each) => ({
    ...each,
    present: comparablePath(each.key),
  }));
  const wanted = comparablePath(path);
  // A push sends POST requests alone.
  const note = (kind: 'contradicts' | 'not_understood', says: string, from: Located['path']): void =>
    method === 'POST'
      ? findings.addRefusal(kind, where, says, from)
      : findings.add(kind, where, `${says}: ${FAILS_WITHOUT[where.field as EndpointName]}`, from);
  const found =
    paths.find(({ present }) => present === wanted) ??
    // The version and what is before it may be a part of the server's address.
    paths.find(({ present }) => wanted.endsWith(present) && present.includes('/data-import/')) ??
    paths.find(({ present }) => present.endsWith(wanted));
  const item = found && resolve(found, document);
  const operation = item && memberOf(item, method.toLowerCase());
  if (!found || !operation) {
    const others = membersOf(item).filter(({ key }) => METHODS.test(key));
    const moved = paths.find(({ present }) => unversioned(present) === unversioned(wanted));
    const instead =
      others.length > 0 ? others.map(({ key }) => key.toUpperCase()) : moved ? [`\`${moved.key}\``] : [];
    const says = `the document has no ${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}${instead.length > 0 ? `, but ${instead.join(', ')}` : ''}`;
    note('not_understood', says, (found ?? moved)?.path ?? ['paths']);
    return undefined;
  }
  if (!found.key.endsWith('/')) {
    const says = `the path \`${found.key}\` ends without a slash, and \`${path}\` with one in requests`;
    note('contradicts', says, found.path);
  }
  const { present } = found;
  const prefix = wanted.slice(0, Math.max(wanted.length - present.length, 0));
  const isBelow = (url: string): boolean => url.replace(/\/$/, '').endsWith(prefix);
  const servers = [operation, item, document.root].flatMap(serversOf);
  if (present !== wanted && (prefix === '' || !servers.some(isBelow))) {
    const before = present.endsWith(wanted) ? present.slice(0, -wanted.length) : '';
    const advice = before ? `: let the base URL end with \`${before}\`` : ', below the base URL';
    const says = `the path is \`${found.key}\`; requests go to \`${path}\`${advice}`;
    findings.add('contradicts', where, says, found.path);
  }
  return { endpoint, path: found.key, item, operation };
}

const METHODS = /^(?:get|put|post|delete|options|head|patch|trace)$/;

/** A path without its version. */
const unversioned = (path: string): string => path.replace(/\/v\d+(?=\/)/, '');

/** A path without the names of its segments and without its last slash. */
const comparablePath = (path: string): string => path.replaceAll(/\{[^}]*\}|:\w+/g, '*').replace(/\/$/, '');
