import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { differenceOf, isTighter } from '../../../src/cli/contract/difference.ts';
import { nameOf } from '../../../src/cli/contract/finding.ts';
import { importContract, type ImportedContract } from '../../../src/cli/contract/import-contract.ts';
import { operatorFile } from '../../support/operator-document.ts';

type Json = any; // oxlint-disable-line typescript/no-explicit-any -- a document is changed in any place

const DOCUMENT = parse(operatorFile('halmere', 'openapi.yaml')) as Json;
const GRAPHQL = '/v1/graphql/';
DOCUMENT.paths[GRAPHQL] = { post: { operationId: 'obtainPlatformToken', responses: {} } };
DOCUMENT.servers.push({ url: '/sandbox' });
// Each document is read once, so long lists and paths of other resources would be read eighty times.
for (const name of ['ChargeReasonEnum', 'CreditReasonEnum']) DOCUMENT.components.schemas[name].enum.splice(5);
for (const path of Object.keys(DOCUMENT.paths))
  if (/\/(?:account|agreements|meter-readings|tickets)\//.test(path)) delete DOCUMENT.paths[path];
DOCUMENT.components.securitySchemes.tokenAuth.description = 'Token-based, with the prefix "Token".';

function importOf(document: Json): ImportedContract {
  return importContract(
    { file: 'o.json', text: JSON.stringify(document), sha256: '0'.repeat(64) },
    '2026-11-22',
  );
}

const BEFORE = importOf(DOCUMENT);

const NOTES = '/v1/data-import/notes/create/';
const BILLS = '/v1/data-import/transactions/create/';
const LIST = '/v1/data-import/all-account-import-processes/{importSupplier}/';
const STATUS = '/v1/data-import/account-transfer-status/{importSupplier}/{externalAccountNumber}/';

/** Renames a key and keeps its place. */
function renamed(holder: Json, from: string, to: string): void {
  holder[to] = holder[from];
  delete holder[from];
}

const parameter = (place: string, name: string): Json => ({
  name,
  in: place,
  required: true,
  schema: { type: 'string' },
});

type Change = (paths: Json, schemas: Json, components: Json, document: Json) => void;

/** The schema of all requests with the supplier and the account number. */
const accountHolder = (schemas: Json): Json =>
  Object.values<Json>(schemas).find(
    ({ properties }) => properties?.external_account_number && properties.import_supplier,
  );

/** A field of the first schema that has it. */
function fieldIn(schema: Json, name: string): Json {
  if (typeof schema !== 'object' || schema === null) return undefined;
  if (schema.properties?.[name]) return schema.properties[name];
  return Object.values<Json>(schema).reduce((found: Json, inner) => found ?? fieldIn(inner, name), undefined);
}

/** A change of the document, and the line of `contract diff` that tells it. */
type Told = readonly [change: Change, line: RegExp];

/** Changes by which something may be refused that was not before: `contract diff` ends with 6. */
const WORSE: Record<string, Told> = {
  'an endpoint of records is gone': [
    (paths) => delete paths[NOTES],
    /^tightened notes: the document has no POST \/v1\/data-import\/notes\/create\/: every/,
  ],
  'an endpoint moved to another version': [
    (paths) => renamed(paths, NOTES, NOTES.replace('v1', 'v2')),
    /no POST .*notes\/create\/: every/,
  ],
  'an endpoint has another method': [
    (paths) => renamed(paths[BILLS], 'post', 'put'),
    /^tightened transactions: .*: every/,
  ],
  'a path loses its slash': [
    (paths) => renamed(paths, NOTES, NOTES.slice(0, -1)),
    /^tightened notes: the path `.*create` ends without a slash, .*: every request would be refused$/,
  ],
  'a path has a beginning': [
    (paths) => renamed(paths, NOTES, `/api${NOTES}`),
    /^tightened createNotes: no longer so: is at `\/v1.*: compare the base URL$/,
  ],
  'a header is required': [
    (paths) => (paths[NOTES].post.parameters = [parameter('header', 'X-Tenant')]),
    /^tightened notes: the header parameter `X-Tenant`/,
  ],
  'a field beside the records is required': [
    (_, { NotesRequest: { allOf } }) => {
      allOf[1].properties.batch = { type: 'string' };
      allOf[1].required = [...(allOf[1].required ?? []), 'batch'];
    },
    /^tightened notes\.batch: is required beside the records/,
  ],
  'a body is a list': [
    (_, schemas) => (schemas.NotesRequest = { type: 'array', items: { $ref: '#/components/schemas/Note' } }),
    /^tightened notes: the body of a request is list, and object in the interface/,
  ],
  'the list of records is gone': [
    (_, { NotesRequest: { allOf } }) => delete allOf[1].properties.notes,
    /^tightened notes: the body of the request has no list `notes`: every request would be refused$/,
  ],
  'the scheme of authorization has another word': [
    (_, __, { securitySchemes }) => (securitySchemes.tokenAuth = { type: 'http', scheme: 'bearer' }),
    /^tightened authorization: no longer so: requests may show `Token`: authScheme is a setting$/,
  ],
  'a key is sent in another header': [
    (_, __, { securitySchemes }) =>
      (securitySchemes.tokenAuth = { type: 'apiKey', in: 'header', name: 'X-Key' }),
    /^tightened authorization: the key is sent as the header X-Key, and a token .*: every request would be refused$/,
  ],
  'a body is not JSON': [
    (paths) => renamed(paths[NOTES].post.requestBody.content, 'application/json', 'multipart/form-data'),
    /^tightened notes: the body is sent as `application\/json`, and the document takes `multipart\/form-data` only: every/,
  ],
  'a date is a date-time': [
    (_, schemas) => (fieldIn(schemas, 'transaction_date').format = 'date-time'),
    /^tightened transactions\.transaction_date: is date-time, and date .*: every such record would be refused$/,
  ],
  'a required field is added': [
    (_, { Note }) => {
      Note.properties.mood = { type: 'string' };
      Note.required = [...(Note.required ?? []), 'mood'];
    },
    /^tightened notes\.mood: is added: text, required/,
  ],
  'an added field is gone': [
    (_, { Note: { properties } }) => delete properties.external_id,
    /^removed notes\.external_id/,
  ],
  'a field of the interface is required': [
    (_, { Note }) => (Note.required = ['body']),
    /^tightened notes\.body: required/,
  ],
  'a value is dropped': [
    (_, { VendorEnum }) => VendorEnum.enum.pop(),
    /^tightened payment-instructions\.vendor: no longer takes TIDEPAY/,
  ],
  'a text is shorter': [
    (_, { LineItem: { properties } }) => (properties.rate_band.maxLength = 9),
    /^tightened .*rate_band: `maxLength: 9`/,
  ],
  'a text has a form': [
    (_, { LineItem: { properties } }) => (properties.rate_band.pattern = '^[A-Z]+$'),
    /^tightened .*rate_band: `pattern: /,
  ],
  'a type is gone': [
    (_, { Transaction }) => {
      Transaction.oneOf.pop();
      delete Transaction.discriminator.mapping.SUPPLY_CHARGE;
    },
    /^tightened transactions\.type: no longer takes SUPPLY_CHARGE/,
  ],
  'a rule is added': [
    (_, { Note }) => Note['x-validators'].push({ name: 'New', possible_errors: ['note_too_old'] }),
    /^tightened note_too_old: is a rule/,
  ],
  'null is refused': [
    (_, { PaymentTransaction: { allOf } }) =>
      delete allOf[1].properties.to_prepay_meter_serial_number.nullable,
    /^tightened transactions\.PAYMENT\.to_prepay_meter_serial_number: never null/,
  ],
};

const OTHERS: Readonly<Record<string, Told>> = {
  'a request takes fewer records': [
    (_, { NotesRequest: { allOf } }) => (allOf[1].properties.notes.maxItems = 3),
    /^changed notes: a request has at most 3 records$/,
  ],
  'a field is not named for a type': [
    (_, { PaymentTransaction: { allOf } }) => delete allOf[1].properties.reference,
    /^changed transactions\.PAYMENT\.reference: is not named here$/,
  ],
  'a query parameter of requests is gone': [
    (paths) => (paths[BILLS].post.parameters = []),
    /^changed transactions: has no query parameter `check_previously_added`, which requests have$/,
  ],
  'a question about an account is gone': [
    (paths) => delete paths[STATUS],
    /^changed accountTransferStatus: the document has no GET .*: `status` fails$/,
  ],
  'the list of accounts is gone': [
    (paths) => delete paths[LIST],
    /^changed allAccountImportProcesses: the document has no GET .*: `accounts` fails, and `migrate` sends nothing$/,
  ],
  'the answer of notes is one object': [
    (paths) => {
      const content = paths[NOTES].post.responses['201'].content['application/json'];
      content.schema = { type: 'object', properties: { status: { type: 'string' } } };
    },
    /^changed notes: the document describes the answer as one object, and the interface has a list/,
  ],
  'the server is another one': [
    (_, __, ___, document) => (document.servers = [{ url: 'https://new.example/api' }, { url: '/' }]),
    /^changed servers: a server is https:\/\/new\.example\/api: compare the base URL$/,
  ],
  'the account number has another name in statuses': [
    (_, { AccountTransferStatus: { properties } }) =>
      renamed(properties, 'halmere_account_number', 'hal_account_number'),
    /^changed account-transfer-status: the account number is `hal_account_number`$/,
  ],
  'a key may be sent in another header': [
    (paths, _, { securitySchemes }) => {
      securitySchemes.key = { type: 'apiKey', in: 'header', name: 'X-Key' };
      paths[NOTES].post.security = [{ tokenAuth: [] }, { key: [] }];
    },
    /^changed authorization: requests may show `header X-Key`/,
  ],
  'the account number is not named any more': [
    (_, { AccountImportProcess: { properties } }) => delete properties.halmere_account_number,
    /^changed account-import-processes: no longer so: the account number is `halmere_account_number`$/,
  ],
  'amounts are numbers': [
    (_, { ChargeTransaction: { allOf } }) => (allOf[1].properties.amount = { type: 'number' }),
    /^changed transactions\.CHARGE\.amount: sent as a number/,
  ],
  'a field is added': [
    (_, { Note: { properties } }) => (properties.mood = { type: 'string' }),
    /^added notes\.mood/,
  ],
  'a value is added': [
    (_, { VendorEnum }) => VendorEnum.enum.push('NEW'),
    /^loosened payment-instructions\.vendor: takes NEW, too/,
  ],
  'a list of values is opened': [
    (_, { VendorEnum }) => delete VendorEnum.enum,
    /^loosened payment-instructions\.vendor: may have any value/,
  ],
  'a rule is gone': [
    (_, { Note }) => Note['x-validators'].shift(),
    /^loosened note_body_or_document_path_not_found: no longer so: is a rule/,
  ],
};

// Requests have these, perhaps under a name that is not recognized.
for (const name of ['external_account_number', 'import_supplier'])
  WORSE[`requests have no \`${name}\``] = [
    (_, schemas) => {
      const holder = accountHolder(schemas);
      renamed(holder.properties, name, 'customer_ref');
      holder.required = holder.required.filter((each: string) => each !== name);
    },
    new RegExp(`^tightened notes: the request has no \`${name}\`, .*: every request would be refused$`),
  ];

/** The contract and the findings of a changed document, and how the contract differs. */
function imported(change: Change) {
  const document = structuredClone(DOCUMENT);
  change(document.paths, document.components.schemas, document.components, document);
  const after = importOf(document);
  return { ...after, changes: differenceOf(BEFORE.contract, after.contract) };
}

describe('a changed document is told by a line of `contract diff`', () => {
  test.each(Object.keys({ ...WORSE, ...OTHERS }))('%s', (what) => {
    const [change, line] = (WORSE[what] ?? OTHERS[what])!;
    const { contract, findings, changes } = imported(change);
    const lines = changes.map((each) => `${each.kind} ${nameOf(each)}: ${each.says}`);
    expect(
      lines.filter((each) => line.test(each)),
      lines.join('\n'),
    ).toHaveLength(1);
    expect(changes.some(isTighter)).toBe(what in WORSE);
    // The way back is told as well.
    expect(differenceOf(contract, BEFORE.contract)).not.toEqual([]);
    // A push fails under the new contract exactly where both commands say so.
    const refusals = findings.filter((each) => each.refuses_all).map(({ says }) => says);
    const told = changes.filter(
      ({ kind, says }) =>
        kind === 'tightened' && /every (?:request|such record) would be refused$/.test(says),
    );
    expect(told.map(({ says }) => says)).toEqual(refusals);
  });
});

test('the import of a document without the requests that ask about accounts says what fails, and no push does', () => {
  const { findings } = imported((paths) => {
    delete paths[STATUS];
    renamed(paths, LIST, LIST.slice(0, -1));
  });
  expect(findings.filter((each) => each.refuses_all)).toEqual([]);
  expect(findings.flatMap(({ says }) => /^.*: (`.* fails.*)$/.exec(says)?.[1] ?? [])).toEqual([
    '`status` fails',
    '`accounts` fails, and `migrate` sends nothing',
  ]);
});

test('an unchanged document has no line, however it is written', () => {
  expect(BEFORE.findings.filter((each) => each.refuses_all)).toEqual([]);
  const reversed = JSON.parse(JSON.stringify(DOCUMENT)) as Json;
  reversed.paths = Object.fromEntries(Object.entries(reversed.paths).toReversed());
  reversed.servers.push(...reversed.servers.splice(0, 1));
  expect(differenceOf(BEFORE.contract, importOf(reversed).contract)).toEqual([]);
});

test('decimals for an amount in minor units are told, and refuse nothing', () => {
  const { findings } = imported((_, { Statement }) => {
    Statement.properties.gross_amount = { type: 'string', format: 'decimal' };
    Statement.required.push('gross_amount');
  });
  expect(findings.filter(({ field }) => field === 'gross_amount').map(({ says }) => says)).toContain(
    'takes decimals, and a whole number of minor units is sent: ask the operator which unit it means',
  );
  expect(findings.filter((each) => each.refuses_all)).toEqual([]);
});
