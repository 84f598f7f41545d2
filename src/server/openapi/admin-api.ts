import type { JsonSchema } from './json-schema.ts';

interface AdminOperation {
  readonly summary: string;
  /** Names of query parameters, each with its meaning. */
  readonly query?: Readonly<Record<string, string>>;
  /** The fields of the JSON body. */
  readonly body?: readonly string[];
  /** The fields that every answer has, or the media type of an answer that is no JSON. Default: an object. */
  readonly answer?: readonly string[] | string;
}

const LINES = 'application/x-ndjson';
const LEDGER_FILTER = {
  kind: 'note, transaction, statement or payment_instruction',
  import_supplier: 'code of the supplier',
  external_account_number: 'number of the account',
};
const REQUEST_FILTER = {
  status: 'a status such as 404, a class such as 4xx, none, or fault for requests that a fault answered',
  path: 'the beginning of the path',
  since: 'an instant',
  endpoint: 'notes, transactions, statements, payment-instructions, token, status or lists',
  account: 'a part of the account number, or the whole number in double quotes',
  code: 'a code of the answer',
  text: 'a part of path, query, account, code, fault rule, identifier of a conflicting replay, or kept body',
};
const CLOCK = ['now', 'mode'] as const;
const FAULTS = ['armed', 'seed', 'rules', 'unused'] as const;
const COUNTS = ['counts'] as const;
const ACCOUNT = ['import_supplier', 'external_account_number', 'state', 'status'] as const;
const SNAPSHOT = ['name', 'bytes', 'written_at'] as const;

/** Method and path → the operation. Only programs on this machine get an answer. */
const ADMIN_API: Readonly<Record<string, AdminOperation>> = {
  'GET /_local/health': {
    summary: 'Instance, version, database, start time, counts',
    answer: ['instance', 'ready', 'counts'],
  },
  'GET /_local/figures': {
    summary: 'The requests of today in UTC, tolerated values, counts of what is stored',
    answer: ['today', 'tolerated', 'counts', 'built_in_key'],
  },
  'POST /_local/reset': { summary: 'Drop all records and the log, and return to the seed', answer: COUNTS },
  'POST /_local/seed': { summary: 'Add the entries of a seed', answer: COUNTS },
  'GET /_local/ledger': { summary: 'Every stored record, one a line', query: LEDGER_FILTER, answer: LINES },
  'GET /_local/ledger/totals': {
    summary: 'Exact sums by account and type, duplicates, conflicting replays',
    query: LEDGER_FILTER,
    answer: ['totals', 'accounts', 'duplicates', 'conflicting_replays'],
  },
  'GET /_local/suppliers': { summary: 'The suppliers', answer: ['suppliers'] },
  'PUT /_local/suppliers/:code': {
    summary: 'Set the status of a supplier',
    body: ['status'],
    answer: ['code', 'status'],
  },
  'GET /_local/vendors': { summary: 'The payment vendors and their instructions', answer: ['vendors'] },
  'GET /_local/accounts': {
    summary: 'The accounts, a page at a time',
    query: {
      import_supplier: 'code of the supplier',
      state: 'staged, in_progress, imported or failed',
      search: 'a part of the account number',
      totals: '`true` adds counts, sums and the balance of each, and how many accounts match',
      limit: 'most accounts in the answer, at most 1000',
      after: '`next` of the page before',
    },
    answer: ['accounts', 'next'],
  },
  'GET /_local/accounts/:importSupplier/:externalAccountNumber': {
    summary: 'One account with everything on it',
    answer: [...ACCOUNT, 'balance'],
  },
  'PUT /_local/accounts/:importSupplier/:externalAccountNumber': {
    summary: 'Set the state of an import, and stage an account',
    body: ['state', 'open_statement'],
    answer: ACCOUNT,
  },
  'GET /_local/accounts/:importSupplier/:externalAccountNumber/records': {
    summary: 'The records of one resource on an account, a page at a time, with the running balance',
    query: {
      resource: 'notes, transactions, statements or payment-instructions',
      offset: 'records to leave out',
      limit: 'most records in the answer, at most 200',
    },
    answer: ['account', 'records', 'count'],
  },
  'GET /_local/snapshots': { summary: 'The snapshots', answer: ['snapshots'] },
  'PUT /_local/snapshots/:name': { summary: 'Save everything stored under a name', answer: SNAPSHOT },
  'DELETE /_local/snapshots/:name': { summary: 'Delete a snapshot', answer: ['deleted'] },
  'POST /_local/snapshots/:name/restore': {
    summary: 'Replace everything stored by a snapshot',
    answer: COUNTS,
  },
  'GET /_local/clock': { summary: 'Time and mode of the clock', answer: CLOCK },
  'POST /_local/clock/freeze': { summary: 'Freeze the clock', answer: CLOCK },
  'POST /_local/clock/set': { summary: 'Set the clock', body: ['now'], answer: CLOCK },
  'POST /_local/clock/advance': { summary: 'Advance the clock', body: ['seconds'], answer: CLOCK },
  'POST /_local/clock/resume': { summary: 'Return to real time', answer: CLOCK },
  'GET /_local/requests': {
    summary: 'The last requests, oldest first, one a line',
    query: REQUEST_FILTER,
    answer: LINES,
  },
  'GET /_local/requests/newest': {
    summary: 'The last requests, newest first, a page at a time',
    query: {
      ...REQUEST_FILTER,
      before: '`next` of the page before',
      limit: 'most requests in the answer, at most 200',
    },
    answer: ['requests', 'next', 'event_id'],
  },
  'GET /_local/requests/events': {
    summary: 'Requests as they come, as server-sent events that resume after `Last-Event-ID`',
    query: { ...REQUEST_FILTER, last_event_id: 'the same as the header `Last-Event-ID`' },
    answer: 'text/event-stream',
  },
  'GET /_local/requests/:seq': {
    summary: 'One request, with its problems, each with its rule and the next step',
    answer: ['seq', 'status', 'problems'],
  },
  'GET /_local/faults': { summary: 'The faults, and how often each was hit', answer: FAULTS },
  'PUT /_local/faults': { summary: 'Replace the faults', body: ['seed', 'rules'], answer: FAULTS },
  'POST /_local/faults': { summary: 'Add faults', body: ['seed', 'rules'], answer: FAULTS },
  'DELETE /_local/faults': { summary: 'Remove all faults', answer: FAULTS },
  'GET /_local/openapi.json': { summary: 'This document', answer: ['openapi', 'paths'] },
  'GET /_local/seed.schema.json': { summary: 'JSON Schema of seed files' },
  'GET /_local/parity': { summary: 'Each rule with its source', answer: ['counts', 'rules'] },
  'GET /': { summary: 'Redirect to the page', answer: ['page'] },
  'GET /_local/ui': { summary: 'The page', answer: 'text/html' },
  'GET /_local/ui/:file': { summary: 'A file of the page', answer: '*/*' },
};

const TAG = 'admin API, for programs on this machine';

/** The statuses with which a call of the admin API may fail. */
const REFUSALS = ['400', '401', '403', '404', '405', '413', '415', '421', '500'];

/** The paths of the admin API, each with its operations. */
export function adminPaths(): Readonly<Record<string, JsonSchema>> {
  const byPath = Map.groupBy(Object.entries(ADMIN_API), ([name]) => name.split(' ')[1]!);
  return Object.fromEntries(
    [...byPath].map(([path, operations]) => [
      path.replaceAll(/:(\w+)/g, '{$1}'),
      Object.fromEntries(
        operations.map(([name, operation]) => [methodOf(name), operationOf(name, operation)]),
      ),
    ]),
  );
}

const methodOf = (name: string): string => name.split(' ')[0]!.toLowerCase();

function operationOf(name: string, { summary, query = {}, body, answer = [] }: AdminOperation): JsonSchema {
  const [method, path = ''] = name.split(' ');
  const segments = [...path.matchAll(/:(\w+)/g)].map(([, segment]) => segment!);
  const success = path === '/' ? '302' : '200';
  return {
    operationId: [methodOf(name), ...path.split(/\W+/).filter((part) => part !== '')].join('_'),
    summary,
    tags: [TAG],
    security: [],
    parameters: [
      ...segments.map((segment) => parameter(segment, 'path', undefined)),
      ...Object.entries(query).map(([key, meaning]) => parameter(key, 'query', meaning)),
    ],
    ...((method === 'POST' || method === 'PUT') && { requestBody: requestBody(body) }),
    responses: {
      [success]: { description: 'Done.', content: contentOf(answer) },
      ...Object.fromEntries(
        REFUSALS.map((status) => [
          status,
          {
            description: 'Refused.',
            content: { 'application/json': { schema: { type: 'object', required: ['detail'] } } },
          },
        ]),
      ),
    },
  };
}

function parameter(name: string, place: 'path' | 'query', description: string | undefined): JsonSchema {
  return {
    name,
    in: place,
    required: place === 'path',
    schema: { type: 'string' },
    ...(description !== undefined && { description }),
  };
}

function requestBody(fields: readonly string[] = []): JsonSchema {
  const properties = Object.fromEntries(fields.map((field) => [field, {}]));
  return { content: { 'application/json': { schema: { type: 'object', properties } } } };
}

function contentOf(answer: readonly string[] | string): JsonSchema {
  if (typeof answer === 'string') return { [answer]: {} };
  return { 'application/json': { schema: { type: 'object', required: answer } } };
}
