import type * as z from 'zod/mini';
import { ACCOUNT_FIELDS, accountFields, envelope } from '../../../core/contract/account.ts';
import type { Endpoint, QueryDefaults, QueryFlag } from '../../../core/contract/descriptor.ts';
import { ENDPOINTS, type EndpointName } from '../../../core/contract/endpoints.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../../core/contract/resources.ts';
import {
  type AccountAnswer,
  type OperatorContract,
  type ResourceRules,
} from '../../../core/operator/contract.ts';
import { inside, type Where } from '../finding.ts';
import { keyword, memberOf, membersOf, partAt, type Located } from './located.ts';
import { fieldsOfTypes, fieldUnder, keywordPhrase, partsOf, recordField } from './fields.ts';
import { typesOf, type Shape } from '../../../core/operator/narrow.ts';
import { childOf } from '../../../core/values/plain-json.ts';
import { readAnswers, bodySchema } from './bodies.ts';
import { collectSchemas, readValidators, type PointersByType } from './collect.ts';
import { type ReadOperation, type Reading, resolve } from './document.ts';
import { TOKEN_SCHEME } from '../../../core/contract/token.ts';

/** Requests that ask about accounts, and what fails on a platform without them. */
const QUESTIONS: Partial<Record<EndpointName, string>> = {
  accountTransferStatus: '`status` fails',
  allAccountImportProcesses: '`accounts` fails, and `migrate` sends nothing',
  pendingAccountImportProcesses: '`accounts --state pending` fails',
  importedAccountImportProcesses: '`accounts --state imported` fails',
};

/** The answers that contain the account number. Further lists of accounts have the form of the first. */
const NUMBERS: Partial<Record<EndpointName, AccountAnswer>> = {
  accountTransferStatus: 'account-transfer-status',
  allAccountImportProcesses: 'account-import-processes',
  createPaymentInstruction: 'payment-instructions',
};

/** Reads the endpoints of the interface. @throws AppError `document_invalid` when the document has none of them */
export function readOperations(
  reading: Reading,
): Pick<OperatorContract, 'resources' | 'account_number' | 'authorization'> {
  const resources: OperatorContract['resources'] = {};
  const numbers: OperatorContract['account_number'] = {};
  const operations: Located[] = [];
  const pushes = RESOURCES.map(
    (resource) => [DESCRIPTORS[resource].endpoint.name as EndpointName, resource] as const,
  );
  const questions = Object.keys(QUESTIONS).map((name) => [name as EndpointName, null] as const);
  for (const [name, resource] of [...pushes, ...questions]) {
    const where = { resource, types: [], field: resource === null ? name : '' };
    const found = operationAt(name, where, reading);
    if (!found) continue;
    const { operation, path } = found;
    operations.push(operation);
    const query = readParameters(found, where, reading);
    if (resource !== null) {
      readValidators(operation, reading, where);
      const read = readRequest(resource, operation, reading);
      if (read) resources[resource] = { ...read, ...(Object.keys(query).length > 0 && { query }) };
    }
    const number = NUMBERS[name];
    const named = readAnswers(found, number, where, reading);
    if (number && named !== undefined) numbers[number] = named;
    const isAt = `is at \`${comparablePath(path)}\`: compare the base URL`;
    const ofRequest = { resource: null, types: [], field: name };
    reading.note(resource === null ? 'says' : 'needs', ofRequest, isAt, operation.at);
  }
  if (operations.length === 0) {
    const todo = `Check that it is the document of the data import interface: it has paths such as \`${DESCRIPTORS.notes.endpoint.path}\`.`;
    const reason = 'the document describes no request of the data import interface';
    throw reading.document.failure('/paths', reason, todo);
  }
  for (const { value, at } of membersOf(memberOf(reading.document.root, 'servers'))) {
    const says = `a server is ${String(childOf(value, 'url'))}: compare the base URL`;
    reading.note('says', { resource: null, types: [], field: 'servers' }, says, at);
  }
  return { resources, account_number: numbers, authorization: authorizationIn(reading, operations) };
}

function readRequest(
  resource: Resource,
  operation: Located,
  reading: Reading,
): Omit<ResourceRules, 'query'> | undefined {
  const where = { resource, types: [], field: '' };
  const { note, schemas } = reading;
  const schema = bodySchema(operation, where, reading);
  if (!schema) return undefined;
  const types = collectSchemas(schema, resource, reading);
  const { list } = DESCRIPTORS[resource];
  const body = schema.at;
  const request = fieldUnder(
    (envelope(list) as z.ZodMiniObject).shape as Shape,
    [partAt(body, schemas)],
    schemas,
  );
  const { from, open, fields = {} } = request;
  if (request.contradicts !== undefined) {
    note('contradicts', where, `the body of a request ${request.contradicts}`, from, true);
    return undefined;
  }
  const names = Object.keys(accountFields);
  for (const name of names.filter((each) => fields[each]!.unnamed))
    note('contradicts', where, `the request has no \`${name}\`, which is always sent`, from, true);
  const flag = fields['dry_run'];
  const isSaid = flag && (flag.required || isTrueByDefault(schema, 'dry_run', reading));
  if (flag) {
    const says = `requests ${isSaid ? 'have to' : 'may'} say it`;
    note('changed', inside(where, 'dry_run'), says, flag.from);
  }
  const read = {
    body,
    ...(flag && { dry_run: isSaid ? ('required' as const) : ('optional' as const) }),
    // A request names its account, whatever the document says.
    account: Object.fromEntries(names.map((name) => [name, { ...fields[name]!, unnamed: undefined }])),
  };
  if (list === null) return { ...read, ...recordsOf(resource, body, types, reading) };
  const { fields: { '[]': item } = {}, limits, contradicts, from: ofRecords } = fields[list]!;
  // A list that is not described has no place of its own.
  if (ofRecords === from || contradicts !== undefined) {
    const other = Object.keys(fields).find((name) => name !== list && fields[name]!.kind === 'list');
    const says = `the body of the request has no list \`${list}\`${other === undefined ? '' : `, but \`${other}\``}`;
    note('not_understood', where, says, from, !open);
    return undefined;
  }
  for (const [name, { required, from: at }] of Object.entries(fields)) {
    if (name === list || name === 'dry_run' || ACCOUNT_FIELDS.has(name)) continue;
    const says = `${required ? 'is required' : 'stands'} beside the records, where nothing can be sent`;
    note('not_understood', inside(where, name), says, at, required);
  }
  const most = limits?.['maxItems'];
  if (most !== undefined) note('changed', where, `a request has at most ${most} records`, from);
  if (item?.kind !== 'object') {
    const says = 'the records are not described as objects: nothing of them is applied';
    note('not_understood', where, says, item?.from ?? from);
  }
  return {
    ...read,
    ...recordsOf(resource, item?.kind === 'object' ? item.from : undefined, types, reading),
    ...(most !== undefined && { max_records: most }),
  };
}

/** The fields of records, by the pointers of their schemas. */
function recordsOf(
  resource: Resource,
  record: string | undefined,
  ofTypes: PointersByType,
  { note, schemas }: Reading,
): Pick<ResourceRules, 'record' | 'fields' | 'types'> {
  const known = typesOf(resource);
  const names =
    known.length > 0 ? known.filter((type) => !ofTypes || type in ofTypes) : Object.keys(ofTypes ?? {});
  const under = (type: string | null, own?: string) => {
    const { fields = {}, limits = {}, keywords = [] } = recordField(resource, type, [record, own], schemas);
    const where = { resource, types: type === null ? [] : [type], field: '' };
    for (const said of [...Object.entries(limits).map((each) => each.join(': ')), ...keywords])
      note('tightened', where, keywordPhrase(said), own ?? record ?? '');
    return { ...(own !== undefined && { record: own }), fields };
  };
  const types = names.map((type) => [type, under(type, ofTypes?.[type])] as const);
  return {
    ...(record !== undefined && { record }),
    fields: types.length > 0 ? fieldsOfTypes(types.map(([, { fields }]) => fields)) : under(null).fields,
    ...(types.length > 0 && { types: Object.fromEntries(types) }),
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
  name: EndpointName,
  where: Where,
  { document, note }: Reading,
): ReadOperation | undefined {
  const { path, method } = ENDPOINTS[name];
  const wanted = comparablePath(path);
  const fails = QUESTIONS[name];
  const deny = (says: string, from: string): void =>
    note('contradicts', where, fails ? `${says}: ${fails}` : says, from, !fails);
  const paths = membersOf(memberOf(document.root, 'paths')).map((each) => ({
    ...each,
    present: comparablePath(each.key),
  }));
  const found =
    paths.find(({ present }) => present === wanted) ??
    // The version and what is before it may be a part of the server's address.
    paths.find(({ present }) => wanted.endsWith(present) && present.includes('/data-import/')) ??
    paths.find(({ present }) => present.endsWith(wanted));
  const item = found && resolve(found, document);
  const operation = item && memberOf(item, method.toLowerCase());
  if (!found || !operation) {
    deny(`the document has no ${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`, found?.at ?? '/paths');
    return undefined;
  }
  const { present, key, at } = found;
  if (!key.endsWith('/'))
    deny(`the path \`${key}\` ends without a slash, and \`${path}\` with one in requests`, at);
  // What is before may be a part of the server's address, and so may the version.
  if (present !== wanted) {
    const before = present.endsWith(wanted) ? present.slice(0, -wanted.length) : '';
    const advice = before ? `: let the base URL end with \`${before}\`` : ', below the base URL';
    const says = `the path is \`${key}\`; requests go to \`${path}\`${advice}`;
    note(before ? 'contradicts' : 'changed', where, says, at);
  }
  return { name, path: key, item, operation };
}

/** A path without the names of its segments and without its last slash. */
const comparablePath = (path: string): string => path.replaceAll(/\{[^}]*\}|:\w+/g, '*').replace(/\/$/, '');

/** Parameters that requests have: those of the path, and headers that a document cannot describe (OpenAPI 3.0.3, "Parameter Object"). */
const SENT = /^(?:path .*|header (?:accept|content-type|authorization))$/i;

/**
 * Reads the parameters of a request. An operation has the parameters of its path, but for those that it describes itself.
 * Returns the query parameters that every request has to say, with what a request without them means.
 */
function readParameters(
  { name: request, item, operation }: ReadOperation,
  where: Where,
  { document, note }: Reading,
): QueryDefaults {
  const { method, query = {} }: Endpoint = ENDPOINTS[request];
  const all = [item, operation]
    .flatMap((holder) => membersOf(memberOf(holder, 'parameters')))
    .map((each) => resolve(each, document));
  const found = new Map<string, Located>(
    all.map((each) => [['in', 'name'].map((name) => String(childOf(each.value, name))).join(' '), each]),
  );
  const isRequired = ({ value }: Located): boolean => childOf(value, 'required') === true;
  const own = Object.entries(query) as [QueryFlag, boolean][];
  for (const [key, parameter] of found) {
    if (SENT.test(key) || !isRequired(parameter) || own.some(([name]) => key === `query ${name}`)) continue;
    const [place, name = ''] = key.split(' ');
    const says = `the ${place} parameter \`${name}\` of ${method} requests is required and cannot be sent`;
    note('not_understood', where, says, parameter.at, true);
  }
  const said = own.flatMap(([name, expected]) => {
    const parameter = found.get(`query ${name}`);
    if (!parameter) {
      const says = `has no query parameter \`${name}\`, which requests have`;
      note('contradicts', where, says, operation.at);
      return [];
    }
    const schema = memberOf(parameter, 'schema');
    const stated = schema && childOf(resolve(schema, document).value, 'default');
    const byDefault = typeof stated === 'boolean' ? stated : expected;
    if (byDefault === expected && !isRequired(parameter)) return [];
    const why =
      byDefault === expected ? 'is required' : `is ${byDefault} by default, and ${expected} in the interface`;
    const says = `the query parameter \`${name}\` ${why}: every push says what it means`;
    note('tightened', where, says, parameter.at);
    return [[name, byDefault] as const];
  });
  return Object.fromEntries(said);
}

/** How requests show that they are allowed: the words before a token, or the places of keys. */
function authorizationIn({ document, note }: Reading, operations: readonly Located[]): string[] {
  const { root } = document;
  const named = [root, ...operations].flatMap((holder) => membersOf(memberOf(holder, 'security')));
  const names = new Set(named.flatMap(membersOf).map(({ key }) => key));
  const all = membersOf(memberOf(memberOf(root, 'components') ?? root, 'securitySchemes'));
  const schemes = all.filter(({ key }) => names.size === 0 || names.has(key));
  const words = [...new Set(schemes.map((each) => accessBy(resolve(each, document).value)))];
  const where = { resource: null, types: [], field: 'authorization' };
  const from = schemes[0]?.at ?? '';
  for (const word of words)
    note('needs', where, `requests may show \`${word}\`: authScheme is a setting`, from);
  const others = words.filter((word) => word.toLowerCase() !== TOKEN_SCHEME.toLowerCase());
  if (words.length > 0 && words.every((word) => ELSEWHERE.test(word))) {
    const says = `the key is sent as the ${words.join(' or the ')}, and a token as the header Authorization in requests`;
    note('contradicts', where, says, from, true);
  } else if (words.length === 1 && /^\w+$/.test(others.join(' '))) {
    const says = `the word before a token is \`${others[0]}\`, and \`${TOKEN_SCHEME}\` in the interface: requests under this contract have it`;
    note('contradicts', where, says, from);
  }
  return words;
}

/** A key at any of these places is not the token in the header Authorization. */
const ELSEWHERE = /^(?!header authorization$)(?:header|query|cookie) /i;

/** The word before a token where a scheme has it; else the place of its key. */
function accessBy(scheme: unknown): string {
  const texts = ['type', 'scheme', 'in', 'name', 'description'].map((name) => childOf(scheme, name));
  const [type, word, place, key, description] = texts.map((text) => (typeof text === 'string' ? text : ''));
  if (type !== 'apiKey') return word ? word.charAt(0).toUpperCase() + word.slice(1) : `${type} token`;
  const [, said] = /(?:prefix|Authorization:) *["'`]?(\w+)/i.exec(description!) ?? [];
  const where = `${place} ${key}`;
  return said === undefined || ELSEWHERE.test(where) ? where : said;
}
