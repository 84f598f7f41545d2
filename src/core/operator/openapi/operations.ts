import { ENDPOINTS } from '../../contract/endpoints.ts';
import type { Endpoint } from '../../contract/descriptor.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../contract/resources.ts';
import { ACCOUNT_ANSWERS, type AccountAnswer } from '../contract.ts';
import { Findings, inside, type Where } from '../finding.ts';
import { bodySchema, jsonSchemaIn } from './body-schema.ts';
import { memberOf, membersOf, pointerOf, type Located } from './document.ts';
import { readSchema } from './read-value.ts';
import type { ReadMember, ReadMembers, ReadValue, Reading } from './reading.ts';
import { resolve, usedAt } from './references.ts';
import { noteOperation, noteRest, type ReadOperation } from './unread-parts.ts';
import { readValidators } from './validators.ts';

/** The requests of one resource, as the document describes them. */
export interface ReadResource {
  readonly from: string;
  /** The supplier and the account number. */
  readonly account: ReadonlyMap<string, ReadMember>;
  /** Undefined when the records were not understood. */
  readonly record: ReadValue | undefined;
  readonly maxRecords: number | undefined;
  readonly dryRun: ReadMember | undefined;
}

/** The part of the document that describes the interface. */
export interface ReadInterface {
  readonly resources: ReadonlyMap<Resource, ReadResource>;
  readonly accountNumbers: ReadonlyMap<AccountAnswer, { readonly name: string; readonly from: string }>;
}

const ACCOUNT_FIELDS: readonly string[] = ['import_supplier', 'external_account_number'];

/** Reads the endpoints of the interface. @throws AppError `operator_document_invalid` when the document has none of them */
export function readOperations(reading: Reading): ReadInterface {
  const resources = new Map<Resource, ReadResource>();
  const accountNumbers = new Map<AccountAnswer, { readonly name: string; readonly from: string }>();
  const operations: ReadOperation[] = [];
  const noteNumber = (
    answer: AccountAnswer,
    { operation }: ReadOperation,
    resource: Resource | null,
  ): void => {
    const found = accountNumberIn(operation, resource, reading);
    if (found) accountNumbers.set(answer, found);
  };
  for (const resource of RESOURCES) {
    const where = { resource, type: null, field: '' };
    const found = operationAt(DESCRIPTORS[resource].endpoint, where, reading);
    if (!found) continue;
    operations.push(found);
    readValidators(found.operation, reading, where);
    const read = readRequest(resource, found.operation, reading);
    if (read) resources.set(resource, read);
    const answer = ACCOUNT_ANSWERS.find((name) => name === resource);
    if (answer) noteNumber(answer, found, resource);
  }
  if (operations.length === 0) {
    const todo = `Check that it is the document of the data import interface: it has paths such as \`${DESCRIPTORS.notes.endpoint.path}\`.`;
    throw reading.document.failure(
      ['paths'],
      'the document describes no request of the data import interface',
      todo,
    );
  }
  const nowhere = { resource: null, type: null, field: '' };
  for (const [endpoint, answer] of QUERIES) {
    const found = operationAt(endpoint, nowhere, reading);
    if (!found) continue;
    operations.push(found);
    if (answer) noteNumber(answer, found, null);
  }
  noteRest(operations, reading);
  return { resources, accountNumbers };
}

/** The requests that ask for accounts, and the answer in which they show the account number. The lists have the same form. */
const QUERIES: readonly (readonly [Endpoint, AccountAnswer | null])[] = [
  [ENDPOINTS.accountTransferStatus, 'account-transfer-status'],
  [ENDPOINTS.allAccountImportProcesses, 'account-import-processes'],
  [ENDPOINTS.pendingAccountImportProcesses, null],
  [ENDPOINTS.importedAccountImportProcesses, null],
];

function operationAt(endpoint: Endpoint, where: Where, reading: Reading): ReadOperation | undefined {
  const { path, method } = endpoint;
  const { document, findings } = reading;
  const paths = membersOf(memberOf(document.root, 'paths'));
  const wanted = comparable(path);
  const found =
    paths.find(({ key }) => comparable(key) === wanted) ??
    // The version and what is before it may be a part of the server's address.
    paths.find(({ key }) => wanted.endsWith(comparable(key)) && comparable(key).includes('/data-import/')) ??
    paths.find(({ key }) => comparable(key).endsWith(wanted));
  const item = found && usedAt(found, reading);
  const operation = item && memberOf(item, method.toLowerCase());
  if (!found || !operation) {
    const says = `the document has no ${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
    findings.add('not_understood', where, says, '/paths');
    return undefined;
  }
  const prefix = wanted.slice(0, Math.max(wanted.length - comparable(found.key).length, 0));
  const isElsewhere =
    comparable(found.key) !== wanted &&
    (prefix === '' || ![operation, item, document.root].some((holder) => isBelow(prefix, holder)));
  if (isElsewhere || !found.key.endsWith('/')) {
    const before = comparable(found.key).endsWith(wanted)
      ? comparable(found.key).slice(0, -wanted.length)
      : undefined;
    const advice = before ? `: let the base URL end with \`${before}\`` : ', below the base URL';
    const says = `the path is \`${found.key}\`; requests go to \`${path}\`${advice}`;
    findings.add('contradicts', where, says, pointerOf(found.path));
  }
  const read = { endpoint, item, operation };
  noteOperation(read, where, reading);
  return read;
}

/** Whether the address of a server ends with the beginning of a path. */
function isBelow(prefix: string, holder: Located): boolean {
  return membersOf(memberOf(holder, 'servers')).some((server) => {
    const url = memberOf(server, 'url')?.value;
    return typeof url === 'string' && url.replace(/\/$/, '').endsWith(prefix);
  });
}

/** A path without the names of its segments and without its last slash. */
const comparable = (path: string): string => path.replaceAll(/\{[^}]*\}|:\w+/g, '*').replace(/\/$/, '');

function readRequest(resource: Resource, operation: Located, reading: Reading): ReadResource | undefined {
  const where = { resource, type: null, field: '' };
  const { findings } = reading;
  const body = memberOf(operation, 'requestBody');
  const schema = body && bodySchema(body, where, reading);
  if (!schema) {
    const says = 'the request has no schema of a JSON body';
    findings.add('not_understood', where, says, pointerOf(operation.path));
    return undefined;
  }
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
  const dryRun = fields.get('dry_run');
  if (list === null) {
    return { from, account, maxRecords: undefined, dryRun, record: withoutAccount(request) };
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
  const value = fields.get(list)?.value;
  if (!items || !value) {
    findings.add('not_understood', where, `the body of the request has no list \`${list}\``, from);
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

/** The field of an answer of success that has the account number of the platform. */
function accountNumberIn(
  operation: Located,
  resource: Resource | null,
  reading: Reading,
): { readonly name: string; readonly from: string } | undefined {
  const { document, findings } = reading;
  const responses = membersOf(memberOf(operation, 'responses'));
  const success = responses.find(({ key }) => /^2(?:\d\d|XX)$/i.test(key));
  const schema = success && jsonSchemaIn(resolve(success, document));
  const where = { resource, type: null, field: '' };
  // What an answer says beside the account number does not matter, so findings about it are dropped.
  const silent = {
    ...reading,
    findings: new Findings(),
    rules: new Map(),
    read: new Set<unknown>(),
    definitions: [],
  };
  const answer = schema && readSchema(schema, where, silent);
  const object =
    answer?.kind === 'list' ? (answer.item?.kind === 'list' ? answer.item.item : answer.item) : answer;
  const names = [...(object?.members?.fields ?? [])].filter(
    ([name]) => name.endsWith('account_number') && name !== 'external_account_number',
  );
  const [found] = names.toSorted(([a, x], [b, y]) => rank(a, x) - rank(b, y));
  if (found) return { name: found[0], from: found[1].from };
  const says = 'the answer has no field that looks like the account number of the platform';
  findings.add('not_understood', where, says, pointerOf(schema?.path ?? operation.path));
  return undefined;
}

/** A deprecated name, and `account_number` without a word before it, are the second choice. */
function rank(name: string, { value }: ReadMember): number {
  return (value?.deprecated ? 2 : 0) + (name === 'account_number' ? 1 : 0);
}
