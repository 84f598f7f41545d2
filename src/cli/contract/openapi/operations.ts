import { ENDPOINTS, type EndpointName } from '../../../core/contract/endpoints.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../../core/contract/resources.ts';
import { ACCOUNT_ANSWERS, type AccountAnswer, type RequestRules } from '../../../core/operator/contract.ts';
import { Findings, inside } from '../../../core/operator/finding.ts';
import { accountNumberIn, readAnswer, resultsOf } from './answers.ts';
import { bodySchema } from './body-schema.ts';
import { memberOf, membersOf, pointerOf, type Located } from './document.ts';
import { operationAt, type PlacedOperation } from './operation-place.ts';
import { readSchema } from './read-value.ts';
import type { ReadMember, ReadMembers, ReadValue, Reading } from './reading.ts';
import { resolve } from './references.ts';
import { noteRest, type ReadOperation } from './unread-parts.ts';
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
  readonly requests: ReadonlyMap<EndpointName, RequestRules>;
}

const ACCOUNT_FIELDS: readonly string[] = ['import_supplier', 'external_account_number'];

/** Reads the endpoints of the interface. @throws AppError `operator_document_invalid` when the document has none of them */
export function readOperations(reading: Reading): ReadInterface {
  const resources = new Map<Resource, ReadResource>();
  const accountNumbers = new Map<AccountAnswer, { readonly name: string; readonly from: string }>();
  const requests = new Map<EndpointName, RequestRules>();
  const operations: ReadOperation[] = [];
  const noteAnswer = (
    name: EndpointName,
    read: PlacedOperation,
    number: AccountAnswer | null,
    resource: Resource | null,
  ): void => {
    operations.push(read);
    const answer = readAnswer(read.operation, resource, reading);
    requests.set(name, {
      from: pointerOf(read.operation.path),
      path: read.path,
      ...resultsOf(answer, resource, reading),
    });
    const found = number && accountNumberIn(answer, resource, reading);
    if (found) accountNumbers.set(number, found);
  };
  for (const resource of RESOURCES) {
    const where = { resource, type: null, field: '' };
    const found = operationAt(DESCRIPTORS[resource].endpoint, where, reading);
    if (!found) continue;
    readValidators(found.operation, reading, where);
    const read = readRequest(resource, found.operation, reading);
    if (read) resources.set(resource, read);
    const number = ACCOUNT_ANSWERS.find((name) => name === resource) ?? null;
    noteAnswer(DESCRIPTORS[resource].endpoint.name as EndpointName, found, number, resource);
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
  for (const [name, number] of QUERIES) {
    const found = operationAt(ENDPOINTS[name], nowhere, reading);
    if (found) noteAnswer(name, found, number, null);
  }
  noteRest(operations, reading);
  return { resources, accountNumbers, requests };
}

/** The requests that ask for accounts, and the answer in which they show the account number. The lists have the same form. */
const QUERIES: readonly (readonly [EndpointName, AccountAnswer | null])[] = [
  ['accountTransferStatus', 'account-transfer-status'],
  ['allAccountImportProcesses', 'account-import-processes'],
  ['pendingAccountImportProcesses', null],
  ['importedAccountImportProcesses', null],
];

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
